import type { FlowAction } from './flow.ts'
import type { Fields } from './json-fields.ts'
import type { MediaKind, MediaSource, MessageButton } from './message.ts'
import type { ContactRequestMode } from './modes/contact-request.ts'
import type { ContactsMode } from './modes/contacts.ts'
import type { ListMode } from './modes/list.ts'
import type { LocationMode } from './modes/location.ts'
import type { PollMode } from './modes/poll.ts'
import type { ReactionMode } from './modes/reaction.ts'

/** A text. With buttons it is upstream's `interactive`, and only then may it have header and footer. */
export interface TextMode {
  readonly mode: 'text'
  readonly text: string
  readonly buttons: readonly MessageButton[]
  readonly header: string | null
  readonly footer: string | null
}

/** One file. `M` is the form in which the file is present at this step of the send. */
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
  /** The name of a document. */
  readonly fileName: string | null
  /** True when the file came with the send; false when it is the template's. */
  readonly isOwn: boolean
}

/**
 * A template that upstream knows: its name and language there, and the values that fill it. The components lack the ids
 * of the files, which `files` lists in the order header, cards.
 */
export interface TemplateMode<M> {
  readonly mode: 'template'
  readonly name: string
  readonly language: string
  readonly components: readonly Fields[]
  readonly files: readonly TemplateFile<M>[]
  /**
   * True when upstream's category of the template was MARKETING as the message was accepted
   * ([message-verbs.delivery.3]).
   */
  readonly isMarketing?: true
}

/** A button of a template, known by its place: the first is `button_1`. */
export type PlacedButton = MessageButton & { readonly id: string }

/** A template that upstream does not know, filled in. `file` stands in place of `header`. */
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
  /** The Flow was a DRAFT when the message was accepted, and goes out as one. */
  readonly isDraft: boolean
  /** The token comes back with the answer. */
  readonly token: string
  readonly action: FlowAction
  /** The first screen, and its data; null for upstream's default. */
  readonly screen: string | null
  readonly data: Fields | null
}

/** Modes without files whose one object, named as the mode, is all of the message. */
export type ObjectMode = LocationMode | ContactsMode | ListMode | ReactionMode | ContactRequestMode | PollMode

/**
 * A message that is sent as it was ordered, once its media is at hand. `M` is the form in which media is present at
 * this step of the send.
 */
export type PlainContent<M> = TextMode | MediaMode<M> | CarouselMode<M> | ObjectMode

/** What a message will be, by its mode. */
export type SentContent<M> = PlainContent<M> | TemplateMode<M> | ComposedMode<M> | FlowMode

/** What a queued message will be, as it was accepted. It is kept until upstream took it or it failed. */
export type OutgoingContent = SentContent<MediaSource>

/** A media of a message, with the name and kind that the message gives it. */
export interface ContentMedia<M> {
  readonly kind: MediaKind
  readonly source: M
  readonly fileName: string | null
}

function fileMedia<M>({ kind, source, fileName }: ContentMedia<M>): ContentMedia<M> {
  return { kind, source, fileName }
}

/**
 * Lists the media of a message, in order; most modes have none. Each mode has its case, so that a kept one that this
 * version does not know fails here, before anything is sent.
 */
export function mediaIn<M>(content: SentContent<M>): readonly ContentMedia<M>[] {
  switch (content.mode) {
    case 'media':
      return [fileMedia(content)]
    case 'carousel':
      return content.cards.map(({ image }) => ({ kind: 'image', source: image, fileName: null }))
    case 'template':
      return content.files.map(fileMedia)
    case 'composed':
      return content.file ? [fileMedia(content.file)] : []
    case 'text':
    case 'flow':
    case 'location':
    case 'contacts':
    case 'list':
    case 'reaction':
    case 'contactRequest':
    case 'poll':
      return []
  }
}

/** Replaces the media of a message by those of its next step. `media` has one for each of `mediaIn`, in order. */
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
    case 'media':
      return { ...content, source: at(0) }
    case 'carousel':
      return { ...content, cards: content.cards.map((card, index) => ({ ...card, image: at(index) })) }
    case 'template':
      return { ...content, files: content.files.map((file, index) => ({ ...file, source: at(index) })) }
    case 'composed':
      return { ...content, file: content.file && { ...content.file, source: at(0) } }
    default:
      return content
  }
}

/** Tells where the one file comes from that reads of the message show; null when they show none. */
export function shownSource(outgoing: OutgoingContent): MediaSource | null {
  switch (outgoing.mode) {
    case 'media':
      return outgoing.source
    case 'composed':
      return outgoing.file?.source ?? null
    // A carousel has no header, so its files are the pictures of its cards.
    case 'template':
      return outgoing.components.some(({ type }) => type === 'carousel') ? null : (outgoing.files[0]?.source ?? null)
    default:
      return null
  }
}
