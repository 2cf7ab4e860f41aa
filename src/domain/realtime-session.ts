import type { RealtimeSessionId } from './ids.ts'

/** The name of the realtime protocol. */
export const PROTOCOL = 'pcm16.v1'

/** Bounds of what clients send (our choice): bytes of a mark's name, and characters of the other texts. */
export const CLIENT_BOUNDS = {
  markBytes: 64,
  idCharacters: 128,
  reasonCharacters: 200,
  urlCharacters: 4_000,
  digits: 64,
}

/** Kinds of clients that realtime sockets speak to ([realtime.query.4]). */
export const DIALECTS = ['native', 'vonage', 'twilio'] as const
export type DialectName = (typeof DIALECTS)[number]

/** What binary messages hold ([realtime.query.8]). */
export const SESSION_CODECS = ['pcm16', 'opus'] as const
export type SessionCodec = (typeof SESSION_CODECS)[number]

/** Samples a second of PCM ([realtime.query.1]). */
export const SESSION_RATES_HZ = [8_000, 16_000, 24_000, 48_000] as const

/** Lengths of a binary message of the server, in ms ([realtime.query.3]). */
export const FRAME_MS = [10, 20, 40, 60] as const

/** Whether a client is told when the peer speaks ([realtime.query.9]). */
export const ON_OFF = ['off', 'on'] as const

/** A talking session speaks and acts; a listening one hears. */
export const SESSION_MODES = ['talk', 'listen'] as const
export type SessionMode = (typeof SESSION_MODES)[number]

/** What becomes of a call whose talking session is gone ([realtime.query.6]). */
export const ON_DISCONNECT = ['keep', 'hangup', 'grace'] as const
export type OnDisconnect = (typeof ON_DISCONNECT)[number]

/** Who has a call: a person who takes it over, or the bot that gets it back ([realtime.takeover.1]). */
export const TAKEOVERS = ['talk', 'bot'] as const

/** INBOUND: the client connected. OUTBOUND: the media host dialled it ([voice.connect-to.8]). */
export const SESSION_DIRECTIONS = ['INBOUND', 'OUTBOUND'] as const
export type SessionDirection = (typeof SESSION_DIRECTIONS)[number]

/** CONNECTING also while a lost socket is dialled again. */
export const SESSION_STATUSES = ['CONNECTING', 'OPEN', 'CLOSED', 'FAILED'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** How a realtime session of a call stands; times in ms since the epoch. */
export interface RealtimeSessionState {
  readonly id: RealtimeSessionId
  readonly direction: SessionDirection
  readonly mode: SessionMode
  readonly dialect: DialectName
  readonly status: SessionStatus
  /** When it opened first; null before. */
  readonly openedAtMs: number | null
  /** Null while it may still go on. */
  readonly closedAtMs: number | null
  /** RFC 6455 section 7.4; null while it may still go on, and when no socket was closed. */
  readonly closeCode: number | null
  /** Why a socket was not opened, or was lost, in words; null when nothing went wrong. */
  readonly error: string | null
}
