import type { TestFn } from 'ava'
import {
  accepted,
  ALL,
  DAY_MS,
  direct,
  FAILURE,
  headIds,
  messageEvents,
  PAGE,
  privateNumber,
  received,
  sent,
} from './message-world.ts'
import { callEvent, ownedNumber, storedEvents, type MakeWorld } from './world.ts'

/** What privacy modes leave of messages. */
export function messagePrivacySuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: RELAY_ONLY sends and counts without keeping content, names or addresses`, async (t) => {
    const world = makeWorld()
    const owned = await privateNumber(world, 'RELAY_ONLY')
    const [peer, text] = ['4917700000123', 'a private text']
    const message = await accepted(world, owned, { to: direct(peer) }, text)
    t.like((await world.stores.queue.heads(owned.number.id, [], 1))[0], {
      to: direct(peer),
      outgoing: message.outgoing,
    })
    await world.stores.queue.begin(owned.fence, message.id)
    await world.stores.queue.settle(owned.fence, { messageId: message.id, kind: 'sent', externalMessageId: 'p.1' })
    await received(
      world,
      owned,
      { peer, from: peer, peerName: 'Zoë Secret', fromName: 'Zoë Secret', externalMessageId: 'p.2', events: [] },
      text,
    )
    await received(world, owned, { peer, from: peer, events: [] }, text)
    const failing = await accepted(world, owned, { to: direct(peer) }, text)
    await world.stores.queue.settle(owned.fence, { messageId: failing.id, kind: 'failed', failure: FAILURE })
    const waiting = await accepted(world, owned, { to: direct(peer), deliverAt: new Date(world.clock.now() + 1) }, text)
    await world.stores.messages.cancel(owned.number.id, [waiting.id])
    t.like((await messageEvents(world, owned))[0], { event: 'message.sent' })
    for (const table of ['messages', 'conversations']) {
      const raw = await world.rawTable(table)
      for (const secret of [peer, text, 'Zoë Secret', owned.number.number])
        t.false(raw.includes(secret), `${table} holds ${secret}`)
    }
    const withheld = { content: null, from: null, fromName: null, to: null, isRedacted: true }
    t.like(await world.stores.messages.find(owned.number.id, message.id), {
      ...withheld,
      status: 'SENT',
      externalMessageId: 'p.1',
    })
    const unread = await world.stores.messages.unread(owned.number.id, PAGE)
    t.is(unread.total, 2)
    t.like(unread.items[0], { ...withheld, conversationUnreadCount: 2, groupId: null })
    t.like((await world.stores.messages.conversations(owned.number.id, PAGE)).items, [
      { peer: null, peerName: null, lastMessagePreview: null, unreadCount: 2 },
    ])
    t.is(
      (await world.stores.messages.history(owned.number.id, { ...ALL, direction: 'INBOUND', peer })).total,
      2,
      'a peer is found by whoever knows the address',
    )
  })

  test(`${name}: a number that becomes RELAY_ONLY hides what it has at once, and a purge wipes it`, async (t) => {
    const world = makeWorld()
    const [owned, other] = [await ownedNumber(world), await ownedNumber(world)]
    const [peer, text] = ['4917700000456', 'once kept']
    const queued = await accepted(world, owned, { to: direct('4917700000789') }, 'still to be sent')
    await received(world, owned, { peer, from: peer, externalMessageId: 'm.1', peerName: 'Yan Secret' }, text)
    await received(world, other, { externalMessageId: 'm.1' }, 'of the other')
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    t.like(await world.stores.messages.find(owned.number.id, 'm.1'), {
      content: null,
      from: null,
      to: null,
      isRedacted: true,
    })
    t.like(
      (await world.stores.messages.conversations(owned.number.id, PAGE)).items,
      Array.from({ length: 2 }, () => ({ peer: null, peerName: null, lastMessagePreview: null })),
    )
    for (const _ of [1, 2]) {
      await world.stores.messages.purge()
      const raw = (await world.rawTable('messages')) + (await world.rawTable('conversations'))
      for (const secret of [peer, text, 'Yan Secret']) t.false(raw.includes(secret), secret)
      world.clock.advance(120_000)
    }
    t.like((await world.stores.queue.heads(owned.number.id, [], 10))[0], {
      id: queued.id,
      to: queued.to,
      outgoing: queued.outgoing,
    })
    t.like(await world.stores.messages.find(other.number.id, 'm.1'), { content: { text: 'of the other' } })
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'STORE_INDEFINITE' })
    t.like(await world.stores.messages.find(owned.number.id, 'm.1'), { content: null, isRedacted: true })
    await received(world, owned, { peer, from: peer }, 'kept again')
    t.is(
      (await world.stores.messages.conversations(owned.number.id, PAGE)).items.find((item) => item.unreadCount === 2)
        ?.peer,
      peer,
    )
  })

  test(`${name}: past the window of STORE_X_DAYS messages are withheld, and a purge deletes them`, async (t) => {
    const world = makeWorld(Date.UTC(2030, 0, 1))
    const [owned, other] = [await privateNumber(world, 'STORE_X_DAYS', 7), await ownedNumber(world)]
    await received(world, owned, { externalMessageId: 'x.old', peer: '4917711111111' }, 'old')
    await received(
      world,
      owned,
      { externalMessageId: 'x.news', peer: 'x@newsletter', conversationType: 'NEWSLETTER', isUnread: false },
      'old news',
    )
    await received(world, other, { externalMessageId: 'x.other' }, 'of the other')
    const old = await sent(world, owned, 'x.sent', { to: direct('4917722222222') })
    const waiting = await accepted(world, owned, { to: direct('4917733333333') }, 'waiting')
    world.clock.advance(7 * DAY_MS)
    t.like(await world.stores.messages.find(owned.number.id, 'x.old'), { isRedacted: false })
    await received(world, owned, { externalMessageId: 'x.new', peer: '4917711111111' }, 'new')
    world.clock.advance(1)
    t.like(await world.stores.messages.find(owned.number.id, 'x.old'), {
      content: null,
      from: null,
      fromName: null,
      to: null,
      isRedacted: true,
    })
    t.like(
      (await world.stores.messages.history(owned.number.id, { ...ALL, direction: 'INBOUND', peer: null })).items.map(
        ({ content }) => content?.text ?? null,
      ),
      ['new', null],
    )
    const shown = (await world.stores.messages.conversations(owned.number.id, PAGE)).items
    t.deepEqual(
      shown.map(({ peer }) => peer),
      ['4917711111111', null, null, null],
    )
    t.is((await world.stores.messages.unread(owned.number.id, PAGE)).total, 2)
    await world.stores.messages.purge()
    for (const gone of ['x.old', 'x.news', old.id])
      t.is(await world.stores.messages.find(owned.number.id, gone), null, gone)
    t.like(await world.stores.messages.find(owned.number.id, 'x.new'), { content: { text: 'new' } })
    t.is((await world.stores.messages.unread(owned.number.id, PAGE)).total, 1)
    t.deepEqual(await headIds(world, owned), [waiting.id])
    t.like(await world.stores.messages.find(other.number.id, 'x.other'), { isRedacted: false })
    t.false((await world.rawTable('conversations')).includes('4917722222222'))
  })

  test(`${name}: message content in stored events is withheld like the messages`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, {
      events: [callEvent('message.received', { content: 'told' }), callEvent('call.ringing', { a: 1 })],
    })
    const told = async () =>
      (await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id }))
        .slice(1)
        .map(({ data }) => data)
    t.deepEqual(await told(), [{ content: 'told' }, { a: 1 }])
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 })
    t.deepEqual(await told(), [{ content: 'told' }, { a: 1 }])
    world.clock.advance(7 * DAY_MS + 1)
    t.deepEqual(await told(), [{ redacted: true }, { a: 1 }])
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'STORE_INDEFINITE' })
    t.deepEqual(await told(), [{ content: 'told' }, { a: 1 }])
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    t.deepEqual(await told(), [{ redacted: true }, { a: 1 }])
    await world.stores.numbers.remove(owned.tenantId, owned.number.id)
    t.deepEqual((await told()).slice(0, 2), [{ redacted: true }, { a: 1 }])
  })
}
