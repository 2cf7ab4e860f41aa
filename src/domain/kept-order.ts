import type { FileId, TemplateId } from './ids.ts'
import type { Fields } from './json-fields.ts'
import type { MessageContent, MediaSource } from './message.ts'
import type { CarouselMode, ObjectMode, TextMode } from './outgoing.ts'
import type { ContentBody } from './send-modes.ts'
import type { FlowOrder, TemplateOrder } from './send-order.ts'

/**
 * The part of a message's order that its reads do not show, kept so that the message can be made again
 * ([embeds.inbox-routes.8]). Media that came as bytes are named by the ids of their files, in place of the bytes. The
 * order stands in the content of the message, so privacy withholds it with the rest.
 */
export type KeptOrder = Omit<ContentBody, 'caption' | 'language'>

/**
 * Our choice: characters of an order as JSON at most. The data of a Flow may be longer: such a message cannot be made
 * again, and its reads stay small.
 */
const MOST_CHARACTERS = 32_768

type Kept = Pick<MessageContent, 'order'>

/** Leaves out null and absent fields, which mean the same in a body. */
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

/** Keeps the order of a text with buttons. */
export function keptText({ text, buttons, header, footer }: TextMode): Kept {
  return kept({ text, buttons, header, footer })
}

/** Keeps the order of a carousel, with its pictures. */
export function keptCarousel({ text, cards }: CarouselMode<MediaSource>): Kept {
  return kept({ carousel: { text, cards: cards.map((card) => ({ ...card, image: textOf(card.image) })) } })
}

/** Keeps the order of a mode that is one object. */
export function keptObject({ mode: _mode, ...fields }: ObjectMode): Kept {
  return kept(fields)
}

/** Keeps the order of a Flow message. A token that was made for it is left out: a message sent again gets a new one. */
export function keptFlow({ mode: _mode, ...flow }: FlowOrder): Kept {
  return kept({ flow: saidIn(flow) })
}

/**
 * Keeps the order of a template, by its id, with its values. `source` is the file that came along; null when the file
 * is the template's own, or there is none.
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

/** Reads the order that a message keeps; null when its reads show all of it. */
export function keptOrderIn({ order }: MessageContent): KeptOrder | null {
  return (order ?? null) as KeptOrder | null
}

const FILE = /^file_[0-9a-z]{26}$/

/** Lists the files of an order, each once. */
export function filesIn({ media, carousel }: KeptOrder): readonly FileId[] {
  return [...new Set([media ?? '', ...(carousel?.cards.map(({ image }) => image) ?? [])])].filter(
    (text): text is FileId => FILE.test(text),
  )
}

/** Reads the picture of a card of the ordered carousel, by the card's place; null when there is none. */
export function cardPictureIn({ carousel }: KeptOrder, place: number): MediaSource | null {
  const image = carousel?.cards[place]?.image
  if (image === undefined) return null
  return FILE.test(image) ? { fileId: image as FileId } : { url: image }
}

/** Gives the same order with other texts in place of its files. */
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
