import { useState } from 'preact/hooks'
import type { AutoSendVariable } from '../../../../src/domain/lead.ts'
import { SelectField, TextField } from '../../ground/form.tsx'
import type { LeadForm } from '../lead-pages/linked-page.ts'
import type { LeadPageWords } from './props.ts'
import { fieldNamesOf } from './settings-of.ts'

interface VariablesProps {
  readonly words: LeadPageWords
  readonly form: LeadForm
  /** The variables of the template. */
  readonly keys: readonly string[]
  /** What is set for them; empty while another template is chosen. */
  readonly kept: Readonly<Record<string, AutoSendVariable>>
}

/** Our choice, as the service's: longer texts are cut anyway ([leads.auto-send.15]). */
const LONGEST_TEXT = 1_024

/** Where each variable of the template comes from. */
export function Variables({ words, form, keys, kept }: VariablesProps) {
  return (
    <>
      {keys.map((key) => (
        <fieldset key={key} data-variable={key}>
          <legend>
            {words.settings.variable} <bdi>{key}</bdi>
          </legend>
          <Variable words={words} form={form} name={key} from={kept[key]} />
        </fieldset>
      ))}
    </>
  )
}

interface VariableProps extends Pick<VariablesProps, 'words' | 'form'> {
  readonly name: string
  readonly from: AutoSendVariable | undefined
}

function Variable({ words: { settings }, form, name, from }: VariableProps) {
  const set = from !== undefined && 'field' in from ? from : null
  const [field, choose] = useState(set?.field ?? '')
  const names = fieldNamesOf(name)
  return (
    <>
      <SelectField
        label={settings.from}
        name={names.field}
        value={field}
        options={[{ value: '', label: settings.fixed }, ...answersOf(form, field, settings.answerTo)]}
        change={choose}
      />
      {field === '' ? (
        <TextField
          key="value"
          label={settings.value}
          name={names.value}
          value={from !== undefined && 'value' in from ? from.value : ''}
          maxLength={LONGEST_TEXT}
          isRequired
        />
      ) : (
        <TextField
          key="fallback"
          label={settings.fallback}
          name={names.fallback}
          hint={settings.fallbackHint}
          value={set?.fallback ?? ''}
          maxLength={LONGEST_TEXT}
        />
      )}
    </>
  )
}

/** The answers that a variable may come from, with the chosen one where the form asks it no more. */
function answersOf({ questions }: LeadForm, chosen: string, labelOf: (question: string) => string) {
  const known = questions.some(({ key }) => key === chosen)
  const all = chosen === '' || known ? questions : [...questions, { key: chosen, label: chosen }]
  return all.map(({ key, label }) => ({ value: key, label: labelOf(label) }))
}
