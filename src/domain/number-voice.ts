import type { CallId, RealtimeSessionId } from './ids.ts'
import type { DialectName, OnDisconnect } from './realtime-session.ts'

/** What becomes of an inbound call whose bot is dialled ([voice.number-setting.2], [voice.number-setting.3]). */
export const VOICE_ANSWERS = ['accept', 'ring'] as const
export type VoiceAnswer = (typeof VOICE_ANSWERS)[number]

/** What becomes of an inbound call whose bot could not be had ([voice.number-setting.5]). */
export const UNREACHABLE_BOTS = ['ring', 'reject'] as const
export type UnreachableBot = (typeof UNREACHABLE_BOTS)[number]

/** The bot server that a number's inbound calls are connected to ([voice.number-setting.1]), as it is shown. */
export interface NumberVoice {
  /** The server's address, `wss:`. */
  readonly connectTo: string
  /** Names of the headers that its handshake gets; their values are secret. */
  readonly headerNames: readonly string[]
  readonly dialect: DialectName
  /** Rate of the audio both ways; null when the dialect has its own, or for the default of realtime sessions. */
  readonly rate: number | null
  /** Texts for the server's first message. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: VoiceAnswer
  readonly onUnreachable: UnreachableBot
  /** What becomes of an answered call that the bot leaves, or is lost to. */
  readonly onDisconnect: OnDisconnect
  /** Whether its calls are recorded; a RELAY_ONLY number records none. */
  readonly record: boolean
}

/** The same with the values of the headers. */
export interface VoiceWithHeaders extends Omit<NumberVoice, 'headerNames'> {
  readonly headers: Readonly<Record<string, string>>
}

/** As it is sent: headers that are missing stay, unless the server is another one ([voice.number-setting.8]). */
export interface SentVoice extends Omit<VoiceWithHeaders, 'headers'> {
  readonly headers?: VoiceWithHeaders['headers']
}

/** As it is shown: with the names of its headers alone. */
export function withoutSecrets({ headers, ...voice }: VoiceWithHeaders): NumberVoice {
  return { ...voice, headerNames: Object.keys(headers) }
}

/**
 * The session of a call with its number's bot. A call has one, so whoever goes on with the call knows its id, and dials
 * none twice.
 */
export function voiceSessionOf(callId: CallId): RealtimeSessionId {
  return `rts_${callId.slice('call_'.length)}`
}
