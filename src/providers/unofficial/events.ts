/**
 * Reads what an engine reports. It is lenient because an engine may be newer than this program: unknown events are
 * ignored, unknown fields are dropped, and unknown reasons have a stand-in.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { beginningOf } from '../../domain/characters.ts'
import { callMedia, describeMedia } from '../../domain/call-media.ts'
import { CALL_END_REASONS, SESSION_REASONS } from '../../domain/device-bridge.ts'
import { SESSION_HEALTH_LEVELS } from '../../domain/engine.ts'
import { isFields } from '../../domain/json-fields.ts'
import { isLoopback } from '../../domain/loopback.ts'
import { NUMBER_STATES } from '../../domain/number.ts'
import { toDigits } from '../../domain/phone.ts'
import { NAME_CHARACTERS, storableJson } from '../../domain/storable.ts'
import { keptCredentials } from './credentials.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import type { ProviderEvent } from '../../ports/provider.ts'
import { readEdit, readMessage, readRevocation, readSentElsewhere, readStatus, readVote } from './message-events.ts'
import { readPeerNamed } from './peer-events.ts'

type SequencedEvent = Extract<ProviderEvent, { readonly seq: number }>
/** An event of the engine in the service's words, without its `seq`. */
export type EngineEvent = {
  [T in SequencedEvent['type']]: Omit<Extract<SequencedEvent, { type: T }>, 'seq'>
}[SequencedEvent['type']]

export type Reading =
  /** `fingerprint` is equal for two tellings of the same event. */
  | { readonly kind: 'event'; readonly event: EngineEvent; readonly fingerprint: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid'; readonly ev: string }

/** A longer id makes the event unreadable. */
const id = z.string().min(1).max(NAME_CHARACTERS)
const text = z.string().min(1)
/** Media without a kind is SDP, as engines sent it before there were two kinds. */
const media = z.preprocess(
  (told) => (isFields(told) && told['kind'] === undefined ? { ...told, kind: 'webrtc' } : told),
  callMedia,
)
const call = z.object({ callId: id })

/** Event name -> reader; a reader throws when the event is not what docs/contract/bridge.md says. */
const READERS: Readonly<Record<string, (frame: JsonFrame, number: string, engineHost: string) => EngineEvent>> = {
  'session.qr': (frame) => ({ type: 'qr', ...QR.parse(frame) }),
  'session.state': (frame) => ({ type: 'state', ...STATE.parse(frame) }),
  'session.credentials': (frame) => ({
    type: 'credentials',
    credentials: keptCredentials(CREDENTIALS.parse(frame).credentials),
  }),
  'session.health': (frame) => ({ type: 'health', health: HEALTH.parse(frame) }),
  'session.peer': readPeerNamed,
  'call.incoming': (frame, _number, engineHost) => {
    const { callId, from, media: offered } = INCOMING.parse(frame)
    if (offered && 'url' in offered && offered.url !== undefined) assertOfEngine(offered.url, engineHost)
    return {
      type: 'incomingCall',
      externalCallId: callId,
      from: toDigits(from) ?? from,
      sdp: offered ? describeMedia(offered) : '',
    }
  },
  'call.ringing': (frame) => ({ type: 'callRinging', externalCallId: call.parse(frame).callId }),
  'call.answered': (frame) => {
    const { callId, media } = ANSWERED.parse(frame)
    return { type: 'callAnswered', externalCallId: callId, sdp: describeMedia(media) }
  },
  'call.ended': (frame) => {
    const { callId, reason } = ENDED.parse(frame)
    return { type: 'callEnded', externalCallId: callId, reason }
  },
  'message.received': readMessage,
  'message.sent_elsewhere': readSentElsewhere,
  'message.status': readStatus,
  'message.edited': readEdit,
  'message.revoked': readRevocation,
  'message.poll_vote': readVote,
}

/** Events of which one message has many. */
const ONE_OF_MANY: ReadonlySet<string> = new Set(['message.edited', 'message.poll_vote'])

/** Largest QR code of the level that is drawn, bytes (ISO 18004). */
const QR_BYTES = 2_331
/** Our choice: a code is not shown for longer than a day, whatever an engine says. */
const LONGEST_CODE_MS = 86_400_000
const QR = z.object({
  qr: text.refine((qr) => Buffer.byteLength(qr) <= QR_BYTES),
  pairingCode: id.nullable().default(null),
  expiresInMs: z
    .number()
    .positive()
    .transform((ms) => Math.min(ms, LONGEST_CODE_MS)),
})
const STATE = z.object({
  state: z.enum(NUMBER_STATES),
  reason: z.enum(SESSION_REASONS).nullable().default(null).catch(null),
})
/** An opaque blob ([bridge.events.3]): any JSON value but null, which would mean that there are none. */
const CREDENTIALS = z.object({ credentials: z.json().refine((value) => value !== null && value !== '') })
/** Our choice: the network's reason for a warning is shown, and cut when it is longer. */
const HEALTH_CHARACTERS = 500
const why = text
  .transform((words) => beginningOf(words, HEALTH_CHARACTERS))
  .nullable()
  .catch(null)
  .default(null)
const HEALTH = z.object({ level: z.enum(SESSION_HEALTH_LEVELS), code: why, text: why })
/**
 * An engine without audio names no media: the call rings all the same, and can be declined
 * ([engines.baileys-duties.7]).
 */
const INCOMING = call.extend({ from: id, media: media.nullable().default(null) })
const ANSWERED = call.extend({ media })
/** Our choice: a call that ended for a reason unknown here has failed. */
const ENDED = call.extend({ reason: z.enum(CALL_END_REASONS).catch('failed') })

/**
 * Our choice: an engine may have the media host dial only the machine that the engine itself runs on, so that an engine
 * that was taken over is no way into the network behind us. The guard for callers' addresses is not used, because
 * engines have private addresses, and the operator named this one.
 */
function assertOfEngine(url: string, engineHost: string): void {
  const { hostname } = new URL(url)
  if (hostname !== engineHost && !(isLoopback(hostname) && isLoopback(engineHost)))
    throw new Error("the address of the leg is not on the engine's machine")
}

/**
 * Reads the event in a frame whose `ev` is text, without anything that cannot be stored. `number` is the session's own
 * digits, `engineHost` the host of the bridge's address.
 */
export function readEvent(ev: string, told: JsonFrame, number: string, engineHost = ''): Reading {
  const reader = Object.hasOwn(READERS, ev) ? READERS[ev] : undefined
  if (!reader) return { kind: 'unknown' }
  try {
    // Credentials are stored sealed, and given back unchanged.
    const frame = ev === 'session.credentials' ? told : (storableJson(told) as JsonFrame)
    const event = reader(frame, number, engineHost)
    // Messages are identified by their id, because their content may be long, and a missing time is the time of
    // reading. A message may have many edits and a poll many votes, so these are identified by their content.
    const identity =
      ev.startsWith('message.') && !ONE_OF_MANY.has(ev) ? [ev, frame['externalMessageId'], frame['status']] : event
    // 16 bytes tell apart more events than a number ever has.
    const fingerprint = createHash('sha256').update(JSON.stringify(identity)).digest().toString('base64', 0, 16)
    return { kind: 'event', event, fingerprint }
  } catch {
    return { kind: 'invalid', ev }
  }
}
