import { z } from 'zod'
import { codePointsOf } from '../../../domain/characters.ts'
import { FLOW_ACTIONS } from '../../../domain/flow.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { CAPTION_LENGTH, TEXT_LENGTH } from '../../../domain/limits.ts'
import { BUTTON_TYPES, MEDIA_KINDS } from '../../../domain/message.ts'
import { AROUND_LENGTH, INTERACTIVE_TEXT_LENGTH, OFFICIAL_LABEL_LENGTH, URL_LENGTH } from '../../../domain/send-body.ts'
import { MODE_FIELDS } from '../../../domain/send-modes.ts'
import { otherName } from '../../request/other-name.ts'
import { bodyInstant } from '../instant.ts'
import { contact } from '../phone-schema.ts'
import { chars, shown } from '../shown-text.ts'
import { withAddress } from '../web-address.ts'
import { objectModes } from './mode-schemas.ts'

/** Upstream's limit of an interactive message: characters of the id of a reply. */
const BUTTON_ID_LENGTH = 256
/** [templates.checks.8]: characters of a label. */
const LABEL_LENGTH = 25
/** [templates.send.7]: characters of a copy code. */
const CODE_LENGTH = 20
/** Upstream's limit of a card's text ([templates.checks.8]). */
const CARD_LENGTH = 160
/** our choice: upstream ids are shorter. */
const QUOTED_LENGTH = 255

/**
 * Fields of the four kinds of buttons. The rules of sending say which go together. `phone_number` and `example` are
 * named as in templates.
 */
const button = z
  .object({
    type: z.enum(BUTTON_TYPES, { error: `must be one of ${BUTTON_TYPES.join(', ')}` }),
    text: shown(LABEL_LENGTH).meta({ description: `Label; ${OFFICIAL_LABEL_LENGTH} characters on OFFICIAL numbers` }),
    id: shown(BUTTON_ID_LENGTH)
      .nullish()
      .meta({ description: 'QUICK_REPLY: comes back with the reply; `button_1` for the first when absent' }),
    url: withAddress(chars(URL_LENGTH)).nullish().meta({ description: 'URL: where it leads' }),
    phoneNumber: chars(40).nullish().meta({ description: 'PHONE_NUMBER: with country code' }),
    phone_number: chars(40).nullish().meta(otherName('phoneNumber')),
    code: shown(CODE_LENGTH).nullish().meta({ description: 'COPY_CODE: what is copied' }),
    example: z
      .union([shown(CODE_LENGTH), z.array(shown(CODE_LENGTH)).length(1)])
      .nullish()
      .meta({ description: 'The same, as templates name it' }),
  })
  .meta({ id: 'MessageButton' })

/** An address or a data URI. The rules of sending tell them apart and check them. */
const media = withAddress(z.string().min(1, 'must be an http(s) URL or a data URI'))

const card = z
  .object({
    image: media.meta({ description: 'http(s) URL or data URI' }),
    text: shown(CARD_LENGTH),
    buttons: z.array(button).max(2, 'holds at most 2 buttons').nullish().meta({
      description: 'QUICK_REPLY or URL; OFFICIAL numbers: QUICK_REPLY alone, 1 or 2, the same number on each card',
    }),
  })
  .meta({ id: 'CarouselCard' })

const carousel = z
  .object({
    text: shown(INTERACTIVE_TEXT_LENGTH),
    cards: z.array(card).min(2, 'needs 2 to 10 cards').max(10, 'needs 2 to 10 cards'),
  })
  .meta({ id: 'Carousel' })

/** our choice: a value of a template is no longer than a text. */
const VALUE_LENGTH = TEXT_LENGTH
/** our choice: twice the variables that the longest template could have. */
const VALUES = 1_000
/** our choice: more cards than a template can have, so that the refusal can say how many it has. */
const TEMPLATE_CARDS = 30
/** our choice: more than a card can have. */
const TEMPLATE_BUTTONS = 20
const LANGUAGE_LENGTH = 20

function areBounded(values: Fields): boolean {
  return (
    Object.keys(values).length <= VALUES
    && Object.values(values).every((value) => typeof value !== 'string' || codePointsOf(value) <= VALUE_LENGTH)
  )
}

/** Values of any type: the template decides which can be sent ([templates.send.6]). */
const values = z
  .record(z.string(), z.unknown())
  .refine(areBounded, `must have at most ${VALUES} keys, and texts of at most ${VALUE_LENGTH} characters`)

const templateCard = z
  .object({
    media: z
      .object({ url: chars(URL_LENGTH) })
      .nullish()
      .meta({
        description: "In place of the template's: an https URL that ends in .png, .jpg, .jpeg or .webp, up to 5 MB",
      }),
    variables: values
      .nullish()
      .meta({ description: 'Keys without the prefix of the card; they win over those of the send' }),
    buttons: z
      .array(z.object({ type: chars(40) }))
      .max(TEMPLATE_BUTTONS, `holds at most ${TEMPLATE_BUTTONS} buttons`)
      .nullish()
      .meta({ description: "When given: of the same types as the template's, in the same order" }),
  })
  .meta({ id: 'TemplateSendCard' })

