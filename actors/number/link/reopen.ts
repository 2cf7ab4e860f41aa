import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { RowsMessage } from '../rows/messages.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import { openLink } from './opening.ts'

/** Reads the number's credentials, which were replaced in its row. */
export function reopen(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  // A paired device keeps its session, because only the session changes its credentials.
  if (!isStateless(state.number)) return step(state, [], [{ askId, outcome: succeed(null) }])
  const attempt = state.attempts + 1
  return step({ ...state, attempts: attempt, reopening: attempt }, [{ type: 'readCredentials', attempt, askId }])
}

/**
 * Opens a new session, while calls and sends go on. When several reads are under way, the last one asked for counts.
 */
export function credentialsRead(
  state: ReadyNumber,
  { attempt, askId, read }: RowsMessage & { type: 'CredentialsRead' },
): Step<ReadyNumber> {
  if (read === null)
    return step(state, [], [{ askId, outcome: fail(refuse('BUSY', 'The number is busy; try again', undefined, 1)) }])
  const isLast = attempt === state.reopening && !state.leaving && state.hasDriver && read.credentials !== null
  if (!isLast) return step(state, [], [{ askId, outcome: succeed(null) }])
  // The asker waits for the first report of the session.
  const waiting = {
    ...state,
    credentials: read.credentials,
    reopening: null,
    stash: [{ type: 'AwaitReady', askId } as const, ...state.stash],
  }
  return openLink(waiting, [])
}
