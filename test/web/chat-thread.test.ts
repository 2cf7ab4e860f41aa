import test from 'ava'
import { messageIdOf } from '../../sandbox/official/messages/message-id.ts'
import type { Message } from '../../web/chat/model/message.ts'
import {
  isStored,
  itemsOf,
  threadOf,
  withMessages,
  withNewer,
  withNewest,
  withOlder,
  withStatus,
} from '../../web/chat/model/thread.ts'

const AT = Date.parse('2026-01-01T10:00:00.000Z')
const NOTHING = { unreadFrom: null, retried: new Map(), dayOf: (at: string) => at.slice(0, 10) }

/** Inbound message number `n`, n minutes after the first. */
function message(n: number, about: Partial<Message> = {}): Message {
  return {
    id: `msg_${String(n).padStart(4, '0')}`,
    conversationId: 'conv_1',
    direction: 'INBOUND',
    type: 'text',
    content: `text ${n}`,
    from: '551',
    to: '552',
    fromName: null,
    externalMessageId: `ext ${n}`,
    status: 'RECEIVED',
    media: null,
    reaction: null,
    location: null,
    contacts: null,
    interactive: null,
    editedAt: null,
    revokedAt: null,
    redacted: false,
    createdAt: new Date(AT + n * 60_000).toISOString(),
    errorCode: null,
    errorMessage: null,
    correlationId: null,
    quoted: null,
    ...about,
  }
}

function page(from: number, to: number, { hasOlder = true, hasNewer = false } = {}) {
  return { messages: Array.from({ length: to - from + 1 }, (_, at) => message(to - at)), hasOlder, hasNewer }
}

function numbers({ messages }: { readonly messages: readonly Message[] }): number[] {
  return messages.map(({ id }) => Number(id.slice(4)))
}

test('pages and live messages form one sequence in order, each message once', (t) => {
  let thread = threadOf('conv_1', page(11, 20))
  thread = withOlder(thread, page(5, 12, { hasOlder: false }))
  thread = withMessages(thread, [message(21)])
  thread = withNewer(thread, page(18, 23))
  t.deepEqual(
    numbers(thread),
    Array.from({ length: 19 }, (_, at) => at + 5),
  )
  t.deepEqual([thread.hasOlder, thread.hasNewer], [false, false])
})

test('live messages leave no gap: one beyond the loaded range shows when its page is loaded', (t) => {
  const inThePast = threadOf('conv_1', page(10, 20, { hasNewer: true }))
  t.is(withMessages(inThePast, [message(40)]), inThePast)
  t.is(withMessages(inThePast, [message(3)]), inThePast)
  t.deepEqual(numbers(withMessages(inThePast, [message(15, { content: 'edited' })])), numbers(inThePast))
  t.is(withMessages(inThePast, [message(15, { content: 'edited' })]).messages[5]?.content, 'edited')
})

test('a status never goes back, by whatever way it is told', (t) => {
  const sent = { direction: 'OUTBOUND', status: 'DELIVERED' } as const
  const thread = withMessages(threadOf('conv_1', page(1, 3)), [message(4, sent)])
  const change = { id: 'msg_0004', errorCode: null, errorMessage: null }
  t.is(withStatus(thread, { ...change, status: 'SENT' }), thread)
  const read = withStatus(thread, { ...change, status: 'READ' })
  t.is(read.messages[3]?.status, 'READ')
  t.is(withMessages(read, [message(4, sent)]).messages[3]?.status, 'READ')
  t.is(withStatus(read, { ...change, id: 'msg_0099', status: 'READ' }), read)
})

test('a message that goes out gets the id by which it is answered, and keeps it', (t) => {
  const queued = message(1, { direction: 'OUTBOUND', status: 'QUEUED', externalMessageId: null })
  const thread = threadOf('conv_1', { messages: [queued], hasOlder: false, hasNewer: false })
  const change = { id: 'msg_0001', errorCode: null, errorMessage: null }
  const sentAt = '2026-01-05T12:00:00.000Z'
  const sent = withStatus(thread, { ...change, status: 'SENT', externalMessageId: 'ext 1', sentAt })
  t.like(sent.messages[0], { externalMessageId: 'ext 1', sentAt })
  t.is(withMessages(sent, [queued]).messages[0]?.externalMessageId, 'ext 1')
  t.like(withStatus(sent, { ...change, status: 'READ' }).messages[0], { externalMessageId: 'ext 1', sentAt })
})

