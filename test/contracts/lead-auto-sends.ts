import type { TestFn } from 'ava'
import type { MessageFailure } from '../../src/domain/message.ts'
import type { Lead } from '../../src/domain/lead.ts'
import type { StatusReport } from '../../src/ports/stores/message-inbox.ts'
import type { TakenAutoSend } from '../../src/ports/stores/lead-store.ts'
import {
  captured,
  DAY_MS,
  FIRST_PAGE,
  HOUR_MS,
  leadRow,
  linked,
  MINUTE_MS,
  PENDING,
  stored,
  TRACES,
  type Linked,
} from './lead-world.ts'
import { accepted, FAILURE, report } from './message-world.ts'
import type { MakeWorld, World } from './world.ts'

/** A status of a message, as the upstream's webhook tells it. */
function telling(
  world: World,
  one: Linked,
  externalMessageId: string,
  status: StatusReport['status'],
  failure: MessageFailure | null = null,
) {
  return world.stores.inbox.report(one.fence, report(world, status, { externalMessageId, failure }))
}

/**
 * The sends that answer leads. All that are due are taken, by the clock of one test, so these tests run one after
 * another.
 */
export function leadAutoSendSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const take = async (world: World, ...leads: readonly Lead[]): Promise<readonly TakenAutoSend[]> =>
    (await world.stores.leads.takeAutoSends(10_000, MINUTE_MS)).filter(({ leadId }) =>
      leads.some(({ id }) => id === leadId),
    )
  const takeOne = async (world: World, lead: Lead): Promise<TakenAutoSend> => {
    const [taken] = await take(world, lead)
    if (!taken) throw new Error('nothing was taken')
    return taken
  }
  const shown = async (world: World, one: Linked, lead: Lead) => {
    const found = await world.stores.leads.find(one.number.id, lead.id)
    return [found?.autoSendStatus, found?.autoSendReason, found?.autoSendMessageId]
  }
  const sentAs = async (world: World, one: Linked, taken: TakenAutoSend, externalMessageId: string) => {
    const message = await accepted(world, one)
    await world.stores.leads.autoSendAccepted(taken, message.id)
    await world.stores.queue.begin(one.fence, message.id)
    await world.stores.queue.settle(one.fence, { messageId: message.id, kind: 'sent', externalMessageId })
  }

  test.serial(
    `${name}: the answer to a lead is held by one node for its lease, is sealed until it is accepted, and is removed then`,
    async (t) => {
      const now = Date.UTC(2017, 0, 1)
      const world = makeWorld(now)
      const one = await linked(world)
      const lead = await stored(world, captured(one.page), { autoSend: PENDING })
      const silent = await stored(world, captured(one.page))
      const raw = String((await leadRow(world, lead.id))['sealed_auto_send'])
      t.false([...TRACES, '5511999990000', 'tpl_'].some((trace) => raw.includes(trace)))
      const all = (await Promise.all([1, 2, 3].map(() => take(world, lead, silent)))).flat()
      const { id, tenantId, provider, number } = one.number
      t.deepEqual(all, [
        {
          leadId: lead.id,
          number: { id, tenantId, provider, number },
          order: PENDING.status === 'pending' ? PENDING.order : null,
          receivedAt: new Date(now),
          claim: new Date(now + MINUTE_MS),
        },
      ] as never)
      const [first] = all
      if (!first) return t.fail('nothing was taken')
      world.clock.advance(MINUTE_MS)
      const second = await takeOne(world, lead)
      await world.stores.leads.autoSendAccepted(first, 'msg_lost')
      await world.stores.leads.autoSendFailed(first, 'template_unavailable')
      await world.stores.leads.autoSendPostponed(first, new Date(now))
      t.deepEqual(
        [await shown(world, one, lead), await take(world, lead)],
        [['pending', null, null], []],
        'a claim that was lost counts for nothing',
      )
      await world.stores.leads.autoSendPostponed(second, new Date(now + HOUR_MS))
      t.deepEqual(await take(world, lead), [])
      world.clock.advance(HOUR_MS)
      const third = await takeOne(world, lead)
      await world.stores.leads.autoSendAccepted(third, 'msg_mine')
      t.deepEqual(await shown(world, one, lead), ['pending', null, 'msg_mine'])
      t.is((await leadRow(world, lead.id))['sealed_auto_send'], null)
      world.clock.advance(DAY_MS)
      t.deepEqual(await take(world, lead), [])
    },
  )

  test.serial(`${name}: an order that cannot be read is taken without it, beside those that can`, async (t) => {
    const world = makeWorld(Date.UTC(2017, 0, 15))
    const one = await linked(world)
    const [lead, other] = [
      await stored(world, captured(one.page), { autoSend: PENDING }),
      await stored(world, captured(one.page), { autoSend: PENDING }),
    ]
    await world.copyAutoSend(lead.id, other.id)
    const taken = await take(world, lead, other)
    t.deepEqual(
      [lead, other].map(({ id }) => taken.find(({ leadId }) => leadId === id)?.order?.to ?? null),
      [PENDING.status === 'pending' ? PENDING.order.to : '', null],
    )
  })

  // [leads.auto-send.14] [leads.auto-send.16]
  test.serial(`${name}: an answer that cannot be accepted fails and is not taken again`, async (t) => {
    const world = makeWorld(Date.UTC(2017, 1, 1))
    const one = await linked(world)
    const lead = await stored(world, captured(one.page), { autoSend: PENDING })
    await world.stores.leads.autoSendFailed(await takeOne(world, lead), 'template_unavailable')
    t.deepEqual(await shown(world, one, lead), ['failed', 'template_unavailable', null])
    t.like(await leadRow(world, lead.id), { sealed_auto_send: null, auto_send_due_at: null })
  })

  // [leads.auto-send.13] [leads.auto-send.14] [leads.auto-send.16]
  test.serial(
    `${name}: an auto-send is sent once its message is, and failed once that has failed, before or after`,
    async (t) => {
      const world = makeWorld(Date.UTC(2017, 2, 1))
      const { leads } = world.stores
      const one = await linked(world)
      const [queued, sent, late, refused, canceled] = await Promise.all(
        [1, 2, 3, 4, 5].map(() => stored(world, captured(one.page), { autoSend: PENDING })),
      )
      if (!queued || !sent || !late || !refused || !canceled) return t.fail()
      const up = (lead: Lead) => `up.${lead.id}`
      const orders = await take(world, queued, sent, late, refused, canceled)
      const orderOf = ({ id }: Lead) => orders.find(({ leadId }) => leadId === id) ?? t.fail('nothing was taken')
      await leads.autoSendAccepted(
        orderOf(queued),
        (await accepted(world, one, { to: { type: 'DIRECT', address: '5511000000001' } })).id,
      )
      for (const lead of [sent, late]) await sentAs(world, one, orderOf(lead), up(lead))
      const message = await accepted(world, one)
      await leads.autoSendAccepted(orderOf(refused), message.id)
      await world.stores.queue.begin(one.fence, message.id)
      await world.stores.queue.settle(one.fence, { messageId: message.id, kind: 'failed', failure: FAILURE })
      const put = await accepted(world, one, { deliverAt: new Date(world.clock.now() + HOUR_MS) })
      await leads.autoSendAccepted(orderOf(canceled), put.id)
      t.deepEqual((await world.stores.messages.cancel(one.number.id, [put.id])).cancelled, [put.id])
      const moved = (await Promise.all([1, 2].map(() => leads.followAutoSends(10_000)))).flat()
      t.deepEqual(moved.map(({ status: to }) => to).toSorted(), ['failed', 'failed', 'sent', 'sent'])
      const states = () =>
        Promise.all(
          [queued, sent, late, refused, canceled].map(async (lead) => (await shown(world, one, lead)).slice(0, 2)),
        )
      t.deepEqual(await states(), [
        ['pending', null],
        ['sent', null],
        ['sent', null],
        ['failed', 'official_error'],
        ['failed', 'canceled'],
      ])
      await telling(world, one, up(sent), 'DELIVERED')
      await telling(world, one, up(late), 'FAILED', { ...FAILURE, code: 'UNDELIVERABLE' as never })
      world.clock.advance(HOUR_MS)
      t.deepEqual(
        (await leads.followAutoSends(10_000)).map(({ status: to }) => to),
        ['failed'],
      )
      t.deepEqual(await states(), [
        ['pending', null],
        ['sent', null],
        ['failed', 'undeliverable'],
        ['failed', 'official_error'],
        ['failed', 'canceled'],
      ])
      const open = async () =>
        Promise.all(
          [queued, sent, late, refused, canceled].map(
            async ({ id }) => (await leadRow(world, id))['auto_send_due_at'] !== null,
          ),
        )
      t.deepEqual(await open(), [true, false, false, false, false], 'what cannot change any more is followed no longer')
      world.clock.advance(DAY_MS)
      t.deepEqual(await leads.followAutoSends(10_000), [])
      t.deepEqual(
        [await open(), (await states())[0]],
        [
          [false, false, false, false, false],
          ['pending', null],
        ],
      )
    },
  )

  // [leads.auto-send.13] [leads.auto-send.14]
  test.serial(`${name}: an auto-send is read as its message stands, before the lead's row follows it`, async (t) => {
    const world = makeWorld(Date.UTC(2017, 5, 1))
    const { leads } = world.stores
    const one = await linked(world)
    const lead = await stored(world, captured(one.page), { autoSend: PENDING })
    const read = async () => {
      const listed = await leads.list(one.number.id, FIRST_PAGE)
      const [, reason] = await shown(world, one, lead)
      return [(await leadRow(world, lead.id))['auto_send_status'], listed.items[0]?.autoSendStatus, reason]
    }
    await sentAs(world, one, await takeOne(world, lead), 'up.read')
    t.deepEqual(await read(), ['pending', 'sent', null])
    await telling(world, one, 'up.read', 'FAILED', { ...FAILURE, code: 'UNDELIVERABLE' as never })
    t.deepEqual(await read(), ['pending', 'failed', 'undeliverable'])
    await leads.followAutoSends(10_000)
    t.deepEqual(await read(), ['failed', 'failed', 'undeliverable'])
  })

  test.serial(`${name}: an erased lead is neither answered nor followed`, async (t) => {
    const world = makeWorld(Date.UTC(2017, 4, 1))
    const { leads } = world.stores
    const one = await linked(world)
    const [untaken, taken, answered] = await Promise.all(
      [1, 2, 3].map(() => stored(world, captured(one.page), { autoSend: PENDING })),
    )
    if (!untaken || !taken || !answered) return t.fail()
    await leads.autoSendAccepted(await takeOne(world, answered), 'msg_mine')
    world.clock.advance(MINUTE_MS)
    const claim = await takeOne(world, taken)
    world.clock.advance(MINUTE_MS)
    for (const { id } of [untaken, taken, answered]) t.true(await leads.erase(one.number.id, id))
    await leads.autoSendAccepted(claim, 'msg_other')
    t.deepEqual([await take(world, untaken, taken, answered), await leads.followAutoSends(10_000)], [[], []])
    const rows = await Promise.all([untaken, taken, answered].map(({ id }) => leadRow(world, id)))
    t.deepEqual(
      rows.map((row) => [
        row['auto_send_status'],
        row['auto_send_message_id'],
        row['sealed_auto_send'],
        row['auto_send_due_at'],
      ]),
      [
        ['none', null, null, null],
        ['none', null, null, null],
        ['pending', 'msg_mine', null, null],
      ],
    )
  })

  test.serial(
    `${name}: after a look without news the next one comes soon for a young lead and rarely for an old one`,
    async (t) => {
      const world = makeWorld(Date.UTC(2017, 3, 1))
      const { leads } = world.stores
      const one = await linked(world)
      const lead = await stored(world, captured(one.page), { autoSend: PENDING })
      const message = await accepted(world, one)
      await leads.autoSendAccepted(await takeOne(world, lead), message.id)
      const pauseMs = async () => {
        await leads.followAutoSends(10_000)
        return Date.parse(String((await leadRow(world, lead.id))['auto_send_due_at'])) - world.clock.now()
      }
      t.is(await pauseMs(), 2_000)
      world.clock.advance(40_000)
      t.is(await pauseMs(), 10_000)
      world.clock.advance(10 * HOUR_MS)
      t.is(await pauseMs(), 15 * MINUTE_MS)
    },
  )
}
