import type { OfficialMessageEvent } from '../../../ports/official-platform.ts'
import { toDigits } from '../../../domain/phone.ts'
import { happenedAt } from '../../message-time.ts'
import { fieldsOf, numberIn, objectIn, objectsIn, textIn } from '../loose.ts'
import type { Fields } from '../loose.ts'
import { readContent } from './message-content.ts'
import { readStatus } from './status-events.ts'

/** Field -> the lists of messages it carries; statuses come in the first alone. Echoes are what the business wrote on its own phone. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  messages: ['messages', 'message_echoes'],
  message_echoes: ['message_echoes'],
  smb_message_echoes: ['message_echoes'],
}

/**
 * Reads what a change says of messages: `value` is the JSON text of a change of field `messages`, `message_echoes` or
 * `smb_message_echoes`. Other fields, and whatever is not known in these, say nothing. An item that cannot be read loses no other
 * one. Never throws.
 */
export function readMessageEvents(field: string, value: string): OfficialMessageEvent[] {
  const lists = Object.hasOwn(LISTS, field) ? LISTS[field] : undefined
  const fields = lists && parse(value)
  if (!fields) return []
  const world = worldOf(fields)
  return [
    ...lists.flatMap((list) => objectsIn(fields, list).flatMap((message) => readMessage(world, message, list === 'message_echoes'))),
    ...(field === 'messages' ? objectsIn(fields, 'statuses').flatMap(readStatus) : []),
  ]
}

/** What the items of a change share. */
interface World {
  /** Digits of the number; empty when upstream left them out. */
  readonly business: string
  /** By digits, and by upstream's id of the user. */
  readonly names: ReadonlyMap<string, string>
  /** Of the one contact there is. */
  readonly onlyName: string | null
}

function worldOf(value: Fields): World {
  const names = namesIn(value)
  const isAlone = objectsIn(value, 'contacts').length === 1 && objectsIn(value, 'messages').length === 1
  return {
    business: digitsIn(objectIn(value, 'metadata'), 'display_phone_number') ?? '',
    names,
    onlyName: isAlone ? [...names.values()][0] ?? null : null,
  }
}

function parse(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** Profiles may be missing, and so may the number of a user who hides it. */
function namesIn(value: Fields): Map<string, string> {
  return new Map(objectsIn(value, 'contacts').flatMap((contact) => {
    const name = textIn(objectIn(contact, 'profile'), 'name')
    const ids = [digitsIn(contact, 'wa_id'), textIn(contact, 'user_id')].filter((id) => id !== null)
    return name === null ? [] : ids.map((id) => [id, name] as const)
  }))
}

function readMessage(world: World, message: Fields, isFromMe: boolean): OfficialMessageEvent[] {
  const externalMessageId = textIn(message, 'id')
  const user = isFromMe ? userOf(message, 'to', 'to_user_id') : userOf(message, 'from', 'from_user_id')
  const content = readContent(message)
  if (externalMessageId === null || user === null || content === null) return []
  const business = isFromMe ? digitsIn(message, 'from') ?? world.business : world.business
  const groupId = textIn(message, 'group_id')
  return [{
    type: 'messageReceived', externalMessageId, isFromMe,
    from: isFromMe ? business : user.id,
    fromName: isFromMe ? null : nameOf(world, user),
    to: isFromMe ? user.id : business,
    group: groupId === null ? null : { id: groupId, name: null },
    newsletter: null, isStory: false, isHistorical: false,
    at: happenedAt(numberIn(message, 'timestamp')),
    ...content,
    quotedMessageId: textIn(objectIn(message, 'context'), 'id'),
  }]
}

interface User {
  /** Digits, or upstream's id of a user who hides the number. */
  readonly id: string
  readonly ids: readonly string[]
}

function userOf(message: Fields, numberKey: string, idKey: string): User | null {
  const ids = [digitsIn(message, numberKey), textIn(message, idKey)].filter((id) => id !== null)
  return ids[0] === undefined ? null : { id: ids[0], ids }
}

/** A contact that is alone is the writer, whatever upstream calls it (numbers of some countries have two forms). */
function nameOf({ names, onlyName }: World, { ids }: User): string | null {
  return ids.map((id) => names.get(id)).find((name) => name !== undefined) ?? onlyName
}

function digitsIn(fields: Fields | null, key: string): string | null {
  const text = textIn(fields, key)
  return text === null ? null : toDigits(text) ?? text
}
