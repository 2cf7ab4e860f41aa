import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { accepted, DAY_MS, direct, FAILURE, headIds, HOUR_MS, messageEvents, received, sent } from './message-world.ts'
import { ownedNumber, storedEvents, type MakeWorld } from './world.ts'

/** Whose turn it is in every SendQueue. */
export function sendTurnsSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: one message a conversation is at its head, by the time it is due, then in the order of acceptance`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [ann, bob] = [direct('4915100000001'), direct('4915100000002')]
    const later = await accepted(world, owned, { to: ann, deliverAt: new Date(world.clock.now() + HOUR_MS) })
    const [a1, a2, b1] = [await accepted(world, owned, { to: ann }), await accepted(world, owned, { to: ann }), await accepted(world, owned, { to: bob })]
    t.deepEqual(await headIds(world, owned), [a1.id, b1.id])
    t.deepEqual(await headIds(world, owned, 1), [a1.id])
    const [head] = await world.stores.queue.heads(owned.number.id, [], 1)
    t.deepEqual((await world.stores.queue.heads(owned.number.id, [head?.conversationId ?? 'conv_'], 10)).map(({ id }) => id), [b1.id])
    t.is(await world.stores.queue.settle(owned.fence, { messageId: a1.id, kind: 'sent', externalMessageId: 'q.a1' }), 'applied')
    t.deepEqual(await headIds(world, owned), [a2.id, b1.id])
    await world.stores.queue.settle(owned.fence, { messageId: a2.id, kind: 'sent', externalMessageId: 'q.a2' })
    t.deepEqual(await headIds(world, owned), [b1.id])
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id), later.deliverAt)
    world.clock.advance(HOUR_MS)
    t.deepEqual(await headIds(world, owned), [b1.id, later.id])
    t.is(await world.stores.queue.nextDueAt(owned.number.id), null)
  })

  test(`${name}: looks for several numbers at once answer each its own heads, in order, past its own conversations and no more than it asks for`, async (t) => {
    const world = makeWorld()
    const numbers = [await ownedNumber(world), await ownedNumber(world), await ownedNumber(world)] as const
    const [ann, bob] = [direct('4915100000001'), direct('4915100000002')]
    const ids = []
    for (const owned of numbers.slice(0, 2)) ids.push([(await accepted(world, owned, { to: bob })).id, (await accepted(world, owned, { to: ann })).id])
    const [first] = await world.stores.queue.heads(numbers[0].number.id, [], 1)
    const found = await Promise.all([
      world.stores.queue.heads(numbers[0].number.id, [], 10),
      world.stores.queue.heads(numbers[1].number.id, [], 1),
      world.stores.queue.heads(numbers[2].number.id, [], 10),
      world.stores.queue.heads(numbers[0].number.id, [first?.conversationId ?? 'conv_'], 10),
      world.stores.queue.heads(numbers[1].number.id, [], 10),
    ])
    t.deepEqual(found.map((heads) => heads.map(({ id }) => id)), [ids[0], ids[1]?.slice(0, 1), [], ids[0]?.slice(1), ids[1]])
  })

  test(`${name}: a message that is put off or in doubt holds the later ones of its conversation, and keeps its place`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const first = await accepted(world, owned)
    await accepted(world, owned)
    t.is(await world.stores.queue.begin(owned.fence, first.id), 'applied')
    t.like((await world.stores.queue.heads(owned.number.id, [], 10))[0], { id: first.id, attempts: 1, attemptedAt: new Date(world.clock.now()) })
    t.is(await world.stores.queue.settle(owned.fence, { messageId: first.id, kind: 'again', afterMs: 5000 }), 'applied')
    t.deepEqual(await headIds(world, owned), [])
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id), new Date(world.clock.now() + 5000))
    world.clock.advance(5000)
    t.like(await world.stores.queue.heads(owned.number.id, [], 10), [{ id: first.id, attempts: 1, attemptedAt: null }])
    t.deepEqual(await messageEvents(world, owned), [], 'nothing is told of a try')
  })

  test(`${name}: whoever lost the number, or has another one, changes nothing`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    const message = await accepted(world, owned)
    const sentAs = { messageId: message.id, kind: 'sent', externalMessageId: 'q.fence' } as const
    const old = { ...owned.fence, token: owned.fence.token - 1 }
    const results = await Promise.all([
      world.stores.queue.settle(old, sentAs), world.stores.queue.settle(stranger.fence, sentAs), world.stores.queue.begin(old, message.id),
      world.stores.queue.begin(stranger.fence, message.id), world.stores.queue.settle(old, { messageId: message.id, kind: 'again', afterMs: 1 }),
    ])
    t.deepEqual(results, ['fenced', 'moved', 'fenced', 'moved', 'fenced'])
    t.like((await world.stores.queue.heads(owned.number.id, [], 1))[0], { id: message.id, attempts: 0, attemptedAt: null })
    t.deepEqual(await messageEvents(world, owned), [])
  })

  test(`${name}: connected numbers with due messages are listed`, async (t) => {
    const world = makeWorld(Date.UTC(2001, 0, 1))
    const [open, closed, later] = [await ownedNumber(world), await ownedNumber(world), await ownedNumber(world)]
    for (const owned of [open, later]) await world.stores.numbers.saveConnection(owned.fence, { state: 'OPEN' }, [])
    const message = await accepted(world, open)
    await accepted(world, closed)
    await accepted(world, later, { deliverAt: new Date(world.clock.now() + 1) })
    const listed = async () => (await world.stores.queue.listDue(10_000)).filter((id) => [open, closed, later].some(({ number }) => number.id === id))
    t.deepEqual(await listed(), [open.number.id])
    world.clock.advance(1)
    t.deepEqual(await listed(), [open.number.id, later.number.id])
    await world.stores.queue.settle(open.fence, { messageId: message.id, kind: 'sent', externalMessageId: 'q.due' })
    t.deepEqual(await listed(), [later.number.id])
  })

  test(`${name}: it is told how many sends wait, and since when`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await accepted(world, owned)
    // Others of the database may have some waiting too.
    const { count, since } = await world.stores.queue.waiting()
    t.true(count >= 1)
    t.true(since !== null && since.getTime() <= world.clock.now())
  })

  test(`${name}: behind a long queue of one conversation the others are still found`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const long = await Promise.all(Array.from({ length: 620 }, () => accepted(world, owned)))
    world.clock.advance(1000)
    const others = await Promise.all(Array.from({ length: 30 }, (_, n) => accepted(world, owned, { to: direct(String(4915200000000 + n)) })))
    t.deepEqual(await headIds(world, owned, 100), [long[0]?.id ?? newId('msg'), ...others.map(({ id }) => id)])
    t.deepEqual(await headIds(world, owned, 5), [long[0]?.id ?? newId('msg'), ...others.slice(0, 4).map(({ id }) => id)])
  })

  test(`${name}: of many conversations that are put off the due ones are found`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const put = await Promise.all(Array.from({ length: 510 }, (_, n) => accepted(world, owned, { to: direct(String(4915300000000 + n)) })))
    await Promise.all(put.map(({ id }) => world.stores.queue.settle(owned.fence, { messageId: id, kind: 'again', afterMs: 60_000 })))
    world.clock.advance(1)
    const due = await accepted(world, owned, { to: direct('4915400000000') })
    // One look passes 500 of the 511, from anywhere on; looks that miss it come to its place in the end.
    const looks = await Promise.all(Array.from({ length: 40 }, () => headIds(world, owned)))
    t.true(looks.some((ids) => ids.includes(due.id)))
    await sent(world, owned, 'q.other', { to: direct('4915500000000') })
  })
}

/** What every SendQueue leaves in the rows of messages, and tells. */
export function sendQueueSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a sent message forgets what was to be sent and is told once`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { correlationId: 'order "7"' }, 'the secret text')
    const settlement = { messageId: message.id, kind: 'sent', externalMessageId: 'q.sent' } as const
    const results = await Promise.all([1, 2, 3].map(() => world.stores.queue.settle(owned.fence, settlement)))
    t.deepEqual(results.toSorted(), ['applied', 'moved', 'moved'])
    t.like(await world.stores.messages.find(owned.number.id, 'q.sent'), { id: message.id, status: 'SENT', sentAt: new Date(world.clock.now()), content: message.content })
    t.deepEqual((await messageEvents(world, owned)).map(({ event, data }) => [event, data]), [['message.sent', {
      messageId: 'q.sent', internalMessageId: message.id, correlationId: 'order "7"', destination: '+4915100000001', createdAt: new Date(world.clock.now()).toISOString(),
    }]])
    t.is(await world.stores.queue.begin(owned.fence, message.id), 'moved')
    t.false((await world.rawTable('messages')).includes('"mode":"text","text":"the secret text"'.replaceAll('"', '\\"')))
  })

  test(`${name}: a failed message says why, in its row and in its event`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [one, two] = [await accepted(world, owned), await accepted(world, owned, { to: { type: 'GROUP', address: '1@g.us' } })]
    await world.stores.queue.settle(owned.fence, { messageId: one.id, kind: 'failed', failure: FAILURE })
    await world.stores.queue.settle(owned.fence, { messageId: two.id, kind: 'failed', failure: { ...FAILURE, details: null, upstreamCode: 'x"y' } })
    t.like(await world.stores.messages.find(owned.number.id, one.id), { status: 'FAILED', failedAt: new Date(world.clock.now()), errorCode: 'OFFICIAL_ERROR', errorMessage: FAILURE.message })
    const [first, second] = await messageEvents(world, owned)
    t.is(first?.event, 'message.failed')
    t.deepEqual(first?.data, {
      messageId: null, internalMessageId: one.id, correlationId: one.id, destination: '+4915100000001', createdAt: new Date(world.clock.now()).toISOString(),
      code: 'OFFICIAL_ERROR', errorMessage: FAILURE.message, error_data: { details: 'for a reason' }, upstreamCode: 131_000,
    })
    t.like(second?.data, { destination: '1@g.us', error_data: { details: null }, upstreamCode: 'x"y' })
  })

  test(`${name}: a removed number tells of each message that it did not send, and of no other`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await sent(world, owned, 'q.gone')
    const waiting = [await accepted(world, owned, { correlationId: 'order 9' }), await accepted(world, owned, { deliverAt: new Date(world.clock.now() + HOUR_MS) })]
    t.false(await world.stores.numbers.remove((await ownedNumber(world)).tenantId, owned.number.id))
    t.true(await world.stores.numbers.remove(owned.tenantId, owned.number.id))
    const events = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })
    t.deepEqual(events.map(({ event }) => event), ['number.created', 'message.sent', 'message.failed', 'message.failed', 'number.removed'])
    t.is(new Set(events.map(({ id }) => id)).size, events.length)
    // Readers of events see nothing of a removed number's messages any more; its webhooks get what is stored.
    const stored = (await world.rawTable('events')).replaceAll('\\', '')
    for (const { id, correlationId } of waiting) {
      t.true(stored.includes(JSON.stringify({
        messageId: null, internalMessageId: id, correlationId, destination: '+4915100000001', createdAt: new Date(world.clock.now()).toISOString(),
        code: 'NUMBER_NOT_FOUND_REMOVED', errorMessage: 'The number was removed before the message was sent', error_data: { details: null }, upstreamCode: null,
      })), id)
    }
  })

  test(`${name}: writes of many numbers that come together, fenced ones among them, all get their own answer`, async (t) => {
    const world = makeWorld()
    const numbers = await Promise.all(Array.from({ length: 12 }, () => ownedNumber(world)))
    const messages = await Promise.all(numbers.map((owned) => accepted(world, owned)))
    const renewals = Promise.all([1, 2, 3].map(() => world.leases().renew()))
    const results = await Promise.all(numbers.map((owned, n) => world.stores.queue.settle(n % 3 === 0 ? { ...owned.fence, token: 99 } : owned.fence,
      { messageId: messages[n]?.id ?? newId('msg'), kind: 'sent', externalMessageId: 'the same' })))
    await renewals
    t.deepEqual(results, numbers.map((_, n) => n % 3 === 0 ? 'fenced' : 'applied'))
    for (const [n, owned] of numbers.entries()) t.is((await messageEvents(world, owned)).length, n % 3 === 0 ? 0 : 1)
  })

  test(`${name}: an echo that came first keeps the upstream id, and the message is sent all the same`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [message, other] = [await accepted(world, owned), await accepted(world, owned, { to: direct('4915100000002') })]
    const echo = await received(world, owned, { externalMessageId: 'q.echo', isFromMe: true, isUnread: false })
    const results = await Promise.all([message, other].map(({ id }) => world.stores.queue.settle(owned.fence, { messageId: id, kind: 'sent', externalMessageId: 'q.echo' })))
    t.deepEqual(results, ['applied', 'applied'])
    t.like(await world.stores.messages.find(owned.number.id, message.id), { status: 'SENT', externalMessageId: null })
    t.is((await world.stores.messages.find(owned.number.id, 'q.echo'))?.id, echo.id)
  })

  test(`${name}: what a status moved meanwhile stays, and still gets its upstream id`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { deliverAt: new Date(world.clock.now() + 1) })
    await world.stores.messages.cancel(owned.number.id, [message.id])
    t.is(await world.stores.queue.settle(owned.fence, { messageId: message.id, kind: 'sent', externalMessageId: 'q.late' }), 'moved')
    t.like(await world.stores.messages.find(owned.number.id, 'q.late'), { id: message.id, status: 'CANCELED' })
    t.is(await world.stores.queue.settle(owned.fence, { messageId: message.id, kind: 'again', afterMs: 1 }), 'moved')
  })

  test(`${name}: what is past its deliverUntil is not begun and fails at once`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { deliverUntil: new Date(world.clock.now() + HOUR_MS) })
    const next = await accepted(world, owned)
    world.clock.advance(HOUR_MS)
    t.is(await world.stores.queue.begin(owned.fence, message.id), 'moved')
    t.like(await world.stores.messages.find(owned.number.id, message.id), { status: 'FAILED', errorCode: 'EXPIRED_AFTER_ATTEMPTS' })
    t.deepEqual(await headIds(world, owned), [next.id])
    t.deepEqual((await messageEvents(world, owned)).map(({ event }) => event), ['message.failed'])
  })

  test(`${name}: what waited too long ends with its own code, and what is in doubt is left alone`, async (t) => {
    const world = makeWorld(Date.UTC(1990, 0, 1))
    const owned = await ownedNumber(world)
    const deliverUntil = new Date(world.clock.now() + HOUR_MS)
    const make = (n: number, fields: object = {}) => accepted(world, owned, { to: direct(`491510000010${n}`), ...fields })
    const [late, never, tried, doubtful, scheduled] = [
      await make(1, { deliverUntil }), await make(2), await make(3), await make(4, { deliverUntil }), await make(5, { deliverAt: new Date(world.clock.now() + 6 * DAY_MS) }),
    ]
    await world.stores.queue.begin(owned.fence, tried.id)
    await world.stores.queue.settle(owned.fence, { messageId: tried.id, kind: 'again', afterMs: 1 })
    t.is(await world.stores.queue.expire(100, 60_000), 0)
    world.clock.advance(HOUR_MS - 1000)
    t.is(await world.stores.queue.begin(owned.fence, doubtful.id), 'applied')
    world.clock.advance(1000)
    const codes = async () => Promise.all([late, never, tried, doubtful, scheduled].map(async ({ id }) => (await world.stores.messages.find(owned.number.id, id))?.errorCode))
    const counts = await Promise.all([1, 2, 3].map(() => world.stores.queue.expire(100, 60_000)))
    t.is(counts.reduce((sum, count) => sum + count, 0), 1, 'nodes that expire at once do not tell twice')
    t.deepEqual(await codes(), ['EXPIRED_AFTER_ATTEMPTS', null, null, null, null])
    world.clock.advance(60_000)
    t.is(await world.stores.queue.expire(100, 60_000), 1)
    world.clock.advance(7 * DAY_MS)
    t.is(await world.stores.queue.expire(1, 60_000), 1)
    t.is(await world.stores.queue.expire(100, 60_000), 1)
    t.deepEqual(await codes(), ['EXPIRED_AFTER_ATTEMPTS', 'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED', 'DELIVERY_TIMEOUT', 'EXPIRED_AFTER_ATTEMPTS', null])
    const told = await messageEvents(world, owned)
    t.deepEqual(told.map(({ data }) => data['code']), ['EXPIRED_AFTER_ATTEMPTS', 'EXPIRED_AFTER_ATTEMPTS', 'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED', 'DELIVERY_TIMEOUT'])
    t.is(new Set(told.map(({ id }) => id)).size, 4)
    t.regex(told[0]?.id ?? '', /^evt_[0-9a-z]{26}$/)
    t.deepEqual(told[0]?.data['destination'], '+4915100000101')
    world.clock.advance(6 * DAY_MS)
    t.is(await world.stores.queue.expire(100, 60_000), 1, 'a scheduled message waits from its own time on')
  })
}
