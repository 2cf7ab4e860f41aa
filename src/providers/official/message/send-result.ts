import type { SendResult } from '../../../ports/provider.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import { markOf, outcomeOf, waitedMs } from '../errors/error-map.ts'
import { requestFailure } from '../errors/message-errors.ts'

type Unsuccessful = Exclude<SendResult, { kind: 'sent' }>

/** Upstream's code for too many messages to one user: others may still be written to. */
const PAIR_LIMIT = 131056
const TOO_MANY_REQUESTS = 429

/**
 * What a failed `POST /messages` means for its message. Upstream has no idempotency key, so only a message that was
 * surely not accepted may be sent again.
 */
export function sendResultOf(failure: GraphFailure): Unsuccessful {
  const shown = requestFailure(failure)
  switch (failure.kind) {
    case 'unanswered':
      return { kind: failure.isUnsent ? 'unsent' : 'unknown', failure: shown }
    case 'crowded':
      return { kind: 'unsent', failure: shown }
    case 'unreadable':
      return unreadableResult(failure, shown)
    case 'error':
      return errorResult(failure, shown)
  }
}

/**
 * A proxy's page in place of an answer. Our choice: 4xx says that the request went no further, any other status leaves
 * it in doubt.
 */
function unreadableResult(
  { status, waitMs }: GraphFailure & { kind: 'unreadable' },
  failure: Unsuccessful['failure'],
): Unsuccessful {
  if (status === TOO_MANY_REQUESTS)
    return {
      kind: 'throttled',
      failure: { ...failure, code: 'OFFICIAL_RATE_LIMITED' },
      afterMs: waitMs,
      scope: 'number',
    }
  return { kind: status >= 400 && status < 500 ? 'unsent' : 'unknown', failure, ...waiting(waitMs) }
}

function errorResult(failure: GraphFailure & { kind: 'error' }, shown: Unsuccessful['failure']): Unsuccessful {
  // Our choice: the message is not at fault, and goes once the number has a valid token.
  if (markOf(failure) === 'TOKEN_INVALID') return { kind: 'unsent', failure: shown }
  switch (outcomeOf(failure)) {
    case 'throttled': {
      const scope = failure.code === PAIR_LIMIT ? 'pair' : 'number'
      return {
        kind: 'throttled',
        failure: { ...shown, code: 'OFFICIAL_RATE_LIMITED' },
        afterMs: waitedMs(failure),
        scope,
      }
    }
    case 'failed':
      return { kind: 'unsent', failure: shown, ...waiting(waitedMs(failure)) }
    default:
      return { kind: 'refused', failure: shown }
  }
}

function waiting(afterMs: number | null): { readonly afterMs?: number } {
  return afterMs === null ? {} : { afterMs }
}