/** [flows.sending.3]: characters of a Flow's token and of its button. */
const FLOW_TOKEN_LENGTH = 256
const FLOW_CTA_LENGTH = 30
/** our choice: ids of screens are shorter. */
const FLOW_SCREEN_LENGTH = 255

const flow = z
  .object({
    flowId: chars(64).nullish().meta({ description: 'Without `templateId`: id of a Flow' }),
    text: shown(INTERACTIVE_TEXT_LENGTH).nullish().meta({ description: 'Without `templateId`, needed there' }),
    cta: shown(FLOW_CTA_LENGTH)
      .nullish()
      .meta({ description: 'Without `templateId`, needed there: label of the button' }),
    header: shown(AROUND_LENGTH).nullish().meta({ description: 'Without `templateId`' }),
    footer: shown(AROUND_LENGTH).nullish().meta({ description: 'Without `templateId`' }),
    action: z
      .enum(FLOW_ACTIONS, { error: `must be one of ${FLOW_ACTIONS.join(', ')}` })
      .nullish()
      .meta({ description: 'Without `templateId`: `navigate` when absent' }),
    screen: chars(FLOW_SCREEN_LENGTH).nullish().meta({ description: 'Without `templateId`: the first screen' }),
    data: z
      .record(z.string(), z.unknown())
      .refine((data) => Object.keys(data).length > 0, 'must be an object with a field at least')
      .nullish()
      .meta({ description: 'What the first screen begins with' }),
    token: chars(FLOW_TOKEN_LENGTH)
      .nullish()
      .meta({ description: 'Comes back with the answer; made for you when absent' }),
  })
  .meta({ id: 'FlowSend' })

/** The fields that are modes, as the document names them. */
export const MODE_WORDS = MODE_FIELDS.map((field) => `\`${field}\``).join(', ')

/** The body of a send ([messages.send.1] to [messages.send.5]). Null counts as absent. */
export const sendInput = z
  .object({
    destinationNumber: contact().nullish(),
    groupId: z
      .string()
      .regex(/^[\w.-]{1,100}@g\.us$/, 'must be a group id, ...@g.us')
      .nullish()
      .meta({ description: 'UNOFFICIAL numbers' }),
    newsletterId: z
      .string()
      .regex(/^[\w.-]{1,100}@newsletter$/, 'must be a channel id, ...@newsletter')
      .nullish()
      .meta({ description: 'UNOFFICIAL numbers' }),
    text: shown(TEXT_LENGTH)
      .nullish()
      .meta({ description: `With buttons on OFFICIAL numbers ${INTERACTIVE_TEXT_LENGTH} characters at most` }),
    buttons: z
      .array(button)
      .min(1, 'holds at least 1 button')
      .max(3, 'holds at most 3 buttons')
      .nullish()
      .meta({ description: 'With `text`. OFFICIAL numbers: 1 to 3 QUICK_REPLY, or one URL' }),
    header: shown(AROUND_LENGTH).nullish().meta({ description: 'With `buttons`' }),
    footer: shown(AROUND_LENGTH).nullish().meta({ description: 'With `buttons`' }),
    media: media.nullish().meta({
      description:
        "http(s) URL, or data URI `data:image/png;base64,...`; with `templateId` in place of the header's file",
    }),
    mediaType: z
      .enum(MEDIA_KINDS, { error: `must be one of ${MEDIA_KINDS.join(', ')}` })
      .nullish()
      .meta({ description: 'Needed with `media`, but for templates: there it is the kind of the header' }),
    caption: chars(CAPTION_LENGTH).nullish().meta({ description: 'Of image, video and document' }),
    mediaFilename: chars(255).nullish().meta({ description: 'Shown with a document' }),
    carousel: carousel.nullish(),
    templateId: chars(512).nullish().meta({ description: 'Id or name of a template' }),
    language: chars(LANGUAGE_LENGTH)
      .nullish()
      .meta({ description: 'With `templateId`: which one, where languages share its name' }),
    variables: values
      .nullish()
      .meta({ description: "With `templateId`: a text or a number for each of the template's `variables`" }),
    cards: z
      .array(templateCard)
      .max(TEMPLATE_CARDS, `holds at most ${TEMPLATE_CARDS} cards`)
      .nullish()
      .meta({ description: 'With `templateId` of a carousel: as many as the template has' }),
    flow: flow.nullish().meta({
      description:
        'OFFICIAL numbers: a Flow, with `flowId`, `text` and `cta`. With `templateId` of a template with a Flow: `data` and `token` alone',
    }),
    ...objectModes,
    quotedMessageId: chars(QUOTED_LENGTH)
      .nullish()
      .meta({ description: 'Message to reply to: service id or upstream id' }),
    deliverAt: bodyInstant('Not before; at most 30 days ahead'),
    deliverUntil: bodyInstant('Not after: the message fails with EXPIRED_AFTER_ATTEMPTS'),
    correlationId: chars(255).nullish().meta({ description: 'Yours; the id of the message when absent' }),
  })
  .meta({ id: 'MessageSend' })

/** The body of an edit ([message-verbs.verbs.1]). */
export const editInput = z.object({ text: shown(TEXT_LENGTH) }).meta({ id: 'MessageEdit' })
