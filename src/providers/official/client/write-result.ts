import type { Fields } from '../../../domain/json-fields.ts'
import type { UpstreamWrite } from '../../../ports/official/write.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import type { GraphAnswer } from './graph.ts'
import { outcomeOf, refusalOf, unreadable } from '../errors/error-map.ts'

type NotDone = Exclude<UpstreamWrite<never>, { kind: 'done' }>

const TOO_MANY_REQUESTS = 429
/**
 * Codes that are final whatever the status of the answer: a missing permission, which upstream documents with HTTP 500,
 * and those of a Flow's state.
 */
const DECIDED: ReadonlySet<number | null> = new Set([3, 139_000, 139_001, 139_002, 139_003, 139_004, 139_005, 139_006])

/**
 * Reads the result of a write. Upstream's writes are not idempotent, so only a write that upstream refused, or that
 * surely did not reach it, counts as not done. `doneBy` answers null when the answer says neither yes nor no.
 */
export function writeOf<T>(
  answer: GraphAnswer,
  doneBy: (body: Fields) => { readonly value: T } | null,
): UpstreamWrite<T> {
  if (!answer.ok) return notDone(answer.failure)
  if (answer.body['success'] === false) {
    return {
      kind: 'refused',
      no: {
        upstreamCode: null,
        upstreamSubcode: null,
        upstreamMessage: 'The official platform did not do it, and gave no reason.',
      },
    }
  }
  const done = doneBy(answer.body)
  return done
    ? { kind: 'done', value: done.value }
    : { kind: 'unknown', refusal: unreadable('The answer does not say what was done.') }
}

/**
 * The outcome of a write that leaves nothing behind unless it is done, such as an upload. It is never in doubt: a lost
 * answer counts as unsent.
 */
export function harmlessOf<T>(write: UpstreamWrite<T>): UpstreamWrite<T> {
  return write.kind === 'unknown' ? { kind: 'unsent', refusal: write.refusal } : write
}

function notDone(failure: GraphFailure): NotDone {
  const refusal = refusalOf(failure)
  switch (failure.kind) {
    case 'crowded':
      return { kind: 'unsent', refusal }
    case 'unanswered':
      return { kind: failure.isUnsent ? 'unsent' : 'unknown', refusal }
    case 'unreadable':
      return { kind: failure.status === TOO_MANY_REQUESTS ? 'unsent' : 'unknown', refusal }
    case 'error':
      if (outcomeOf(failure) === 'throttled') return { kind: 'unsent', refusal }
      if (!isDecided(failure)) return { kind: 'unknown', refusal }
      return {
        kind: 'refused',
        no: { upstreamCode: failure.code, upstreamSubcode: failure.subcode, upstreamMessage: failure.message },
      }
  }
}

/** True when upstream looked at the request and refused it, so that nothing of it happened. */
export function isDecided(failure: GraphFailure & { kind: 'error' }): boolean {
  if (failure.isTransient) return false
  return DECIDED.has(failure.code) || (failure.status < 500 && outcomeOf(failure) === 'refused')
}
