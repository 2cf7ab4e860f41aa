import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { accepted, ALL, DAY_MS, GROUP, PAGE, PEER, received, sent, threeNumbers } from './message-world.ts'
import { ownedNumber, type MakeWorld } from './world.ts'

/** How messages are read. */
export function messageReadSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: numbers that talk to the same peer see nothing of each other`, async (t) => {
    const world = makeWorld()
    const numbers = await threeNumbers(world)
    for (const owned of numbers) {
      await accepted(world, owned, { correlationId: 'shared' }, owned.number.id)
      await received(world, owned, { externalMessageId: 'shared.in' }, owned.number.id)
      await received(world, owned, { peer: GROUP, conversationType: 'GROUP' }, owned.number.id)
    }
    for (const { number } of numbers) {
      const { messages } = world.stores
      t.is((await messages.find(number.id, 'shared'))?.numberId, number.id)
      t.is((await messages.find(number.id, 'shared.in'))?.numberId, number.id)
      for (const direction of ['INBOUND', 'OUTBOUND'] as const) {
        const { items, total } = await messages.history(number.id, { ...ALL, direction, peer: PEER })
        t.deepEqual([items.map(({ content }) => content?.text), total], [[number.id], 1])
      }
      t.deepEqual(
        (await messages.unread(number.id, PAGE)).items.map(({ content }) => content?.text),
        [number.id, number.id],
      )
      t.is((await messages.ofGroups(number.id, { ...ALL, direction: 'INBOUND', groupId: null })).total, 1)
      t.is((await messages.conversations(number.id, PAGE)).total, 2)
      t.is((await world.stores.queue.heads(number.id, [], 10)).length, 1)
    }
    const [one, two] = numbers
    const [foreign] = (await world.stores.messages.conversations(two.number.id, PAGE)).items
    t.is(await world.stores.messages.markConversationRead(one.number.id, foreign?.id ?? ''), null)
    const [message] = (await world.stores.messages.unread(two.number.id, PAGE)).items
    t.is((await world.stores.messages.markRead(one.number.id, [message?.id ?? ''])).count, 0)
    t.is((await world.stores.messages.unread(two.number.id, PAGE)).total, 2)
  })

  // [message-verbs.modes.4]
  test(`${name}: the chat of a message is found for the number alone, and its address is withheld with the message`, async (t) => {
    const world = makeWorld()
    const [owned, other] = await threeNumbers(world)
    const { messages } = world.stores
    const chatOf = async (externalMessageId: string, address: string, numberId = owned.number.id) => {
      const found = await messages.find(owned.number.id, externalMessageId)
      return found && (await messages.chatOf(numberId, found.id, address))
    }
    await received(world, owned, { externalMessageId: 'direct' })
    await received(world, owned, { externalMessageId: 'in group', peer: GROUP, conversationType: 'GROUP' })
    t.deepEqual(await chatOf('direct', PEER), { to: { type: 'DIRECT', address: PEER }, isThere: true })
    t.deepEqual(await chatOf('direct', GROUP), { to: { type: 'DIRECT', address: PEER }, isThere: false })
    t.deepEqual(await chatOf('in group', GROUP), { to: { type: 'GROUP', address: GROUP }, isThere: true })
    t.is(await chatOf('direct', PEER, other.number.id), null)
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    t.deepEqual(await chatOf('direct', PEER), { to: null, isThere: true })
  })

  // [message-verbs.verbs.3]
  test(`${name}: a conversation is found by id or name, with the last message that came in, for the number alone`, async (t) => {
    const world = makeWorld()
    const [owned, other] = await threeNumbers(world)
    const { messages } = world.stores
    await received(world, owned, { externalMessageId: 'tk.1' })
    world.clock.advance(1_000)
    await received(world, owned, { externalMessageId: 'tk.2' })
    await received(world, owned, { externalMessageId: 'tk.own', isFromMe: true, isUnread: false })
    await received(world, owned, { externalMessageId: 'tk.notice', type: 'system', isUnread: false })
    const found = await messages.find(owned.number.id, 'tk.1')
    const byId = { conversationId: found?.conversationId ?? '' }
    for (const by of [byId, { address: PEER }]) {
      t.deepEqual(await messages.talkOf(owned.number.id, by), { address: PEER, lastInboundId: 'tk.2' })
      t.is(await messages.talkOf(other.number.id, by), null)
    }
    t.is(await messages.talkOf(owned.number.id, { address: '4915199999999' }), null)
    await sent(world, owned, 'tk.3', { to: { type: 'DIRECT', address: '4915100000009' } })
    t.deepEqual(await messages.talkOf(owned.number.id, { address: '4915100000009' }), {
      address: '4915100000009',
      lastInboundId: null,
    })
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    t.deepEqual(await messages.talkOf(owned.number.id, byId), { address: null, lastInboundId: 'tk.2' })
  })

  test(`${name}: history is newest first, within its dates, of one direction and one peer, without channels`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const times: Date[] = []
    for (const text of ['one', 'two', 'three', 'four']) {
      times.push(new Date(world.clock.now()))
      await received(world, owned, {}, text)
      world.clock.advance(1000)
    }
    await received(world, owned, { peer: '4915100000002', from: '4915100000002' }, 'other')
    await received(world, owned, { peer: GROUP, conversationType: 'GROUP', peerName: 'Team' }, 'in the group')
    await received(world, owned, { peer: '1@newsletter', conversationType: 'NEWSLETTER' }, 'news')
    await received(world, owned, { isFromMe: true, isUnread: false }, 'echo')
    const texts = async (query: object) => {
      const { items, total } = await world.stores.messages.history(owned.number.id, {
        ...ALL,
        direction: 'INBOUND',
        peer: null,
        ...query,
      })
      return [items.map(({ content }) => content?.text), total]
    }
    t.deepEqual(await texts({}), [['in the group', 'other', 'four', 'three', 'two', 'one'], 6])
    t.deepEqual(await texts({ peer: PEER, pageSize: 2, page: 2 }), [['two', 'one'], 4])
    t.deepEqual(await texts({ startDate: times[1], endDate: times[2] }), [['three', 'two'], 2])
    t.deepEqual(await texts({ direction: 'OUTBOUND' }), [['echo'], 1])
    t.deepEqual(await texts({ page: 9 }), [[], 6])
    const groups = await world.stores.messages.ofGroups(owned.number.id, {
      ...ALL,
      direction: 'INBOUND',
      groupId: GROUP,
    })
    t.like(groups.items[0], {
      groupId: GROUP,
      groupName: 'Team',
      conversationUnreadCount: 1,
      content: { text: 'in the group' },
    })
    t.is(
      (await world.stores.messages.ofGroups(owned.number.id, { ...ALL, direction: 'OUTBOUND', groupId: GROUP })).total,
      0,
    )
    t.is(
      (await world.stores.messages.ofGroups(owned.number.id, { ...ALL, direction: 'INBOUND', groupId: 'x@g.us' }))
        .total,
      0,
    )
  })

  test(`${name}: unread counts follow what comes in and what is read`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { messages } = world.stores
    const told = []
    for (const text of ['a', 'b', 'c']) {
      told.push(await received(world, owned, {}, text))
      world.clock.advance(1000)
    }
    await received(world, owned, { isUnread: false }, 'history')
    await received(world, owned, { isFromMe: true }, 'echo')
    const unread = await messages.unread(owned.number.id, PAGE)
    t.deepEqual(
      [unread.items.map(({ content }) => content?.text), unread.total, unread.items[0]?.conversationUnreadCount],
      [['c', 'b', 'a'], 3, 3],
    )
    const [first, second, third] = told
    const some = [first?.id ?? '', third?.externalMessageId ?? '', 'unknown', first?.id ?? '']
    t.deepEqual(await messages.markRead(owned.number.id, some), {
      count: 2,
      externalMessageIds: [first?.externalMessageId ?? '', third?.externalMessageId ?? ''],
    })
    t.deepEqual(await messages.markRead(owned.number.id, some), { count: 0, externalMessageIds: [] })
    const [conversation] = (await messages.conversations(owned.number.id, PAGE)).items
    t.is(conversation?.unreadCount, 1)
    t.deepEqual(await messages.markConversationRead(owned.number.id, conversation?.id ?? ''), {
      count: 1,
      externalMessageIds: [second?.externalMessageId ?? ''],
    })
    t.deepEqual(await messages.markConversationRead(owned.number.id, conversation?.id ?? ''), {
      count: 0,
      externalMessageIds: [],
    })
    t.is(await messages.markConversationRead(owned.number.id, newId('conv')), null)
    t.is((await messages.unread(owned.number.id, PAGE)).total, 0)
  })

  test(`${name}: reads and arrivals at once lose no unread message`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned)
    const [conversation] = (await world.stores.messages.conversations(owned.number.id, PAGE)).items
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 4 === 0
          ? world.stores.messages.markConversationRead(owned.number.id, conversation?.id ?? '')
          : received(world, owned),
      ),
    )
    const { items, total } = await world.stores.messages.unread(owned.number.id, PAGE)
    t.is(total, items.length)
    t.is((await world.stores.messages.history(owned.number.id, { ...ALL, direction: 'INBOUND', peer: null })).total, 16)
  })

  test(`${name}: conversations come by last activity, with preview and service window`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, { peer: '4915100000002', peerName: 'Bob' }, 'x'.repeat(150))
    world.clock.advance(1000)
    const waiting = await accepted(world, owned, {}, 'sent later')
    world.clock.advance(1000)
    await received(
      world,
      owned,
      { peer: '4915100000002', peerName: null, happenedAt: new Date(world.clock.now() - DAY_MS) },
      'from history',
    )
    const list = async () => (await world.stores.messages.conversations(owned.number.id, PAGE)).items
    t.deepEqual(
      (await list()).map(({ peer, peerName }) => [peer, peerName]),
      [
        [PEER, null],
        ['4915100000002', 'Bob'],
      ],
    )
    t.is((await list())[1]?.lastMessagePreview, 'x'.repeat(100))
    world.clock.advance(1000)
    await received(world, owned, { peer: '4915100000002' }, 'newer')
    t.deepEqual(
      (await list()).map(({ lastMessagePreview }) => lastMessagePreview),
      ['newer', 'sent later'],
    )
    world.clock.advance(1000)
    await world.stores.queue.settle(owned.fence, { messageId: waiting.id, kind: 'sent', externalMessageId: 'up.late' })
    t.deepEqual(
      (await list()).map(({ lastMessagePreview, windowExpiresAt }) => [lastMessagePreview, windowExpiresAt]),
      [
        ['sent later', null],
        ['newer', null],
      ],
    )
    t.is(
      (await world.stores.messages.conversations(owned.number.id, { page: 2, pageSize: 1 })).items[0]?.peer,
      '4915100000002',
    )
  })
}
