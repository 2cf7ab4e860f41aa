import { cardButtons, textButtons } from '../../domain/button-rules.ts'
import { newId } from '../../domain/ids.ts'
import type { TemplateId } from '../../domain/ids.ts'
import { keptCarousel, keptText } from '../../domain/kept-order.ts'
import { NO_CONTENT } from '../../domain/message.ts'
import type { Destination, MessageContent, MessageMedia, MessageType, OutgoingContent } from '../../domain/message.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { CarouselOrder, SendOrder } from '../../domain/send-order.ts'
import type { NewMessage, SeenTemplate, SentFlow } from '../../ports/stores/message-store.ts'
import type { Attachment, WantedMedia } from './attach.ts'

/** The parts of a new message that say what it is. */
export interface SendContent {
  readonly type: MessageType
  readonly content: MessageContent
  readonly outgoing: OutgoingContent
  /** What it was made of; null: of no template. */
  readonly template: { readonly id: TemplateId; readonly name: string; readonly seen: SeenTemplate | null } | null
  readonly flow: SentFlow | null
}

/** What a send will be, ready to be accepted. */
export interface MadeContent {
  readonly content: SendContent
  /** Lets go of what was kept for a send that is not accepted. */
  readonly release: () => Promise<void>
}

/** Where a send goes. It passed the rules: exactly one is named. */
function destinationOf({ destinationNumber, groupId, newsletterId }: SendOrder): Destination {
  if (groupId) return { type: 'GROUP', address: groupId }
  if (newsletterId) return { type: 'NEWSLETTER', address: newsletterId }
  return { type: 'DIRECT', address: destinationNumber ?? '' }
}

/** The media of a send, in the order `contentOf` takes them back. */
export function mediaOf({ media, mediaType, mediaFilename, carousel }: SendOrder): WantedMedia[] {
  if (carousel)
    return carousel.cards.map(({ image }, index) => ({
      path: `carousel.cards.${index}.image`,
      text: image,
      kind: 'image',
      fileName: null,
    }))
  return media && mediaType ? [{ path: 'media', text: media, kind: mediaType, fileName: mediaFilename ?? null }] : []
}

/** What a send without a template will be. It passed the rules, and its media are at hand. */
export function contentOf(order: SendOrder, attachments: readonly Attachment[]): SendContent {
  if (order.carousel) return carouselContent(order.carousel, attachments)
  const [attachment] = attachments
  return attachment ? mediaContent(order, attachment) : textContent(order)
}

/** The message to be accepted. `quotedMessageId` is upstream's. */
export function newMessage(
  order: SendOrder,
  number: NumberRef,
  quotedMessageId: string | null,
  { template, ...said }: SendContent,
  nowMs: number,
): NewMessage {
  const id = newId('msg')
  const deliverAt = order.deliverAt ? new Date(order.deliverAt) : null
  return {
    id,
    tenantId: number.tenantId,
    numberId: number.id,
    provider: number.provider,
    to: destinationOf(order),
    ...said,
    quotedMessageId,
    // Our choice: a message without one answers to its own id.
    correlationId: order.correlationId ?? id,
    template: template?.name ?? null,
    templateId: template?.id ?? null,
    seenTemplate: template?.seen ?? null,
    // Our choice: a time that has passed means now.
    deliverAt: deliverAt && deliverAt.getTime() > nowMs ? deliverAt : null,
    deliverUntil: order.deliverUntil ? new Date(order.deliverUntil) : null,
    createdAt: new Date(nowMs),
  }
}

function textContent(order: SendOrder): SendContent {
  const text = order.text ?? ''
  const buttons = textButtons(order.buttons ?? [])
  return {
    // Our choice: a text with buttons is what upstream calls it.
    type: buttons.length > 0 ? 'interactive' : 'text',
    content: { ...NO_CONTENT, text, ...(buttons.length > 0 ? keptText(order) : {}) },
    outgoing: { mode: 'text', text, buttons, header: order.header ?? null, footer: order.footer ?? null },
    template: null,
    flow: null,
  }
}

function mediaContent(order: SendOrder, { source, mimeType, sizeBytes }: Attachment): SendContent {
  const kind = order.mediaType ?? 'document'
  const caption = order.caption ?? null
  const fileName = order.mediaFilename ?? null
  return {
    type: kind === 'voice' ? 'audio' : kind,
    // Bytes that came along have no address; whoever has the inbox open reads them by the message.
    content: {
      ...NO_CONTENT,
      text: caption,
      media: {
        id: null,
        url: 'url' in source ? source.url : null,
        mimeType,
        fileName,
        ...keptFacts(source, sizeBytes),
        ...(kind === 'voice' ? { isVoice: true } : {}),
      },
    },
    outgoing: { mode: 'media', kind, source, caption, fileName },
    template: null,
    flow: null,
  }
}

function keptFacts(source: Attachment['source'], sizeBytes: number | null): Pick<MessageMedia, 'fileId' | 'sizeBytes'> {
  return 'fileId' in source ? { fileId: source.fileId, ...(sizeBytes === null ? {} : { sizeBytes }) } : {}
}

function carouselContent(order: CarouselOrder, attachments: readonly Attachment[]): SendContent {
  const { text, cards } = order
  const made = cards.flatMap((card, index) => {
    const image = attachments[index]?.source
    return image ? [{ image, text: card.text, buttons: cardButtons(card.buttons ?? [], index) }] : []
  })
  const outgoing = { mode: 'carousel', text, cards: made } as const
  return {
    type: 'carousel',
    content: { ...NO_CONTENT, text, ...keptCarousel(order, outgoing) },
    outgoing,
    template: null,
    flow: null,
  }
}
