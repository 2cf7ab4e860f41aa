/**
 * Reads what an engine reports. Lenient on purpose: an engine may be newer than this program.
 * Unknown events are ignored, unknown fields do not get in, unknown reasons have a stand-in.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { CALL_END_REASONS, SESSION_CLOSE_REASONS } from '../../domain/device-bridge.ts'
import { NUMBER_STATES } from '../../domain/number.ts'
import { toDigits } from '../../domain/phone.ts'
import { keptCredentials } from './credentials.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import type { ProviderEvent } from '../../ports/provider.ts'
import { readEdit, readMessage, readRevocation, readStatus } from './message-events.ts'

type SequencedEvent = Extract<ProviderEvent, { readonly seq: number }>
/** An event of the engine in our words, its sequence apart. */
export type EngineEvent = { [T in SequencedEvent['type']]: Omit<Extract<SequencedEvent, { type: T }>, 'seq'> }[SequencedEvent['type']]

export type Reading =
  /** `fingerprint` is equal for two tellings of the same event. */
  | { readonly kind: 'event', readonly event: EngineEvent, readonly fingerprint: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid', readonly ev: string }

const text = z.string().min(1)
const media = z.object({ sdp: text })
const call = z.object({ callId: text })

/** Event name -> reader; a reader throws when the event is not what contract 8 says. */
const READERS: Readonly<Record<string, (frame: JsonFrame, number: string) => EngineEvent>> = {
  'session.qr': (frame) => ({ type: 'qr', ...QR.parse(frame) }),
  'session.state': (frame) => ({ type: 'state', ...STATE.parse(frame) }),
  'session.credentials': (frame) => ({ type: 'credentials', credentials: keptCredentials(CREDENTIALS.parse(frame).credentials) }),
  'call.incoming': (frame) => {
    const { callId, from, media: { sdp } } = INCOMING.parse(frame)
    return { type: 'incomingCall', externalCallId: callId, from: toDigits(from) ?? from, sdp }
  },
  'call.ringing': (frame) => ({ type: 'callRinging', externalCallId: call.parse(frame).callId }),
  'call.answered': (frame) => {
    const { callId, media: { sdp } } = ANSWERED.parse(frame)
    return { type: 'callAnswered', externalCallId: callId, sdp }
  },
  'call.ended': (frame) => {
    const { callId, reason } = ENDED.parse(frame)
    return { type: 'callEnded', externalCallId: callId, reason }
  },
  'message.received': readMessage,
  'message.status': readStatus,
  'message.edited': readEdit,
  'message.revoked': readRevocation,
}

const QR = z.object({ qr: text, pairingCode: text.nullable().default(null), expiresInMs: z.number().positive() })
const STATE = z.object({ state: z.enum(NUMBER_STATES), reason: z.enum(SESSION_CLOSE_REASONS).nullable().default(null).catch(null) })
/** An opaque blob (contract 8): any JSON value but null, which would say that there are none. */
const CREDENTIALS = z.object({ credentials: z.json().refine((value) => value !== null && value !== '') })
const INCOMING = call.extend({ from: text, media })
const ANSWERED = call.extend({ media })
/** Our choice: a call that ended for a reason unknown here has failed. */
const ENDED = call.extend({ reason: z.enum(CALL_END_REASONS).catch('failed') })
/** Reads the event in a frame whose `ev` is text. `number`: the session's own digits. */
export function readEvent(ev: string, frame: JsonFrame, number: string): Reading {
  const reader = Object.hasOwn(READERS, ev) ? READERS[ev] : undefined
  if (!reader) return { kind: 'unknown' }
  try {
    const event = reader(frame, number)
    // Messages have a name; what they say may be long, and a time they lack is the time of reading. Of edits one message may have many.
    const identity = ev.startsWith('message.') && ev !== 'message.edited' ? [ev, frame['externalMessageId'], frame['status']] : event
    // 16 bytes tell apart more events than a number ever has.
    const fingerprint = createHash('sha256').update(JSON.stringify(identity)).digest().toString('base64', 0, 16)
    return { kind: 'event', event, fingerprint }
  } catch {
    return { kind: 'invalid', ev }
  }
}
