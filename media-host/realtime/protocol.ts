import type { DialectName, FRAME_MS, OnDisconnect, SessionCodec } from '../../src/domain/realtime-session.ts'
import type { RateHz } from '../audio/frame.ts'

/** Largest message of a client; one byte more closes 1009. */
export const MAX_MESSAGE_BYTES = 65_536
/**
 * Our choice: a socket is cut, without a reason, by a message over this. Shorter ones over `MAX_MESSAGE_BYTES` are
 * closed with 1009 and a reason ([realtime.closing.7]).
 */
export const CUT_BYTES = 2 * MAX_MESSAGE_BYTES
/**
 * Our choice: bytes of the longest text. Client messages are a few short fields; a text that carries audio has a limit
 * of its own.
 */
export const MAX_TEXT_BYTES = 4_096
/**
 * Our choice: most values in a text. They are counted before it is parsed, because the cost of parsing depends on them.
 */
export const MAX_TEXT_VALUES = 200
/** [realtime.dialects.6]: bytes of the longest text of a Twilio client, which may carry audio. */
export const MAX_TWILIO_BYTES = 1_048_576
/** Most messages of a client in one second. */
export const MAX_MESSAGES_PER_SECOND = 500
/** After this many invalid messages a session is closed with 4400. */
export const MAX_INVALID_MESSAGES = 100
/**
 * Our choice: messages of unknown types in one minute that only earn a warning; each further one is invalid. A client
 * made for a later version sends a new type now and then.
 */
export const MAX_UNKNOWN_MESSAGES = 300
export const UNKNOWN_WINDOW_MS = 60_000
/** Most listening sockets of one call. */
export const MAX_LISTENERS = 4
/** Ms between pings of the server. */
export const PING_MS = 20_000
/** A socket that sent no frame of any kind for this many ms is closed. */
export const SILENT_SOCKET_MS = 60_000
/** After the first, `warning` and `error` of one code come at most once in this many ms. */
export const WARNING_INTERVAL_MS = 10_000
/** `buffer` with state `full` comes at most once in this many ms (our choice). */
export const FULL_INTERVAL_MS = 1_000
/** Audio that is still refused this many ms after the first `full` closes with 4413. */
export const ABUSE_MS = 30_000
/** The queue of a talking socket that left is kept for this many ms. */
export const GRACE_MS = 30_000
/** Our choice: most marks that wait in one call. */
export const MAX_MARKS = 1_000
/** [realtime.dialects.3]: most bytes of a mark's name of a client made for another platform. */
export const MAX_STOCK_MARK_BYTES = 1_024

/** Close codes of sockets that were open ([realtime.closing.3] and on). */
export const CLOSE = {
  ended: 1000,
  goingAway: 1001,
  badFrame: 1003,
  badJson: 1007,
  tooBig: 1009,
  badProtocol: 4400,
  slowConsumer: 4408,
  replaced: 4409,
  callEnded: 4410,
  bufferAbuse: 4413,
  rate: 4429,
  internal: 4500,
} as const
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE]

export type FrameMs = (typeof FRAME_MS)[number]

/** The parameters of a wsUrl's query. */
export interface SessionParameters {
  readonly codec: SessionCodec
  /** Rate of the audio the client sends. */
  readonly inRate: RateHz
  /** Rate of the audio the client gets. */
  readonly outRate: RateHz
  readonly frameMs: FrameMs
  readonly dialect: DialectName
  /** Seconds between `stats` messages; with 0 they come only on request. */
  readonly statsSeconds: number
  readonly onDisconnect: OnDisconnect
  readonly prebufferMs: number
  /** True when the client is told when the peer speaks. */
  readonly speech: boolean
}

export type EchoId = string | number
/** Clients of `pcm16.v1` name marks with texts; others also with numbers. */
export type MarkName = string | number

/** A message of a client. */
export type ClientMessage =
  | { readonly type: 'clear'; readonly id?: EchoId }
  | { readonly type: 'mark'; readonly name: MarkName; readonly payload?: unknown }
  | { readonly type: 'pause' | 'resume' | 'flush' | 'accept' | 'stats' }
  | { readonly type: 'dtmf'; readonly digits: string }
  | { readonly type: 'mute'; readonly on: boolean }
  | { readonly type: 'hangup'; readonly reason: string | null }
  | { readonly type: 'play'; readonly mediaUrl: string; readonly hangupAfterPlay: boolean }
  | { readonly type: 'ping'; readonly id?: EchoId }
