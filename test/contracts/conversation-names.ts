import type { TestFn } from 'ava'
import type { Conversation } from '../../src/domain/message.ts'
import {
  accepted,
  ALL,
  DAY_MS,
  direct,
  HOUR_MS,
  incoming,
  newMessage,
  PAGE,
  privateNumber,
  received,
  report,
  sent,
} from './message-world.ts'
import { newCall, ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const DIGITS = '4915100000077'
const USER = 'DE.13491208655302741918'
/** A number as it was typed, and as upstream knows it. */
const [TYPED, KNOWN] = ['5511987650077', '551187650077'] as const
const NAMED = { addresses: [DIGITS, USER] }

async function conversations(world: World, { number }: Owned) {
  return await world.stores.messages.conversations(number.id, PAGE)
}

async function history(
  world: World,
  { number }: Owned,
  peer: string | null,
  direction: 'INBOUND' | 'OUTBOUND' = 'INBOUND',
) {
  const { items, total } = await world.stores.messages.history(number.id, { ...ALL, direction, peer })
  return {
    texts: items.map(({ content }) => content?.text),
    total,
    conversationIds: new Set(items.map(({ conversationId }) => conversationId)),
  }
}

/** The identities of a conversation, as `KIND value`. */
function shownOf(conversation: Conversation | undefined): string[] {
  return conversation?.identities.map(({ kind, value }) => `${kind} ${value}`) ?? []
}

/** How every MessageInbox stores users who hide their number but have a name. */
export function conversationNameSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: messages under either address of a user belong to one conversation once both addresses are known`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.is(await world.stores.inbox.name(owned.fence, NAMED), 'applied')
    t.is(await world.stores.inbox.name(owned.fence, NAMED), 'stale')
    await received(world, owned, { peer: USER, from: USER }, 'hidden')
    await received(world, owned, { peer: DIGITS, from: DIGITS }, 'open')
    await accepted(world, owned, { to: direct(USER) }, 'to the id')
    await accepted(world, owned, { to: direct(DIGITS) }, 'to the number')
    const { items, total } = await conversations(world, owned)
    t.is(total, 1)
    t.like(items, [{ peer: DIGITS, unreadCount: 2 }])
    for (const peer of [USER, DIGITS]) {
      t.deepEqual((await history(world, owned, peer)).texts.toSorted(), ['hidden', 'open'])
      t.deepEqual((await history(world, owned, peer, 'OUTBOUND')).total, 2)
    }
    t.deepEqual(
      (await world.stores.queue.heads(owned.number.id, [], 10)).map(({ to }) => to),
      [direct(USER)],
      'in their order, where each was sent to',
    )
  })

  test(`${name}: a status that names the recipient otherwise than the message joins both addresses, though the answer to the send is lost`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { to: direct(TYPED) })
    const group = await accepted(world, owned, { to: { type: 'GROUP', address: '1@g.us' } })
    for (const [{ id: messageId }, externalMessageId] of [
      [message, 'recipient.1'],
      [group, 'recipient.2'],
    ] as const)
      t.is(
        await world.stores.inbox.report(
          owned.fence,
          report(world, 'DELIVERED', { messageId, externalMessageId, recipient: KNOWN }),
        ),
        'applied',
      )
    const { items, total } = await conversations(world, owned)
    t.is(total, 2, 'a group is nobody')
    const person = items.find(({ type }) => type === 'DIRECT')
    t.is(person?.peer, KNOWN)
    t.deepEqual(shownOf(person).toSorted(), [`PHONE ${KNOWN}`, `PHONE ${TYPED}`].toSorted())
    await world.stores.inbox.report(
      owned.fence,
      report(world, 'READ', { externalMessageId: 'recipient.1', recipient: TYPED }),
    )
    t.is((await conversations(world, owned)).total, 2, 'who is named as the message was sent is known')
  })

  test(`${name}: two conversations become one: messages, counts, unread and the last message`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const at = (hours: number) => new Date(world.clock.now() - hours * HOUR_MS)
    await received(world, owned, { peer: DIGITS, from: DIGITS, peerName: null, happenedAt: at(30) }, 'first')
    await received(world, owned, { peer: USER, from: USER, peerName: 'Ann', happenedAt: at(2) }, 'newest')
    await sent(world, owned, 'two.out', { to: direct(USER), createdAt: at(26) })
    const [old] = (await conversations(world, owned)).items
    t.is((await conversations(world, owned)).total, 2)
    t.is(await world.stores.inbox.name(owned.fence, NAMED), 'applied')
    const { items, total } = await conversations(world, owned)
    t.is(total, 1)
    t.like(items, [{ peer: DIGITS, peerName: 'Ann', unreadCount: 2, lastMessageAt: new Date(world.clock.now()) }])
    for (const peer of [USER, DIGITS]) {
      t.deepEqual(await history(world, owned, peer), {
        texts: ['newest', 'first'],
        total: 2,
        conversationIds: new Set(items.map(({ id }) => id)),
      })
      t.is((await history(world, owned, peer, 'OUTBOUND')).total, 1)
    }
    t.is((await world.stores.messages.unread(owned.number.id, PAGE)).total, 2)
    t.true(
      JSON.stringify(await world.stores.messages.markConversationRead(owned.number.id, old?.id ?? '')).includes(
        '"count":2',
      ),
      'the id it had leads to it still',
    )
    t.is((await conversations(world, owned)).items[0]?.unreadCount, 0)
  })

  test(`${name}: a conversation that was only known by the user's id becomes that of the user's number`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    for (const one of [owned, stranger])
      await received(world, one, { peer: USER, from: USER, happenedAt: new Date(world.clock.now() - DAY_MS) }, 'hidden')
    await world.stores.inbox.name(owned.fence, NAMED)
    t.like(await conversations(world, owned), {
      total: 1,
      items: [{ peer: DIGITS, unreadCount: 1, lastMessagePreview: 'hidden' }],
    })
    t.is((await history(world, owned, DIGITS)).total, 1)
    t.like(await conversations(world, stranger), { total: 1, items: [{ peer: USER }] })
    t.is((await history(world, stranger, DIGITS)).total, 0, 'of another number')
    await received(world, owned, { peer: USER, from: USER }, 'hidden again')
    t.like((await conversations(world, owned)).items, [{ peer: DIGITS, lastMessagePreview: 'hidden again' }])
  })

  // [identities.joining.1] [identities.identities.2] [identities.identities.3]
  test(`${name}: after a user changes numbers, both numbers and the id lead to one conversation, which shows them`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const NEXT = '4915100000088'
    await world.stores.inbox.name(owned.fence, NAMED)
    await received(world, owned, { peer: USER, from: USER }, 'before')
    t.is(await world.stores.inbox.name(owned.fence, { addresses: [NEXT, USER] }), 'applied')
    await received(world, owned, { peer: USER, from: USER }, 'after')
    for (const peer of [DIGITS, NEXT, USER])
      t.deepEqual((await history(world, owned, peer)).texts.toSorted(), ['after', 'before'], peer)
    const [conversation] = (await conversations(world, owned)).items
    t.is(conversation?.peer, NEXT)
    t.deepEqual(shownOf(conversation).toSorted(), [`PHONE ${DIGITS}`, `PHONE ${NEXT}`, `USER_ID ${USER}`])
    t.is(await world.stores.inbox.name(owned.fence, NAMED), 'applied', 'the user went back')
    t.is((await conversations(world, owned)).items[0]?.peer, DIGITS)
    t.is((await conversations(world, owned)).items[0]?.identities.length, 3)
  })

  // [identities.joining.4]
  test(`${name}: of two conversations the older one stays, and the other one's id answers for it`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, { peer: USER, from: USER }, 'first')
    const [older] = (await conversations(world, owned)).items
    world.clock.advance(1_000)
    await received(world, owned, { peer: DIGITS, from: DIGITS }, 'second')
    const younger = (await conversations(world, owned)).items.find(({ peer }) => peer === DIGITS)
    await world.stores.inbox.name(owned.fence, NAMED)
    const { items } = await conversations(world, owned)
    t.like(items, [{ id: older?.id, peer: DIGITS, unreadCount: 2, createdAt: older?.createdAt }])
    t.deepEqual(shownOf(items[0]), [`PHONE ${DIGITS}`, `USER_ID ${USER}`])
    t.is((await world.stores.messages.markConversationRead(owned.number.id, younger?.id ?? ''))?.count, 2)
    t.is((await conversations(world, owned)).items[0]?.unreadCount, 0)
  })

  test(`${name}: three conversations become one, whichever two are named first`, async (t) => {
    const world = makeWorld()
    const LID = '123456789012345@lid'
    for (const order of [
      [
        [DIGITS, LID],
        [DIGITS, USER],
      ],
      [
        [DIGITS, USER],
        [USER, LID],
      ],
      [[DIGITS, USER, LID]],
    ]) {
      const owned = await ownedNumber(world)
      for (const peer of [USER, DIGITS, LID]) await received(world, owned, { peer, from: peer }, peer)
      for (const addresses of order) await world.stores.inbox.name(owned.fence, { addresses })
      const { items, total } = await conversations(world, owned)
      t.is(total, 1)
      t.like(items, [{ peer: DIGITS, unreadCount: 3 }])
      t.is(items[0]?.identities.length, 3)
      for (const peer of [USER, DIGITS, LID]) t.is((await history(world, owned, peer)).total, 3)
    }
  })

  // [identities.joining.3] [identities.identities.1]
  test(`${name}: another form of a person's digits finds the conversation that exists`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const people = [
      ['5511987654321', '551187654321'],
      ['551187654322', '5511987654322'],
      ['525512345678', '5215512345678'],
      ['5215512345679', '525512345679'],
      ['5491123456789', '541123456789'],
      ['541123456780', '5491123456780'],
    ] as const
    for (const [known, other] of people) {
      await received(world, owned, { peer: known, from: known }, 'hello')
      await accepted(world, owned, { to: direct(other) }, 'hi')
      await received(world, owned, { peer: other, from: other }, 'again')
      for (const peer of [known, other]) {
        t.is((await history(world, owned, peer)).total, 2, peer)
        t.is((await history(world, owned, peer, 'OUTBOUND')).total, 1, peer)
      }
    }
    t.is((await conversations(world, owned)).total, people.length)
  })

  test(`${name}: a node that lost the number cannot link the addresses of a user`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.is(await world.stores.inbox.name({ ...owned.fence, token: 99 }, NAMED), 'fenced')
    await received(world, owned, { peer: USER, from: USER })
    t.like((await conversations(world, owned)).items, [{ peer: USER }])
  })

  test(`${name}: RELAY_ONLY keeps neither address of a user`, async (t) => {
    const world = makeWorld()
    const owned = await privateNumber(world, 'RELAY_ONLY')
    const [digits, userId] = ['4917700000777', 'DE.777']
    for (const peer of [digits, userId]) await received(world, owned, { peer, from: peer, events: [] })
    await world.stores.inbox.name(owned.fence, { addresses: [digits, userId] })
    t.like(await conversations(world, owned), { total: 1, items: [{ peer: null, unreadCount: 2 }] })
    for (const table of ['messages', 'conversations', 'conversation_aliases']) {
      const raw = await world.rawTable(table)
      for (const secret of [digits, userId]) t.false(raw.includes(secret), `${table} holds ${secret}`)
    }
  })

  test(`${name}: sends, arrivals and links of addresses at once lose no message, and a purge joins messages that missed a link`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const users = Array.from({ length: 12 }, (_, n) => ({ digits: String(4915200000000 + n), userId: `DE.${n}` }))
    await Promise.all(
      users.flatMap((user) => [
        world.stores.inbox.name(owned.fence, { addresses: [user.digits, user.userId] }),
        ...[user.digits, user.userId].flatMap((peer) => [
          world.stores.inbox.receive(owned.fence, incoming(world, owned, { peer, from: peer, events: [] })),
          world.stores.messages.accept(newMessage(world, owned, { to: direct(peer) }), null),
        ]),
      ]),
    )
    await world.stores.messages.purge()
    const { items, total } = await conversations(world, owned)
    t.is(total, users.length)
    t.deepEqual(
      items.map(({ peer }) => peer).toSorted(),
      users.map(({ digits }) => digits),
    )
    for (const { digits, userId } of users) {
      for (const peer of [digits, userId]) {
        t.is((await history(world, owned, peer)).total, 2, peer)
        t.is((await history(world, owned, peer, 'OUTBOUND')).total, 2, peer)
      }
    }
  })

  test(`${name}: a call with a user who hid the number shows the conversation of the number`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, { peer: DIGITS, from: DIGITS })
    world.clock.advance(1_000)
    await received(world, owned, { peer: USER, from: USER })
    const { conversationId } = (await world.stores.messages.unread(owned.number.id, PAGE)).items[0] ?? t.fail()
    const call = newCall(owned, { peerNumber: USER, conversationId })
    await world.stores.calls.insert(owned.fence, call, [])
    await world.stores.inbox.name(owned.fence, NAMED)
    const [conversation] = (await conversations(world, owned)).items
    t.not(conversation?.id, conversationId)
    t.is((await world.stores.calls.find(owned.number.id, call.id))?.conversationId, conversation?.id)
    t.is(
      (await world.stores.calls.list(owned.number.id, { limit: 1, before: null }))[0]?.conversationId,
      conversation?.id,
    )
  })
}
