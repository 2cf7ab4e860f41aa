import { fail, refuse, succeed } from './errors.ts'
import type { Outcome, Refusal } from './errors.ts'
import { faultsIn, faulty, invalidBody, read } from './fault.ts'
import type { Fault, Read } from './fault.ts'
import { refuseFlow } from './flow-refusals.ts'
import { kindOf } from './kinds/kinds.ts'
import { isDataUri } from './media-text.ts'
import type { Destination } from './message.ts'
import type { ProviderKind } from './number.ts'
import { isGiven, MODE_FIELDS, MODE_NEEDS, ONE_OF, readMode } from './send-modes.ts'
import type { ModeField, SendBody } from './send-modes.ts'
import type { OrderedContent, SendOrder } from './send-order.ts'
import { addressRefusal } from './user-id.ts'

/** Mode fields that a template may carry as well, for its own media and Flow. */
const OF_TEMPLATES: ReadonlySet<ModeField> = new Set(['media', 'flow'])
const DESTINATIONS = [
  { field: 'destinationNumber', type: 'DIRECT' },
  { field: 'groupId', type: 'GROUP' },
  { field: 'newsletterId', type: 'NEWSLETTER' },
] as const

/** Our choice: a send may wait a month at most. */
const MAX_AHEAD_MS = 30 * 24 * 3_600_000
/**
 * Our choice: a send that came with bytes waits a day at most until it is due. Such bytes are kept for 30 days, and a
 * due message waits for 7.
 */
const MAX_AHEAD_WITH_BYTES_MS = 24 * 3_600_000

/** Fields that go with some modes alone ([messages.modes.1] to [messages.modes.5]). */
const BELONGS: readonly {
  readonly field: keyof SendBody
  readonly modes: readonly ModeField[]
  readonly to: string
}[] = [
  { field: 'buttons', modes: ['text'], to: 'text' },
  { field: 'header', modes: ['text'], to: 'text with buttons' },
  { field: 'footer', modes: ['text'], to: 'text with buttons' },
  { field: 'caption', modes: ['media'], to: 'media' },
  { field: 'mediaFilename', modes: ['media', 'templateId'], to: 'media' },
  { field: 'mediaType', modes: ['media', 'templateId'], to: 'media' },
  { field: 'variables', modes: ['templateId'], to: 'templateId' },
  { field: 'language', modes: ['templateId'], to: 'templateId' },
  { field: 'cards', modes: ['templateId'], to: 'templateId' },
  // A reaction names its message itself.
  {
    field: 'quotedMessageId',
    modes: MODE_FIELDS.filter((field) => field !== 'reaction'),
    to: 'a mode other than reaction',
  },
]

/**
 * Reads the order of a send whose fields are each of the right form. Refuses what the kind of number cannot do, then
 * all that is wrong at once: which fields go together, and what they say ([rest.order.1]). Pure.
 */
export function readOrder(body: SendBody, provider: ProviderKind, nowMs: number): Outcome<SendOrder> {
  const modes = modesIn(body)
  const refusal = unableRefusal(body, modes, provider)
  if (refusal) return fail(refusal)
  const to = destinationIn(body, modes)
  const content = contentIn(body, modes, provider)
  const times = timesIn(body, nowMs)
  if (!to.ok || !content.ok || !times.ok)
    return fail(invalidBody([...faultsIn(to), ...faultsIn(content), ...faultsIn(times)]))
  const terms = {
    quotedMessageId: body.quotedMessageId ?? null,
    ...times.value,
    correlationId: body.correlationId ?? null,
  }
  if (content.value.mode === 'reaction') return succeed({ to: to.value, content: content.value, ...terms })
  return to.value === null
    ? fail(invalidBody([NO_DESTINATION]))
    : succeed({ to: to.value, content: content.value, ...terms })
}

/**
 * Lists the fields of a send that name its mode. A template may carry media in place of its own, and the data of its
 * Flow, so these two do not count beside one.
 */
function modesIn(body: SendBody): ModeField[] {
  const given = MODE_FIELDS.filter((field) => isGiven(body[field]))
  return given.includes('templateId') ? given.filter((field) => !OF_TEMPLATES.has(field)) : given
}

