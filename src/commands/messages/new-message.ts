import { newId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { PlacedOrder } from '../../domain/send-order.ts'
import type { NewMessage, SendNotice } from '../../ports/stores/message-store.ts'

/** The fields of a new message that say what it is. */
export type SaidParts = Pick<
  NewMessage,
  'type' | 'content' | 'outgoing' | 'template' | 'templateId' | 'seenTemplate' | 'flow'
>

/** The content of a send, ready to be accepted. */
export interface MadeContent extends SaidParts {
  /** Releases what was kept for a send that is not accepted. */
  readonly release: () => Promise<void>
}

/** Makes the message to be accepted. `quotedMessageId` is upstream's id. */
export function newMessage(
  { to, deliverAt, deliverUntil, correlationId }: PlacedOrder,
  number: NumberRef,
  quotedMessageId: string | null,
  said: SaidParts,
  notice: SendNotice | null,
  nowMs: number,
): NewMessage {
  const id = newId('msg')
  return {
    id,
    tenantId: number.tenantId,
    numberId: number.id,
    provider: number.provider,
    to,
    ...said,
    quotedMessageId,
    // Our choice: without a correlation id the message's own id is used.
    correlationId: correlationId ?? id,
    // Our choice: a time in the past means now.
    deliverAt: deliverAt && deliverAt.getTime() > nowMs ? deliverAt : null,
    deliverUntil,
    createdAt: new Date(nowMs),
    ...(notice === null ? {} : { notice }),
  }
}
