import { numberOf } from '../../ui/phone-number.ts'
import type { Conversation } from './message.ts'

/** The list of conversations as far as it was read, most recently active first. */
export interface ConversationList {
  readonly items: readonly Conversation[]
  /** Where the next page begins; null when all conversations were read. */
  readonly nextBefore: string | null
}

export interface ListFilter {
  readonly show: 'all' | 'unread' | 'archived'
  readonly numberId: string | null
}

/** Appends a page to the list. */
export function withPage(list: ConversationList, page: ConversationList): ConversationList {
  return { items: sorted([...list.items, ...page.items]), nextBefore: page.nextBefore }
}

/**
 * The list after an event about a conversation: the conversation moves to its place, or leaves the list when the filter
 * no longer matches. A conversation that belongs behind the pages read so far comes with its own page. The open
 * conversation stays in a list of unread ones, so that it does not vanish while somebody reads it.
 */
export function withConversation(
  list: ConversationList,
  told: Conversation,
  filter: ListFilter,
  openId: string | null,
): ConversationList {
  const others = list.items.filter(({ id }) => id !== told.id)
  const isWanted =
    (filter.numberId === null || filter.numberId === told.numberId)
    && (filter.show === 'archived') === (told.archivedAt !== null)
    && (filter.show !== 'unread' || unreadOf(told) > 0 || told.id === openId)
  const last = list.items.at(-1)
  const isBehind = list.nextBefore !== null && last !== undefined && activeMs(told) < activeMs(last)
  return isWanted && !isBehind ? { ...list, items: sorted([...others, told]) } : { ...list, items: others }
}

/** What a conversation counts for among unread messages ([embeds.marks.1]). */
export function unreadOf({ unreadCount, isMarkedUnread }: Conversation): number {
  return unreadCount || (isMarkedUnread ? 1 : 0)
}

function activeMs({ lastMessageAt, createdAt }: Conversation): number {
  return Date.parse(lastMessageAt ?? createdAt)
}

/** Sorted by last activity, newest first, each conversation once. */
function sorted(items: readonly Conversation[]): readonly Conversation[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return [...byId.values()].sort((a, b) => activeMs(b) - activeMs(a) || (a.id < b.id ? 1 : -1))
}

/** The words that stand in place of an unknown name. */
export interface Nameless {
  readonly unknownPerson: string
  readonly unnamedGroup: string
  readonly unnamedChannel: string
}

/**
 * The title of a conversation: the name, else the number or another identifier, else the type of the conversation. An
 * address of the device network is never shown, because it means nothing to people.
 */
export function titleOf(
  { type, fromName, from }: Pick<Conversation, 'type' | 'fromName' | 'from'>,
  words: Nameless,
): string {
  if (fromName) return fromName
  if (type === 'GROUP') return words.unnamedGroup
  if (type === 'NEWSLETTER') return words.unnamedChannel
  return numberOf(from) ?? (from === null || from.includes('@') ? words.unknownPerson : from)
}

/**
 * What a person is also known by, besides the address that the inbox names: other forms of the number, other numbers,
 * ids of upstream. An address of the device network means nothing to people.
 */
export function otherAddressesOf({ from, identities = [] }: Pick<Conversation, 'from' | 'identities'>): string[] {
  return identities
    .filter(({ kind, value }) => kind !== 'LID' && value !== from)
    .map(({ value }) => numberOf(value) ?? value)
}

/** One or two letters for an avatar; empty when the title begins with a digit or has no letters. */
export function initialsOf(title: string): string {
  const words = title
    .split(/\s+/)
    .map((word) => [...word].find((character) => /\p{L}|\p{N}/u.test(character)) ?? '')
    .filter((letter) => letter !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].join('').toLocaleUpperCase()
  return /^\d/.test(letters) ? '' : letters
}
