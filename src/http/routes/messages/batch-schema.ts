import { z } from 'zod'
import { BATCH_MESSAGES } from '../../../domain/limits.ts'
import { MESSAGE_STATUSES } from '../../../domain/message.ts'
import { bodyInstant } from '../instant.ts'
import { timestamp } from '../phone-schema.ts'
import { sendInput } from './send-schema.ts'

/** our choice: a thousand a second, the most that upstream takes of a number. */
const MOST_PER_MINUTE = 60_000

/** Each is checked as a send of its own, so the body as a whole lets any object through. */
const sends = z
  .array(z.record(z.string(), z.unknown()))
  .min(1, `needs 1 to ${BATCH_MESSAGES} messages`)
  .max(BATCH_MESSAGES, `needs 1 to ${BATCH_MESSAGES} messages`)

export const batchInput = z
  .object({
    messages: sends.meta({
      description: 'Each as the body of `POST /v1/messages/send`; sent in this order',
      items: { $ref: '#/components/schemas/MessageSend' },
    }),
    pace: z
      .object({ perMinute: z.int().min(1).max(MOST_PER_MINUTE) })
      .nullish()
      .meta({ description: 'Messages of the batch a minute at most; as many as the number sends when absent' }),
    deliverUntil: bodyInstant('Of messages without their own'),
  })
  .meta({ id: 'MessageBatchSend' })

/** The schema of one message of a batch. */
export const oneSend = sendInput

const batchId = z.string().meta({ example: 'bat_01kb0000000000000000000000' })

export const acceptedBatch = z
  .object({
    batchId,
    accepted: z.int().meta({ description: 'Messages that are queued' }),
    refused: z
      .array(
        z.object({
          index: z.int().meta({ description: 'Place in `messages`, from 0' }),
          error: z.string(),
          code: z.string().nullable().meta({ description: 'Null where a send would be answered without a code' }),
        }),
      )
      .meta({ description: 'What each refused message would have been answered as a send of its own' }),
  })
  .meta({ id: 'AcceptedBatch' })

export const batchParams = z.object({ id: batchId.meta({ description: 'Id of a batch' }) })

const count = z.int().min(0)

export const batchCounts = z
  .object({
    batchId,
    createdAt: timestamp,
    pace: z.object({ perMinute: z.int() }).nullable(),
    accepted: count,
    counts: z
      .object(Object.fromEntries(MESSAGE_STATUSES.filter((status) => status !== 'RECEIVED').map((s) => [s, count])))
      .meta({ description: 'Messages by status; those that privacy removed do not count' }),
  })
  .meta({ id: 'BatchCounts' })

export const batchCanceled = z
  .object({ batchId, cancelled: count.meta({ description: 'Messages that this request canceled' }) })
  .meta({ id: 'BatchCanceled' })
