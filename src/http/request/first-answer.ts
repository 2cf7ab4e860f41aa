import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { IdempotencyStart } from '../../ports/stores/idempotency-store.ts'
import type { Answer } from './route.ts'

/** Header of an answer that repeats the first one ([rest.idempotency.2]). */
export const REPLAYED = 'idempotency-replayed'

/** Why a repeat with this Idempotency-Key is not answered ([rest.idempotency.3], [rest.idempotency.4]). */
export function repeatRefusal(kind: 'running' | 'reused'): Refusal {
  return kind === 'running'
    ? refuse('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running', undefined, 1)
    : refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request')
}

/** The answer to a repeat: the stored one, byte for byte, or why there is none. */
export function repeated(start: Exclude<IdempotencyStart, { kind: 'started' }>): Answer {
  if (start.kind !== 'replay') throw new RefusalError(repeatRefusal(start.kind))
  return {
    status: start.answer.status,
    body: start.answer.body,
    type: 'application/json',
    headers: { [REPLAYED]: 'true' },
  }
}
