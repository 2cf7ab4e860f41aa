import type { FlowAction } from './flow.ts'
import type { Fields } from './json-fields.ts'
import type { MediaKind, MediaSource, MessageButton } from './message.ts'

/** A text, as upstream's `interactive` where it has buttons; header and footer stand around those alone. */
export interface TextMode {
  readonly mode: 'text'
  readonly text: string
  readonly buttons: readonly MessageButton[]
  readonly header: string | null
  readonly footer: string | null
}

/** One file. `M`: how it is had at this point of its way. */
export interface MediaMode<M> {
  readonly mode: 'media'
  readonly kind: MediaKind
  readonly source: M
  readonly caption: string | null
  readonly fileName: string | null
}

export interface CarouselMode<M> {
  readonly mode: 'carousel'
  readonly text: string
  readonly cards: readonly { readonly image: M; readonly text: string; readonly buttons: readonly MessageButton[] }[]
}

/** A header or a picture of a card of a template message. */
export interface TemplateFile<M = MediaSource> {
  readonly kind: Extract<MediaKind, 'image' | 'video' | 'document'>
  readonly source: M
  /** Of documents. */
  readonly fileName: string | null
  /** It came with the send; else it is the template's. */
  readonly isOwn: boolean
}

/**
 * A template that upstream has: its name and language there, and what fills it in. The components lack the ids of the
 * files, which stand in the order header, cards.
 */
export interface TemplateMode<M> {
  readonly mode: 'template'
  readonly name: string
  readonly language: string
  readonly components: readonly Fields[]
  readonly files: readonly TemplateFile<M>[]
}

/** A button of a template: each is known by its place, `button_1` the first. */
export type PlacedButton = MessageButton & { readonly id: string }

/** A template that upstream knows nothing of, filled in. `file`: the header, in place of `header`. */
export interface ComposedMode<M> {
  readonly mode: 'composed'
  readonly header: string | null
  readonly body: string | null
  readonly footer: string | null
  readonly buttons: readonly PlacedButton[]
  readonly file: TemplateFile<M> | null
}

/** A form that opens behind a button, on OFFICIAL numbers. */
export interface FlowMode {
  readonly mode: 'flow'
  readonly text: string
  readonly header: string | null
  readonly footer: string | null
  /** Label of the button. */
  readonly cta: string
  /** Upstream's id of the Flow. */
  readonly officialFlowId: string
  /** It was no more than a draft when the message was accepted, and goes out as one. */
  readonly isDraft: boolean
  /** Comes back with the answer. */
  readonly token: string
  readonly action: FlowAction
  /** First screen, and what it begins with; null: upstream's own. */
  readonly screen: string | null
  readonly data: Fields | null
}

/** What goes as it was ordered, once its media are at hand. `M`: how they are had at this point of their way. */
export type PlainContent<M> = TextMode | MediaMode<M> | CarouselMode<M>

/** What a message will be, by its mode. */
export type SentContent<M> = PlainContent<M> | TemplateMode<M> | ComposedMode<M> | FlowMode

/** What a queued message will be, as it was accepted. Kept until upstream took it or it failed. */
export type OutgoingContent = SentContent<MediaSource>

/** A media of a message with what is said of it there. */
export interface ContentMedia<M> {
  readonly kind: MediaKind
  readonly source: M
  readonly fileName: string | null
}

function fileMedia<M>({ kind, source, fileName }: ContentMedia<M>): ContentMedia<M> {
  return { kind, source, fileName }
}

/** The media of a message, in order; none of a text. */
export function mediaIn<M>(content: SentContent<M>): readonly ContentMedia<M>[] {
  switch (content.mode) {
    case 'text':
    case 'flow':
      return []
    case 'media':
      return [fileMedia(content)]
    case 'carousel':
      return content.cards.map(({ image }) => ({ kind: 'image', source: image, fileName: null }))
    case 'template':
      return content.files.map(fileMedia)
    case 'composed':
      return content.file ? [fileMedia(content.file)] : []
  }
}

/** The same with its media as they are had next. `media`: one for each of `mediaIn`, in order. */
export function withSources<M, N>(
  content: MediaMode<M> | CarouselMode<M>,
  media: readonly N[],
): MediaMode<N> | CarouselMode<N>
export function withSources<M, N>(content: SentContent<M>, media: readonly N[]): SentContent<N>
export function withSources<M, N>(content: SentContent<M>, media: readonly N[]): SentContent<N> {
  const at = (index: number): N => {
    const one = media[index]
    if (one === undefined) throw new RangeError('a media of the message is not at hand')
    return one
  }
  switch (content.mode) {
    case 'text':
    case 'flow':
      return content
    case 'media':
      return { ...content, source: at(0) }
    case 'carousel':
      return { ...content, cards: content.cards.map((card, index) => ({ ...card, image: at(index) })) }
    case 'template':
      return { ...content, files: content.files.map((file, index) => ({ ...file, source: at(index) })) }
    case 'composed':
      return { ...content, file: content.file && { ...content.file, source: at(0) } }
  }
}

/** Where the one file that reads of the message show comes from; null where they show none. */
export function shownSource(outgoing: OutgoingContent): MediaSource | null {
  switch (outgoing.mode) {
    case 'media':
      return outgoing.source
    case 'composed':
      return outgoing.file?.source ?? null
    // The pictures of cards come in the place of a header.
    case 'template':
      return outgoing.components.some(({ type }) => type === 'carousel') ? null : (outgoing.files[0]?.source ?? null)
    case 'text':
    case 'carousel':
    case 'flow':
      return null
  }
}
