import type { CallId } from '../../../src/domain/ids.ts'
import type { UpstreamCall } from '../../../src/ports/provider.ts'
import type { CallMessage } from '../../call/messages.ts'
import type { NumberEffect, ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'
import type { CallsMessage } from './messages.ts'

/** our choice: an engine that did not say which calls it holds is asked again after this many ms. */
const ASK_AGAIN_MS = 5_000

/** Asks upstream, once the session is connected, which of the resumed calls it still holds. */
export function askUpstream({ link, unconfirmed }: ReadyNumber): NumberEffect[] {
  return link.at === 'UP' && unconfirmed.length > 0 ? [{ type: 'listCalls', sessionId: link.sessionId }] : []
}

/**
 * Handles upstream's list of its calls. A resumed call that is missing has ended in an unknown way, because news of its
 * end would have come before the list. A call is abandoned too when the engine cannot list calls. A listed call of ours
 * without a row is ended upstream.
 */
export function callsListed(
  state: ReadyNumber,
  { sessionId, outcome }: CallsMessage & { type: 'CallsListed' },
): Step<ReadyNumber> {
  if (state.link.at !== 'UP' || state.link.sessionId !== sessionId) return step(state)
  if (!outcome.ok && outcome.error.code !== 'FEATURE_NOT_SUPPORTED') {
    return step(state, [{ type: 'startTimer', timer: 'listing', delayMs: ASK_AGAIN_MS }])
  }
  const listed = outcome.ok ? outcome.value : null
  const told = state.unconfirmed.flatMap((callId) => {
    const externalCallId = state.calls.get(callId)
    return externalCallId ? [{ type: 'tellCall', callId, message: verdictOn(externalCallId, listed) } as const] : []
  })
  const strays = (listed ?? []).filter(({ callRef }) => callRef !== null && !state.calls.has(callRef as CallId))
  return step({ ...state, unconfirmed: [] }, [
    ...told,
    ...strays.map(({ externalCallId }) => ({ type: 'terminateOrphan', orphan: { externalCallId } }) as const),
  ])
}

function verdictOn(externalCallId: string, listed: readonly UpstreamCall[] | null): CallMessage {
  if (listed === null) return { type: 'Abandon', reason: 'NODE_LOST' }
  const known = listed.find((call) => call.externalCallId === externalCallId)
  return known
    ? { type: 'UpstreamKnows', isConnected: known.isConnected }
    : { type: 'Abandon', reason: 'PROVIDER_FAILED' }
}

/** A call is over here and goes on upstream. It is ended there now, or once the session is connected. */
export function callLeft(state: ReadyNumber, externalCallId: string): Step<ReadyNumber> {
  const orphan = { externalCallId }
  if (state.link.at === 'UP' && state.number.state === 'OPEN') return step(state, [{ type: 'terminateOrphan', orphan }])
  return step({ ...state, orphans: [...state.orphans, orphan] })
}