test('a message that fails says why', (t) => {
  const thread = threadOf('conv_1', {
    messages: [message(1, { direction: 'OUTBOUND', status: 'SENT' })],
    hasOlder: false,
    hasNewer: false,
  })
  const failed = withStatus(thread, {
    id: 'msg_0001',
    status: 'FAILED',
    errorCode: 'INVALID_DESTINATION',
    errorMessage: 'no such number',
  })
  t.like(failed.messages[0], { status: 'FAILED', errorCode: 'INVALID_DESTINATION' })
})

test('days stand between messages, and the unread ones begin with a line', (t) => {
  const thread = threadOf('conv_1', {
    messages: [message(1), message(2), message(2_000)],
    hasOlder: false,
    hasNewer: false,
  })
  t.deepEqual(
    itemsOf(thread, { ...NOTHING, unreadFrom: 'msg_0002' }).map(({ kind }) => kind),
    ['day', 'message', 'unread', 'message', 'day', 'message'],
  )
})

test('messages of one writer that follow within five minutes are a group; a line or a day begins another', (t) => {
  const messages = [
    message(1),
    message(3),
    message(9),
    message(10, { direction: 'OUTBOUND' }),
    message(11, { direction: 'OUTBOUND' }),
    message(12),
    message(13, { from: '559' }),
  ]
  const items = itemsOf(threadOf('conv_1', { messages, hasOlder: false, hasNewer: false }), {
    ...NOTHING,
    unreadFrom: 'msg_0003',
  })
  t.deepEqual(
    items.flatMap((item) => (item.kind === 'message' ? [item.isFollowing] : [])),
    [false, false, false, false, true, false, false],
  )
})

// [inbox.features.4]
test('reactions stand on their message: the last of each person, none that was taken back or never went out', (t) => {
  const reaction = (n: number, emoji: string | null, about: Partial<Message> = {}): Message =>
    message(n, { type: 'reaction', reaction: { messageId: 'ext 1', emoji }, ...about })
  const messages = [
    message(1),
    message(2),
    reaction(3, '👍'),
    reaction(4, '❤️'),
    reaction(5, '😀', { direction: 'OUTBOUND' }),
    reaction(6, '🎉', { from: '559' }),
    reaction(7, null, { from: '559' }),
    reaction(8, '👎', { direction: 'OUTBOUND', status: 'FAILED' }),
  ]
  const items = itemsOf(threadOf('conv_1', { messages, hasOlder: false, hasNewer: false }), NOTHING)
  t.deepEqual(
    items.flatMap((item) =>
      item.kind === 'message' ? [item.reactions.map(({ reaction: given }) => given?.emoji)] : [],
    ),
    [['❤️', '😀'], []],
  )
})

test('[identities.looking-up.3] a reaction stands on its message, by whichever of its ids it names it', (t) => {
  const named = (who: string) => messageIdOf({ who, isOfBusiness: true, key: '3EB0AB12CD34EF56AB12' })
  const messages = [
    { ...message(1), externalMessageId: named('5511999990001') },
    message(2, { type: 'reaction', reaction: { messageId: named('BR.13491208655302741'), emoji: '👍' } }),
  ]
  const items = itemsOf(threadOf('conv_1', { messages, hasOlder: false, hasNewer: false }), NOTHING)
  t.deepEqual(
    items.flatMap((item) => (item.kind === 'message' ? item.reactions.map(({ id }) => id) : [])),
    [messages[1]?.id],
  )
})

test('a failed message goes once its other try is there', (t) => {
  const retried = new Map([['msg_0002', 'msg_0003']])
  const shown = (messages: Message[]) =>
    itemsOf(threadOf('conv_1', { messages, hasOlder: false, hasNewer: false }), { ...NOTHING, retried })
      .filter(({ kind }) => kind === 'message')
      .map(({ key }) => key)
  t.deepEqual(shown([message(1), message(2)]), ['msg_0001', 'msg_0002'])
  t.deepEqual(shown([message(1), message(2), message(3)]), ['msg_0001', 'msg_0003'])
})

