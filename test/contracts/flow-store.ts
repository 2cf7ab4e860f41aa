import type { TestFn } from 'ava'
import type { StoredFlow } from '../../src/ports/stores/flow-store.ts'
import { flowAccount, madeFlow, newFlow, upstreamId } from './flow-world.ts'
import { newTenant, randomId } from './official-store.ts'
import { unofficialNumber } from './template-world.ts'
import type { MakeWorld } from './world.ts'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const EVERYTHING = { page: 1, pageSize: 100, officialStatus: null } as const
const HIDDEN: readonly (keyof StoredFlow)[] = [
  'owner',
  'statusAt',
  'ask',
  'askedUntil',
  'askTries',
  'nameHeldUntil',
  'isImported',
]

function idsOf(flows: readonly { readonly id: string }[]): string[] {
  return flows.map(({ id }) => id)
}

/** What every FlowStore does. Asks are taken from the whole database, so that test runs alone. */
export function flowStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a Flow is read as it was stored`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flows } = world.stores
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const source = await madeFlow(world, owner)
    const wanted = newFlow(world, owner, {
      officialFlowId: upstreamId(),
      name: '"Inquiry" \u{1f600}',
      officialStatus: 'THROTTLED',
      categories: ['SIGN_UP', 'SURVEY'],
      jsonVersion: '7.1',
      healthStatus: 'LIMITED',
      validationErrors: [
        { error: 'INVALID_PROPERTY', line_start: 3, pointers: [{ path: 'screens[0]' }], big: '12345678901234567890' },
      ],
      previewUrl: 'https://preview.example/?t=1',
      clonedFromFlowId: source.id,
      supersededByFlowId: source.id,
      syncError: { code: 'OFFICIAL_ERROR', message: 'no' },
      publishedAt: new Date(Date.UTC(2025, 0, 2)),
      createdAt: new Date(Date.UTC(2025, 0, 1)),
      statusAt: new Date(1_000),
      ask: { kind: 'UPDATE', name: 'other', categories: ['OTHER'] },
      askedUntil: new Date(Date.UTC(2026, 0, 2)),
      askTries: 3,
      nameHeldUntil: new Date(Date.UTC(2026, 0, 1, 0, 1)),
    })
    const stored: StoredFlow = { ...wanted, updatedAt: new Date(Date.UTC(2026, 0, 1)) }
    t.deepEqual(await flows.create(wanted), { kind: 'created', flow: stored })
    t.deepEqual(await flows.find(number, wanted.id), stored)
    const { items, total } = await flows.list(number, { ...EVERYTHING, officialStatus: 'THROTTLED' })
    t.is(total, 1)
    t.like(stored, items[0] ?? {})
    t.is(
      Object.keys(items[0] ?? {}).length,
      Object.keys(stored).length - HIDDEN.length,
      'lists leave out what clients are not shown',
    )
    const idle = await madeFlow(world, owner, { askedUntil: new Date(1) })
    t.is((await flows.find(number, idle.id))?.askedUntil, null, 'nobody asks where there is no ask')
  })

  // [flows.object.2]
  test(`${name}: a Flow is found by its own id, never by that of upstream`, async (t) => {
    const world = makeWorld()
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const officialFlowId = upstreamId()
    const { id } = await madeFlow(world, owner, { officialFlowId })
    t.is((await world.stores.flows.find(number, id))?.officialFlowId, officialFlowId)
    t.is(await world.stores.flows.find(number, officialFlowId), null)
  })

  // [flows.scope.1]
  test(`${name}: all numbers of an account see its Flows, and nobody else does`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const tenantId = await newTenant(world)
    const one = await flowAccount(world, tenantId)
    const two = await flowAccount(world, tenantId, one.owner.accountId)
    const other = await flowAccount(world, tenantId)
    const elsewhere = await flowAccount(world, await newTenant(world), one.owner.accountId)
    const local = await unofficialNumber(world, tenantId)
    t.deepEqual(await flows.ownerOf(two.number), one.owner)
    t.is(await flows.ownerOf(local), null)
    t.is(await flows.ownerOf({ ...one.number, tenantId: elsewhere.tenantId }), null)
    const officialFlowId = upstreamId()
    const flow = await madeFlow(world, one.owner, { officialFlowId })
    const theirs = await madeFlow(world, elsewhere.owner, { officialFlowId })
    for (const number of [one.number, two.number]) {
      t.deepEqual(await flows.find(number, flow.id), flow)
      t.is(await flows.find(number, theirs.id), null)
      t.deepEqual(idsOf((await flows.list(number, EVERYTHING)).items), [flow.id])
    }
    for (const stranger of [other.number, local, elsewhere.number, { ...one.number, tenantId: elsewhere.tenantId }]) {
      t.is(await flows.find(stranger, flow.id), null)
      t.false(idsOf((await flows.list(stranger, EVERYTHING)).items).includes(flow.id))
    }
    t.is(await flows.find(one.number, '\0'), null)
    t.deepEqual(
      await flows.byExternalIds(one.owner, [officialFlowId, '1', officialFlowId]),
      new Map([[officialFlowId, flow.id]]),
    )
    t.deepEqual(await flows.byExternalIds(other.owner, [officialFlowId]), new Map())
  })

  test(`${name}: only one Flow that waits to reach the upstream can have a name, and each upstream id is used once, also under concurrency`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const tenantId = await newTenant(world)
    const { owner } = await flowAccount(world, tenantId)
    const made = await Promise.all(
      Array.from({ length: 5 }, () => flows.create(newFlow(world, owner, { name: 'same' }))),
    )
    t.deepEqual(made.map(({ kind }) => kind).toSorted(), ['created', 'taken', 'taken', 'taken', 'taken'])
    const officialFlowId = upstreamId()
    t.is(
      (await flows.create(newFlow(world, owner, { name: 'same', officialFlowId }))).kind,
      'created',
      'upstream looks after the names it has',
    )
    t.is((await flows.create(newFlow(world, owner, { officialFlowId }))).kind, 'taken')
    t.is(
      (await flows.create(newFlow(world, (await flowAccount(world, tenantId)).owner, { name: 'same' }))).kind,
      'created',
    )
    t.is((await flows.create(newFlow(world, { ...owner, accountId: randomId() }))).kind, 'gone')
  })

  // [flows.routes.1]
  test(`${name}: lists are newest first, by page, and of one status where that is asked for`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const made: StoredFlow[] = []
    for (const officialStatus of ['DRAFT', 'PUBLISHED', 'DRAFT', 'BLOCKED'] as const) {
      made.unshift(await madeFlow(world, owner, { officialStatus }))
      world.clock.advance(made.length === 2 ? 0 : 1)
    }
    const list = async (query: object) => {
      const { items, total } = await flows.list(number, { ...EVERYTHING, ...query })
      return [idsOf(items), total]
    }
    t.deepEqual(await list({}), [idsOf(made), 4])
    t.deepEqual(await list({ page: 2, pageSize: 3 }), [idsOf(made.slice(3)), 4])
    t.deepEqual(await list({ page: 3, pageSize: 3 }), [[], 4])
    t.deepEqual(await list({ officialStatus: 'DRAFT' }), [
      idsOf(made.filter(({ officialStatus }) => officialStatus === 'DRAFT')),
      2,
    ])
    t.deepEqual(await list({ officialStatus: 'DRAFT', pageSize: 1, page: 2 }), [[made.at(-1)?.id], 2])
    t.deepEqual(await list({ officialStatus: 'DEPRECATED' }), [[], 0])
  })

  test(`${name}: a Flow is changed as it is, one at a time, and keeps what the change does not name`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flows } = world.stores
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const flow = await madeFlow(world, owner)
    world.clock.advance(HOUR_MS)
    const changes = await Promise.all(
      Array.from({ length: 8 }, () =>
        flows.change(flow.id, ({ askTries }) => ({ kind: 'CHANGE', patch: { askTries: askTries + 1 } })),
      ),
    )
    t.deepEqual(changes.map((change) => change?.flow.askTries).toSorted(), [1, 2, 3, 4, 5, 6, 7, 8])
    const patch = {
      officialStatus: 'PUBLISHED',
      name: 'renamed',
      officialFlowId: upstreamId(),
      publishedAt: new Date(5),
      nameHeldUntil: new Date(6),
      validationErrors: [{ error: 'X' }],
    } as const
    const published = await flows.change(flow.id, () => ({ kind: 'CHANGE', patch }))
    const expected: StoredFlow = { ...flow, ...patch, askTries: 8, updatedAt: new Date(Date.UTC(2026, 0, 1, 1)) }
    t.deepEqual(published, { flow: expected, isRemoved: false })
    t.deepEqual(await flows.find(number, flow.id), expected)
    t.deepEqual(await flows.change(flow.id, () => ({ kind: 'KEEP' })), published)
    await t.throwsAsync(
      flows.change(flow.id, () => {
        throw new Error('no')
      }),
      { message: 'no' },
    )
    t.deepEqual(await flows.change(flow.id, () => ({ kind: 'REMOVE' })), { flow: expected, isRemoved: true })
    t.is(await flows.change(flow.id, () => t.fail() as never), null)
    t.is(await flows.find(number, flow.id), null)
  })

  test(`${name}: a change to the name or id of another Flow of the account is refused and leaves the row as it is`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const known = await madeFlow(world, owner, { officialFlowId: upstreamId() })
    const [waiting, other] = [await madeFlow(world, owner), await madeFlow(world, owner, { name: 'other' })]
    let calls = 0
    for (const patch of [
      { officialFlowId: known.officialFlowId, askTries: 1 },
      { name: other.name, askTries: 1 },
    ]) {
      const change = await flows.change(waiting.id, () => {
        calls++
        return { kind: 'CHANGE', patch }
      })
      t.deepEqual(change, { flow: waiting, isRemoved: false })
      t.deepEqual(await flows.find(number, waiting.id), waiting)
    }
    t.is(calls, 2)
    t.is(
      (
        await flows.change(waiting.id, () => ({
          kind: 'CHANGE',
          patch: { name: other.name, officialFlowId: upstreamId() },
        }))
      )?.flow.name,
      other.name,
    )
  })

  test(`${name}: Flows of an account are found in every tenant, and those that no later creation can have made in any`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flows } = world.stores
    const one = await flowAccount(world, await newTenant(world))
    const two = await flowAccount(world, await newTenant(world), one.owner.accountId)
    const stranger = await flowAccount(world, await newTenant(world))
    t.deepEqual((await flows.tenantsOf(one.owner.accountId)).toSorted(), [one.tenantId, two.tenantId].toSorted())
    const [shared, late, made, theirs] = [upstreamId(), upstreamId(), upstreamId(), upstreamId()]
    const rows = [
      await madeFlow(world, one.owner, { officialFlowId: shared }),
      await madeFlow(world, two.owner, { officialFlowId: shared }),
    ]
    await madeFlow(world, stranger.owner, { officialFlowId: theirs })
    const by = new Date(world.clock.now())
    world.clock.advance(1)
    await madeFlow(world, two.owner, { officialFlowId: late, isImported: true })
    await madeFlow(world, two.owner, { officialFlowId: made })
    t.deepEqual(
      (await flows.ofAccount(one.owner.accountId, shared)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      rows.map(({ id, owner: { tenantId } }) => ({ id, tenantId })),
    )
    t.deepEqual(await flows.ofAccount(one.owner.accountId, theirs), [])
    const asked = [shared, late, made, theirs, '1']
    const known = async (until: Date) => [...(await flows.known(one.owner.accountId, asked, until))].toSorted()
    t.deepEqual(await known(by), [shared, made].toSorted())
    t.deepEqual(await known(new Date(world.clock.now())), [shared, late, made].toSorted())
    for (const { id } of await flows.ofAccount(one.owner.accountId, made))
      await flows.change(id, () => ({ kind: 'REMOVE' }))
    t.deepEqual(await known(by), [shared, made].toSorted(), 'upstream may show it a moment longer')
    world.clock.advance(10 * MINUTE_MS)
    t.deepEqual(await known(by), [shared])
  })

  test(`${name}: Flows go with the last number of their account in the tenant`, async (t) => {
    const world = makeWorld()
    const { numbers, flows } = world.stores
    const tenantId = await newTenant(world)
    const one = await flowAccount(world, tenantId)
    const two = await flowAccount(world, tenantId, one.owner.accountId)
    const elsewhere = await flowAccount(world, await newTenant(world), one.owner.accountId)
    const rows = [await madeFlow(world, one.owner), await madeFlow(world, elsewhere.owner)] as const
    const isThere = async () =>
      (await Promise.all(rows.map(({ id }) => flows.change(id, () => ({ kind: 'KEEP' }))))).map((row) => row !== null)
    await numbers.remove(tenantId, one.number.id)
    t.deepEqual(await isThere(), [true, true])
    await numbers.remove(tenantId, two.number.id)
    t.deepEqual(await isThere(), [false, true])
    t.is((await flows.create(newFlow(world, one.owner))).kind, 'gone')
    t.deepEqual(await flows.tenantsOf(one.owner.accountId), [elsewhere.tenantId])
  })

  test.serial(
    `${name}: a request to the upstream for a Flow is taken by one node once its lease has ended`,
    async (t) => {
      const world = makeWorld(Date.UTC(2007, 0, 1))
      const { flows } = world.stores
      const { owner, number } = await flowAccount(world, await newTenant(world))
      const until = new Date(world.clock.now() + MINUTE_MS)
      const leased = await madeFlow(world, owner, { ask: { kind: 'CREATE' }, askedUntil: until })
      const free = await madeFlow(world, owner, {
        ask: { kind: 'DEPRECATE', supersededByFlowId: leased.id },
        askedUntil: null,
        officialFlowId: upstreamId(),
      })
      await madeFlow(world, owner)
      const take = async () =>
        (await flows.takeAsked(10_000, HOUR_MS)).filter((row) => row.owner.accountId === owner.accountId)
      const first = (await Promise.all([take(), take(), take()])).flat()
      t.deepEqual(first, [{ ...free, askedUntil: new Date(world.clock.now() + HOUR_MS) }])
      t.deepEqual(await flows.find(number, free.id), first[0] ?? null)
      world.clock.advance(MINUTE_MS)
      t.deepEqual(idsOf(await take()), [leased.id])
      t.deepEqual(await take(), [])
      await flows.change(leased.id, () => ({ kind: 'CHANGE', patch: { ask: null } }))
      world.clock.advance(HOUR_MS)
      t.deepEqual(idsOf(await take()), [free.id])
    },
  )
}
