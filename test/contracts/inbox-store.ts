import type { TestFn } from 'ava'
import type { MessageId, NumberId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { ChangeCursor, ConversationQuery, LookedAt } from '../../src/ports/stores/inbox-store.ts'
import {
  accepted,
  direct,
  GROUP,
  HOUR_MS,
  PEER,
  privateNumber,
  received,
  report,
  sent,
  threeNumbers,
} from './message-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const ALL_TALKS: ConversationQuery = { filter: 'all', search: null, limit: 30, before: null }
const OTHER = '4915100000002'

async function talkOf(world: World, { number }: Owned, peer: string = PEER) {
  const { items } = await world.stores.inboxReads.conversations([number.id], ALL_TALKS)
  const found = items.find((one) => one.peer === peer)
  if (!found) throw new Error(`there is no conversation with ${peer}`)
  return found
}

/** Stores messages of one conversation, in and out in turn, oldest first, one a minute. */
async function filled(world: World, owned: Owned, count: number): Promise<MessageId[]> {
  const ids: MessageId[] = []
  for (let n = 0; n < count; n++) {
    ids.push(
      (n % 2 === 0 ? await received(world, owned, {}, `in ${n}`) : await accepted(world, owned, {}, `out ${n}`)).id,
    )
    world.clock.advance(60_000)
  }
  return ids
}

/** The reads of an inbox over some numbers. */
export function inboxReadSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: conversations of several numbers come last active first, page by page, none of another number among them`, async (t) => {
    const world = makeWorld()
    const [one, two, foreign] = await threeNumbers(world)
    for (const [owned, peer] of [
      [one, PEER],
      [two, PEER],
      [foreign, PEER],
      [one, OTHER],
    ] as const) {
      await received(world, owned, { peer, from: peer })
      world.clock.advance(1_000)
    }
    const numbers = [one.number.id, two.number.id]
    const whole = await world.stores.inboxReads.conversations(numbers, ALL_TALKS)
    t.deepEqual(
      whole.items.map(({ numberId, peer }) => [numberId, peer]),
      [
        [one.number.id, OTHER],
        [two.number.id, PEER],
        [one.number.id, PEER],
      ],
    )
    t.is(whole.next, null)
    t.like(whole.items[0], {
      provider: 'UNOFFICIAL',
      unreadCount: 1,
      lastMessageDirection: 'INBOUND',
      lastMessageStatus: 'RECEIVED',
      lastMessageType: 'text',
      lastMessagePreview: 'hi there',
    })
    const first = await world.stores.inboxReads.conversations(numbers, { ...ALL_TALKS, limit: 2 })
    const second = await world.stores.inboxReads.conversations(numbers, { ...ALL_TALKS, limit: 2, before: first.next })
    t.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      whole.items.map(({ id }) => id),
    )
    t.is(second.next, null)
    t.deepEqual(await world.stores.inboxReads.conversations([], ALL_TALKS), { items: [], next: null })
  })

  test(`${name}: the preview of a reaction is its emoji, and nothing once it was taken back`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const react = (emoji: string | null) =>
      received(world, owned, { type: 'reaction', content: { ...NO_CONTENT, reaction: { messageId: 'up.1', emoji } } })
    await react('👍')
    t.like(await talkOf(world, owned), { lastMessageType: 'reaction', lastMessagePreview: '👍' })
    world.clock.advance(1_000)
    await react(null)
    t.like(await talkOf(world, owned), { lastMessageType: 'reaction', lastMessagePreview: null })
  })

  test(`${name}: the description of a file is stored with its message while the message has the file`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const numbers = [owned.number.id]
    const { inboxReads, mediaFacts } = world.stores
    const media = { id: null, url: 'http://files/a', mimeType: 'audio/ogg', fileName: null }
    const note = await received(world, owned, { type: 'audio', content: { ...NO_CONTENT, text: 'by the way', media } })
    const text = await received(world, owned)
    const facts = { durationMs: 2_000, waveform: [0, 100] }
    for (const { id } of [note, text]) await mediaFacts.learnMedia(owned.number.id, id, facts)
    await mediaFacts.learnMedia(owned.number.id, note.id, { sizeBytes: 7 })
    const found = async () =>
      new Map((await inboxReads.messagesOf(numbers, [note.id, text.id])).map((one) => [one.id, one.content]))
    t.deepEqual((await found()).get(note.id), { ...note.content, media: { ...media, ...facts, sizeBytes: 7 } })
    t.deepEqual((await found()).get(text.id), text.content)
    const other = await ownedNumber(world)
    await mediaFacts.learnMedia(other.number.id, note.id, { sizeBytes: 8 })
    await world.stores.inbox.change(owned.fence, {
      externalMessageId: text.externalMessageId,
      kind: 'REVOKE',
      at: new Date(world.clock.now()),
      edited: null,
    })
    await mediaFacts.learnMedia(owned.number.id, text.id, facts)
    t.is((await found()).get(note.id)?.media?.sizeBytes, 7)
    t.is((await found()).get(text.id)?.media ?? null, null)
    const relayed = await privateNumber(world, 'RELAY_ONLY')
    const kept = await received(world, relayed, { type: 'audio', content: { ...NO_CONTENT, media } })
    await mediaFacts.learnMedia(relayed.number.id, kept.id, facts)
    t.is((await inboxReads.messagesOf([relayed.number.id], [kept.id]))[0]?.content ?? null, null)
  })

  test(`${name}: unread conversations, and the number of unread messages, are empty after marking as read`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { inboxReads, messages } = world.stores
    await received(world, owned)
    await received(world, owned)
    await received(world, owned, { peer: OTHER, isUnread: false })
    const unread = () => inboxReads.conversations([owned.number.id], { ...ALL_TALKS, filter: 'unread' })
    t.deepEqual(
      (await unread()).items.map(({ peer }) => peer),
      [PEER],
    )
    t.deepEqual([...(await inboxReads.unread([owned.number.id]))], [[owned.number.id, 2]])
    await messages.markConversationRead(owned.number.id, (await talkOf(world, owned)).id)
    t.deepEqual((await unread()).items, [])
    t.deepEqual([...(await inboxReads.unread([owned.number.id]))], [[owned.number.id, 0]])
  })

  // [embeds.inbox-routes.10]
  test(`${name}: a conversation is found by a part of its name and of its number, whatever the case, and literally`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, { peerName: 'Änne 50% Müller' })
    await received(world, owned, { peer: OTHER, peerName: 'Bob' })
    const found = async (search: string) =>
      (await world.stores.inboxReads.conversations([owned.number.id], { ...ALL_TALKS, search })).items.map(
        ({ peer }) => peer,
      )
    t.deepEqual(await found('müller'), [PEER])
    t.deepEqual(await found('50%'), [PEER])
    t.deepEqual(await found('5_%'), [])
    t.deepEqual(await found('+49 (151) 00000-002'), [OTHER])
    for (const pasted of [
      '+49 (0)151 00000-002',
      '0049 151 00000002',
      '0151 00000002',
      '\u202A+49 151 00000‑002\u202C',
      '＋４９ １５１ ０００００００２',
      '(0)151 0000',
    ]) {
      t.true((await found(pasted)).includes(OTHER), JSON.stringify(pasted))
    }
    t.deepEqual(await found('0000'), [OTHER, PEER])
    t.deepEqual(await found("x' or true"), [])
  })

  test(`${name}: messages of a conversation are paged in both directions, and around one of them`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const ids = await filled(world, owned, 9)
    await received(world, owned, { peer: OTHER })
    const talk = await talkOf(world, owned)
    const read = async (query: Parameters<typeof world.stores.inboxReads.messages>[2]) => {
      const span = await world.stores.inboxReads.messages([owned.number.id], talk.id, query)
      return span && [span.messages.map(({ id }) => ids.indexOf(id)), span.hasOlder, span.hasNewer]
    }
    const of = ids[4] ?? ''
    t.deepEqual(await read({ side: 'newest', limit: 3 }), [[8, 7, 6], true, false])
    t.deepEqual(await read({ side: 'newest', limit: 9 }), [[8, 7, 6, 5, 4, 3, 2, 1, 0], false, false])
    t.deepEqual(await read({ side: 'before', of, limit: 3 }), [[3, 2, 1], true, true])
    t.deepEqual(await read({ side: 'before', of, limit: 4 }), [[3, 2, 1, 0], false, true])
    t.deepEqual(await read({ side: 'after', of, limit: 3 }), [[7, 6, 5], true, true])
    t.deepEqual(await read({ side: 'after', of, limit: 4 }), [[8, 7, 6, 5], true, false])
    t.deepEqual(await read({ side: 'around', of, limit: 5 }), [[6, 5, 4, 3, 2], true, true])
    t.deepEqual(await read({ side: 'around', of, limit: 20 }), [[8, 7, 6, 5, 4, 3, 2, 1, 0], false, false])
    t.is(await read({ side: 'before', of: 'msg_none', limit: 3 }), null)
    const [first] = await world.stores.inboxReads.messagesOf([owned.number.id], [ids[0] ?? ''])
    const after = (minutes: number): Date => new Date((first?.createdAt.getTime() ?? 0) + minutes * 60_000)
    t.deepEqual(await read({ side: 'at', time: after(4), limit: 4 }), [[5, 4, 3, 2], true, true])
    t.deepEqual(await read({ side: 'at', time: after(4.5), limit: 4 }), [[6, 5, 4, 3], true, true])
    t.deepEqual(await read({ side: 'at', time: after(-9), limit: 4 }), [[1, 0], false, true])
    t.deepEqual(await read({ side: 'at', time: after(99), limit: 4 }), [[8, 7], true, false])
  })

  test(`${name}: a message shows what it quotes, and a failed one why`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const question = await received(world, owned, { externalMessageId: `q.${owned.number.id}` }, 'really?')
    const reply = await accepted(world, owned, { quotedMessageId: question.externalMessageId }, 'yes')
    const failed = await accepted(world, owned)
    await world.stores.inbox.report(owned.fence, report(world, 'FAILED', { messageId: failed.id }))
    const [shown] = await world.stores.inboxReads.messagesOf([owned.number.id], [reply.id])
    t.deepEqual(shown?.quoted, { id: question.id, direction: 'INBOUND', type: 'text', text: 'really?' })
    const [told] = await world.stores.inboxReads.messagesOf([owned.number.id], [failed.id])
    t.like(told, { status: 'FAILED', errorCode: 'OFFICIAL_ERROR', errorMessage: 'Upstream refused it', quoted: null })
  })

  test(`${name}: nothing of a number that is not among those asked for is read, by any id`, async (t) => {
    const world = makeWorld()
    const [one, two, foreign] = await threeNumbers(world)
    const secret = await received(world, foreign, {}, 'needle')
    const sister = await received(world, two, {}, 'needle')
    await received(world, one)
    const { inboxReads } = world.stores
    for (const [owner, message] of [
      [foreign, secret],
      [two, sister],
    ] as const) {
      const talk = await talkOf(world, owner)
      t.deepEqual(await inboxReads.conversationsOf([one.number.id], [talk.id]), [])
      t.is(await inboxReads.messages([one.number.id], talk.id, { side: 'newest', limit: 10 }), null)
      t.deepEqual(await inboxReads.messagesOf([one.number.id], [message.id]), [])
      const own = await talkOf(world, one)
      t.is(await inboxReads.messages([one.number.id], own.id, { side: 'around', of: message.id, limit: 10 }), null)
    }
    t.deepEqual(await inboxReads.search([one.number.id], { text: 'needle', limit: 20, conversationId: null }), [])
    t.deepEqual(
      (
        await inboxReads.search([one.number.id, two.number.id], { text: 'needle', limit: 20, conversationId: null })
      ).map(({ message }) => message.id),
      [sister.id],
    )
  })

  // [embeds.inbox-routes.10]
  test(`${name}: a search finds texts as they were written, newest first, and nothing from other fields`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const quoted = await received(world, owned, {}, 'she said "Hello"\nand left')
    world.clock.advance(1_000)
    const newer = await accepted(world, owned, {}, 'HELLO again')
    const found = async (text: string) =>
      (await world.stores.inboxReads.search([owned.number.id], { text, limit: 20, conversationId: null })).map(
        ({ message }) => message.id,
      )
    t.deepEqual(await found('hello'), [newer.id, quoted.id])
    t.deepEqual(await found('"hello"'), [quoted.id])
    t.deepEqual(await found('"\nand'), [quoted.id])
    t.deepEqual(await found('media'), [])
    const [match] = await world.stores.inboxReads.search([owned.number.id], {
      text: 'again',
      limit: 20,
      conversationId: null,
    })
    t.like(match?.conversation, { id: (await talkOf(world, owned)).id, numberId: owned.number.id })
  })

  // [embeds.inbox-routes.10]
  test(`${name}: a search within a conversation finds its messages alone, by its old id too, and none of another number`, async (t) => {
    const world = makeWorld()
    const [one, two] = await threeNumbers(world)
    const older = await received(world, one, {}, 'needle')
    world.clock.advance(1_000)
    const newer = await accepted(world, one, {}, 'another NEEDLE')
    await received(world, one, {}, 'hay')
    await received(world, one, { peer: OTHER }, 'needle')
    const foreign = await received(world, two, {}, 'needle')
    const found = async (numberIds: readonly NumberId[], conversationId: string) =>
      (await world.stores.inboxReads.search(numberIds, { text: 'needle', limit: 20, conversationId })).map(
        ({ message }) => message.id,
      )
    const [own, other] = [await talkOf(world, one), await talkOf(world, two)]
    t.deepEqual(await found([one.number.id], own.id), [newer.id, older.id])
    t.deepEqual(await found([one.number.id], other.id), [])
    t.deepEqual(await found([one.number.id, two.number.id], other.id), [foreign.id])
    t.deepEqual(await found([one.number.id], 'conv_none'), [])
    await received(world, one, { peer: 'DE.4711', from: 'DE.4711' }, 'needle by id')
    const alias = await talkOf(world, one, 'DE.4711')
    await world.stores.inbox.name(one.fence, { addresses: ['4915100000003', 'DE.4711'] })
    t.is((await found([one.number.id], alias.id)).length, 1)
  })

  test(`${name}: content that privacy withholds is neither shown nor found`, async (t) => {
    const world = makeWorld()
    const owned = await privateNumber(world, 'STORE_X_DAYS', 1)
    const message = await received(world, owned, {}, 'needle')
    world.clock.advance(30 * HOUR_MS)
    const { inboxReads } = world.stores
    t.deepEqual(await inboxReads.search([owned.number.id], { text: 'needle', limit: 20, conversationId: null }), [])
    t.deepEqual((await inboxReads.conversations([owned.number.id], { ...ALL_TALKS, search: 'Ann' })).items, [])
    const [shown] = await inboxReads.messagesOf([owned.number.id], [message.id])
    t.like(shown, { isRedacted: true, content: null, from: null })
    t.like((await inboxReads.conversations([owned.number.id], ALL_TALKS)).items[0], {
      peer: null,
      peerName: null,
      lastMessagePreview: null,
    })
  })

  test(`${name}: a group is a conversation like others, and one by the id of a user leads to that of the number`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, { peer: GROUP, conversationType: 'GROUP', peerName: 'Team' })
    t.like(await talkOf(world, owned, GROUP), { type: 'GROUP', peerName: 'Team' })
    await received(world, owned, { peer: 'DE.4711', from: 'DE.4711' })
    const alias = await talkOf(world, owned, 'DE.4711')
    await world.stores.inbox.name(owned.fence, { addresses: [OTHER, 'DE.4711'] })
    t.deepEqual(
      (await world.stores.inboxReads.conversationsOf([owned.number.id], [alias.id])).map(({ peer }) => peer),
      [OTHER],
    )
    t.is(
      (await world.stores.inboxReads.messages([owned.number.id], alias.id, { side: 'newest', limit: 5 }))?.messages
        .length,
      1,
    )
  })
}

function cursorOf({ snapshot }: LookedAt): ChangeCursor {
  return { position: snapshot.position, transaction: snapshot.oldest }
}

/** The look for changes. */
export function inboxChangeSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a look finds what is new for the requested numbers only, and the state of each`, async (t) => {
    const world = makeWorld()
    const [one, two, foreign] = await threeNumbers(world)
    const { inboxChanges } = world.stores
    const before = await received(world, one)
    const start = await inboxChanges.look([one.number.id], null)
    t.deepEqual(
      [start.messages.map(({ id }) => id), start.moves, [...start.states]],
      [[before.id], [], [[one.number.id, 'CLOSE']]],
    )
    const came = await received(world, one)
    const queued = await accepted(world, one)
    await received(world, two)
    await received(world, foreign)
    const next = await inboxChanges.look([one.number.id], cursorOf(start))
    t.deepEqual(
      next.messages.map(({ id, numberId }) => [id, numberId]),
      [
        [came.id, one.number.id],
        [queued.id, one.number.id],
      ],
    )
    t.false(next.isCut)
  })

  test(`${name}: each status of a sent message is told as a change`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const external = `up.${owned.number.id}`
    const start = await world.stores.inboxChanges.look([owned.number.id], null)
    const message = await sent(world, owned, external)
    for (const status of ['DELIVERED', 'READ'] as const)
      await world.stores.inbox.report(owned.fence, report(world, status, { externalMessageId: external }))
    const failed = await accepted(world, owned, { to: direct(OTHER) })
    await world.stores.inbox.report(owned.fence, report(world, 'FAILED', { messageId: failed.id }))
    const { moves } = await world.stores.inboxChanges.look([owned.number.id], cursorOf(start))
    t.deepEqual(
      moves.map(({ messageId }) => messageId),
      [message.id, message.id, message.id, failed.id],
    )
    t.is(new Set(moves.map(({ eventId }) => eventId)).size, 4)
  })
}