function unableRefusal(body: SendBody, modes: readonly ModeField[], provider: ProviderKind): Refusal | null {
  const { destinationNumber, groupId, newsletterId } = body
  const { can } = kindOf({ provider })
  const unable = groupId && !can.groups ? 'groups' : newsletterId && !can.newsletters ? 'channels' : null
  if (unable) return refuse('FEATURE_NOT_SUPPORTED', `${provider} numbers do not send to ${unable}`)
  const [mode, ...others] = modes
  const needed = mode === undefined || others.length > 0 ? undefined : MODE_NEEDS[mode]
  if (needed && !can[needed])
    return mode === 'flow'
      ? refuseFlow('FLOW_REQUIRES_OFFICIAL_NUMBER')
      : refuse('FEATURE_NOT_SUPPORTED', `${provider} numbers do not send ${mode}`, { capability: needed })
  return destinationNumber ? addressRefusal(provider, destinationNumber) : null
}

const NO_DESTINATION: Fault = { path: 'destinationNumber', message: 'is needed, or groupId or newsletterId' }

/** The destination of a send; null when none is named, which reactions alone may. */
function destinationIn(body: SendBody, [mode]: readonly ModeField[]): Read<Destination | null> {
  const given = DESTINATIONS.flatMap(({ field, type }) => {
    const address = body[field]
    return isGiven(address) ? [{ field, to: { type, address } }] : []
  })
  const [first, ...others] = given
  if (first === undefined) return mode === 'reaction' ? read(null) : faulty(NO_DESTINATION)
  if (others.length === 0) return read(first.to)
  return faulty(
    ...others.map(({ field: path }) => ({
      path,
      message: `cannot go together with ${first.field}: name one destination`,
    })),
  )
}

function contentIn(body: SendBody, modes: readonly ModeField[], provider: ProviderKind): Read<OrderedContent> {
  const [mode, ...others] = modes
  if (mode === undefined) return faulty({ path: '', message: `needs ${ONE_OF}` })
  if (others.length > 0) {
    const message = `cannot go together with ${mode}: send ${ONE_OF}`
    return faulty(...others.map((path) => ({ path, message })))
  }
  const content = readMode(mode, body, provider)
  const stray = BELONGS.filter(({ field, modes: own }) => isGiven(body[field]) && !own.includes(mode))
  if (stray.length === 0) return content
  return faulty(
    ...stray.map(({ field: path, to }) => ({ path, message: `goes with ${to} only` })),
    ...faultsIn(content),
  )
}

function timesIn(body: SendBody, nowMs: number): Read<Pick<SendOrder, 'deliverAt' | 'deliverUntil'>> {
  const deliverAt = body.deliverAt ? new Date(body.deliverAt) : null
  const deliverUntil = body.deliverUntil ? new Date(body.deliverUntil) : null
  const atMs = deliverAt?.getTime() ?? nowMs
  const faults: Fault[] = []
  if (atMs > nowMs + MAX_AHEAD_MS) faults.push({ path: 'deliverAt', message: 'must be at most 30 days ahead' })
  else if (atMs > nowMs + MAX_AHEAD_WITH_BYTES_MS && hasBytes(body))
    faults.push({ path: 'deliverAt', message: 'must be at most 1 day ahead with a data URI or with media of cards' })
  if (deliverUntil && deliverUntil.getTime() <= nowMs)
    faults.push({ path: 'deliverUntil', message: 'must be in the future' })
  else if (deliverUntil && deliverUntil.getTime() <= atMs)
    faults.push({ path: 'deliverUntil', message: 'must be after deliverAt' })
  return faults.length > 0 ? faulty(...faults) : read({ deliverAt, deliverUntil })
}

/**
 * True when a send comes with bytes. Pictures for a template's cards count: they are fetched as soon as the message is
 * accepted.
 */
function hasBytes({ media, carousel, cards }: SendBody): boolean {
  return (
    (isGiven(media) && isDataUri(media))
    || (carousel?.cards.some(({ image }) => isDataUri(image)) ?? false)
    || (cards?.some((card) => card.media) ?? false)
  )
}
