import { shownName } from '../../domain/document-name.ts'
import type { BridgeContent } from '../../domain/device-bridge.ts'
import type { MediaKind, MessageButton } from '../../domain/message.ts'
import { upstreamContacts } from '../../domain/modes/contacts.ts'
import { listInWords } from '../../domain/modes/list.ts'
import type { CarouselMode, ComposedMode, MediaMode, TextMode } from '../../domain/outgoing.ts'
import type { SendableContent, SendableMedia } from '../../ports/provider.ts'

type BridgeMedia = NonNullable<BridgeContent['media']>

/** What engines can be told to send: they know no templates of upstream, no Flows, and no hidden numbers. */
export type BridgeableContent = Exclude<SendableContent, { mode: UpstreamMode }>
type UpstreamMode = 'template' | 'flow' | 'contactRequest'
const UPSTREAM_MODES: ReadonlySet<string> = new Set<UpstreamMode>(['template', 'flow', 'contactRequest'])

/** False for what only the official platform sends. */
export function isBridgeable(content: SendableContent): content is BridgeableContent {
  return !UPSTREAM_MODES.has(content.mode)
}

/**
 * Makes the content of `message.send` ([bridge.content.1]). Buttons and cards are often not shown on QR-paired numbers,
 * so (our choice) `text` always says all of them in words; `body`, `header`, `footer`, `buttons` and `cards` are for
 * engines that draw them. Templates have all of their parts in both, with or without buttons.
 */
export function bridgeContent(content: BridgeableContent): BridgeContent {
  switch (content.mode) {
    case 'text':
      return textContent(content)
    case 'media':
      return mediaContent(content)
    case 'carousel':
      return carouselContent(content)
    case 'composed':
      return composedContent(content)
    case 'location':
      return { type: 'location', location: content.location }
    case 'reaction':
      return { type: 'reaction', reaction: content.reaction }
    case 'contacts':
      return { type: 'contacts', contacts: upstreamContacts(content) }
    case 'list':
      return { type: 'text', text: listInWords(content.list), list: content.list }
    case 'poll':
      // No words beside it: an engine without polls is to refuse one, for nobody could vote.
      return { type: 'poll', poll: content.poll }
  }
}

function textContent({ text, buttons, header, footer }: TextMode): BridgeContent {
  if (buttons.length === 0) return { type: 'text', text }
  return {
    type: 'text',
    text: paragraphs(header, text, inWords(buttons), footer),
    body: text,
    buttons,
    ...(header === null ? {} : { header }),
    ...(footer === null ? {} : { footer }),
  }
}

/**
 * Type of each kind of file. Both kinds of sound are push-to-talk notes; `voice` is the one with a waveform
 * ([media.sending.2]).
 */
const TYPES = {
  image: 'image',
  video: 'video',
  document: 'document',
  audio: 'audio',
  voice: 'audio',
  sticker: 'sticker',
} as const satisfies Record<MediaKind, string>

function mediaContent({ kind, source, caption, fileName }: MediaMode<SendableMedia>): BridgeContent {
  const { waveform } = source
  const isSound = TYPES[kind] === 'audio'
  return {
    type: TYPES[kind],
    ...(caption === null ? {} : { text: caption }),
    media: {
      ...bridgeMedia(source, fileName),
      ...(isSound ? { voice: true } : {}),
      ...(kind === 'voice' && waveform !== null ? { waveform } : {}),
    },
  }
}

function carouselContent({ text, cards }: CarouselMode<SendableMedia>): BridgeContent {
  return {
    type: 'carousel',
    text: paragraphs(
      text,
      ...cards.map((card) => [card.text, inWords(card.buttons)].filter((line) => line !== '').join('\n')),
    ),
    body: text,
    cards: cards.map(({ image, text: line, buttons }) => ({ media: bridgeMedia(image, null), text: line, buttons })),
  }
}

/** The content of a filled template: a text, or the file of its header with the rest. */
function composedContent({ header, body, footer, buttons, file }: ComposedMode<SendableMedia>): BridgeContent {
  const text = paragraphs(header, body, inWords(buttons), footer)
  return {
    type: file?.kind ?? 'text',
    ...(text === '' ? {} : { text }),
    ...(file === null ? {} : { media: bridgeMedia(file.source, file.fileName) }),
    ...(header === null ? {} : { header }),
    ...(body === null ? {} : { body }),
    ...(footer === null ? {} : { footer }),
    ...(buttons.length === 0 ? {} : { buttons }),
  }
}

function bridgeMedia({ url, mimeType, sizeBytes, fileName }: SendableMedia, givenName: string | null): BridgeMedia {
  return { url, mimeType, fileName: shownName(givenName, fileName), size: sizeBytes }
}

function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n')
}

/** Buttons in words, one line each. */
function inWords(buttons: readonly MessageButton[]): string {
  return buttons
    .map((button) => {
      switch (button.type) {
        case 'QUICK_REPLY':
          return `• ${button.text}`
        case 'URL':
          return `• ${button.text}: ${button.url}`
        case 'PHONE_NUMBER':
          return `• ${button.text}: ${button.phoneNumber}`
        case 'COPY_CODE':
          return button.text === button.code ? `• ${button.code}` : `• ${button.text}: ${button.code}`
      }
    })
    .join('\n')
}
