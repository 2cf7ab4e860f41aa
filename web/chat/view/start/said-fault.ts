import type { StartWords } from '../../../words/chat-start-words.ts'
import { isPassing } from '../../api/failure.ts'
import type { RequestFailure } from '../../api/failure.ts'

/** Says in words why a request of the dialog was not done. */
export function saidFault(failure: RequestFailure, { faults, phone }: StartWords): string {
  if (failure.kind === 'network') return faults.network
  if (isPassing(failure)) return faults.busy
  if (namesTo(failure.details)) return phone.form
  const byCode: Readonly<Record<string, string>> = faults
  return byCode[failure.code ?? ''] ?? faults.other
}

/** Whether a refusal names the phone number among the fields that are wrong. */
function namesTo(details: unknown): boolean {
  return Array.isArray(details) && details.some((one: unknown) => FIELDS.some((path) => pathOf(one) === path))
}

const FIELDS = ['with', 'destinationNumber']

function pathOf(detail: unknown): unknown {
  return typeof detail === 'object' && detail !== null && 'path' in detail ? detail.path : null
}
