import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { keptCarousel, keptObject, keptText } from '../../domain/kept-order.ts'
import { NO_CONTENT } from '../../domain/message.ts'
import type { MediaSource, MessageMedia } from '../../domain/message.ts'
import type { NumberRef } from '../../domain/number.ts'
import { shownMode } from '../../domain/modes/shown.ts'
import { mediaIn, withSources } from '../../domain/outgoing.ts'
import type { CarouselMode, MediaMode, ObjectMode, TextMode } from '../../domain/outgoing.ts'
import type { OrderedContent } from '../../domain/send-order.ts'
import { attach } from './attach.ts'
import type { Attachment } from './attach.ts'
import { flowContent } from './flow-content.ts'
import type { MadeContent } from './new-message.ts'
import type { MessagePorts } from './ports.ts'
import { templateContent } from './template-content.ts'

/** Makes the message of an order's content, by its mode. Refusals: those of media, templates and Flows. */
export async function contentFor(
  ports: MessagePorts,
  number: NumberRef,
  content: OrderedContent,
): Promise<Outcome<MadeContent>> {
  switch (content.mode) {
    case 'template':
      return templateContent(ports, number, content)
    case 'flow':
      return flowContent(ports, number, content)
    case 'text':
      return succeed(textContent(content))
    case 'media':
    case 'carousel':
      return mediaContent(ports, number, content)
    default:
      return succeed(objectContent(content))
  }
}

const OF_ITSELF = { template: null, templateId: null, seenTemplate: null, flow: null } as const

/** Makes the message of a text, which is sent as it was ordered. */
function textContent(order: TextMode): MadeContent {
  const { text, buttons } = order
  return {
    // Our choice: a text with buttons has upstream's type, interactive.
    type: buttons.length > 0 ? 'interactive' : 'text',
    content: { ...NO_CONTENT, text, ...(buttons.length > 0 ? keptText(order) : {}) },
    outgoing: order,
    ...OF_ITSELF,
    release: async () => {},
  }
}

/** Makes the message of a mode that is one object, which is sent as it was ordered. */
function objectContent(order: ObjectMode): MadeContent {
  const { type, content } = shownMode(order)
  return {
    type,
    content: { ...content, ...keptObject(order) },
    outgoing: order,
    ...OF_ITSELF,
    release: async () => {},
  }
}

/** Makes the message of a file or of cards, sent as ordered once its media are kept. */
async function mediaContent(
  ports: MessagePorts,
  number: NumberRef,
  order: MediaMode<string> | CarouselMode<string>,
): Promise<Outcome<MadeContent>> {
  const wanted = mediaIn(order).map((media, index) => ({
    ...media,
    path: order.mode === 'carousel' ? `carousel.cards.${index}.image` : 'media',
  }))
  const attached = await attach(ports, number, wanted)
  if (!attached.ok) return attached
  const { items, release } = attached.value
  const outgoing = withSources(
    order,
    items.map(({ source }) => source),
  )
  return succeed({ ...shownOf(outgoing, items), outgoing, ...OF_ITSELF, release })
}

/** What reads show of the message. `items` are its media, in order. */
function shownOf(
  outgoing: MediaMode<MediaSource> | CarouselMode<MediaSource>,
  [first]: readonly Attachment[],
): Pick<MadeContent, 'type' | 'content'> {
  switch (outgoing.mode) {
    case 'media':
      return {
        type: outgoing.kind === 'voice' ? 'audio' : outgoing.kind,
        content: { ...NO_CONTENT, text: outgoing.caption, media: shownMedia(outgoing, first) },
      }
    case 'carousel':
      return { type: 'carousel', content: { ...NO_CONTENT, text: outgoing.text, ...keptCarousel(outgoing) } }
  }
}

/** Bytes that came with the order have no address; readers of the inbox fetch them by the message. */
function shownMedia({ kind, source, fileName }: MediaMode<MediaSource>, kept: Attachment | undefined): MessageMedia {
  const sizeBytes = kept?.sizeBytes ?? null
  return {
    id: null,
    url: 'url' in source ? source.url : null,
    mimeType: kept?.mimeType ?? null,
    fileName,
    ...('fileId' in source ? { fileId: source.fileId, ...(sizeBytes === null ? {} : { sizeBytes }) } : {}),
    ...(kind === 'voice' ? { isVoice: true } : {}),
  }
}
