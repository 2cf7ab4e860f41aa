import { readButtons, readCarousel } from './button-rules.ts'
import { codePointsOf } from './characters.ts'
import { faultsIn, faulty, read } from './fault.ts'
import type { Fault, Read } from './fault.ts'
import type { Fields } from './json-fields.ts'
import { kindOf } from './kinds/kinds.ts'
import { isMediaSource } from './media-text.ts'
import type { Capability } from './capabilities.ts'
import type { EngineCapability } from './engine.ts'
import type { MediaKind } from './message.ts'
import { readContactRequest } from './modes/contact-request.ts'
import type { ContactRequestBody } from './modes/contact-request.ts'
import { readContacts } from './modes/contacts.ts'
import type { ContactBody } from './modes/contacts.ts'
import { readList } from './modes/list.ts'
import type { ListBody } from './modes/list.ts'
import { readLocation } from './modes/location.ts'
import type { LocationBody } from './modes/location.ts'
import { readPoll } from './modes/poll.ts'
import type { PollBody } from './modes/poll.ts'
import { readReaction } from './modes/reaction.ts'
import type { ReactionBody } from './modes/reaction.ts'
import type { ProviderKind } from './number.ts'
import type { MediaMode, TextMode } from './outgoing.ts'
import type { ButtonBody, CarouselBody, FlowBody, Maybe, TemplateCardBody } from './send-body.ts'
import type { FlowOrder, OrderedContent, TemplateOrder } from './send-order.ts'

/** The fields of each mode, under the field that names the mode. */
interface TextFields {
  readonly text?: Maybe<string>
  readonly buttons?: Maybe<readonly ButtonBody[]>
  readonly header?: Maybe<string>
  readonly footer?: Maybe<string>
}
interface MediaFields {
  /** http(s) URL or data URI. */
  readonly media?: Maybe<string>
  readonly mediaType?: Maybe<MediaKind>
  readonly caption?: Maybe<string>
  readonly mediaFilename?: Maybe<string>
}
interface TemplateFields {
  readonly templateId?: Maybe<string>
  readonly language?: Maybe<string>
  readonly variables?: Maybe<Fields>
  readonly cards?: Maybe<readonly TemplateCardBody[]>
}

/** The fields of modes that are one object, by the same name. */
interface ObjectFields {
  readonly location?: Maybe<LocationBody>
  readonly contacts?: Maybe<readonly ContactBody[]>
  readonly list?: Maybe<ListBody>
  readonly reaction?: Maybe<ReactionBody>
  readonly contactRequest?: Maybe<ContactRequestBody>
  readonly poll?: Maybe<PollBody>
}

/**
 * The content of a send as a body writes it; it is also kept with the message, to be read again. Null counts as absent.
 */
export interface ContentBody extends TextFields, MediaFields, TemplateFields, ObjectFields {
  readonly carousel?: Maybe<CarouselBody>
  readonly flow?: Maybe<FlowBody>
}

/**
 * The body of a send, each field of the right form ([messages.send.1], [messages.send.5]). Readers decide which fields
 * go together.
 */
export interface SendBody extends ContentBody {
  /** Digits; on OFFICIAL numbers also upstream's id of a user who hides the number. */
  readonly destinationNumber?: Maybe<string>
  readonly groupId?: Maybe<string>
  readonly newsletterId?: Maybe<string>
  readonly quotedMessageId?: Maybe<string>
  /** ISO 8601, both. */
  readonly deliverAt?: Maybe<string>
  readonly deliverUntil?: Maybe<string>
  readonly correlationId?: Maybe<string>
}

/** The fields of a send that name its mode. */
export const MODE_FIELDS = [
  'templateId',
  'text',
  'media',
  'carousel',
  'flow',
  'location',
  'contacts',
  'list',
  'reaction',
  'contactRequest',
  'poll',
] as const
export type ModeField = (typeof MODE_FIELDS)[number]
/** The same fields in words. */
export const ONE_OF = `one of ${MODE_FIELDS.slice(0, -1).join(', ')} and ${MODE_FIELDS.at(-1)}`

/** What a number must be capable of to send a mode; other modes are of every kind ([message-verbs.modes.7]). */
export const MODE_NEEDS: Readonly<Partial<Record<ModeField, Capability>>> = {
  flow: 'flows',
  contactRequest: 'contactRequests',
  poll: 'polls',
}

/**
 * What an engine must have said of itself to send a mode as such. Engines from before these words say neither: a list
 * then goes in words, and a poll is refused.
 */
export const MODE_OF_ENGINES: Readonly<Partial<Record<OrderedContent['mode'], EngineCapability>>> = {
  list: 'lists',
  poll: 'polls',
}

