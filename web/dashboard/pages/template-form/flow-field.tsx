import type { ListedFlow } from '../flows/flow.ts'
import { useAsked } from '../../ground/asked.tsx'
import { SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { TemplateFormWords } from './form-words.ts'

interface FlowFieldProps {
  readonly words: TemplateFormWords
  readonly name: string
  /** The id of the number that the template is of. */
  readonly number: string
  /** The id of the Flow; empty for none. */
  readonly value: string
  change(id: string): void
}

/** A page of Flows ([flows.routes.1]). */
interface FlowPage {
  readonly flows: readonly ListedFlow[]
  readonly total: number
}

/** The largest page of Flows ([flows.routes.1]). */
const MOST = 100

/**
 * The field that names the Flow of a button, among those that are published. Its id is typed until they are read, where
 * they cannot be read, and where there are more than a page of them (our choice).
 */
export function FlowField({ words, name, number, value, change }: FlowFieldProps) {
  const { api } = useApp()
  const query = { officialStatus: 'PUBLISHED', pageSize: MOST }
  const { body } = useAsked((signal) => api.get<FlowPage>('/api/v1/flows', { number, query, signal }), [number])
  if (body === null || body.total > body.flows.length)
    return <TextField label={words.fields.flowId} name={name} value={value} change={change} />
  const isKnown = value === '' || body.flows.some(({ id }) => id === value)
  return (
    <SelectField
      label={words.buttonTypes.FLOW}
      name={name}
      value={value}
      options={[
        { value: '', label: words.chooseFlow },
        ...(isKnown ? [] : [{ value, label: value }]),
        ...body.flows.map(({ id, name: label }) => ({ value: id, label })),
      ]}
      change={change}
    />
  )
}
