/**
 * What engines and upstream tell of messages that are no text: which of them are no messages at all, and the words of
 * those that this service has no type for.
 */
import type { Fields } from '../domain/json-fields.ts'
import { isFields, own } from '../domain/json-fields.ts'

/**
 * Types that travel as messages and are none, by the names that engines and upstream have for them: votes, content
 * sealed with the key of another message, edits and revocations that name nothing, headers of albums (their pictures
 * come by themselves), keys, settings, notices of calls, and mentions in a status.
 */
const NONE: ReadonlySet<string> = new Set([
  'pollupdate',
  'pollvote',
  'encreaction',
  'secretencrypted',
  'enccomment',
  'enceventresponse',
  'encryptedreaction',
  'encryptededit',
  'encryptedcomment',
  'edit',
  'edited',
  'messageedit',
  'revoke',
  'revoked',
  'messagerevoke',
  'eventresponse',
  'album',
  'protocol',
  'senderkeydistribution',
  'fastratchetkeysenderkeydistribution',
  'messagecontextinfo',
  'e2enotification',
  'identitychange',
  'keychange',
  'statusmention',
  'groupstatusmention',
  'statusnotification',
  'keepinchat',
  'pininchat',
  'pinned',
  'placeholder',
  'messagehistorybundle',
  'messagehistorynotice',
  'stickersyncrmr',
  'calllog',
  'call',
  'bcall',
  'scheduledcalledit',
  'eventcoverimage',
  'statusstickerinteraction',
  'bottask',
  'newsletternotification',
  'broadcastnotification',
  'bizcontentplaceholder',
  'limitsharing',
  'declinepaymentrequest',
  'cancelpaymentrequest',
])

/**
 * True when a type of an engine means that there is no message to show: `pollUpdate`, `poll_update`,
 * `pollUpdateMessage`.
 */
export function isNoMessage(type: string): boolean {
  return NONE.has(plainName(type))
}

/** A name without what only its writer puts there: `poll_update` and `pollUpdateMessageV2` are `pollupdate`. */
function plainName(name: string): string {
  return name
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase()
    .replace(/mess?s?age(v\d+)?$/, '')
}

/**
 * Fields of the content ([bridge.content.1]) in which engines and upstream tell what has words and no type here, by
 * their plain names.
 */
const KINDS: ReadonlySet<string> = new Set([
  'poll',
  'pollcreation',
  'order',
  'product',
  'event',
  'eventcreation',
  'scheduledeventcreation',
  'invite',
  'invitation',
  'groupinvite',
  'groupsv4invite',
  'newsletterinvite',
  'channelinvite',
  'payment',
  'paymentrequest',
  'requestpayment',
  'sendpayment',
  'paymentinvite',
  'invoice',
  'list',
])
/** Our choice of fields, in the order in which they are read. */
const LINES = [
  'title',
  'name',
  'question',
  'subject',
  'groupName',
  'group_name',
  'caption',
  'text',
  'message',
  'note',
  'body',
  'description',
  'start',
  'startTime',
  'start_time',
  'address',
  'url',
  'link',
  'footer',
] as const
const LISTS = ['options', 'items', 'products', 'product_items', 'productItems', 'rows'] as const
/** What a row is known by where it has no words. */
const ROW_IDS = ['optionName', 'product_retailer_id', 'retailerId'] as const
/** Our choice: most lines that are read, as many as a list of the network has. */
const MOST_ROWS = 100

/**
 * The words of an order, an event, a product, an invitation, a payment or a poll, a line each; null when it has none.
 */
export function wordsOf(content: Fields): string | null {
  const told = Object.entries(content).find(([name, value]) => isFields(value) && KINDS.has(plainName(name)))?.[1]
  if (!isFields(told)) return null
  const lines = [
    ...linesOf(told),
    ...LISTS.flatMap((list) => rowsOf(own(told, list))),
    ...linesOf(own(told, 'location')),
    amountOf(told),
  ].filter((line) => line !== '')
  return lines.length === 0 ? null : lines.join('\n')
}

function linesOf(fields: unknown): string[] {
  if (!isFields(fields)) return []
  return LINES.map((name) => own(fields, name)).filter((value) => typeof value === 'string')
}

function rowsOf(rows: unknown): string[] {
  return (Array.isArray(rows) ? rows : []).slice(0, MOST_ROWS).map((row: unknown) => {
    const words = typeof row === 'string' ? row : linesOf(row).join(', ') || idOf(row)
    const count = isFields(row) ? own(row, 'quantity') : null
    return words === '' ? '' : `• ${words}${typeof count === 'number' ? ` × ${count}` : ''}`
  })
}

function idOf(row: unknown): string {
  const id = isFields(row)
    ? ROW_IDS.map((name) => own(row, name)).find((value) => typeof value === 'string')
    : undefined
  return typeof id === 'string' ? id : ''
}

function amountOf(told: Fields): string {
  const [amount, currency] = [own(told, 'amount') ?? own(told, 'price') ?? own(told, 'total'), own(told, 'currency')]
  if (typeof amount !== 'number' && typeof amount !== 'string') return ''
  return typeof currency === 'string' ? `${currency} ${amount}` : String(amount)
}
