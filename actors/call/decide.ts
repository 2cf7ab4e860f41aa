import { accept, acceptedUpstream, mediaAnswered } from './accept.ts'
import { play, playQueued } from './play.ts'
import { preAccept, preAccepted } from './pre-accept.ts'
import { reject } from './reject.ts'
import { terminate } from './terminate.ts'
import { mediaConnected, mediaReported, peerEnded, peerSdp, timerFired } from './far-side.ts'
import { startInbound } from './inbound.ts'
import { hasOwnLeg, noLeg, withoutLeg } from './leg.ts'
import type { AskedCallCommand, CallMessage } from './messages.ts'
import { mediaOffered, offered, peerAnswered, peerRinging, startOutbound } from './outbound.ts'
import { over } from './over.ts'
import { adopted, leave, leftAtRest, resume, upstreamKnows, waitsForResume } from './resume.ts'
import type { CallState, Step } from './state.ts'
import { step } from './state.ts'
import { abandon, crash, loseOwnership, stored } from './writing.ts'

/**
 * Decides what a message does to a call. Pure: effects are data, done by effects.ts, and their outcomes
 * come back as messages. While a write is in flight everything but its outcome waits in order, so a
 * transition is stored, announced, and only then can the next begin: racing commands meet one state.
 */
export function decide(state: CallState, message: CallMessage, nowMs: number): Step {
  if (mustWait(state, message)) return step({ ...state, stash: [...state.stash, message] })
  let made = handle(state, message, nowMs)
  for (;;) {
    const first = made.state.write ? undefined : made.state.stash.find((waiting) => !waitsForResume(made.state, waiting))
    if (!first) return withoutLeg(leftAtRest(made))
    const rest = made.state.stash.filter((waiting) => waiting !== first)
    const next = handle({ ...made.state, stash: rest }, first, nowMs)
    made = step(next.state, [...made.effects, ...next.effects], [...made.replies, ...next.replies])
  }
}

function mustWait(state: CallState, message: CallMessage): boolean {
  return (state.write !== null && !passesWrite(message)) || waitsForResume(state, message)
}

function passesWrite(message: CallMessage): boolean {
  return message.type === 'Stored' || message.type === 'Crashed' || message.type === 'Fenced'
}

function handle(state: CallState, message: CallMessage, nowMs: number): Step {
  return state.phase.at === 'ENDED' || state.phase.at === 'GONE' ? over(state, message) : live(state, message, nowMs)
}

/** The table from message to verb. */
function live(state: CallState, message: CallMessage, nowMs: number): Step {
  switch (message.type) {
    case 'StartOutbound': return startOutbound(state, message)
    case 'StartInbound': return startInbound(state, message, nowMs)
    case 'Resume': return resume(state, message, nowMs)
    case 'Accept': return accept(state, message.askId, message.sdp)
    case 'PreAccept': return preAccept(state, message)
    case 'PreAccepted': return preAccepted(state, message)
    case 'Reject': return reject(state, message.askId, nowMs)
    case 'Terminate': return terminate(state, message.askId, nowMs)
    case 'Adopted': return adopted(state, message, nowMs)
    case 'UpstreamKnows': return upstreamKnows(state, message, nowMs)
    case 'Play': return hasOwnLeg(state.facts) ? play({ ...state, asked: state.asked + 1 }, message) : noLeg(state, message.askId)
    case 'OpenSession':
      return hasOwnLeg(state.facts) ? openSession(state, message) : noLeg(state, message.askId)
    case 'Stored': return stored(state, message, nowMs)
    case 'MediaOffered': return mediaOffered(state, message)
    case 'Offered': return offered(state, message)
    case 'MediaAnswered': return mediaAnswered(state, message)
    case 'AcceptedUpstream': return acceptedUpstream(state, message, nowMs)
    case 'MediaConnected': return mediaConnected(state, message, nowMs)
    case 'Minted': return step({ ...state, asked: state.asked - 1 }, [], [{ askId: message.askId, outcome: message.outcome }])
    case 'PlayQueued': return playQueued({ ...state, asked: state.asked - 1 }, message)
    case 'ProviderRinging': return peerRinging(state, message)
    case 'ProviderAnswered': return peerAnswered(state, message, nowMs)
    case 'ProviderSdp': return peerSdp(state, message)
    case 'ProviderEnded': return peerEnded(state, message, nowMs)
    case 'ProviderRepeated': return step(state, [{ type: 'settle', seq: message.seq }])
    case 'Media': return mediaReported(state, message.event, nowMs)
    case 'TimerFired': return timerFired(state, message.timer, nowMs)
    case 'Leave': return leave(state, nowMs)
    case 'Abandon': return abandon(state, message.reason, nowMs)
    case 'Fenced': return loseOwnership(state)
    case 'Crashed': return crash(state, nowMs)
  }
}

function openSession(state: CallState, { askId, mode, by }: AskedCallCommand & { type: 'OpenSession' }): Step {
  return step({ ...state, asked: state.asked + 1 }, [{ type: 'mediaMint', askId, mode, by }])
}
