import { voiceSessionOf } from '../../src/domain/number-voice.ts'
import type { VoiceWithHeaders } from '../../src/domain/number-voice.ts'
import type { RealtimeSessionState } from '../../src/domain/realtime-session.ts'
import type { SessionToDial } from '../../src/ports/media.ts'
import { accept, BY_BOT, faultOf } from './accept.ts'
import { isOfPlatform } from './leg.ts'
import type { CallMessage } from './messages.ts'
import { reject } from './reject.ts'
import type { CallFacts, CallState, CallVoice, Step } from './state.ts'
import { liveStatusOf, step } from './state.ts'
import { saveAnswer } from './sdp.ts'

/**
 * Has the bot of the number dialled, when it has one, for a call that is not over ([voice.number-setting.2]). A call of
 * the official platform that somebody answered otherwise, or whose audio could not be carried, has none.
 */
export function voiceRead(state: CallState, { voice }: CallMessage & { type: 'VoiceRead' }): Step {
  const { phase } = state
  if (voice === null || liveStatusOf(phase) === null) return step(state)
  const { answer, onUnreachable, onDisconnect } = voice
  const record = state.record || (voice.record && phase.at === 'INCOMING')
  const answered: CallState = { ...state, record, voice: { answer, onUnreachable, onDisconnect, bot: 'dialled' } }
  const dial = { type: 'mediaDialVoice', session: sessionOf(state.facts, voice) } as const
  if (!isOfPlatform(state)) return step(answered, [dial])
  if (phase.at !== 'INCOMING' || faultOf(phase.sdpOffer) !== null) return step(state)
  return step({ ...answered, isAtHost: true }, [{ type: 'mediaAnnounce', externalCallId: phase.externalCallId }, dial])
}

function sessionOf({ id }: Pick<CallFacts, 'id'>, voice: VoiceWithHeaders): SessionToDial {
  const { connectTo, headers, dialect, rate, parameters, onDisconnect } = voice
  return {
    sessionId: voiceSessionOf(id),
    mode: 'talk',
    url: connectTo,
    headers,
    query: { dialect, onDisconnect, ...(rate === null ? {} : { rate: String(rate) }) },
    given: parameters,
    sparesRinging: true,
  }
}

/** The media host dials the bot, or refused to. */
export function voiceDialled(
  state: CallState,
  { outcome }: CallMessage & { type: 'VoiceDialled' },
  nowMs: number,
): Step {
  return outcome.ok ? step(state) : unreachable(state, nowMs)
}

const BOT: Readonly<Record<RealtimeSessionState['status'], CallVoice['bot']>> = {
  CONNECTING: 'dialled',
  OPEN: 'open',
  CLOSED: 'left',
  FAILED: 'left',
}

/**
 * How a session of the call stands. When the bot's is open, the call is accepted if the setting says so. When it
 * failed, the call is declined or rings on.
 */
export function voiceTold(state: CallState, { id, status }: RealtimeSessionState, nowMs: number): Step {
  const { voice, facts, phase } = state
  if (voice === null || id !== voiceSessionOf(facts.id)) return step(state)
  const told: CallState = { ...state, voice: { ...voice, bot: BOT[status] } }
  if (status === 'OPEN' && phase.at === 'INCOMING')
    return isOfPlatform(told) && told.prepared === null ? prepare(told, phase) : openedTo(told)
  return status === 'FAILED' ? unreachable(told, nowMs) : step(told)
}

/** The bot of a ringing call is there: it accepts, or is left to. */
function openedTo(state: CallState): Step {
  return state.voice?.answer === 'accept' ? accept(state, null, BY_BOT) : step(state)
}

/** Has the media host answer ahead, so that audio flows at the accept ([bridged-calls.bridge.5]). */
function prepare(state: CallState, { externalCallId, sdpOffer }: CallState['phase'] & { at: 'INCOMING' }): Step {
  const attempt = state.attempts + 1
  return step({ ...state, attempts: attempt, prepared: { attempt, sdp: null } }, [
    { type: 'mediaAnswer', attempt, externalCallId, sdpOffer },
  ])
}

/** Whether this is the outcome of an answer that was asked for ahead. An accept may wait for it by now. */
export function isPreparing({ phase, prepared }: CallState, { attempt }: { readonly attempt: number }): boolean {
  return phase.at === 'INCOMING' && prepared?.attempt === attempt
}

/** The media host answered ahead: upstream sets its side up by it. */
export function voicePrepared(
  state: CallState,
  { outcome }: CallMessage & { type: 'MediaAnswered' },
  nowMs: number,
): Step {
  const { phase, prepared } = state
  if (phase.at !== 'INCOMING' || prepared === null) return step(state)
  if (!outcome.ok) return unreachable({ ...state, prepared: null }, nowMs)
  const { sdp, host: mediaHost = null } = outcome.value
  return step({ ...state, media: 'bridge', mediaHost, prepared: { ...prepared, sdp } }, [
    { type: 'preAccept', askId: null, externalCallId: phase.externalCallId, sdp },
  ])
}

/** Upstream took the answer ahead, or did not; the accept will tell. The next owner accepts with the same one. */
export function voicePreAccepted(state: CallState, { sdp, outcome }: CallMessage & { type: 'PreAccepted' }): Step {
  if (state.phase.at !== 'INCOMING' || state.prepared?.sdp !== sdp) return step(state)
  if (!outcome.ok) return openedTo(state)
  const saved = saveAnswer(state, sdp, { asks: [], effects: [] }, { media: 'bridge', mediaHost: state.mediaHost })
  if (state.voice?.answer !== 'accept') return saved
  const stash = [...saved.state.stash, { type: 'Accept', askId: null, ...BY_BOT } as const]
  return { ...saved, state: { ...saved.state, stash } }
}

/** A call that rings is declined when its bot cannot be had, if the setting says so. */
function unreachable(state: CallState, nowMs: number): Step {
  return state.phase.at === 'INCOMING' && state.voice?.onUnreachable === 'reject'
    ? reject(state, null, nowMs)
    : step(state)
}
