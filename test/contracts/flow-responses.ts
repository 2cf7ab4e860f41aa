import type { TestFn } from 'ava'
import fc from 'fast-check'
import { counted } from '../helpers/size.ts'
import { CONVERSATION, type AnswerRig } from './flow-answers.ts'
import { flowAccount, madeFlow } from './flow-world.ts'
import { newTenant } from './official-store.ts'
import type { MakeWorld } from './world.ts'
import { NOON, sentFlow, SECOND_MS, listed, DAY_MS, HOUR_MS } from './flow-response-world.ts'

/** What lists of responses contain, and how answers are joined. */
export function flowResponseSuite(test: TestFn, name: string, makeWorld: MakeWorld, rig: AnswerRig): void {
  // [flows.responses.6]
  test(`${name}: an answer is listed as it was told, readable or not`, async (t) => {
    const world = makeWorld(NOON)
    const { number, flow, contextId, token, messageId } = await sentFlow(world, rig)
    const response = { name: 'Ada "A"', deep: [{ big: '12345678901234567890' }], raw: 'x' }
    await rig.store(number, [
      { contextId, token, at: new Date(NOON - SECOND_MS), response, externalId: 'wamid.read' },
      {
        contextId,
        at: new Date(NOON),
        response: null,
        rawResponse: '{"name": ',
        contactName: null,
        externalId: 'wamid.unread',
      },
    ])
    const { items, total } = await listed(world, number, flow.id)
    t.is(total, 2)
    const common = { flowId: flow.id, contactNumber: '5511999990000', conversationId: CONVERSATION, messageId }
    t.deepEqual(
      items.map(({ id, ...rest }) => ({ ...rest, isId: /^fres_[0-9a-z]{26}$/.test(id) })),
      [
        {
          ...common,
          contactName: null,
          externalMessageId: 'wamid.unread',
          flowToken: null,
          response: null,
          rawResponse: '{"name": ',
          submittedAt: new Date(NOON),
          isId: true,
        },
        {
          ...common,
          contactName: 'Ada',
          externalMessageId: 'wamid.read',
          flowToken: token,
          response,
          rawResponse: null,
          submittedAt: new Date(NOON - SECOND_MS),
          isId: true,
        },
      ] as never,
    )
  })

  // [flows.responses.3]
  test(`${name}: five tellings of one message are one answer, in one statement or in several`, async (t) => {
    const world = makeWorld(NOON)
    const { number, flow, contextId } = await sentFlow(world, rig)
    const told = { contextId, at: new Date(NOON), externalId: 'wamid.told' }
    await rig.store(number, [told, told])
    await Promise.all([1, 2, 3].map(() => rig.store(number, [told])))
    t.like(await listed(world, number, flow.id), { total: 1, names: ['Ada'] })
  })

  // [flows.responses.1] [flows.responses.2]
  test(`${name}: an answer belongs to the message it answers, else to its token, and nowhere without either`, async (t) => {
    const world = makeWorld(NOON)
    const one = await sentFlow(world, rig)
    const two = await sentFlow(world, rig, {}, undefined, one)
    const at = new Date(NOON)
    await rig.send(one.number, { flowId: null, externalId: 'wamid.plain' })
    t.is(
      await rig.store(one.number, [
        { contextId: one.contextId, token: two.token, at, response: { name: 'both' } },
        { token: two.token, at, response: { name: 'token' } },
        { contextId: 'wamid.plain', token: one.token, at, response: { name: 'plain' } },
        { contextId: 'wamid.unknown', token: one.token, at, response: { name: 'unknown' } },
        { contextId: 'wamid.plain', at },
        { contextId: 'wamid.unknown', token: 'ft_unknown', at },
        { at },
      ]),
      4,
    )
    t.deepEqual((await listed(world, one.number, one.flow.id)).names.toSorted(), ['both', 'plain', 'unknown'])
    t.like(await listed(world, one.number, two.flow.id), { names: ['token'], total: 1 })
    t.is((await listed(world, one.number, two.flow.id)).items[0]?.messageId, two.messageId)
  })

  test(`${name}: of messages with one token the newest of the conversation is answered, else the newest`, async (t) => {
    const world = makeWorld(NOON)
    const { number, owner } = await flowAccount(world, await newTenant(world))
    const flows = [await madeFlow(world, owner), await madeFlow(world, owner), await madeFlow(world, owner)] as const
    const sent = [
      await rig.send(number, { flowId: flows[0].id, token: 'mine', externalId: 'wamid.1' }),
      await rig.send(number, { flowId: flows[1].id, token: 'mine', externalId: 'wamid.2' }),
      await rig.send(number, {
        flowId: flows[2].id,
        token: 'mine',
        externalId: 'wamid.3',
        conversationId: 'conv_of_bob',
      }),
    ]
    await rig.store(number, [
      { token: 'mine', at: new Date(NOON) },
      { token: 'mine', at: new Date(NOON), conversationId: 'conv_of_eve' },
    ])
    const joined = await Promise.all(
      flows.map(async ({ id }) => (await listed(world, number, id)).items.map(({ messageId }) => messageId)),
    )
    t.deepEqual(joined, [[], [sent[1]], [sent[2]]] as never)
  })

  // [flows.responses.1]
  test(`${name}: messages and tokens of another account join nothing, and of another number of the account what the number received itself`, async (t) => {
    const world = makeWorld(NOON)
    const mine = await sentFlow(world, rig)
    const second = await flowAccount(world, mine.tenantId, mine.owner.accountId)
    const strangers = [await sentFlow(world, rig), await sentFlow(world, rig, {}, mine.owner.accountId)]
    const at = new Date(NOON)
    for (const stranger of strangers) {
      t.is(
        await rig.store(stranger.number, [
          { contextId: mine.contextId, at },
          { token: mine.token, at },
          { contextId: mine.contextId, token: mine.token, at },
        ]),
        0,
      )
      t.like(await listed(world, stranger.number, mine.flow.id), { total: 0, names: [], isRelayOnly: false })
    }
    await rig.store(second.number, [{ contextId: mine.contextId, at, response: { name: 'second' } }])
    t.like(await listed(world, second.number, mine.flow.id), { total: 1, names: ['second'] })
    t.like(await listed(world, mine.number, mine.flow.id), { total: 0, names: [] })
    t.like(await listed(world, { ...second.number, tenantId: strangers[0]?.tenantId ?? 'ten_' }, mine.flow.id), {
      total: 0,
      names: [],
    })
  })

  test(`${name}: an answer that came before its message had an upstream id is joined once the id is known, and counted once`, async (t) => {
    const world = makeWorld(NOON)
    const { number, owner } = await flowAccount(world, await newTenant(world))
    const second = await flowAccount(world, owner.tenantId, owner.accountId)
    const flow = await madeFlow(world, owner)
    const messageId = await rig.send(number, { flowId: flow.id, token: 'ft' })
    const [contextId, at] = [`wamid.late.${flow.id}`, new Date(NOON)]
    t.is(
      await rig.store(number, [{ contextId, at }, { contextId, at, conversationId: 'conv_of_bob' }, { at }]),
      1,
      'of those that can be joined later',
    )
    t.like(await listed(world, number, flow.id), { total: 0, names: [] })
    for (const _ of ['once', 'and again']) {
      await rig.settle(messageId, contextId)
      t.like(await listed(world, number, flow.id), { total: 1, names: ['Ada'] })
    }
    t.is((await listed(world, number, flow.id)).items[0]?.messageId, messageId)
    t.like(await listed(world, second.number, flow.id), { total: 0 })
  })

  test(`${name}: nothing is stored of a number that keeps nothing, nor of a Flow that is gone`, async (t) => {
    const world = makeWorld(NOON)
    const { number, flow, contextId } = await sentFlow(world, rig)
    t.is(await rig.store(number, [{ contextId, at: new Date(NOON) }], false), 0)
    await world.stores.flows.change(flow.id, () => ({ kind: 'REMOVE' }))
    t.is(await rig.store(number, [{ contextId, at: new Date(NOON) }]), 0)
  })

  // [flows.states.6] [flows.responses.11]
  test(`${name}: responses are kept or removed with their Flow and their number, counts too`, async (t) => {
    const world = makeWorld(NOON)
    const { flows, numbers } = world.stores
    const one = await sentFlow(world, rig)
    const second = await flowAccount(world, one.tenantId, one.owner.accountId)
    const draft = await sentFlow(world, rig, {}, undefined, one)
    const at = new Date(NOON)
    for (const { number } of [one, second])
      await rig.store(number, [
        { contextId: one.contextId, at },
        { contextId: draft.contextId, at },
      ])
    const left = async () => {
      const tables = await Promise.all(['flow_responses', 'flow_response_counts'].map((table) => world.rawTable(table)))
      return tables.map(
        (rows) =>
          (JSON.parse(rows) as { flow_id: string }[]).filter(
            (row) => row.flow_id === one.flow.id || row.flow_id === draft.flow.id,
          ).length,
      )
    }
    t.deepEqual(await left(), [4, 4])
    await flows.change(one.flow.id, () => ({ kind: 'CHANGE', patch: { officialStatus: 'DEPRECATED' } }))
    await flows.change(draft.flow.id, () => ({ kind: 'REMOVE' }))
    t.deepEqual(await left(), [2, 2])
    t.like(await listed(world, one.number, one.flow.id), { total: 1 })
    await numbers.remove(one.tenantId, one.number.id)
    t.deepEqual(await left(), [1, 1])
    await numbers.remove(one.tenantId, second.number.id)
    t.deepEqual(await left(), [0, 0])
  })

  // [flows.responses.9]
  test(`${name}: at the second the window of its number ends an answer is neither listed nor counted, and a change of the mode counts at once`, async (t) => {
    const world = makeWorld(NOON)
    const { number, flow, contextId, tenantId } = await sentFlow(world, rig, {
      piiMode: 'STORE_X_DAYS',
      piiRetentionDays: 3,
    })
    const at = (beforeMs: number) => new Date(NOON - beforeMs)
    await rig.store(number, [
      { contextId, at: at(3 * DAY_MS + SECOND_MS), response: { name: 'old' } },
      { contextId, at: at(3 * DAY_MS), response: { name: 'last' } },
      { contextId, at: at(DAY_MS), response: { name: 'middle' } },
      { contextId, at: at(0), response: { name: 'new' } },
    ])
    t.like(await listed(world, number, flow.id), { names: ['new', 'middle', 'last'], total: 3 })
    t.like(await listed(world, number, flow.id, { pageSize: 1, page: 3 }), { names: ['last'], total: 3 })
    t.like(await listed(world, number, flow.id, { pageSize: 1, page: 4 }), { names: [], total: 3 })
    t.like(await listed(world, number, flow.id, { startDate: at(9 * DAY_MS), endDate: at(DAY_MS) }), {
      names: ['middle', 'last'],
      total: 2,
    })
    world.clock.advance(SECOND_MS)
    t.like(await listed(world, number, flow.id), { names: ['new', 'middle'], total: 2 })
    const patch = (fields: object) => world.stores.numbers.patch(tenantId, number.id, fields)
    await patch({ piiRetentionDays: 1 })
    t.like(await listed(world, number, flow.id), { names: ['new'], total: 1 })
    await patch({ piiMode: 'RELAY_ONLY', piiRetentionDays: null })
    t.like(await listed(world, number, flow.id), { names: [], total: 0, isRelayOnly: true })
    await patch({ piiMode: 'STORE_INDEFINITE' })
    t.like(await listed(world, number, flow.id), {
      names: ['new', 'middle', 'last', 'old'],
      total: 4,
      isRelayOnly: false,
    })
  })

  test(`${name}: pages and totals match the range of dates, wherever it begins and ends`, async (t) => {
    const world = makeWorld(NOON)
    const { number, flow, contextId } = await sentFlow(world, rig)
    const midnight = Date.UTC(2026, 0, 8)
    const times = [
      ...Array.from({ length: 60 }, (_, n) => midnight - DAY_MS + n * 1.7 * HOUR_MS),
      midnight,
      midnight,
      midnight - 1,
      midnight + DAY_MS,
      midnight + DAY_MS - 1,
      midnight + DAY_MS + 1,
    ]
    await rig.store(
      number,
      times.map((ms, n) => ({ contextId, at: new Date(ms), response: { name: n } })),
    )
    const edge = fc.option(
      fc.oneof(
        fc.integer({ min: midnight - 2 * DAY_MS, max: midnight + 6 * DAY_MS }),
        fc.constantFrom(...times),
        fc.integer({ min: -2, max: 5 }).map((day) => midnight + day * DAY_MS - 1),
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        edge,
        edge,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (start, end, pageSize, page) => {
          const wanted = times
            .filter((ms) => (start === null || ms >= start) && (end === null || ms <= end))
            .toSorted((a, b) => b - a)
          const query = {
            page,
            pageSize,
            startDate: start === null ? null : new Date(start),
            endDate: end === null ? null : new Date(end),
          }
          const { items, total } = await listed(world, number, flow.id, query)
          t.is(total, wanted.length)
          t.deepEqual(
            items.map(({ submittedAt }) => submittedAt.getTime()),
            wanted.slice((page - 1) * pageSize, page * pageSize),
          )
        },
      ),
      { numRuns: counted(300, 60) },
    )
  })
}

/** Tests with more answers than one page holds. */
export function farResponsePageSuite(test: TestFn, name: string, makeWorld: MakeWorld, rig: AnswerRig): void {
  test(`${name}: pages far back continue without gaps, newest first`, async (t) => {
    const world = makeWorld(NOON)
    const { number, flow, contextId } = await sentFlow(world, rig)
    const count = 1_250
    for (let from = 0; from < count; from += 250) {
      await rig.store(
        number,
        Array.from({ length: 250 }, (_, n) => ({
          contextId,
          at: new Date(NOON - (from + n) * HOUR_MS),
          response: { name: from + n },
        })),
      )
    }
    const names: unknown[] = []
    for (let page = 1; page <= 13; page++) {
      const { names: some, total } = await listed(world, number, flow.id, { page })
      t.is(total, count)
      names.push(...some)
    }
    t.deepEqual(
      names,
      Array.from({ length: count }, (_, n) => n),
    )
    t.like(await listed(world, number, flow.id, { page: 14 }), { names: [], total: count })
  })
}
