import { voiceSessionOf } from '../../src/domain/number-voice.ts'
import type { VoiceWithHeaders } from '../../src/domain/number-voice.ts'
import type { RealtimeSessionState } from '../../src/domain/realtime-session.ts'
import type { SessionToDial } from '../../src/ports/media.ts'
import { accept } from './accept.ts'
import type { CallMessage } from './messages.ts'
import { reject } from './reject.ts'
import type { CallFacts, CallState, Step } from './state.ts'
import { liveStatusOf, step } from './state.ts'

/** Has the bot of the number dialled, when it has one, for a call that is not over ([voice.number-setting.2]). */
export function voiceRead(state: CallState, { voice }: CallMessage & { type: 'VoiceRead' }): Step {
  if (voice === null || liveStatusOf(state.phase) === null) return step(state)
  const { answer, onUnreachable, onDisconnect } = voice
  return step({ ...state, voice: { answer, onUnreachable, onDisconnect, hasLeft: false } }, [
    { type: 'mediaDialVoice', session: sessionOf(state.facts, voice) },
  ])
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

/**
 * How a session of the call stands. When the bot's is open, the call is accepted if the setting says so. When it
 * failed, the call is declined or rings on.
 */
export function voiceTold(state: CallState, { id, status }: RealtimeSessionState, nowMs: number): Step {
  const { voice, facts, phase } = state
  if (voice === null || id !== voiceSessionOf(facts.id)) return step(state)
  const told = { ...state, voice: { ...voice, hasLeft: status === 'CLOSED' || status === 'FAILED' } }
  if (status === 'OPEN' && voice.answer === 'accept' && phase.at === 'INCOMING') return accept(told, null, null)
  return status === 'FAILED' ? unreachable(told, nowMs) : step(told)
}

/** A call that rings is declined when its bot cannot be had, if the setting says so. */
function unreachable(state: CallState, nowMs: number): Step {
  return state.phase.at === 'INCOMING' && state.voice?.onUnreachable === 'reject'
    ? reject(state, null, nowMs)
    : step(state)
}
