import { decideBy, type VerbTable } from '../engine/verb-table.ts'
import { accept, acceptedUpstream, mediaAnswered } from './accept.ts'
import { play, playQueued } from './play.ts'
import { preAccept, preAccepted } from './pre-accept.ts'
import { reject } from './reject.ts'
import { terminate } from './terminate.ts'
import { mediaConnected, mediaReported, peerEnded, peerRepeated, peerSdp, timerFired } from './far-side.ts'
import { startInbound } from './inbound.ts'
import { hasOwnLeg, noLeg, withoutLeg } from './leg.ts'
import type { AskedCallCommand, CallMessage } from './messages.ts'
import { mediaOffered, offered, peerAnswered, peerRinging, startOutbound } from './outbound.ts'
import { over } from './over.ts'
import { adopted, leave, leftAtRest, resume, upstreamKnows, waitsForResume } from './resume.ts'
import type { CallState, Reply, Step } from './state.ts'
import { step } from './state.ts'
import { isPreparing, voiceDialled, voicePreAccepted, voicePrepared, voiceRead } from './voice.ts'
import { abandon, crash, loseOwnership, stored } from './writing.ts'

/**
 * Decides what a message does to a call. Pure: effects are data, which effects.ts does, and their outcomes come back as
 * messages. While a write is in flight everything but its outcome waits in order. So a transition is stored and
 * announced before the next one begins, and racing commands meet one state.
 */
export function decide(state: CallState, message: CallMessage, nowMs: number): Step {
  if (mustWait(state, message)) return step({ ...state, stash: [...state.stash, message] })
  let made = handle(state, message, nowMs)
  for (;;) {
    const first = made.state.write
      ? undefined
      : made.state.stash.find((waiting) => !waitsForResume(made.state, waiting))
    if (!first) {
      const left = leftAtRest(made)
      if (left === made) return withoutLeg(made)
      made = left
      continue
    }
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

function handle(before: CallState, message: CallMessage, nowMs: number): Step {
  const state = 'trace' in message && message.trace ? { ...before, trace: message.trace } : before
  return state.phase.at === 'ENDED' || state.phase.at === 'GONE'
    ? over(state, message, nowMs)
    : decideBy(VERBS, state, message, nowMs)
}

/** The table from message to verb, for a call that is not over. */
const VERBS: VerbTable<CallMessage, CallState, Step> = {
  StartOutbound: startOutbound,
  StartInbound: startInbound,
  Resume: resume,
  // A node of the version before names no media.
  Accept: (state, { askId, sdp, media = null, record }) => accept(recorded(state, record), askId, { sdp, media }),
  PreAccept: preAccept,
  PreAccepted: (state, message) =>
    message.askId === null
      ? voicePreAccepted(state, message)
      : preAccepted(state, { ...message, askId: message.askId }),
  Reject: (state, { askId }, nowMs) => reject(state, askId, nowMs),
  Terminate: (state, { askId }, nowMs) => terminate(state, askId, nowMs),
  Adopted: adopted,
  UpstreamKnows: upstreamKnows,
  Play: (state, message) =>
    hasOwnLeg(state) ? play({ ...state, asked: state.asked + 1 }, message) : noLeg(state, message.askId),
  OpenSession: (state, message) => (hasOwnLeg(state) ? openSession(state, message) : noLeg(state, message.askId)),
  DialSession: (state, { askId, session }) =>
    hasOwnLeg(state)
      ? step({ ...state, asked: state.asked + 1 }, [{ type: 'mediaDial', askId, session }])
      : noLeg(state, askId),
  GiveBack: (state, { askId }) =>
    hasOwnLeg(state)
      ? step({ ...state, asked: state.asked + 1 }, [{ type: 'mediaGiveBack', askId }])
      : noLeg(state, askId),
  Stored: stored,
  MediaOffered: mediaOffered,
  Offered: offered,
  MediaAnswered: (state, message, nowMs) =>
    isPreparing(state, message) ? voicePrepared(state, message, nowMs) : mediaAnswered(state, message),
  AcceptedUpstream: acceptedUpstream,
  MediaConnected: mediaConnected,
  Dialled: answered,
  GivenBack: answered,
  Minted: answered,
  VoiceRead: voiceRead,
  VoiceDialled: voiceDialled,
  PlayQueued: (state, message) => playQueued({ ...state, asked: state.asked - 1 }, message),
  ProviderRinging: peerRinging,
  ProviderAnswered: peerAnswered,
  ProviderSdp: peerSdp,
  ProviderEnded: peerEnded,
  ProviderRepeated: peerRepeated,
  Media: (state, { event }, nowMs) => mediaReported(state, event, nowMs),
  TimerFired: (state, { timer }, nowMs) => timerFired(state, timer, nowMs),
  Leave: (state, _message, nowMs) => leave(state, nowMs),
  Abandon: (state, { reason }, nowMs) => abandon(state, reason, nowMs),
  Fenced: loseOwnership,
  Crashed: (state, _message, nowMs) => crash(state, nowMs),
}

/** Has the call recorded, while neither anybody nor the media host ahead has answered it yet. */
function recorded(state: CallState, record: boolean | undefined): CallState {
  return record && state.phase.at === 'INCOMING' && state.prepared === null ? { ...state, record } : state
}

/** Hands on the outcome of what the media host was asked. */
function answered(state: CallState, { askId, outcome }: Reply): Step {
  return step({ ...state, asked: state.asked - 1 }, [], [{ askId, outcome }])
}

function openSession(state: CallState, wanted: AskedCallCommand & { type: 'OpenSession' }): Step {
  return step({ ...state, asked: state.asked + 1 }, [{ ...wanted, type: 'mediaMint' }])
}
