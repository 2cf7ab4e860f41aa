import { buttonFaults, carouselFaults } from './button-rules.ts'
import { codePointsOf } from './characters.ts'
import type { Fault } from './fault.ts'
import { isDataUri, isMediaSource } from './media-text.ts'
import type { ProviderKind } from './number.ts'
import { INTERACTIVE_TEXT_LENGTH } from './send-order.ts'
import type { SendOrder } from './send-order.ts'

export type SendMode = 'text' | 'media' | 'template' | 'carousel' | 'flow'

const MODE_FIELDS = ['templateId', 'text', 'media', 'carousel', 'flow'] as const
/** What a template may carry, though it is a mode without one. */
const OF_TEMPLATES: ReadonlySet<string> = new Set(['media', 'flow'])
const DESTINATION_FIELDS = ['destinationNumber', 'groupId', 'newsletterId'] as const

/** Our choice: a month ahead; what waits longer belongs into a calendar. */
const MAX_AHEAD_MS = 30 * 24 * 3_600_000
/**
 * Our choice: bytes that came along wait a day at most until they are due; they are kept for 30, and a due message
 * waits for 7.
 */
const MAX_AHEAD_WITH_BYTES_MS = 24 * 3_600_000

/** Fields that go with some modes alone (contract 4). */
const BELONGS: readonly {
  readonly field: keyof SendOrder
  readonly modes: readonly SendMode[]
  readonly to: string
}[] = [
  { field: 'buttons', modes: ['text'], to: 'text' },
  { field: 'header', modes: ['text'], to: 'text with buttons' },
  { field: 'footer', modes: ['text'], to: 'text with buttons' },
  { field: 'caption', modes: ['media'], to: 'media' },
  { field: 'mediaFilename', modes: ['media', 'template'], to: 'media' },
  { field: 'mediaType', modes: ['media', 'template'], to: 'media' },
  { field: 'variables', modes: ['template'], to: 'templateId' },
  { field: 'language', modes: ['template'], to: 'templateId' },
  { field: 'cards', modes: ['template'], to: 'templateId' },
]

const NO_CAPTION: ReadonlySet<string> = new Set(['audio', 'voice', 'sticker'])

