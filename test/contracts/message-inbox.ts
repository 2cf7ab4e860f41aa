import type { TestFn } from 'ava'
import { messageSourcesOf } from '../../src/domain/message.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import type { TemplateBody } from '../../src/domain/template.ts'
import {
  accepted,
  ALL,
  direct,
  FAILURE,
  headIds,
  incoming,
  messageEvents,
  PAGE,
  PEER,
  received,
  report,
  sent,
} from './message-world.ts'
import { bodyOf, created, ownerOf } from './template-world.ts'
import { callEvent, ownedNumber, type MakeWorld } from './world.ts'
import { REPORTED, messageIn } from './reported-messages.ts'

/** What every MessageInbox does. */
export function messageInboxSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a message that comes in is stored once with its events, however often it is told`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1, 0, 0, 0, 7))
    const owned = await ownedNumber(world)
    const happenedAt = new Date(Date.UTC(2025, 11, 31))
    const message = incoming(
      world,
      owned,
      {
        happenedAt,
        events: [callEvent('message.received', { text: 'NUL \u0000 "and" \ud800' }), callEvent('message.stories')],
      },
      'NUL \u0000 😀',
    )
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        world.stores.inbox.receive(owned.fence, { ...message, id: `${message.id}${n}` }),
      ),
    )
    t.deepEqual(results.toSorted(), ['applied', 'stale', 'stale', 'stale', 'stale'])
    t.is(
      await world.stores.inbox.receive(
        owned.fence,
        incoming(world, owned, { externalMessageId: message.externalMessageId }),
      ),
      'stale',
    )
    t.like(await world.stores.messages.find(owned.number.id, message.externalMessageId), {
      direction: 'INBOUND',
      status: 'RECEIVED',
      from: PEER,
      fromName: 'Ann',
      to: owned.number.number,
      content: message.content,
      createdAt: happenedAt,
      isRedacted: false,
    })
    const events = await messageEvents(world, owned)
    t.deepEqual(
      events.map(({ event }) => event),
      ['message.received', 'message.stories'],
    )
    t.is(events[0]?.data['text'], 'NUL \u0000 "and" \ud800')
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).items[0]?.unreadCount, 1)
  })

  test(`${name}: a reply is told beside only when it quotes a message of the number`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    await sent(world, owned, 'r.ours')
    await received(world, owned, { externalMessageId: 'r.theirs' })
    await sent(world, stranger, 'r.foreign')
    const replyEvent: NewEvent = { event: 'message.reply', data: {} }
    for (const quotedMessageId of ['r.ours', 'r.theirs', 'r.foreign', 'r.unknown'])
      await received(world, owned, { quotedMessageId, replyEvent, events: [] })
    t.deepEqual(
      (await messageEvents(world, owned)).map(({ event }) => event),
      ['message.sent', 'message.received', 'message.reply'],
    )
  })

  test(`${name}: messages of many numbers that come together are all stored, in order`, async (t) => {
    const world = makeWorld()
    const numbers = [await ownedNumber(world), await ownedNumber(world), await ownedNumber(world)]
    const results = await Promise.all(
      Array.from({ length: 150 }, (_, n) => {
        const owned = numbers[n % 3] ?? numbers[0]
        if (!owned) throw new Error('there are three numbers')
        return world.stores.inbox.receive(
          n % 50 === 49 ? { ...owned.fence, token: 99 } : owned.fence,
          incoming(world, owned, {}, String(n)),
        )
      }),
    )
    t.is(results.filter((result) => result === 'applied').length, 147)
    t.is(results.filter((result) => result === 'fenced').length, 3)
    for (const [index, owned] of numbers.entries()) {
      const texts = (await messageEvents(world, owned)).map(({ data }) => Number(data['content']))
      t.deepEqual(
        texts,
        texts.toSorted((a, b) => a - b),
      )
      t.true(texts.every((text) => text % 3 === index))
      t.is((await world.stores.messages.unread(owned.number.id, PAGE)).total, 49)
    }
  })

  test(`${name}: stories are told without being stored, by the owner alone`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.is(await world.stores.inbox.tell(owned.fence, [callEvent('message.stories')]), 'applied')
    t.is(await world.stores.inbox.tell({ ...owned.fence, token: 99 }, [callEvent('message.stories')]), 'fenced')
    t.is((await messageEvents(world, owned)).length, 1)
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).total, 0)
  })

  for (const from of ['QUEUED', 'CANCELED', ...REPORTED] as const) {
    test(`${name}: a message that is ${from} moves as the table of statuses allows`, async (t) => {
      const world = makeWorld()
      const owned = await ownedNumber(world)
      for (const to of REPORTED) {
        const message = await messageIn(world, owned, from)
        const before = (await messageEvents(world, owned)).length
        const isLegal = messageSourcesOf(to).includes(from)
        world.clock.advance(1000)
        t.is(
          await world.stores.inbox.report(
            owned.fence,
            report(world, to, { messageId: message.id, externalMessageId: `t.${message.id}` }),
          ),
          isLegal ? 'applied' : 'stale',
          to,
        )
        const stored = await world.stores.messages.find(owned.number.id, `t.${message.id}`)
        t.is(stored?.status, isLegal ? to : from)
        const events = (await messageEvents(world, owned)).slice(before)
        const skipped = to === 'READ' && from !== 'DELIVERED' ? ['message.delivered'] : []
        t.deepEqual(
          events.map(({ event }) => event),
          isLegal ? [...skipped, `message.${to.toLowerCase()}`] : [],
        )
      }
    })
  }

  test(`${name}: a jump from the queue fills in the steps, tells of the delivery before the reading and leaves nothing to send`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await accepted(world, owned)
    const at = new Date(world.clock.now() - 500)
    t.is(
      await world.stores.inbox.report(owned.fence, report(world, 'READ', { externalMessageId: 'j.1', at })),
      'unknown',
      'nothing says which it is',
    )
    t.is(
      await world.stores.inbox.report(
        owned.fence,
        report(world, 'READ', { messageId: message.id, externalMessageId: 'j.1', at }),
      ),
      'applied',
    )
    t.like(await world.stores.messages.find(owned.number.id, 'j.1'), {
      id: message.id,
      status: 'READ',
      sentAt: at,
      deliveredAt: at,
      readAt: at,
    })
    const data = {
      messageId: 'j.1',
      internalMessageId: message.id,
      correlationId: message.id,
      destination: `+${PEER}`,
      createdAt: at.toISOString(),
    }
    t.deepEqual(
      (await messageEvents(world, owned)).map((told) => [told.event, told.data]),
      [
        ['message.delivered', data],
        ['message.read', data],
      ],
    )
    t.deepEqual(await headIds(world, owned), [])
    t.is(
      await world.stores.queue.settle(owned.fence, { messageId: message.id, kind: 'sent', externalMessageId: 'j.1' }),
      'moved',
    )
  })

  test(`${name}: a reading that comes before the delivery tells of both, in order, and the delivery that comes late of nothing`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [one, two] = [await sent(world, owned, 'r.1'), await sent(world, owned, 'r.2')]
    const early = await Promise.all(
      [one, two].map(({ id }, n) =>
        world.stores.inbox.report(
          owned.fence,
          report(world, 'READ', { messageId: id, externalMessageId: `r.${n + 1}` }),
        ),
      ),
    )
    t.deepEqual(early, ['applied', 'applied'])
    t.is(
      await world.stores.inbox.report(owned.fence, report(world, 'DELIVERED', { externalMessageId: 'r.1' })),
      'stale',
    )
    const told = (await messageEvents(world, owned)).map(({ event, data }) => [event, data.internalMessageId])
    t.deepEqual(
      told.slice(2),
      [one, two].flatMap(({ id }) => [
        ['message.delivered', id],
        ['message.read', id],
      ]),
    )
  })

  test(`${name}: reports of one message that come together are applied in their order`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await sent(world, owned, 'o.1')
    const statuses = ['DELIVERED', 'READ', 'DELIVERED', 'FAILED', 'SENT'] as const
    const results = await Promise.all(
      statuses.map((status, n) =>
        world.stores.inbox.report(
          owned.fence,
          report(world, status, { externalMessageId: 'o.1', messageId: n === 1 ? message.id : null }),
        ),
      ),
    )
    t.deepEqual(results, ['applied', 'applied', 'stale', 'stale', 'stale'])
    t.deepEqual(
      (await messageEvents(world, owned)).map(({ event }) => event),
      ['message.sent', 'message.delivered', 'message.read'],
    )
  })

  test(`${name}: sends, arrivals, statuses and reads of the same conversations at once all come through`, async (t) => {
    const world = makeWorld()
    const numbers = [await ownedNumber(world), await ownedNumber(world)]
    const peers = Array.from({ length: 6 }, (_, n) => String(4915800000000 + n))
    const { queue, inbox, messages } = world.stores
    const work = numbers.flatMap((owned, at) =>
      peers.flatMap((peer, n) =>
        Array.from({ length: 6 }, async (_, round) => {
          const message = await accepted(world, owned, { to: direct(peer) })
          const externalMessageId = `c.${at}.${n}.${round}`
          const results = await Promise.all([
            queue.settle(owned.fence, { messageId: message.id, kind: 'sent', externalMessageId }),
            inbox.receive(owned.fence, incoming(world, owned, { peer, from: peer, events: [] })),
            inbox.report(owned.fence, report(world, 'DELIVERED', { messageId: message.id, externalMessageId })),
            messages.unread(owned.number.id, PAGE).then(({ items }) =>
              messages.markRead(
                owned.number.id,
                items.slice(0, 2).map(({ id }) => id),
              ),
            ),
          ])
          t.is(results[1], 'applied')
          t.is(results[2], 'applied')
          t.like(await messages.find(owned.number.id, externalMessageId), { id: message.id, status: 'DELIVERED' })
        }),
      ),
    )
    await Promise.all(work)
    for (const { number } of numbers) {
      const { items, total } = await messages.unread(number.id, PAGE)
      t.is(total, items.length)
      t.is((await messages.history(number.id, { ...ALL, direction: 'OUTBOUND', peer: null })).total, 36)
      t.is((await messages.conversations(number.id, PAGE)).total, 6)
    }
  })

  test(`${name}: a failure that upstream reports keeps its reason`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const message = await sent(world, owned, 'f.1')
    t.is(await world.stores.inbox.report(owned.fence, report(world, 'FAILED', { externalMessageId: 'f.1' })), 'applied')
    t.like(await world.stores.messages.find(owned.number.id, message.id), {
      status: 'FAILED',
      errorCode: FAILURE.code,
      errorMessage: FAILURE.message,
      failedAt: new Date(world.clock.now()),
    })
    t.like((await messageEvents(world, owned))[1], {
      event: 'message.failed',
      data: { messageId: 'f.1', code: FAILURE.code, error_data: { details: 'for a reason' }, upstreamCode: 131_000 },
    })
  })

  test(`${name}: a file that upstream cannot use says of a template without files that it is not approved`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const bodies: readonly (TemplateBody | null)[] = [
      bodyOf('a'),
      { ...bodyOf('a'), header: { type: 'TEXT', text: 'IMAGE' } },
      { ...bodyOf('a'), header: { type: 'IMAGE' } },
      { ...bodyOf('a'), carousel: { cards: [] } },
      null,
    ]
    const codes: unknown[] = []
    for (const [index, body] of bodies.entries()) {
      const template = body && (await created(world, ownerOf(owned.number), { body }))
      const message = await accepted(world, owned, {
        type: 'template',
        template: 'welcome',
        templateId: template?.id ?? null,
      })
      const failure = { ...FAILURE, code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 131053 } as const
      await world.stores.inbox.report(owned.fence, {
        ...report(world, 'FAILED', { messageId: message.id, externalMessageId: `tpl.${index}` }),
        failure,
      })
      codes.push((await world.stores.messages.find(owned.number.id, message.id))?.errorCode)
    }
    t.deepEqual(codes, [
      'OFFICIAL_TEMPLATE_NOT_APPROVED',
      'OFFICIAL_TEMPLATE_NOT_APPROVED',
      'OFFICIAL_MEDIA_UPLOAD_ERROR',
      'OFFICIAL_MEDIA_UPLOAD_ERROR',
      'OFFICIAL_MEDIA_UPLOAD_ERROR',
    ])
  })

  test(`${name}: reports of others' messages, of what came in and of a lost number change nothing`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    const message = await sent(world, owned, 'w.1')
    await received(world, owned, { externalMessageId: 'w.in' })
    t.is(
      await world.stores.inbox.report(
        stranger.fence,
        report(world, 'READ', { externalMessageId: 'w.1', messageId: message.id }),
      ),
      'unknown',
    )
    t.is(await world.stores.inbox.report(owned.fence, report(world, 'READ', { externalMessageId: 'w.in' })), 'unknown')
    t.is(
      await world.stores.inbox.report(
        { ...owned.fence, token: 99 },
        report(world, 'READ', { externalMessageId: 'w.1' }),
      ),
      'fenced',
    )
    t.is((await world.stores.messages.find(owned.number.id, message.id))?.status, 'SENT')
    t.is(await world.stores.inbox.receive({ ...owned.fence, token: 99 }, incoming(world, owned)), 'fenced')
  })

  // [events.data.3]
  test(`${name}: a status says null where its message has no correlationId or no upstream id`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const echo = await received(world, owned, { externalMessageId: 'q.own', isFromMe: true, isUnread: false })
    await world.stores.inbox.report(owned.fence, report(world, 'READ', { externalMessageId: 'q.own' }))
    const message = await accepted(world, owned)
    const settlement = { messageId: message.id, kind: 'sent', externalMessageId: 'q.own' } as const
    await world.stores.queue.settle(owned.fence, settlement)
    const told = await messageEvents(world, owned)
    const statuses = told.filter(({ event }) => event === 'message.read' || event === 'message.sent')
    t.deepEqual(
      statuses.map(({ data }) => [data['messageId'], data['internalMessageId'], data['correlationId']]),
      [
        ['q.own', echo.id, null],
        [null, message.id, message.id],
      ],
    )
  })
}
