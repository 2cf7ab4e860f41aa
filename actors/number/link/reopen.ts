import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { RowsMessage } from '../rows/messages.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import { openLink } from './opening.ts'

/** The number's credentials were replaced in its row: they are read from there. */
export function reopen(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  // A device that is paired keeps its session: its credentials change by the session alone.
  if (!isStateless(state.number)) return step(state, [], [{ askId, outcome: succeed(null) }])
  const attempt = state.attempts + 1
  return step({ ...state, attempts: attempt, reopening: attempt }, [{ type: 'readCredentials', attempt, askId }])
}

/** Opens the session anew, calls and sends going on beside it. Of several reads under way the last asked for counts. */
export function credentialsRead(
  state: ReadyNumber,
  { attempt, askId, read }: RowsMessage & { type: 'CredentialsRead' },
): Step<ReadyNumber> {
  if (read === null)
    return step(state, [], [{ askId, outcome: fail(refuse('BUSY', 'The number is busy; try again', undefined, 1)) }])
  const isLast = attempt === state.reopening && !state.leaving && state.hasDriver && read.credentials !== null
  if (!isLast) return step(state, [], [{ askId, outcome: succeed(null) }])
  // Whoever asked waits behind the first report of the session.
  const waiting = {
    ...state,
    credentials: read.credentials,
    reopening: null,
    stash: [{ type: 'AwaitReady', askId } as const, ...state.stash],
  }
  return openLink(waiting, [])
}
