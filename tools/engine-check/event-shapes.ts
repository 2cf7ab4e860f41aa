/**
 * Strict shapes of the protocol's events ([bridge.events.1] and following, [engines.bridge.4] and following). The
 * gateway reads leniently, but a check must not.
 */
import { z } from 'zod'
import { callMedia } from '../../src/domain/call-media.ts'
import { CALL_END_REASONS, SESSION_REASONS } from '../../src/domain/device-bridge.ts'
import type { SeenEvent } from './engine-end.ts'
import { digits, lid, person } from './hints.ts'

const text = z.string().min(1)
/** Ms since the epoch. A minimum rejects seconds, which would be dates of January 1970. */
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
  from: person,
  fromName: z.string().nullish(),
  to: text,
  group: room.optional(),
  newsletter: room.optional(),
  historical: z.boolean(),
  timestamp,
  content,
  quoted: z.string().optional(),
  peer: z.object({ phone: digits.optional(), lid: lid.optional() }).optional(),
})
/** A post in a channel names the channel, and may name no person. */
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
  'session.peer': z.object({ phone: digits, lid }),
  'session.health': z.object({
    level: z.enum(['ok', 'warning', 'restricted']),
    code: z.string().nullish(),
    text: z.string().nullish(),
  }),
  'message.received': received,
  'message.poll_vote': z.object({
    externalMessageId: text,
    messageId: text.optional(),
    from: digits,
    fromName: z.string().nullish(),
    group: room.optional(),
    options: z.array(text),
    timestamp,
  }),
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
 * The fault of an event; null when it has none, or when the protocol does not name the event, which a gateway ignores.
 */
export function eventFault(event: SeenEvent): string | null {
  const shape = Object.hasOwn(SHAPES, event.ev) ? SHAPES[event.ev] : undefined
  const parsed = shape?.safeParse(event)
  if (!parsed || parsed.success) return null
  const [issue] = parsed.error.issues
  return `${event.ev} (seq ${event.seq}): ${issue?.path.join('.') || 'event'}: ${issue?.message ?? 'is not as it should be'}`
}

/** Whether the protocol names the event. */
export function isNamed(ev: string): boolean {
  return Object.hasOwn(SHAPES, ev)
}
