import type { Conversation } from './message.ts'

/** The list of conversations as far as it was read, last active first. */
export interface ConversationList {
  readonly items: readonly Conversation[]
  /** Where the next page begins; null: all were read. */
  readonly nextBefore: string | null
}

export interface ListFilter {
  readonly unreadOnly: boolean
  readonly numberId: string | null
}

/** The list with a further page behind it. */
export function withPage(list: ConversationList, page: ConversationList): ConversationList {
  return { items: sorted([...list.items, ...page.items]), nextBefore: page.nextBefore }
}

/**
 * The list with a conversation that was told: at its place, or gone from it where the filter has it no more. One that
 * lies behind what was read comes with its page. The open one stays although it was read, so that nobody loses sight of
 * it.
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
    && (!filter.unreadOnly || told.unreadCount > 0 || told.id === openId)
  const last = list.items.at(-1)
  const isBehind = list.nextBefore !== null && last !== undefined && activeMs(told) < activeMs(last)
  return isWanted && !isBehind ? { ...list, items: sorted([...others, told]) } : { ...list, items: others }
}

function activeMs({ lastMessageAt, createdAt }: Conversation): number {
  return Date.parse(lastMessageAt ?? createdAt)
}

/** Last active first, each once. */
function sorted(items: readonly Conversation[]): readonly Conversation[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return [...byId.values()].sort((a, b) => activeMs(b) - activeMs(a) || (a.id < b.id ? 1 : -1))
}

/** What stands in place of a name that nobody knows. */
export interface Nameless {
  readonly unknownPerson: string
  readonly unnamedGroup: string
  readonly unnamedChannel: string
}

/**
 * How a conversation is called: by name, else by number or what the service knows a person by, else as what it is: an
 * address of the device network tells people nothing.
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

/** The peer's number as people write it; null where it is none. */
export function numberOf(from: string | null): string | null {
  return from !== null && /^\d+$/.test(from) ? `+${from}` : null
}

/** One or two letters for an avatar; none where a name has none. */
export function initialsOf(title: string): string {
  const words = title
    .split(/\s+/)
    .map((word) => [...word].find((character) => /\p{L}|\p{N}/u.test(character)) ?? '')
    .filter((letter) => letter !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].join('').toLocaleUpperCase()
  return /^\d/.test(letters) ? '' : letters
}
