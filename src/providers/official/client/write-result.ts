import type { Fields } from '../../../domain/json-fields.ts'
import type { UpstreamWrite } from '../../../ports/official/write.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import type { GraphAnswer } from './graph.ts'
import { outcomeOf, refusalOf, unreadable } from '../errors/error-map.ts'

type NotDone = Exclude<UpstreamWrite<never>, { kind: 'done' }>

const TOO_MANY_REQUESTS = 429
/**
 * Decided whatever the status of the answer: a permission is missing, which upstream documents with HTTP 500, and what
 * is said of a Flow's state.
 */
const DECIDED: ReadonlySet<number | null> = new Set([3, 139_000, 139_001, 139_002, 139_003, 139_004, 139_005, 139_006])

/**
 * What a request that writes came to. Upstream's writes are not idempotent, so only what upstream decided against, or
 * surely has not taken, counts as not done. `doneBy` answers null where the answer says neither yes nor no.
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
 * The same of a request that leaves nothing behind unless it is done, such as an upload: there is no doubt about it.
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

/** Whether upstream has looked at the request and said no, so that nothing of it happened. */
export function isDecided(failure: GraphFailure & { kind: 'error' }): boolean {
  if (failure.isTransient) return false
  return DECIDED.has(failure.code) || (failure.status < 500 && outcomeOf(failure) === 'refused')
}
