/**
 * Events as the protocol says them ([bridge.events.1] and on, [engines.bridge.4] and on), read strictly: the gateway is
 * lenient, a check is not.
 */
import { z } from 'zod'
import { callMedia } from '../../src/domain/call-media.ts'
import { CALL_END_REASONS, SESSION_REASONS } from '../../src/domain/device-bridge.ts'
import type { SeenEvent } from './engine-end.ts'

const text = z.string().min(1)
const digits = z.string().regex(/^\+?\d{5,20}$/, 'is no phone number in digits')
/** Ms since the epoch: seconds would lie in January 1970. */
const timestamp = z
  .number()
  .min(Date.UTC(2000), 'is no time in ms since the epoch')
  .max(Date.UTC(2200), 'is no time in ms since the epoch')
const room = z.union([text, z.object({ id: text, name: z.string().nullish() })])
const content = z.object({
  type: text,
  text: z.string().optional(),
  media: z
    .object({ url: text, mimeType: text, fileName: z.string().optional(), size: z.number().nonnegative().optional() })
    .optional(),
})
const call = z.object({ callId: text })
const message = z.object({
  externalMessageId: text,
  from: digits,
  fromName: z.string().nullish(),
  to: text,
  group: room.optional(),
  newsletter: room.optional(),
  historical: z.boolean(),
  timestamp,
  content,
  quoted: z.string().optional(),
})
/** A post of a channel names the channel, and no person need be known. */
const received = z.union([message, message.extend({ from: text, newsletter: room })])

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  'session.qr': z.object({
    qr: text,
    pairingCode: text.nullish(),
    expiresInMs: z.number().positive('is no time above 0'),
  }),
  'session.state': z.object({
    state: z.enum(['OPEN', 'CONNECTING', 'CLOSE']),
    reason: z.enum(SESSION_REASONS).optional(),
  }),
  'session.credentials': z.object({
    credentials: z.unknown().refine((value) => value !== null && value !== undefined && value !== '', 'are none'),
  }),
  'session.health': z.object({
    level: z.enum(['ok', 'warning', 'restricted']),
    code: z.string().nullish(),
    text: z.string().nullish(),
  }),
  'message.received': received,
  'message.sent_elsewhere': message.extend({ from: text }),
  'message.status': z.object({
    externalMessageId: text,
    messageId: text.optional(),
    status: z.enum(['SENT', 'DELIVERED', 'READ', 'FAILED']),
    timestamp,
  }),
  'message.revoked': z.object({ externalMessageId: text, timestamp }),
  'message.edited': z.object({ externalMessageId: text, timestamp, content: content.optional() }),
  'call.incoming': call.extend({ from: digits, media: callMedia.optional() }),
  'call.ringing': call,
  'call.answered': call.extend({ media: callMedia }),
  'call.ended': call.extend({ reason: z.enum(CALL_END_REASONS) }),
}

/**
 * What is wrong with an event; null where it is as the protocol says, or not one of those it names, which a gateway
 * passes over.
 */
export function eventFault(event: SeenEvent): string | null {
  const shape = Object.hasOwn(SHAPES, event.ev) ? SHAPES[event.ev] : undefined
  const parsed = shape?.safeParse(event)
  if (!parsed || parsed.success) return null
  const [issue] = parsed.error.issues
  return `${event.ev} (seq ${event.seq}): ${issue?.path.join('.') || 'event'}: ${issue?.message ?? 'is not as it should be'}`
}

/** True for events that the protocol names. */
export function isNamed(ev: string): boolean {
  return Object.hasOwn(SHAPES, ev)
}
