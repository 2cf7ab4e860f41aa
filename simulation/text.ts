import { newId } from '../src/domain/ids.ts'
import { NO_CONTENT } from '../src/domain/message.ts'
import type { ChannelNumber } from '../src/domain/number.ts'
import type { NewMessage } from '../src/ports/stores/message-store.ts'

/** A text of a number to a person, as POST /v1/messages/send stores it. */
export function textOf(
  { id: numberId, tenantId }: ChannelNumber,
  address: string,
  text: string,
  createdAt: Date,
  deliverAt: Date | null,
): NewMessage {
  const id = newId('msg')
  return {
    id,
    tenantId,
    numberId,
    provider: 'UNOFFICIAL',
    to: { type: 'DIRECT', address },
    type: 'text',
    content: { ...NO_CONTENT, text },
    outgoing: { mode: 'text', text, buttons: [], header: null, footer: null },
    quotedMessageId: null,
    correlationId: id,
    template: null,
    templateId: null,
    seenTemplate: null,
    flow: null,
    deliverAt,
    deliverUntil: null,
    createdAt,
  }
}
