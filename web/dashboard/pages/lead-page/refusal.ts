import type { Fault } from '../../../ui/session/answers.ts'
import { fieldNamesOf } from './settings-of.ts'

/** What the service says against settings, at their fields: its details name the variables ([leads.auto-send.2]). */
export function atItsFields(fault: Fault): Fault {
  const { code, said = '', details } = fault
  const paths =
    code === 'TEMPLATE_NOT_FOUND'
      ? ['autoSend.templateId']
      : [...textsIn(details?.['missing']), ...keysIn(details?.['invalid'])].map((key) => fieldNamesOf(key).value)
  return paths.length === 0 ? fault : { ...fault, fields: paths.map((path) => ({ path, message: said })) }
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []
}

function keysIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? textsIn(list.map((one: { readonly key?: unknown } | null) => one?.key)) : []
}
