import type { FileId, TemplateId } from './ids.ts'
import type { Fields } from './json-fields.ts'
import type { MessageContent, MediaSource } from './message.ts'
import type { CarouselMode, TextMode } from './outgoing.ts'
import type { ContentBody } from './send-modes.ts'
import type { FlowOrder, TemplateOrder } from './send-order.ts'

/**
 * What of the order of a message its reads do not show, so that it can be made again (contract 17, retry). Media that
 * came along as bytes are named by the ids of their files, in place of the bytes. It stands in the content of the
 * message: privacy takes it with the rest.
 */
export type KeptOrder = Omit<ContentBody, 'caption' | 'language'>

/**
 * Our choice: characters of an order as JSON. Data of a Flow may be longer: such a message is not made again, and its
 * reads stay small.
 */
const MOST_CHARACTERS = 32_768

type Kept = Pick<MessageContent, 'order'>

/** What is said of it alone: null and absent are the same in a body. */
function saidIn(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}

function kept(order: KeptOrder): Kept {
  const said = saidIn({ ...order })
  return JSON.stringify(said).length > MOST_CHARACTERS ? {} : { order: said }
}

function textOf(source: MediaSource): string {
  return 'url' in source ? source.url : source.fileId
}

/** Of a text with buttons. */
export function keptText({ text, buttons, header, footer }: TextMode): Kept {
  return kept({ text, buttons, header, footer })
}

/** Of a carousel, with its pictures kept. */
export function keptCarousel({ text, cards }: CarouselMode<MediaSource>): Kept {
  return kept({ carousel: { text, cards: cards.map((card) => ({ ...card, image: textOf(card.image) })) } })
}

/** Of a Flow by itself. A token that was made for it is its own: one that is sent again has another. */
export function keptFlow({ mode: _mode, ...flow }: FlowOrder): Kept {
  return kept({ flow: saidIn(flow) })
}

/**
 * Of a template, by its id, with the values that it takes. `source`: the file that came along; null where it is the
 * template's own, or it has none.
 */
export function keptTemplate(
  templateId: TemplateId,
  { variables, cards, media, flow }: TemplateOrder,
  source: MediaSource | null,
): Kept {
  return kept({
    templateId,
    variables,
    cards: cards.length > 0 ? cards : null,
    flow: flow && saidIn(flow),
    ...(media && source ? { media: textOf(source), mediaType: media.kind, mediaFilename: media.fileName } : {}),
  })
}

/** The order that a message keeps; null where its reads show all of it. */
export function keptOrderIn({ order }: MessageContent): KeptOrder | null {
  return (order ?? null) as KeptOrder | null
}

const FILE = /^file_[0-9a-z]{26}$/

/** The files that an order is made of, each once. */
export function filesIn({ media, carousel }: KeptOrder): readonly FileId[] {
  return [...new Set([media ?? '', ...(carousel?.cards.map(({ image }) => image) ?? [])])].filter(
    (text): text is FileId => FILE.test(text),
  )
}

/** The picture of a card of the carousel that was ordered, by the card's place; null: there is none. */
export function cardPictureIn({ carousel }: KeptOrder, place: number): MediaSource | null {
  const image = carousel?.cards[place]?.image
  if (image === undefined) return null
  return FILE.test(image) ? { fileId: image as FileId } : { url: image }
}

/** The same order with other texts in the place of its files. */
export function withFiles(order: KeptOrder, standIns: ReadonlyMap<string, string>): KeptOrder {
  const { media, carousel } = order
  return {
    ...order,
    ...(media ? { media: standIns.get(media) ?? media } : {}),
    ...(carousel
      ? {
          carousel: {
            ...carousel,
            cards: carousel.cards.map((card) => ({ ...card, image: standIns.get(card.image) ?? card.image })),
          },
        }
      : {}),
  }
}
