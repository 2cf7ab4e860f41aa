import type { FileId } from './ids.ts'
import type { MessageContent, OutgoingContent, MediaSource } from './message.ts'
import type { FlowOrder, SendOrder } from './send-order.ts'

/**
 * What of the order of a message its reads do not show, so that it can be made again (contract 17, retry). Media that
 * came along as bytes are named by the ids of their files, in place of the bytes. It stands in the content of the
 * message: privacy takes it with the rest.
 */
export type KeptOrder = Pick<
  SendOrder,
  | 'text'
  | 'buttons'
  | 'header'
  | 'footer'
  | 'carousel'
  | 'templateId'
  | 'variables'
  | 'cards'
  | 'flow'
  | 'media'
  | 'mediaType'
  | 'mediaFilename'
>

/**
 * Our choice: characters of an order as JSON. Data of a Flow may be longer: such a message is not made again, and its
 * reads stay small.
 */
const MOST_CHARACTERS = 32_768

type Kept = Pick<MessageContent, 'order'>

/** What is said of it alone: null and absent are the same in an order. */
function kept(order: KeptOrder): Kept {
  const said = Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null && value !== undefined))
  return JSON.stringify(said).length > MOST_CHARACTERS ? {} : { order: said }
}

function textOf(source: MediaSource): string {
  return 'url' in source ? source.url : source.fileId
}

/** Of a text with buttons. */
export function keptText({ text, buttons, header, footer }: SendOrder): Kept {
  return kept({ text, buttons, header, footer })
}

/** Of a carousel; `outgoing`: what it was made into, with its pictures kept. */
export function keptCarousel(
  { text, cards }: NonNullable<SendOrder['carousel']>,
  outgoing: OutgoingContent & { mode: 'carousel' },
): Kept {
  return kept({
    carousel: {
      text,
      cards: cards.map((card, index) => ({
        ...card,
        image: textOf(outgoing.cards[index]?.image ?? { url: card.image }),
      })),
    },
  })
}

/** Of a Flow by itself. A token that was made for it is its own: one that is sent again has another. */
export function keptFlow(flow: FlowOrder): Kept {
  return kept({ flow })
}

export interface TemplateParts extends Pick<
  KeptOrder,
  'templateId' | 'variables' | 'cards' | 'flow' | 'mediaType' | 'mediaFilename'
> {
  /** The file that came along; null where it is the template's own, or it has none. */
  readonly source: MediaSource | null
}

/** Of a template, by its id. */
export function keptTemplate({ source, ...parts }: TemplateParts): Kept {
  return kept(
    source === null ? { ...parts, mediaType: null, mediaFilename: null } : { ...parts, media: textOf(source) },
  )
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
