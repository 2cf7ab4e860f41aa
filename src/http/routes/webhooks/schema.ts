import { z } from 'zod'
import { EVENT_NAMES } from '../../../domain/events.ts'
import { NATIVE_FIELDS } from '../../../domain/upstream-fields.ts'
import { DISABLED_REASONS } from '../../../domain/webhook.ts'
import { INSTANT } from '../instant.ts'
import { timestamp } from '../phone-schema.ts'
import { isSecret } from '../../../domain/webhook-secret.ts'
import { guardedAddress } from '../web-address.ts'

/** Events that a webhook may list, for the document. */
const SUBSCRIBABLE = ['*', ...EVENT_NAMES, ...NATIVE_FIELDS]
/** Events that logs may be filtered by. */
const DELIVERED = [...EVENT_NAMES, ...NATIVE_FIELDS] as const

const url = guardedAddress().meta({
  description: 'http or https; must lead to a public address',
  examples: ['https://example.com/hooks'],
})

/** our choice: a name has up to 120 characters, because lists show it; null removes it. */
const name = z.string().trim().min(1).max(120).nullable().optional()

/** The handler checks the names, because an unknown one has a code of its own ([webhooks.object.6]). */
const events = z
  .array(z.string().max(100).meta({ enum: SUBSCRIBABLE }))
  .max(SUBSCRIBABLE.length)
  .meta({
    description:
      'Event names, fields of the native envelope (OFFICIAL numbers), or `*`: all but opt-in events. None delivers nothing. What the number cannot emit is dropped from the list.',
  })

export const createInput = z
  .object({
    url,
    name,
    events: events.nullable().optional(),
    channelNumberId: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Of a tenant key: the webhook's number, unless the header names it" }),
    secret: z
      .string()
      .refine(isSecret, 'must be whsec_ and base64 of 24 to 64 bytes')
      .optional()
      .meta({ description: 'Signs the deliveries; made when absent' }),
  })
  .meta({ id: 'WebhookCreate' })

export const patchInput = z
  .object({
    url: url.optional(),
    name,
    active: z.boolean().optional().meta({ description: 'true switches it on again and forgets its failures' }),
    events: events.optional(),
  })
  .meta({ id: 'WebhookPatch' })

const id = z.string().meta({ description: 'Webhook id', example: 'wh_01kb0000000000000000000000' })
export const webhookParams = z.object({ id })
export const logParams = z.object({
  id,
  logId: z.string().meta({ description: 'Id of a log item', example: 'log_01kb0000000000000000000000' }),
})

/** [webhooks.routes.8]: the most log items in an answer, which is also the default. */
export const MAX_LOGS = 50
export const DEFAULT_LOGS = 50

export const logQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,2}$/, `must be a whole number from 1 to ${MAX_LOGS}`)
    .transform(Number)
    .refine((value) => value >= 1 && value <= MAX_LOGS, `must be a whole number from 1 to ${MAX_LOGS}`)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: MAX_LOGS, description: `Default ${DEFAULT_LOGS}` }),
  event: z
    .enum(DELIVERED, { error: 'is no event name' })
    .optional()
    .meta({ description: 'Only attempts of this event' }),
  status: z
    .enum(['SUCCESS', 'FAILED'], { error: 'must be SUCCESS or FAILED' })
    .optional()
    .meta({ description: 'Only attempts that ended so' }),
  before: z
    .string()
    .regex(/^log_[0-9a-z]{26}$/, 'must be the id of a log item')
    .optional()
    .meta({ description: 'Only attempts before this one: the last id of the page before' }),
})

/** The handler reads dates, because a wrong one has a code of its own ([webhooks.redelivery.3]). */
export const redeliverInput = z
  .object({
    since: z
      .unknown()
      .refine((given) => given !== undefined && given !== null, 'is required')
      .meta({
        type: 'string',
        ...INSTANT,
        description: 'Attempts from then on',
      }),
    until: z
      .unknown()
      .optional()
      .meta({
        type: ['string', 'null'],
        ...INSTANT,
        description: 'Attempts until then, a date with its whole day; now when absent',
      }),
  })
  .meta({ id: 'RedeliverFailed' })

export const redelivered = z
  .object({ queued: z.int().meta({ description: 'How many events are delivered again' }) })
  .meta({ id: 'RedeliveredFailed' })

const webhookFields = {
  id: z.string(),
  name: z.string().nullable(),
  url: z.string(),
  active: z.boolean(),
  events: z.array(z.enum(['*', ...DELIVERED])),
  channelNumberIds: z.array(z.string()).meta({ description: 'Its one number' }),
  lastTriggered: timestamp.nullable(),
  disabledReason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .meta({ description: '`GONE`: the receiver answered 410. `FAILING`: nothing but failures for 5 days.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const webhook = z.object(webhookFields).meta({ id: 'Webhook' })

export const createdWebhook = z
  .object({
    ...webhookFields,
    secret: z.string().meta({ description: 'Signs the deliveries. Shown only here.' }),
  })
  .meta({ id: 'CreatedWebhook' })

export const rotatedSecret = z
  .object({
    id: z.string(),
    secret: z.string().meta({ description: 'Shown only here' }),
    previousSecretExpiresAt: timestamp.meta({ description: 'Until then the previous secret signs too' }),
  })
  .meta({ id: 'RotatedSecret' })

export const deletedWebhook = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'DeletedWebhook' })

export const logItem = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    event: z.enum(DELIVERED),
    eventId: z.string().meta({ description: 'The `webhook-id` of the delivery: the same on every attempt' }),
    attempt: z.int().meta({ description: '1 for the first try' }),
    status: z.enum(['SUCCESS', 'FAILED']),
    statusCode: z.int().meta({ description: '0 when no answer came' }),
    payload: z
      .string()
      .meta({ description: 'The delivered body; empty where the privacy mode of the number keeps none' }),
    response: z.string().meta({ description: 'The first 16 KB of the answer, or why there was none' }),
    durationMs: z.int(),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookLog' })

export const logs = z.object({ webhookId: z.string(), logs: z.array(logItem) }).meta({ id: 'WebhookLogs' })

export const redelivery = z
  .object({ webhookId: z.string(), logId: z.string(), eventId: z.string(), status: z.literal('QUEUED') })
  .meta({ id: 'Redelivery' })
