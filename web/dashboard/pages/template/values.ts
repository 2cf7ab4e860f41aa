import type { Fault, FieldFault } from '../../../ui/session/answers.ts'
import type { TemplateWords } from './props.ts'

/** What is typed for variables, by their keys. */
export type Values = Readonly<Record<string, string>>

const FIELD = 'variables.'

/** The name of the field of a variable: its path in the request of a send. */
export function valueField(key: string): string {
  return `${FIELD}${key}`
}

/** The values in a form; fields that were left empty are not among them. */
export function typedIn(fields: FormData): Values {
  return Object.fromEntries(
    [...fields].flatMap(([name, value]) =>
      name.startsWith(FIELD) && typeof value === 'string' && value !== '' ? [[name.slice(FIELD.length), value]] : [],
    ),
  )
}

/** What a send is refused for, at its fields: the variables without a value, and those whose value cannot be sent. */
export function atItsFields(fault: Fault, { send }: TemplateWords): Fault {
  const at = (key: string, message: string): FieldFault => ({ path: valueField(key), message, isWorded: true })
  const fields = [
    ...listed(fault.details?.['missing']).flatMap((key) => (typeof key === 'string' ? [at(key, send.missing)] : [])),
    ...listed(fault.details?.['invalid']).flatMap((one) => {
      const { key, reason } = one as { readonly key: string; readonly reason: keyof typeof send.reasons }
      return [at(key, send.reasons[reason] ?? reason)]
    }),
    ...(fault.code === 'TEMPLATE_MEDIA_REQUIRED' && fault.details?.['card'] === undefined
      ? [{ path: 'media', message: send.codes.TEMPLATE_MEDIA_REQUIRED, isWorded: true }]
      : []),
  ]
  return fields.length === 0 ? fault : { ...fault, fields }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
