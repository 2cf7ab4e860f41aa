import { newId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { PlacedOrder } from '../../domain/send-order.ts'
import type { Trace } from '../../domain/trace.ts'
import type { NewMessage, SendNotice } from '../../ports/stores/message-store.ts'

/** The fields of a new message that say what it is. */
export type SaidParts = Pick<
  NewMessage,
  'type' | 'content' | 'outgoing' | 'template' | 'templateId' | 'seenTemplate' | 'flow'
>

/** An order with all that is looked up before its content is made. */
export interface ClearedOrder {
  readonly placed: PlacedOrder
  /** Upstream's id of the quoted message; null without one. */
  readonly quotedId: string | null
  readonly notice: SendNotice | null
}

/** The content of a send, ready to be accepted. */
export interface MadeContent extends SaidParts {
  /** Releases what was kept for a send that is not accepted. */
  readonly release: () => Promise<void>
}

/** When a send was asked for, and what it is part of. */
export interface Occasion {
  readonly nowMs: number
  readonly trace: Trace | null
}

/** Makes the message to be accepted. */
export function newMessage(
  { placed: { to, deliverAt, deliverUntil, correlationId }, quotedId, notice }: ClearedOrder,
  number: NumberRef,
  said: SaidParts,
  { nowMs, trace }: Occasion,
): NewMessage {
  const id = newId('msg')
  return {
    id,
    tenantId: number.tenantId,
    numberId: number.id,
    provider: number.provider,
    to,
    ...said,
    quotedMessageId: quotedId,
    // Our choice: without a correlation id the message's own id is used.
    correlationId: correlationId ?? id,
    // Our choice: a time in the past means now.
    deliverAt: deliverAt && deliverAt.getTime() > nowMs ? deliverAt : null,
    deliverUntil,
    createdAt: new Date(nowMs),
    trace,
    ...(notice === null ? {} : { notice }),
  }
}
