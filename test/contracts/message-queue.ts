import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { accepted, DAY_MS, direct, FAILURE, headIds, HOUR_MS, messageEvents, received, sent } from './message-world.ts'
import { ownedNumber, storedEvents, type MakeWorld } from './world.ts'

/** What every SendQueue writes into the rows of messages, and tells. */
export function sendQueueSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [events.envelope.2] [events.data.3]
  test(`${name}: a sent message forgets what was to be sent and is told once`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { correlationId: 'order "7"' }, 'the secret text')
    const settlement = { messageId: message.id, kind: 'sent', externalMessageId: 'q.sent' } as const
    const results = await Promise.all([1, 2, 3].map(() => world.stores.queue.settle(owned.fence, settlement)))
    t.deepEqual(results.toSorted(), ['applied', 'moved', 'moved'])
    t.like(await world.stores.messages.find(owned.number.id, 'q.sent'), {
      id: message.id,
      status: 'SENT',
      sentAt: new Date(world.clock.now()),
      content: message.content,
    })
    t.deepEqual(
      (await messageEvents(world, owned)).map(({ event, data }) => [event, data]),
      [
        [
          'message.sent',
          {
            messageId: 'q.sent',
            internalMessageId: message.id,
            correlationId: 'order "7"',
            destination: '+4915100000001',
            createdAt: new Date(world.clock.now()).toISOString(),
          },
        ],
      ],
    )
    t.is(await world.stores.queue.begin(owned.fence, message.id), 'moved')
    t.false(
      (await world.rawTable('messages')).includes('"mode":"text","text":"the secret text"'.replaceAll('"', '\\"')),
    )
  })

  // [events.data.4]
  test(`${name}: a failed message says why, in its row and in its event`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [one, two] = [
      await accepted(world, owned),
      await accepted(world, owned, { to: { type: 'GROUP', address: '1@g.us' } }),
    ]
    await world.stores.queue.settle(owned.fence, { messageId: one.id, kind: 'failed', failure: FAILURE })
    await world.stores.queue.settle(owned.fence, {
      messageId: two.id,
      kind: 'failed',
      failure: { ...FAILURE, details: null, upstreamCode: 'x"y' },
    })
    t.like(await world.stores.messages.find(owned.number.id, one.id), {
      status: 'FAILED',
      failedAt: new Date(world.clock.now()),
      errorCode: 'OFFICIAL_ERROR',
      errorMessage: FAILURE.message,
    })
    const [first, second] = await messageEvents(world, owned)
    t.is(first?.event, 'message.failed')
    t.deepEqual(first?.data, {
      messageId: null,
      internalMessageId: one.id,
      correlationId: one.id,
      destination: '+4915100000001',
      createdAt: new Date(world.clock.now()).toISOString(),
      code: 'OFFICIAL_ERROR',
      errorMessage: FAILURE.message,
      error_data: { details: 'for a reason' },
      upstreamCode: 131_000,
    })
    t.like(second?.data, { destination: '1@g.us', error_data: { details: null }, upstreamCode: 'x"y' })
  })

  // [messages.failures.13]
  test(`${name}: a removed number tells of each message that it did not send, and of no other`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await sent(world, owned, 'q.gone')
    const waiting = [
      await accepted(world, owned, { correlationId: 'order 9' }),
      await accepted(world, owned, { deliverAt: new Date(world.clock.now() + HOUR_MS) }),
    ]
    t.false(await world.stores.numbers.remove((await ownedNumber(world)).tenantId, owned.number.id))
    t.true(await world.stores.numbers.remove(owned.tenantId, owned.number.id))
    const events = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })
    t.deepEqual(
      events.map(({ event }) => event),
      ['number.created', 'message.sent', 'message.failed', 'message.failed', 'number.removed'],
    )
    t.is(new Set(events.map(({ id }) => id)).size, events.length)
    // Readers of events see nothing of a removed number's messages; its webhooks get what is stored.
    const stored = (await world.rawTable('events')).replaceAll('\\', '')
    for (const { id, correlationId } of waiting) {
      t.true(
        stored.includes(
          JSON.stringify({
            messageId: null,
            internalMessageId: id,
            correlationId,
            destination: '+4915100000001',
            createdAt: new Date(world.clock.now()).toISOString(),
            code: 'NUMBER_NOT_FOUND_REMOVED',
            errorMessage: 'The number was removed before the message was sent',
            error_data: { details: null },
            upstreamCode: null,
          }),
        ),
        id,
      )
    }
  })

  test(`${name}: writes of many numbers that come together, fenced ones among them, all get their own answer`, async (t) => {
    const world = makeWorld()
    const numbers = await Promise.all(Array.from({ length: 12 }, () => ownedNumber(world)))
    const messages = await Promise.all(numbers.map((owned) => accepted(world, owned)))
    const renewals = Promise.all([1, 2, 3].map(() => world.leases().renew()))
    const results = await Promise.all(
      numbers.map((owned, n) =>
        world.stores.queue.settle(n % 3 === 0 ? { ...owned.fence, token: 99 } : owned.fence, {
          messageId: messages[n]?.id ?? newId('msg'),
          kind: 'sent',
          externalMessageId: 'the same',
        }),
      ),
    )
    await renewals
    t.deepEqual(
      results,
      numbers.map((_, n) => (n % 3 === 0 ? 'fenced' : 'applied')),
    )
    for (const [n, owned] of numbers.entries()) t.is((await messageEvents(world, owned)).length, n % 3 === 0 ? 0 : 1)
  })

  test(`${name}: an echo that came first keeps the upstream id, and the message is sent all the same`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [message, other] = [
      await accepted(world, owned),
      await accepted(world, owned, { to: direct('4915100000002') }),
    ]
    const echo = await received(world, owned, { externalMessageId: 'q.echo', isFromMe: true, isUnread: false })
    const results = await Promise.all(
      [message, other].map(({ id }) =>
        world.stores.queue.settle(owned.fence, { messageId: id, kind: 'sent', externalMessageId: 'q.echo' }),
      ),
    )
    t.deepEqual(results, ['applied', 'applied'])
    t.like(await world.stores.messages.find(owned.number.id, message.id), { status: 'SENT', externalMessageId: null })
    t.is((await world.stores.messages.find(owned.number.id, 'q.echo'))?.id, echo.id)
  })

  test(`${name}: a message that a status moved meanwhile keeps that status and still gets its upstream id`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { deliverAt: new Date(world.clock.now() + 1) })
    await world.stores.messages.cancel(owned.number.id, [message.id])
    t.is(
      await world.stores.queue.settle(owned.fence, {
        messageId: message.id,
        kind: 'sent',
        externalMessageId: 'q.late',
      }),
      'moved',
    )
    t.like(await world.stores.messages.find(owned.number.id, 'q.late'), { id: message.id, status: 'CANCELED' })
    t.is(await world.stores.queue.settle(owned.fence, { messageId: message.id, kind: 'again', afterMs: 1 }), 'moved')
  })

  // [messages.send.7] [messages.failures.10]
  test(`${name}: a message past its deliverUntil is not begun and fails at once`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned, { deliverUntil: new Date(world.clock.now() + HOUR_MS) })
    const next = await accepted(world, owned)
    world.clock.advance(HOUR_MS)
    t.is(await world.stores.queue.begin(owned.fence, message.id), 'moved')
    t.like(await world.stores.messages.find(owned.number.id, message.id), {
      status: 'FAILED',
      errorCode: 'EXPIRED_AFTER_ATTEMPTS',
    })
    t.deepEqual(await headIds(world, owned), [next.id])
    t.deepEqual(
      (await messageEvents(world, owned)).map(({ event }) => event),
      ['message.failed'],
    )
  })

  // [messages.failures.11] [messages.failures.12]
  test(`${name}: a message that waited too long ends with its own code, and a message in doubt is left alone`, async (t) => {
    const world = makeWorld(Date.UTC(1990, 0, 1))
    const owned = await ownedNumber(world)
    const deliverUntil = new Date(world.clock.now() + HOUR_MS)
    const make = (n: number, fields: object = {}) =>
      accepted(world, owned, { to: direct(`491510000010${n}`), ...fields })
    const [late, never, tried, doubtful, scheduled, held] = [
      await make(1, { deliverUntil }),
      await make(2),
      await make(3),
      await make(4, { deliverUntil }),
      await make(5, { deliverAt: new Date(world.clock.now() + 6 * DAY_MS) }),
      await make(6),
    ]
    for (const afterMs of [HOUR_MS, 8 * DAY_MS])
      await world.stores.queue.settle(owned.fence, { messageId: held.id, kind: 'held', afterMs })
    await world.stores.queue.begin(owned.fence, tried.id)
    await world.stores.queue.settle(owned.fence, { messageId: tried.id, kind: 'again', afterMs: 1 })
    t.is(await world.stores.queue.expire(100, 60_000), 0)
    world.clock.advance(HOUR_MS - 1000)
    t.is(await world.stores.queue.begin(owned.fence, doubtful.id), 'applied')
    world.clock.advance(1000)
    const codes = async () =>
      Promise.all(
        [late, never, tried, doubtful, scheduled, held].map(
          async ({ id }) => (await world.stores.messages.find(owned.number.id, id))?.errorCode,
        ),
      )
    const counts = await Promise.all([1, 2, 3].map(() => world.stores.queue.expire(100, 60_000)))
    t.is(
      counts.reduce((sum, count) => sum + count, 0),
      1,
      'nodes that expire at once do not tell twice',
    )
    t.deepEqual(await codes(), ['EXPIRED_AFTER_ATTEMPTS', null, null, null, null, null])
    world.clock.advance(60_000)
    t.is(await world.stores.queue.expire(100, 60_000), 1)
    world.clock.advance(7 * DAY_MS)
    t.is(await world.stores.queue.expire(1, 60_000), 1)
    t.is(await world.stores.queue.expire(100, 60_000), 2)
    t.deepEqual(await codes(), [
      'EXPIRED_AFTER_ATTEMPTS',
      'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED',
      'DELIVERY_TIMEOUT',
      'EXPIRED_AFTER_ATTEMPTS',
      null,
      'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED',
    ])
    const told = await messageEvents(world, owned)
    t.deepEqual(
      told.map(({ data }) => data['code']),
      [
        'EXPIRED_AFTER_ATTEMPTS',
        'EXPIRED_AFTER_ATTEMPTS',
        'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED',
        'DELIVERY_TIMEOUT',
        'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED',
      ],
    )
    t.is(new Set(told.map(({ id }) => id)).size, 5)
    t.regex(told[0]?.id ?? '', /^evt_[0-9a-z]{26}$/)
    t.deepEqual(told[0]?.data['destination'], '+4915100000101')
    world.clock.advance(6 * DAY_MS)
    t.is(await world.stores.queue.expire(100, 60_000), 1, 'a scheduled message waits from its own time on')
  })
}
