import { isMessageId, type MessageId } from '../../../domain/ids.ts'
import { identityKindOf } from '../../../domain/identity.ts'
import type { ReportedStatus } from '../../../domain/message.ts'
import { PRICE_CATEGORIES, type PriceCategory } from '../../../domain/usage.ts'
import { isNumberField, type NumberField } from '../../../domain/upstream-fields.ts'
import type { OfficialMessageEvent } from '../../../ports/official/changes.ts'
import type { FlowReply } from '../../../ports/stores/flow-response-store.ts'
import { happenedAt } from '../../message-time.ts'
import { reportedFailure } from '../errors/message-errors.ts'
import { digitsIn, fieldsOf, nameIn, numberIn, objectIn, objectsIn, shownNameIn, textIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { parseWhole } from '../values/whole-json.ts'
import { readChange, readContent } from './message-content.ts'
import { changedUserOf, namedPeers } from './named-peers.ts'
import { readReferral } from './referral.ts'

/**
 * Field -> the lists of messages it carries, and whether it carries statuses of messages too; all of them name users.
 * Echoes are messages that the business wrote on its own phone.
 */
const LISTS: Readonly<Record<NumberField, { readonly lists: readonly string[]; readonly hasStatuses: boolean }>> = {
  messages: { lists: ['messages', 'message_echoes'], hasStatuses: true },
  message_echoes: { lists: ['message_echoes'], hasStatuses: false },
  smb_message_echoes: { lists: ['message_echoes'], hasStatuses: false },
  calls: { lists: [], hasStatuses: false },
}

/**
 * Reads what a change says of messages and of who users are; `value` is the JSON text of a change of field `messages`,
 * `message_echoes`, `smb_message_echoes` or `calls`. Other fields, and unknown parts of these, give nothing. An
 * unreadable item costs no other one. Never throws.
 */
export function readMessageEvents(field: string, value: string): OfficialMessageEvent[] {
  const carried = isNumberField(field) ? LISTS[field] : null
  // Ids that upstream writes as numbers, such as the ad of a referral, keep every digit.
  const fields = carried && parseWhole(value)
  if (!fields) return []
  const world = worldOf(fields)
  return [
    ...namedPeers(fields).map((peer) => ({ type: 'peerNamed', ...peer }) as const),
    ...carried.lists.flatMap((list) =>
      objectsIn(fields, list).flatMap((message) => readMessage(world, message, list === 'message_echoes')),
    ),
    ...(carried.hasStatuses ? objectsIn(fields, 'statuses').flatMap(readStatus) : []),
  ]
}

/** Facts that the items of a change share. */
interface World {
  /** Digits of the number; empty when upstream left them out. */
  readonly business: string
  /** Names of users, by digits and by user id. */
  readonly names: ReadonlyMap<string, string>
  /** Digits of users, by user id. */
  readonly numbers: ReadonlyMap<string, string>
  /** The user when there is only one, as digits or user id; else null. */
  readonly onlyUser: string | null
  /** The name of the only contact when there is one, else null. */
  readonly onlyName: string | null
}

function worldOf(value: Fields): World {
  const names = namesIn(value)
  const contacts = objectsIn(value, 'contacts')
  const isAlone = contacts.length === 1 && objectsIn(value, 'messages').length === 1
  return {
    business: digitsIn(objectIn(value, 'metadata'), 'display_phone_number') ?? '',
    names,
    numbers: numbersIn(value),
    onlyUser:
      contacts.length === 1 ? (digitsIn(contacts[0] ?? null, 'wa_id') ?? nameIn(contacts[0] ?? null, 'user_id')) : null,
    onlyName: isAlone ? ([...names.values()][0] ?? null) : null,
  }
}

/** Digits of users, by user id. */
function numbersIn(value: Fields): Map<string, string> {
  return new Map(
    namedPeers(value).flatMap(({ addresses }) => {
      const digits = addresses.find((address) => identityKindOf(address) === 'PHONE')
      const userIds = addresses.filter((address) => identityKindOf(address) === 'USER_ID')
      return digits === undefined ? [] : userIds.map((userId) => [userId, digits] as const)
    }),
  )
}

/** Names of users. Profiles may be missing, and so may the number of a user who hides it. */
function namesIn(value: Fields): Map<string, string> {
  return new Map(
    objectsIn(value, 'contacts').flatMap((contact) => {
      const name = shownNameIn(objectIn(contact, 'profile'), 'name')
      const ids = [digitsIn(contact, 'wa_id'), nameIn(contact, 'user_id')].filter((id) => id !== null)
      return name === null ? [] : ids.map((id) => [id, name] as const)
    }),
  )
}

function readMessage(world: World, message: Fields, isFromMe: boolean): OfficialMessageEvent[] {
  const change = readChange(message)
  if (change)
    return change.externalMessageId === ''
      ? []
      : [{ type: 'messageChanged', ...change, at: happenedAt(numberIn(message, 'timestamp')) }]
  const externalMessageId = nameIn(message, 'id')
  const user = isFromMe ? userOf(world, message, 'to', 'to_user_id') : userOf(world, message, 'from', 'from_user_id')
  const content = readContent(message)
  if (externalMessageId === null || user === null || content === null) return []
  const business = isFromMe ? (digitsIn(message, 'from') ?? world.business) : world.business
  const groupId = nameIn(message, 'group_id')
  const flowReply = isFromMe ? null : readFlowReply(message)
  const referral = isFromMe ? null : readReferral(message)
  return [
    {
      type: 'messageReceived',
      externalMessageId,
      isFromMe,
      from: isFromMe ? business : user.id,
      fromName: isFromMe ? null : nameOf(world, user),
      to: isFromMe ? user.id : business,
      group: groupId === null ? null : { id: groupId, name: null },
      newsletter: null,
      isStory: false,
      isHistorical: false,
      at: happenedAt(numberIn(message, 'timestamp')),
      ...content,
      quotedMessageId: nameIn(objectIn(message, 'context'), 'id'),
      ...(flowReply ? { flowReply } : {}),
      ...(referral ? { referral } : {}),
    },
  ]
}

interface User {
  /** Digits, or the user id of a user who hides the number. */
  readonly id: string
  readonly ids: readonly string[]
}

/**
 * The user of a message: by number when upstream tells it, in the message or beside it. When the message names nobody,
 * it is the only contact, or the one whose number or id a system message says has changed.
 */
function userOf({ numbers, onlyUser }: World, message: Fields, numberKey: string, idKey: string): User | null {
  const userId = nameIn(message, idKey)
  const ids = [digitsIn(message, numberKey), userId === null ? null : (numbers.get(userId) ?? null), userId].filter(
    (id) => id !== null,
  )
  const id = ids[0] ?? onlyUser ?? changedUserOf(message)
  return id === null ? null : { id, ids: [...ids, id] }
}

/**
 * The name of a user. A single contact is the writer, whatever its id, because numbers of some countries have two
 * forms.
 */
function nameOf({ names, onlyName }: World, { ids }: User): string | null {
  return ids.map((id) => names.get(id)).find((name) => name !== undefined) ?? onlyName
}

/** Upstream's status -> ours. A voice note that was played was read. */
const STATUSES: ReadonlyMap<string | undefined, ReportedStatus> = new Map([
  ['sent', 'SENT'],
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['played', 'READ'],
  ['failed', 'FAILED'],
])

/** Reads one of `statuses`. Those of calls and payments, which use the same words, and unknown words give nothing. */
function readStatus(fields: Fields): OfficialMessageEvent[] {
  const externalMessageId = nameIn(fields, 'id')
  const status = STATUSES.get(textIn(fields, 'status')?.toLowerCase())
  const kind = textIn(fields, 'type') ?? 'message'
  if (externalMessageId === null || status === undefined || kind !== 'message') return []
  return [
    {
      type: 'messageStatus',
      externalMessageId,
      status,
      messageId: ourIdIn(fields),
      failure: status === 'FAILED' ? reportedFailure(objectsIn(fields, 'errors')[0] ?? null) : null,
      at: happenedAt(numberIn(fields, 'timestamp')),
      priceCategory: priceIn(objectIn(fields, 'pricing')),
      recipient: phoneIn(fields, 'recipient_id'),
    },
  ]
}

/** The digits of a person's number; null for all else. */
function phoneIn(fields: Fields, key: string): string | null {
  const digits = digitsIn(fields, key)
  return digits !== null && /^\d+$/.test(digits) ? digits : null
}

/**
 * The category that upstream charges a message by; null when it charges nothing, or a category is unknown. Categories
 * of one kind have endings, as `authentication_international` has.
 */
function priceIn(pricing: Fields | null): PriceCategory | null {
  if (pricing?.['billable'] !== true) return null
  const [kind] = textIn(pricing, 'category')?.toUpperCase().split('_') ?? []
  return PRICE_CATEGORIES.find((name) => name === kind) ?? null
}

/**
 * The service's message id, or null: other programs of the business may send through the same phone, with data of their
 * own.
 */
function ourIdIn(fields: Fields): MessageId | null {
  const data = textIn(fields, 'biz_opaque_callback_data') ?? ''
  return isMessageId(data) ? data : null
}

/** Field that upstream adds to those of the form. */
const TOKEN = 'flow_token'

/** The submission to a Flow that a message carries, or null. It is JSON in a text that nobody has checked. */
function readFlowReply(message: Fields): FlowReply | null {
  const reply = objectIn(objectIn(message, 'interactive'), 'nfm_reply')
  if (reply === null) return null
  const told = reply['response_json']
  const fields = typeof told === 'string' ? parseWhole(told) : fieldsOf(told)
  if (fields === null)
    return {
      flowToken: null,
      response: null,
      rawResponse: typeof told === 'string' ? told : JSON.stringify(told ?? null),
    }
  // Made from entries, so that a field called `__proto__` is one like any other.
  const response = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== TOKEN))
  return { flowToken: Object.hasOwn(fields, TOKEN) ? nameIn(fields, TOKEN) : null, response, rawResponse: null }
}
