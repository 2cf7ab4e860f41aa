import { fail } from '../../src/domain/errors.ts'
import type { CallMessage } from './messages.ts'
import { lateOffer } from './outbound.ts'
import type { CallState, Step } from './state.ts'
import { step } from './state.ts'
import { answerTo, invalidState } from './writing.ts'

/** The call is over: commands hear how, provider events are settled, a late offer is hung up, the rest is stale. */
export function over(state: CallState, message: CallMessage): Step {
  if ('seq' in message) {
    const isOurs = state.phase.at !== 'GONE' || state.phase.isOurs
    return step(state, isOurs ? [{ type: 'settle', seq: message.seq }] : [])
  }
  switch (message.type) {
    case 'Accept':
    case 'Reject':
    case 'Terminate': {
      const { askId, type } = message
      return step(state, [], askId === null ? [] : [{ askId, outcome: answerTo({ askId, command: type }, state, state.phase) }])
    }
    case 'Play':
    case 'PlayQueued':
    case 'OpenSession':
    case 'Minted':
    case 'PreAccept':
    case 'PreAccepted':
      return step(state, [], [{ askId: message.askId, outcome: fail(invalidState('The call is over')) }])
    case 'Offered':
      return step(state, lateOffer(state, message))
    case 'Crashed':
      return step(state, [{ type: 'cancelTimers' }, { type: 'stop', isStored: false }])
    case 'StartOutbound':
    case 'Resume':
    case 'Adopted':
    case 'UpstreamKnows':
    case 'Leave':
    case 'Stored':
    case 'MediaOffered':
    case 'MediaAnswered':
    case 'AcceptedUpstream':
    case 'MediaConnected':
    case 'Media':
    case 'TimerFired':
    case 'Abandon':
    case 'Fenced':
      return step(state)
  }
}