test('a message sent from this page is recognised by its key or its id', (t) => {
  const thread = threadOf('conv_1', {
    messages: [message(1, { correlationId: 'key 1' }), message(2)],
    hasOlder: false,
    hasNewer: false,
  })
  t.true(isStored(thread, { key: 'key 1', id: null }))
  t.true(isStored(thread, { key: 'key 2', id: 'msg_0002' }))
  t.false(isStored(thread, { key: 'key 3', id: null }))
})

test('older messages change nothing of what was shown: the first message waits for what stands before it', (t) => {
  const keys = (thread: Parameters<typeof itemsOf>[0]): string[] =>
    itemsOf(thread, NOTHING).map((item) => JSON.stringify({ ...item, message: null }))
  const thread = threadOf('conv_1', page(11, 20))
  const shown = keys(thread)
  t.false(shown.some((item) => item.includes('msg_0011')))
  t.deepEqual(keys(withOlder(thread, page(1, 10))).slice(-shown.length), shown)
  const whole = keys(withOlder(thread, page(1, 10, { hasOlder: false })))
  t.true(whole[0]?.includes('"day"') && whole[1]?.includes('msg_0001'))
  t.is(itemsOf(threadOf('conv_1', page(1, 1)), NOTHING).length, 2, 'a message alone shows')
})

test('messages that come together are taken as one change, as each by itself', (t) => {
  const thread = threadOf('conv_1', page(1, 3, { hasOlder: false }))
  const told = [message(5), message(4), message(2, { content: 'edited' }), message(4, { content: 'edited' })]
  t.deepEqual(
    withMessages(thread, told),
    told.reduce((before, one) => withMessages(before, [one]), thread),
  )
})

test('of imported messages the newest page is shown live, and the rest is loaded on demand (case 28)', (t) => {
  const old = (from: number, to: number): Message[] =>
    Array.from({ length: to - from + 1 }, (_, at) => message(from + at))
  let thread = threadOf('conv_1', page(10_000, 10_000, { hasOlder: false }))
  thread = withMessages(thread, old(9_990, 9_999))
  t.deepEqual([numbers(thread)[0], thread.messages.length, thread.hasOlder], [9_990, 11, false])
  thread = withMessages(thread, old(1_000, 9_989))
  t.deepEqual([numbers(thread)[0], thread.messages.length, thread.hasOlder], [9_951, 50, true])
  t.is(withMessages(thread, old(1, 999)), thread)
  t.deepEqual(numbers(withMessages(thread, [message(10_001)])).slice(-2), [10_000, 10_001])
  t.deepEqual(
    numbers(withOlder(thread, page(9_901, 9_950))),
    Array.from({ length: 100 }, (_, at) => 9_901 + at),
  )
})

test('after a stream that missed something the thread has no gap, and what is older can be read, also where it was not there before', (t) => {
  const thread = threadOf('conv_1', { messages: [message(900), message(5)], hasOlder: false, hasNewer: false })
  const imported = withNewest(thread, page(851, 900))
  t.deepEqual([numbers(imported), imported.hasOlder], [Array.from({ length: 50 }, (_, at) => 851 + at), true])
  const later = withNewest(threadOf('conv_1', page(801, 900)), page(856, 905))
  t.deepEqual([numbers(later), later.hasOlder], [Array.from({ length: 105 }, (_, at) => 801 + at), true])
  t.deepEqual(numbers(withNewest(thread, page(1, 3, { hasOlder: false }))), [1, 2, 3, 5, 900])
})

test('a message that is told twice at once shows once, as it was told last', (t) => {
  const thread = withMessages(threadOf('conv_1', page(1, 3)), [message(4), message(4, { content: 'edited' })])
  t.deepEqual([numbers(thread), thread.messages[3]?.content], [[1, 2, 3, 4], 'edited'])
})
