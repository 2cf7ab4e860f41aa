import { useState } from 'preact/hooks'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { CheckField, Form, SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { LeadForm } from '../lead-pages/linked-page.ts'
import type { ListedTemplate } from '../templates/template.ts'
import { routeOf } from './props.ts'
import type { LeadPageProps } from './props.ts'
import { atItsFields } from './refusal.ts'
import { settingsOf } from './settings-of.ts'
import { templatesOf } from './templates-of.ts'
import { Variables } from './variables.tsx'

interface SettingsProps extends LeadPageProps {
  readonly form: LeadForm
  take(now: LeadForm): void
}

/** What leads of a form consent by, and what they are answered with. */
export function FormSettings(props: SettingsProps) {
  const { api } = useApp()
  const number = props.page.channelNumberId
  const templates = useAsked((signal) => templatesOf(api, number, signal), [number])
  return (
    <Asked of={templates} codes={props.words.list.codes}>
      {(all) => <Fields {...props} templates={all} />}
    </Asked>
  )
}

interface FieldsProps extends SettingsProps {
  readonly templates: readonly ListedTemplate[]
}

function Fields({ words, page, form, take, templates }: FieldsProps) {
  const { api, say, words: ground } = useApp()
  const [templateId, choose] = useState(form.autoSend?.templateId ?? '')
  const chosen = templates.find(({ id }) => id === templateId)
  const kept = form.autoSend?.templateId === templateId ? form.autoSend.variables : {}
  const keys = chosen?.variables ?? Object.keys(kept)
  return (
    <Form<LeadForm>
      name="lead-form"
      submit={ground.save}
      codes={words.list.codes}
      send={async (fields) => {
        const path = `${routeOf(page.pageId)}/forms/${encodeURIComponent(form.formId)}`
        const answer = await api.put<LeadForm>(path, settingsOf(fields, keys))
        return answer.fault ? { fault: atItsFields(answer.fault) } : answer
      }}
      done={(now) => {
        take(now)
        say(ground.saved)
      }}
    >
      <ConsentField words={words} form={form} />
      <TemplateField words={words} form={form} templates={templates} chosen={templateId} choose={choose} />
      {templateId !== '' && (
        <>
          <Variables key={templateId} words={words} form={form} keys={keys} kept={kept} />
          <When words={words} form={form} />
        </>
      )}
    </Form>
  )
}

type PartProps = Pick<FieldsProps, 'words' | 'form'>

function ConsentField({ words: { settings }, form: { checkboxes, consentKey } }: PartProps) {
  const offered = checkboxes.map(({ key, text }) => ({ value: key, label: text }))
  return (
    <SelectField
      label={settings.consentKey}
      name="consentKey"
      hint={checkboxes.length === 0 ? settings.noCheckbox : settings.consentHint}
      value={consentKey ?? ''}
      options={[{ value: '', label: settings.noConsent }, ...withChosen(offered, consentKey)]}
    />
  )
}

interface TemplateFieldProps extends PartProps, Pick<FieldsProps, 'templates'> {
  readonly chosen: string
  choose(templateId: string): void
}

/** The templates of the number that can be sent, and the one that is set. */
function TemplateField({ words: { settings }, form, templates, chosen, choose }: TemplateFieldProps) {
  const set = form.autoSend?.templateId ?? null
  const offered = templates
    .filter(({ id, sendable }) => sendable || id === set)
    .map(({ id, name, language }) => ({ value: id, label: `${name} (${language})` }))
  return (
    <SelectField
      label={settings.template}
      name="autoSend.templateId"
      hint={settings.templateHint}
      value={chosen}
      options={[{ value: '', label: settings.noTemplate }, ...withChosen(offered, set)]}
      change={choose}
    />
  )
}

/** Options with the one that is set, also where upstream or the number has it no more. */
function withChosen<Option extends { readonly value: string; readonly label: string }>(
  options: readonly Option[],
  chosen: string | null,
) {
  return chosen === null || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
}

/** When a lead is answered. */
function When({ words: { settings }, form: { autoSend } }: PartProps) {
  return (
    <>
      <CheckField
        label={settings.onlyWithConsent}
        name="autoSend.onlyWithConsent"
        hint={settings.onlyWithConsentHint}
        isChecked={autoSend?.onlyWithConsent ?? true}
      />
      <TextField
        label={settings.days}
        name="autoSend.skipRecentConversationDays"
        type="number"
        hint={settings.daysHint}
        value={String(autoSend?.skipRecentConversationDays ?? 0)}
        min={0}
        max={90}
        isRequired
      />
    </>
  )
}
