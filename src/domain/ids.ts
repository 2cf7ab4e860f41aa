import { randomness, type Randomness } from './randomness.ts'

/**
 * Prefixes of service ids, and what their ids name, as the contract lists them ([rest.ids.2]). An id is the prefix, an
 * underscore and a 26-character lower-case ULID.
 */
export const ID_PREFIXES = {
  ten: 'a tenant',
  num: 'a number',
  key: 'an API key',
  call: 'a call',
  play: 'a file that is played into a call',
  rts: 'a realtime session of a call',
  msg: 'a message',
  bat: 'a batch of messages',
  conv: 'a conversation',
  file: 'a file that the service keeps',
  tpl: 'a template',
  flow: 'a Flow',
  fres: 'a response to a Flow',
  lead: 'a lead',
  lbf: 'an import of the leads of a form',
  wh: 'a webhook',
  log: 'a delivery to a webhook',
  evt: 'an event',
  rp: 'a pairing link',
  emb: 'an embed session',
  crep: 'a canned reply',
  note: 'a note on a conversation',
  usr: 'a person of a tenant',
  sess: 'a session of the dashboard',
  grt: 'a grant of a person to a client',
  node: 'a gateway',
  ask: 'a question between gateways (never shown)',
  fask: 'a question of a Flow to an endpoint',
  fkey: 'a key pair of Flow endpoints (never shown)',
  list: 'a listing of templates or Flows upstream (never shown)',
} as const
export type IdPrefix = keyof typeof ID_PREFIXES

export type TenantId = `ten_${string}`
export type NumberId = `num_${string}`
export type KeyId = `key_${string}`
export type CallId = `call_${string}`
export type EventId = `evt_${string}`
export type NodeId = `node_${string}`
export type PairingToken = `rp_${string}`
export type RealtimeSessionId = `rts_${string}`
export type PlaybackId = `play_${string}`
export type MessageId = `msg_${string}`
export type MessageBatchId = `bat_${string}`
export type ConversationId = `conv_${string}`
export type TemplateId = `tpl_${string}`
export type FlowId = `flow_${string}`
export type FlowResponseId = `fres_${string}`
export type FlowKeyId = `fkey_${string}`
export type LeadId = `lead_${string}`
export type LeadBackfillId = `lbf_${string}`
export type EmbedSessionId = `emb_${string}`
export type WebSessionId = `sess_${string}`
export type CannedReplyId = `crep_${string}`
export type NoteId = `note_${string}`
export type UserId = `usr_${string}`
export type GrantId = `grt_${string}`
export type NodeAskId = `ask_${string}`
export type FlowAskId = `fask_${string}`
/** A file of a message, kept by the service; the id proves the right to read it, so it is made by newSecretId. */
export type FileId = `file_${string}`

/** Crockford's base 32, lower case: the digits of a ULID. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

/** The last id of a kind: ids of one millisecond rise. */
interface Last {
  timeMs: number
  random: readonly number[]
}

/** Of ids of now, and of ids of given times. */
const beginning = (): { readonly made: Last; readonly told: Last } => ({
  made: { timeMs: -1, random: [] },
  told: { timeMs: -1, random: [] },
})
let lasts = beginning()
let source: Randomness | null = null

/**
 * Random bytes that were not handed out yet: they are fetched in bulk, because each fetch costs as much as an id
 * (measured), and never used twice.
 */
let pool = Buffer.alloc(0)
const POOL_BYTES = 4_096

/** The source of this process. A new one begins anew: nothing of the one before goes into its ids. */
function sourceNow(): Randomness {
  if (source === randomness()) return source
  source = randomness()
  pool = Buffer.alloc(0)
  lasts = beginning()
  return source
}

function randomDigits(count: number): number[] {
  const { bytes } = sourceNow()
  if (pool.length < count) pool = bytes(POOL_BYTES)
  const taken = pool.subarray(0, count)
  pool = pool.subarray(count)
  return Array.from(taken, (byte) => byte & 31)
}

/** Adds one to the random part, so that ids of one millisecond still rise. */
function increment(digits: readonly number[]): number[] {
  const next = [...digits]
  for (let i = next.length - 1; i >= 0; i--) {
    const raised = (next[i] ?? 0) + 1
    if (raised < 32) {
      next[i] = raised
      return next
    }
    next[i] = 0
  }
  return next
}

/** A ULID of a time in ms, which comes after the `last` one when that is of the same time. */
function ulid(timeMs: number, last: Last): string {
  last.random = timeMs === last.timeMs ? increment(last.random) : randomDigits(RANDOM_DIGITS)
  last.timeMs = timeMs
  let text = ''
  let rest = timeMs
  for (let i = 0; i < TIME_DIGITS; i++) {
    text = DIGITS.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  for (const digit of last.random) text += DIGITS.charAt(digit)
  return text
}

/** Makes a new id; ids of one process sort in the order they were made. */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  const nowMs = sourceNow().nowMs()
  return `${prefix}_${ulid(Math.max(nowMs, lasts.made.timeMs), lasts.made)}`
}

/** Makes a new id of a time in ms, which `timeOf` reads from it; ids that are made for one time after another rise. */
export function newIdAt<P extends IdPrefix>(prefix: P, timeMs: number): `${P}_${string}` {
  sourceNow()
  return `${prefix}_${ulid(timeMs, lasts.told)}`
}

/** The time of an id, in ms; null when it is none that `newId` or `newIdAt` makes. */
export function timeOf(id: string): number | null {
  const [, time] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id) ?? []
  return time === undefined ? null : [...time].reduce((ms, digit) => ms * 32 + DIGITS.indexOf(digit), 0)
}

/**
 * Makes an id whose 26 characters are pure randomness (130 bits), for ids that authenticate by themselves: key ids
 * ([rest.ids.3]) and pairing tokens.
 */
export function newSecretId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${newSecretName()}`
}

/** Makes 26 characters of pure randomness without a prefix, for names of files. */
export function newSecretName(): string {
  return randomDigits(26)
    .map((digit) => DIGITS.charAt(digit))
    .join('')
}

/** True when a text has the form of the service's ids of messages. */
export function isMessageId(text: string): text is MessageId {
  return /^msg_[0-9a-z]{26}$/.test(text)
}

/** True when a text has the form of the service's ids of Flows. */
export function isFlowId(text: string): text is FlowId {
  return /^flow_[0-9a-z]{26}$/.test(text)
}