/** False for null, an empty list and an empty object, which say nothing. */
export function isGiven<T>(value: T): value is NonNullable<T> {
  if (value === null || value === undefined) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Reads the fields of a mode: gives the order, or all that is wrong with it. Pure. */
type ModeReaders = {
  readonly [F in ModeField]: (
    given: NonNullable<SendBody[F]>,
    body: SendBody,
    provider: ProviderKind,
  ) => Read<OrderedContent>
}

const READERS: ModeReaders = {
  templateId: readTemplate,
  text: readText,
  media: readMedia,
  carousel: (carousel, _body, provider) => readCarousel(carousel, provider),
  flow: readFlow,
  location: readLocation,
  contacts: readContacts,
  list: readList,
  reaction: readReaction,
  contactRequest: readContactRequest,
  poll: readPoll,
}

/** Reads the order of a send from the one field that names its mode. */
export function readMode<F extends ModeField>(field: F, body: SendBody, provider: ProviderKind): Read<OrderedContent> {
  const given = body[field]
  return isGiven(given) ? READERS[field](given, body, provider) : faulty({ path: field, message: 'is needed' })
}

function readText(text: string, { buttons, header, footer }: SendBody, provider: ProviderKind): Read<TextMode> {
  if (!isGiven(buttons)) {
    const around = Object.entries({ header, footer }).filter(([, value]) => isGiven(value))
    if (around.length > 0) return faulty(...around.map(([path]) => ({ path, message: 'goes with buttons only' })))
    return read({ mode: 'text', text, buttons: [], header: null, footer: null })
  }
  const made = readButtons(buttons, provider)
  const { textLength } = kindOf({ provider }).buttons
  const isTooLong = textLength !== null && codePointsOf(text) > textLength
  const tooLong = {
    path: 'text',
    message: `must be 1 to ${textLength} characters with buttons on an ${provider} number`,
  }
  if (!made.ok || isTooLong) return faulty(...faultsIn(made), ...(isTooLong ? [tooLong] : []))
  return read({ mode: 'text', text, buttons: made.value, header: header ?? null, footer: footer ?? null })
}

const NO_SOURCE: Fault = { path: 'media', message: 'must be an http(s) URL or a base64 data URI' }
const NO_CAPTION: ReadonlySet<string> = new Set(['audio', 'voice', 'sticker'])

function readMedia(source: string, { mediaType: kind, caption, mediaFilename }: SendBody): Read<MediaMode<string>> {
  const faults: Fault[] = isMediaSource(source) ? [] : [NO_SOURCE]
  if (!kind) return faulty(...faults, { path: 'mediaType', message: 'is needed with media' })
  if (isGiven(caption) && NO_CAPTION.has(kind)) faults.push({ path: 'caption', message: `cannot go with ${kind}` })
  if (isGiven(mediaFilename) && kind === 'sticker')
    faults.push({ path: 'mediaFilename', message: 'cannot go with sticker' })
  if (faults.length > 0) return faulty(...faults)
  return read({ mode: 'media', kind, source, caption: caption ?? null, fileName: mediaFilename ?? null })
}

/** Fields that only a Flow message of its own needs, and all fields that a template sets for its Flow. */
const FLOW_NEEDS = ['flowId', 'text', 'cta'] as const
const NOT_OF_TEMPLATES = [...FLOW_NEEDS, 'header', 'footer', 'action', 'screen'] as const

function readFlow(flow: FlowBody): Read<FlowOrder> {
  const { flowId, text, cta, header, footer, action, screen, data, token } = flow
  if (!isGiven(flowId) || !isGiven(text) || !isGiven(cta)) {
    const missing = FLOW_NEEDS.filter((field) => !isGiven(flow[field]))
    return faulty(...missing.map((field) => ({ path: `flow.${field}`, message: 'is needed without templateId' })))
  }
  return read({
    mode: 'flow',
    flowId,
    text,
    cta,
    header: header ?? null,
    footer: footer ?? null,
    action: action ?? null,
    screen: screen ?? null,
    data: data ?? null,
    token: token ?? null,
  })
}

function readTemplate(
  templateId: string,
  { language, variables, cards, media, mediaType, mediaFilename, flow }: SendBody,
): Read<TemplateOrder> {
  const faults: Fault[] = NOT_OF_TEMPLATES.filter((field) => isGiven(flow?.[field])).map((field) => ({
    path: `flow.${field}`,
    message: 'cannot go together with templateId: the template has it',
  }))
  if (isGiven(media) && !isMediaSource(media)) faults.push(NO_SOURCE)
  if (mediaType && !isGiven(media)) faults.push({ path: 'mediaType', message: 'goes with media only' })
  if (isGiven(mediaFilename) && !isGiven(media)) faults.push({ path: 'mediaFilename', message: 'goes with media only' })
  if (mediaType === 'sticker') faults.push({ path: 'mediaType', message: 'a sticker cannot be template media' })
  if (faults.length > 0) return faulty(...faults)
  return read({
    mode: 'template',
    templateId,
    language: language ?? null,
    variables: variables ?? {},
    cards: cards ?? [],
    media: isGiven(media) ? { source: media, kind: mediaType ?? null, fileName: mediaFilename ?? null } : null,
    flow: flow ? { data: flow.data ?? null, token: flow.token ?? null } : null,
  })
}
