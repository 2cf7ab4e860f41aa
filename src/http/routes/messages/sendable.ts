import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberRef } from '../../../domain/number.ts'
import { invalidBody } from '../fault.ts'
import { faultsOf } from './send-rules.ts'
import type { SendInput } from './send-schema.ts'

/** Refuses what the kind of number cannot do, then what is wrong, then what does not exist (contract 2, order of checks). */
export function requireSendable(body: SendInput, number: NumberRef, nowMs: number): void {
  if (number.provider === 'OFFICIAL' && (body.groupId || body.newsletterId)) {
    throw new RefusalError(refuse('FEATURE_NOT_SUPPORTED', `OFFICIAL numbers do not send to ${body.groupId ? 'groups' : 'channels'}`))
  }
  const faults = faultsOf(body, number.provider, nowMs)
  if (faults.length > 0) throw invalidBody(faults)
  if (body.templateId) throw new RefusalError(refuse('NOT_FOUND', 'No such template'))
}
