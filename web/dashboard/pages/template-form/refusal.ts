import type { TemplateFault } from '../../../../src/domain/template-rules.ts'
import type { Fault, FieldFault } from '../../../ui/session/answers.ts'
import { fieldFaultsOf } from './draft.ts'

/** The field of the editor that a code is about, where its refusal names none of the body. */
const FIELD_OF: Readonly<Record<string, string>> = {
  TEMPLATE_NAME_INVALID: 'name',
  TEMPLATE_ALREADY_EXISTS: 'name',
  TEMPLATE_NAME_BEING_DELETED: 'name',
  TEMPLATE_LANGUAGE_INVALID: 'language',
}

/**
 * What the service says against a template, at the fields of the editor: its details name a fault of each rule by the
 * path in the body ([templates.checks.2]).
 */
export function atItsFields(fault: Fault): Fault {
  const { code = '', said = '', details } = fault
  const path = FIELD_OF[code]
  const fields = path === undefined ? faultsIn(details?.['faults']) : [{ path, message: said }]
  return fields.length === 0 ? fault : { ...fault, fields }
}

function faultsIn(faults: unknown): readonly FieldFault[] {
  return Array.isArray(faults) ? (faults as readonly TemplateFault[]).flatMap(fieldFaultsOf) : []
}
