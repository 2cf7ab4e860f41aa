import { newId } from '../../../domain/ids.ts'
import { NO_CONTENT } from '../../../domain/message.ts'
import type { Destination, MessageContent, MessageType, OutgoingContent } from '../../../domain/message.ts'
import type { NumberRef } from '../../../domain/number.ts'
import type { NewMessage } from '../../../ports/stores/message-store.ts'
import type { Attachment, WantedMedia } from './attachments.ts'
import { cardButtons, textButtons } from './button-rules.ts'
import type { CarouselInput, SendInput } from './send-schema.ts'

/** The parts of a new message that say what it is. */
interface SendContent {
  readonly type: MessageType
  readonly content: MessageContent
  readonly outgoing: OutgoingContent
}

/** Where a send goes. It passed the rules: exactly one is named. */
function destinationOf({ destinationNumber, groupId, newsletterId }: SendInput): Destination {
  if (groupId) return { type: 'GROUP', address: groupId }
  if (newsletterId) return { type: 'NEWSLETTER', address: newsletterId }
  return { type: 'DIRECT', address: destinationNumber ?? '' }
}

/** The media of a send, in the order `contentOf` takes them back. */
export function mediaOf({ media, mediaType, mediaFilename, carousel }: SendInput): WantedMedia[] {
  if (carousel) return carousel.cards.map(({ image }, index) => ({ path: `carousel.cards.${index}.image`, text: image, kind: 'image', fileName: null }))
  return media && mediaType ? [{ path: 'media', text: media, kind: mediaType, fileName: mediaFilename ?? null }] : []
}

/** What a send will be. It passed the rules, and its media are at hand. */
function contentOf(input: SendInput, attachments: readonly Attachment[]): SendContent {
  if (input.carousel) return carouselContent(input.carousel, attachments)
  const [attachment] = attachments
  return attachment ? mediaContent(input, attachment) : textContent(input)
}

/** The message to be accepted. `quotedMessageId` is upstream's. */
export function newMessage(body: SendInput, number: NumberRef, quotedMessageId: string | null, attachments: readonly Attachment[], nowMs: number): NewMessage {
  const id = newId('msg')
  const deliverAt = body.deliverAt ? new Date(body.deliverAt) : null
  return {
    id, tenantId: number.tenantId, numberId: number.id, provider: number.provider, to: destinationOf(body),
    ...contentOf(body, attachments),
    quotedMessageId,
    // Our choice: a message without one answers to its own id.
    correlationId: body.correlationId ?? id,
    template: null,
    // Our choice: a time that has passed means now.
    deliverAt: deliverAt && deliverAt.getTime() > nowMs ? deliverAt : null,
    deliverUntil: body.deliverUntil ? new Date(body.deliverUntil) : null,
    createdAt: new Date(nowMs),
  }
}

function textContent(input: SendInput): SendContent {
  const text = input.text ?? ''
  const buttons = textButtons(input.buttons ?? [])
  return {
    // Our choice: a text with buttons is what upstream calls it.
    type: buttons.length > 0 ? 'interactive' : 'text',
    content: { ...NO_CONTENT, text },
    outgoing: { mode: 'text', text, buttons, header: input.header ?? null, footer: input.footer ?? null },
  }
}

function mediaContent(input: SendInput, { source, mimeType }: Attachment): SendContent {
  const kind = input.mediaType ?? 'document'
  const caption = input.caption ?? null
  const fileName = input.mediaFilename ?? null
  return {
    type: kind === 'voice' ? 'audio' : kind,
    // Bytes that came along are kept only until they are sent: they have no address.
    content: { ...NO_CONTENT, text: caption, media: { id: null, url: 'url' in source ? source.url : null, mimeType, fileName } },
    outgoing: { mode: 'media', kind, source, caption, fileName },
  }
}

function carouselContent({ text, cards }: CarouselInput, attachments: readonly Attachment[]): SendContent {
  const made = cards.flatMap((card, index) => {
    const image = attachments[index]?.source
    return image ? [{ image, text: card.text, buttons: cardButtons(card.buttons ?? [], index) }] : []
  })
  return { type: 'carousel', content: { ...NO_CONTENT, text }, outgoing: { mode: 'carousel', text, cards: made } }
}
