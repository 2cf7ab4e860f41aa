/**
 * What engines tell of messages that are no text: which of them are no messages at all, and the words of those that
 * this service has no type for.
 */
import type { Fields } from '../../domain/json-fields.ts'
import { isFields, own } from '../../domain/json-fields.ts'

/**
 * Types that travel as messages and are none, by the names that engines have for them: votes, content sealed with the
 * key of another message, headers of albums (their pictures come by themselves), keys, settings, notices of calls, and
 * mentions in a status.
 */
const NONE: ReadonlySet<string> = new Set([
  'pollupdate',
  'pollvote',
  'encreaction',
  'secretencrypted',
  'enccomment',
  'enceventresponse',
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
  'placeholder',
  'messagehistorybundle',
  'messagehistorynotice',
  'stickersyncrmr',
  'calllog',
  'limitsharing',
  'declinepaymentrequest',
  'cancelpaymentrequest',
])

/**
 * True when a type of an engine means that there is no message to show: `pollUpdate`, `poll_update`,
 * `pollUpdateMessage`.
 */
export function isNoMessage(type: string): boolean {
  return NONE.has(
    type
      .replaceAll(/[^a-z0-9]/gi, '')
      .toLowerCase()
      .replace(/mess?s?age(v\d+)?$/, ''),
  )
}

/** Fields of the content ([bridge.content.1]) in which engines tell what has words and no type here. */
const KINDS = [
  'poll',
  'order',
  'product',
  'event',
  'invite',
  'invitation',
  'groupInvite',
  'payment',
  'invoice',
  'list',
] as const
/** Our choice of fields, in the order in which they are read. */
const LINES = [
  'title',
  'name',
  'question',
  'subject',
  'groupName',
  'caption',
  'text',
  'message',
  'note',
  'body',
  'description',
  'start',
  'startTime',
  'address',
  'url',
  'link',
  'footer',
] as const
const LISTS = ['options', 'items', 'products', 'rows'] as const
/** Our choice: most lines that are read, as many as a list of the network has. */
const MOST_ROWS = 100

/**
 * The words of an order, an event, a product, an invitation, a payment or a poll, a line each; null when it has none.
 */
export function wordsOf(content: Fields): string | null {
  const told = KINDS.map((kind) => own(content, kind)).find(isFields)
  if (told === undefined) return null
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
    const words =
      typeof row === 'string'
        ? row
        : linesOf(row).join(', ')
          || (isFields(row) && typeof own(row, 'optionName') === 'string' ? String(own(row, 'optionName')) : '')
    const count = isFields(row) ? own(row, 'quantity') : null
    return words === '' ? '' : `• ${words}${typeof count === 'number' ? ` × ${count}` : ''}`
  })
}

function amountOf(told: Fields): string {
  const [amount, currency] = [own(told, 'amount') ?? own(told, 'price') ?? own(told, 'total'), own(told, 'currency')]
  if (typeof amount !== 'number' && typeof amount !== 'string') return ''
  return typeof currency === 'string' ? `${currency} ${amount}` : String(amount)
}
