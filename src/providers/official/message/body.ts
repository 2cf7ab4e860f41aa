import { shownName } from '../../../domain/document-name.ts'
import type { MessageButton } from '../../../domain/message.ts'
import { mediaIn } from '../../../domain/outgoing.ts'
import type { CarouselMode, FlowMode, MediaMode, TemplateMode, TextMode } from '../../../domain/outgoing.ts'
import { withMedia } from '../../../domain/template-media.ts'
import type { SendableContent, SendableMedia, SendableMessage } from '../../../ports/provider.ts'
import { framed, objectPart } from './object-parts.ts'
import type { Part } from './object-parts.ts'
import { recipientOf } from './recipient.ts'
import { uploadType } from './upload-type.ts'

/** Upstream's limit of reply buttons. */
const REPLY_BUTTONS = 3

/** Files of a message that are uploaded, in the order in which `messageBody` takes their ids. */
export function uploadsOf(content: SendableContent): readonly SendableMedia[] {
  if (content.mode === 'composed' || (content.mode === 'media' && goesByLink(content))) return []
  return mediaIn(content).map(({ source }) => source)
}

/**
 * Makes the body of `POST /messages`. Null when upstream has no such message: groups and newsletters, buttons other
 * than up to three quick replies or one link, templates that it does not know. `mediaIds` are upstream's ids of
 * `uploadsOf`.
 */
export function messageBody(
  { messageId, to, content, quotedMessageId }: SendableMessage,
  mediaIds: readonly string[],
): Part | null {
  if (to.type !== 'DIRECT') return null
  const part = contentPart(content, mediaIds)
  return (
    part && {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...recipientOf(to.address),
      ...(quotedMessageId === null ? {} : { context: { message_id: quotedMessageId } }),
      ...part,
      // Upstream repeats this in its status webhooks, which settles a send whose answer was lost.
      biz_opaque_callback_data: messageId,
    }
  )
}

function contentPart(content: SendableContent, mediaIds: readonly string[]): Part | null {
  switch (content.mode) {
    case 'text':
      return textPart(content)
    case 'media':
      return mediaPart(content, mediaIds[0] ?? '')
    case 'carousel':
      return carouselPart(content, mediaIds)
    case 'template':
      return templatePart(content, mediaIds)
    case 'flow':
      return flowPart(content)
    // What upstream has no message for: templates that it does not know, polls.
    case 'composed':
    case 'poll':
      return null
    default:
      return objectPart(content)
  }
}

function textPart(content: TextMode): Part | null {
  const { text, buttons, header, footer } = content
  if (buttons.length === 0)
    return { type: 'text', text: { body: text, ...(hasLink(text) ? { preview_url: true } : {}) } }
  const interactive = buttonsPart(buttons)
  return (
    interactive && {
      type: 'interactive',
      interactive: {
        ...interactive,
        ...framed({ text, header, footer }),
      },
    }
  )
}

/** Upstream's version of Flow messages. */
const FLOW_MESSAGE_VERSION = '3'

function flowPart({ text, header, footer, cta, officialFlowId, isDraft, token, action, screen, data }: FlowMode): Part {
  const payload = { ...(screen === null ? {} : { screen }), ...(data === null ? {} : { data }) }
  const parameters = {
    flow_message_version: FLOW_MESSAGE_VERSION,
    flow_id: officialFlowId,
    flow_cta: cta,
    flow_token: token,
    mode: isDraft ? 'draft' : 'published',
    flow_action: action,
    ...(Object.keys(payload).length === 0 ? {} : { flow_action_payload: payload }),
  }
  return {
    type: 'interactive',
    interactive: { type: 'flow', ...framed({ text, header, footer }), action: { name: 'flow', parameters } },
  }
}

function hasLink(text: string): boolean {
  return /https?:\/\/\S/i.test(text)
}

function buttonsPart(buttons: readonly MessageButton[]): Part | null {
  const [first] = buttons
  if (buttons.length === 1 && first?.type === 'URL') {
    return { type: 'cta_url', action: { name: 'cta_url', parameters: { display_text: first.text, url: first.url } } }
  }
  const replies = repliesOf(buttons)
  if (replies === null || replies.length > REPLY_BUTTONS) return null
  return { type: 'button', action: { buttons: replies.map((reply) => ({ type: 'reply', reply })) } }
}

/** Quick replies; null unless all buttons are. */
function repliesOf(buttons: readonly MessageButton[]): { id: string; title: string }[] | null {
  const replies = buttons.flatMap((button) =>
    button.type === 'QUICK_REPLY' ? [{ id: button.id, title: button.text }] : [],
  )
  return replies.length === buttons.length ? replies : null
}

function captionPart(caption: string | null): Part {
  return caption === null ? {} : { caption }
}

/** A document may have any type, but an upload may not: upstream fetches such a document itself. */
function goesByLink({ kind, source }: MediaMode<SendableMedia>): boolean {
  return kind === 'document' && uploadType(source.mimeType) === null
}

/**
 * Makes the object of a file. Both kinds of sound are voice notes ([media.sending.2]); upstream draws the waveform
 * itself, from OGG/Opus ([media.sending.3]).
 */
function mediaPart(content: MediaMode<SendableMedia>, id: string): Part {
  const { kind, caption, fileName, source } = content
  const captioned = { id, ...captionPart(caption) }
  switch (kind) {
    case 'image':
      return { type: 'image', image: captioned }
    case 'video':
      return { type: 'video', video: captioned }
    case 'document': {
      const from = goesByLink(content) ? { link: source.url } : { id }
      return {
        type: 'document',
        document: { ...from, ...captionPart(caption), filename: shownName(fileName, source.fileName) },
      }
    }
    case 'audio':
    case 'voice':
      return { type: 'audio', audio: { id, voice: true } }
    case 'sticker':
      return { type: 'sticker', sticker: { id } }
  }
}

/** Upstream's type of a card is `cta_url`, whatever its buttons are. */
function carouselPart({ text, cards }: CarouselMode<SendableMedia>, mediaIds: readonly string[]): Part | null {
  const parts = cards.map((card, index) => {
    const replies = repliesOf(card.buttons)
    return (
      replies && {
        card_index: index,
        type: 'cta_url',
        header: { type: 'image', image: { id: mediaIds[index] } },
        body: { text: card.text },
        action: { buttons: replies.map((reply) => ({ type: 'quick_reply', quick_reply: reply })) },
      }
    )
  })
  if (parts.includes(null)) return null
  return { type: 'interactive', interactive: { type: 'carousel', body: { text }, action: { cards: parts } } }
}

function templatePart(
  { name, language, components, files }: TemplateMode<SendableMedia>,
  mediaIds: readonly string[],
): Part {
  const filled = withMedia(
    components,
    files.map(({ source: { fileName } }, index) => ({ id: mediaIds[index] ?? '', fileName })),
  )
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(filled.length === 0 ? {} : { components: filled }) },
  }
}
