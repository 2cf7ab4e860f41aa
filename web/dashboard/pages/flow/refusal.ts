import type { Fault } from '../../../ui/session/answers.ts'
import type { DocumentFault } from './lines.ts'
import type { FlowWords } from './props.ts'

/** A refusal with what is of the name at its field ([flows.errors.7], [flows.errors.8]). */
export function atItsFields(fault: Fault, { form }: FlowWords): Fault {
  if (fault.code !== 'FLOW_NAME_INVALID' && fault.code !== 'FLOW_NAME_REQUIRED') return fault
  const isTaken = fault.details?.['reason'] === 'NOT_UNIQUE'
  return { ...fault, fields: [{ path: 'name', message: isTaken ? form.taken : form.unfit, isWorded: true }] }
}

/** What the network finds wrong with the document, as a refusal tells it ([flows.errors.5]). */
export function faultsIn({ details }: Fault): readonly DocumentFault[] {
  const faults = details?.['validationErrors']
  return Array.isArray(faults) ? (faults as readonly DocumentFault[]) : []
}