/** Null, an empty list and an empty object say nothing. */
function isGiven(value: unknown): boolean {
  if (value === null || value === undefined) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/**
 * The fields of a send that are modes. A template may carry media that takes the place of its own, and the data of its
 * Flow.
 */
function modesIn(order: SendOrder): (typeof MODE_FIELDS)[number][] {
  const given = MODE_FIELDS.filter((field) => isGiven(order[field]))
  return given.includes('templateId') ? given.filter((field) => !OF_TEMPLATES.has(field)) : given
}

/** The mode of a send; null when there is none or more than one. */
export function modeOf(order: SendOrder): SendMode | null {
  const [mode, ...others] = modesIn(order)
  if (mode === undefined || others.length > 0) return null
  return mode === 'templateId' ? 'template' : mode
}

/**
 * Everything wrong with a send beyond the form of its fields: which go together, and what the kind of number can send.
 * Pure.
 */
export function faultsOf(order: SendOrder, provider: ProviderKind, nowMs: number): Fault[] {
  const mode = modeOf(order)
  return [
    ...destinationFaults(order),
    ...(mode === null ? modeFaults(order) : BELONGS.flatMap((rule) => strayFault(order, mode, rule))),
    ...(mode === 'text' ? textFaults(order, provider) : []),
    ...(mode === 'media' ? mediaFaults(order) : []),
    ...(mode === 'template' ? templateFaults(order) : []),
    ...(mode === 'flow' ? flowFaults(order) : []),
    ...(mode === 'carousel' && order.carousel ? carouselFaults(order.carousel, provider) : []),
    ...timeFaults(order, nowMs),
  ]
}

function destinationFaults(order: SendOrder): Fault[] {
  const given = DESTINATION_FIELDS.filter((field) => isGiven(order[field]))
  if (given.length === 0) return [{ path: 'destinationNumber', message: `is needed, or groupId or newsletterId` }]
  return given.slice(1).map((path) => ({ path, message: `cannot go together with ${given[0]}: name one destination` }))
}

function modeFaults(order: SendOrder): Fault[] {
  const given = modesIn(order)
  if (given.length === 0) return [{ path: '', message: 'needs one of text, media, templateId, carousel and flow' }]
  return given.slice(1).map((path) => ({
    path,
    message: `cannot go together with ${given[0]}: send one of text, media, templateId, carousel and flow`,
  }))
}

function strayFault(order: SendOrder, mode: SendMode, { field, modes, to }: (typeof BELONGS)[number]): Fault[] {
  return isGiven(order[field]) && !modes.includes(mode) ? [{ path: field, message: `goes with ${to} only` }] : []
}

function textFaults(order: SendOrder, provider: ProviderKind): Fault[] {
  const buttons = order.buttons ?? []
  if (buttons.length === 0)
    return (['header', 'footer'] as const)
      .filter((path) => isGiven(order[path]))
      .map((path) => ({ path, message: 'goes with buttons only' }))
  const isTooLong = provider === 'OFFICIAL' && codePointsOf(order.text ?? '') > INTERACTIVE_TEXT_LENGTH
  return [
    ...buttonFaults(buttons, provider),
    ...(isTooLong
      ? [
          {
            path: 'text',
            message: `must be 1 to ${INTERACTIVE_TEXT_LENGTH} characters with buttons on an OFFICIAL number`,
          },
        ]
      : []),
  ]
}

function mediaFaults({ media, mediaType, caption, mediaFilename }: SendOrder): Fault[] {
  const faults: Fault[] = []
  if (!isMediaSource(media ?? ''))
    faults.push({ path: 'media', message: 'must be an http(s) URL or a base64 data URI' })
  if (!mediaType) faults.push({ path: 'mediaType', message: 'is needed with media' })
  if (isGiven(caption) && NO_CAPTION.has(mediaType ?? ''))
    faults.push({ path: 'caption', message: `cannot go with ${mediaType}` })
  if (isGiven(mediaFilename) && mediaType === 'sticker')
    faults.push({ path: 'mediaFilename', message: 'cannot go with sticker' })
  return faults
}

/** Fields of a Flow that a message of its own needs, and those that a template has for itself. */
const FLOW_NEEDS = ['flowId', 'text', 'cta'] as const
const NOT_OF_TEMPLATES = [...FLOW_NEEDS, 'header', 'footer', 'action', 'screen'] as const

function flowFaults({ flow }: SendOrder): Fault[] {
  return FLOW_NEEDS.filter((field) => !isGiven(flow?.[field])).map((field) => ({
    path: `flow.${field}`,
    message: 'is needed without templateId',
  }))
}

function templateFaults({ media, mediaType, mediaFilename, flow }: SendOrder): Fault[] {
  const faults: Fault[] = NOT_OF_TEMPLATES.filter((field) => isGiven(flow?.[field])).map((field) => ({
    path: `flow.${field}`,
    message: 'cannot go together with templateId: the template has it',
  }))
  if (isGiven(media) && !isMediaSource(media ?? ''))
    faults.push({ path: 'media', message: 'must be an http(s) URL or a base64 data URI' })
  if (mediaType && !isGiven(media)) faults.push({ path: 'mediaType', message: 'goes with media only' })
  if (isGiven(mediaFilename) && !isGiven(media)) faults.push({ path: 'mediaFilename', message: 'goes with media only' })
  if (mediaType === 'sticker') faults.push({ path: 'mediaType', message: 'a sticker cannot be template media' })
  return faults
}

function timeFaults(order: SendOrder, nowMs: number): Fault[] {
  const atMs = order.deliverAt ? Date.parse(order.deliverAt) : nowMs
  const faults: Fault[] = []
  if (atMs > nowMs + MAX_AHEAD_MS) faults.push({ path: 'deliverAt', message: 'must be at most 30 days ahead' })
  else if (atMs > nowMs + MAX_AHEAD_WITH_BYTES_MS && hasBytes(order))
    faults.push({ path: 'deliverAt', message: 'must be at most 1 day ahead with a data URI or with media of cards' })
  if (!order.deliverUntil) return faults
  const untilMs = Date.parse(order.deliverUntil)
  if (untilMs <= nowMs) faults.push({ path: 'deliverUntil', message: 'must be in the future' })
  else if (untilMs <= atMs) faults.push({ path: 'deliverUntil', message: 'must be after deliverAt' })
  return faults
}

/** Pictures of a template's cards are kept as soon as the message is accepted, wherever they come from. */
function hasBytes({ media, carousel, cards }: SendOrder): boolean {
  return (
    isDataUri(media ?? '')
    || (carousel?.cards.some(({ image }) => isDataUri(image)) ?? false)
    || (cards?.some((card) => card.media) ?? false)
  )
}
