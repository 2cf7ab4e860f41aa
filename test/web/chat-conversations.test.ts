import test from 'ava'
import { initialsOf, titleOf, unreadOf, withConversation, withPage } from '../../web/chat/model/conversations.ts'
import type { ListFilter } from '../../web/chat/model/conversations.ts'
import type { Conversation } from '../../web/chat/model/message.ts'
import { windowOf } from '../../web/chat/model/window.ts'

const NOW = Date.parse('2026-01-01T12:00:00.000Z')
const ALL: ListFilter = { show: 'all', numberId: null }

/** A conversation whose last activity was n minutes ago. */
function conversation(n: number, about: Partial<Conversation> = {}): Conversation {
  return {
    id: `conv_${n}`,
    type: 'DIRECT',
    from: '5511',
    fromName: null,
    unreadCount: 0,
    lastMessageAt: new Date(NOW - n * 60_000).toISOString(),
    lastMessagePreview: null,
    windowExpiresAt: null,
    createdAt: new Date(NOW - 9e8).toISOString(),
    numberId: 'num_a',
    provider: 'UNOFFICIAL',
    lastMessageDirection: 'INBOUND',
    lastMessageStatus: 'RECEIVED',
    lastMessageType: 'text',
    canSend: { free: true, reason: null },
    isMarkedUnread: false,
    archivedAt: null,
    ...about,
  }
}

function ids({ items }: { readonly items: readonly Conversation[] }): string[] {
  return items.map(({ id }) => id)
}

const LIST = { items: [conversation(1), conversation(5), conversation(9)], nextBefore: 'more' }

test('the list has each conversation once, the last active first, across pages and live changes', (t) => {
  t.deepEqual(ids(withPage(LIST, { items: [conversation(9), conversation(12)], nextBefore: null })), [
    'conv_1',
    'conv_5',
    'conv_9',
    'conv_12',
  ])
  const told = conversation(9, { lastMessageAt: new Date(NOW).toISOString() })
  t.deepEqual(ids(withConversation(LIST, told, ALL, null)), ['conv_9', 'conv_1', 'conv_5'])
  t.deepEqual(ids(withConversation(LIST, conversation(3), ALL, null)), ['conv_1', 'conv_3', 'conv_5', 'conv_9'])
})

test('a live change to a conversation behind the loaded pages does not show until its page is loaded', (t) => {
  t.deepEqual(ids(withConversation(LIST, conversation(30), ALL, null)), ids(LIST))
  t.deepEqual(ids(withConversation({ ...LIST, nextBefore: null }, conversation(30), ALL, null)), [
    ...ids(LIST),
    'conv_30',
  ])
})

// [inbox.features.1]
test('a filter shows only its conversations, and keeps the open one after it was read', (t) => {
  const unread: ListFilter = { show: 'unread', numberId: null }
  t.deepEqual(ids(withConversation(LIST, conversation(5), unread, null)), ['conv_1', 'conv_9'])
  t.deepEqual(ids(withConversation(LIST, conversation(5), unread, 'conv_5')), ids(LIST))
  t.deepEqual(ids(withConversation(LIST, conversation(3, { unreadCount: 1 }), unread, null)), [
    'conv_1',
    'conv_3',
    'conv_5',
    'conv_9',
  ])
  t.deepEqual(ids(withConversation(LIST, conversation(3), { show: 'all', numberId: 'num_b' }, null)), ids(LIST))
})

test('a conversation is called by name, else by number, else by id', (t) => {
  const words = { unknownPerson: 'Unknown', unnamedGroup: 'Group', unnamedChannel: 'Channel' }
  const title = (about: Partial<Conversation>): string => titleOf(conversation(1, about), words)
  t.is(title({ fromName: 'Ana' }), 'Ana')
  t.is(title({ from: '5511' }), '+5511')
  t.is(title({ from: 'US.1349' }), 'US.1349')
  t.is(title({ from: null }), 'Unknown')
  t.is(title({ from: '123@lid' }), 'Unknown')
  t.is(title({ type: 'GROUP', from: '99@g.us' }), 'Group')
  t.is(title({ type: 'NEWSLETTER', from: '99@newsletter' }), 'Channel')
})

test('an avatar has the letters of the first and the last name, none of a number', (t) => {
  t.deepEqual(['Ana Maria Souza', 'ana', '(Zé) 😀', '+5511', '😀', ''].map(initialsOf), ['AS', 'A', 'Z', '', '', ''])
})

test('the window of 24 hours is one of official numbers alone, told from two hours before its end', (t) => {
  const until = (ms: number): string => new Date(NOW + ms).toISOString()
  const official = conversation(1, { provider: 'OFFICIAL' })
  const free = (ms: number) => windowOf({ ...official, windowExpiresAt: until(ms) }, NOW)
  t.deepEqual(free(7_200_000), { at: 'open' })
  t.deepEqual(free(7_199_999), { at: 'closing', leftMs: 7_199_999 })
  t.deepEqual(free(0), { at: 'closed' })
  t.deepEqual(windowOf(conversation(1), NOW), { at: 'none' })
  t.deepEqual(windowOf(conversation(1, { type: 'NEWSLETTER', canSend: { free: false, reason: 'NEWSLETTER' } }), NOW), {
    at: 'none',
  })
})

test('the server decides: a window that it closed is closed, whatever our clock says', (t) => {
  const said = {
    provider: 'OFFICIAL',
    windowExpiresAt: new Date(NOW + 3_600_000).toISOString(),
    canSend: { free: false, reason: 'WINDOW_CLOSED' },
  } as const
  t.deepEqual(windowOf(said, NOW), { at: 'closed' })
})

// [embeds.marks.1] [embeds.marks.2]
test('a conversation that is archived stands in the list of those alone, and one that is marked is unread', (t) => {
  const told = conversation(5, { archivedAt: new Date(NOW).toISOString(), isMarkedUnread: true })
  const marked = { ...told, archivedAt: null }
  const shows = (one: Conversation, show: ListFilter['show']) =>
    ids(withConversation(LIST, one, { show, numberId: null }, null)).includes('conv_5')
  t.deepEqual([shows(told, 'all'), shows(told, 'unread'), shows(told, 'archived')], [false, false, true])
  t.deepEqual([shows(marked, 'all'), shows(marked, 'unread'), shows(marked, 'archived')], [true, true, false])
  t.deepEqual([unreadOf(marked), unreadOf({ ...marked, unreadCount: 3 }), unreadOf(conversation(1))], [1, 3, 0])
})
