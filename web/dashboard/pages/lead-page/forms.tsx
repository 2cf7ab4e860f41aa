import { useEffect, useRef } from 'preact/hooks'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { Badge } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { LeadForm } from '../lead-pages/linked-page.ts'
import { FormSettings } from './form-settings.tsx'
import { Imports } from './imports.tsx'
import { routeOf } from './props.ts'
import type { LeadPageProps } from './props.ts'

interface FormsProps extends LeadPageProps {
  /** The id of the form that the address names; null for none. */
  readonly open: string | null
}

/** The forms of a Page, read upstream now, with what is set for each. */
export function Forms({ words, page, open }: FormsProps) {
  const { api } = useApp()
  const path = `${routeOf(page.pageId)}/forms`
  const forms = useAsked((signal) => api.get<{ readonly forms: readonly LeadForm[] }>(path, { signal }), [path])
  function take(now: LeadForm): void {
    forms.change((before) => ({ forms: before.forms.map((form) => (form.formId === now.formId ? now : form)) }))
  }
  return (
    <section class="part" aria-labelledby="forms">
      <h2 id="forms">{words.forms.heading}</h2>
      <Asked of={forms} codes={words.list.codes}>
        {(body) => {
          const opened = body.forms.find(({ formId }) => formId === open)
          return (
            <>
              {body.forms.length === 0 ? (
                <Empty text={words.forms.none} />
              ) : (
                <Listing words={words} forms={body.forms} />
              )}
              {opened !== undefined && (
                <OneForm key={opened.formId} words={words} page={page} form={opened} take={take} />
              )}
            </>
          )
        }}
      </Asked>
    </section>
  )
}

function Listing({
  words: { forms: words },
  forms,
}: Pick<FormsProps, 'words'> & { readonly forms: readonly LeadForm[] }) {
  const { router } = useApp()
  return (
    <List
      label={words.heading}
      items={forms}
      columns={[words.form, words.consent, words.answer, words.status]}
      hooksOf={({ formId, status }) => ({ id: formId, status })}
      row={(form) => [
        <button
          key="form"
          type="button"
          class="as-link"
          data-action="edit"
          onClick={() => router.ask({ form: form.formId })}
        >
          <bdi>{form.formName ?? form.formId}</bdi>
        </button>,
        <bdi key="consent">{checkboxOf(form) ?? words.noConsent}</bdi>,
        <Badge
          key="answer"
          tone={form.autoSend === null ? 'calm' : 'good'}
          text={form.autoSend === null ? words.notAnswered : words.answered}
        />,
        <bdi key="status" lang="en">
          {form.status}
        </bdi>,
      ]}
    />
  )
}

/** The text of the checkbox that says yes; its key where the form has it no more. */
function checkboxOf({ consentKey, checkboxes }: LeadForm): string | null {
  return checkboxes.find(({ key }) => key === consentKey)?.text ?? consentKey
}

interface OneProps extends LeadPageProps {
  readonly form: LeadForm
  take(now: LeadForm): void
}

function OneForm({ words, page, form, take }: OneProps) {
  const { router, words: ground } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="card" aria-labelledby="form" data-open={form.formId}>
      <h2 id="form" ref={heading} tabIndex={-1} dir="auto">
        {form.formName ?? form.formId}
      </h2>
      <FormSettings words={words} page={page} form={form} take={take} />
      <Imports words={words} page={page} form={form} />
      <div class="actions">
        <button type="button" class="button quiet" data-action="close" onClick={() => router.ask({ form: null })}>
          {ground.close}
        </button>
      </div>
    </section>
  )
}
