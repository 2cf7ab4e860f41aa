import test from 'ava'
import { lookUp } from '../../../src/commands/flows/look-up.ts'
import { flowNewsOf } from '../../../src/domain/flow-events.ts'
import type { StoredFlow } from '../../../src/ports/stores/flow-store.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { openFlowWorld } from '../../helpers/flow-world.ts'
import type { FlowWorld } from '../../helpers/flow-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const database = sharedDatabase(test, openTestPglite)
const T0 = Date.parse('2026-01-05T12:00:00Z')

function tell(
  { flows, number, accountId }: FlowWorld,
  externalId: string | null,
  newStatus: string,
  second: number,
  event = 'FLOW_STATUS_CHANGE',
) {
  const news = flowNewsOf({ event, flow_id: externalId, new_status: newStatus })
  if (!news) throw new Error('it names no Flow')
  return flows.told({ tenantId: number.tenantId, accountId, news, at: new Date(T0 + second * 1_000) })
}

test("changes are read in the upstream's form, and an id that lost digits names no Flow", (t) => {
  t.deepEqual(flowNewsOf({ event: 'flow_status_change', flow_id: 7, new_status: 'published' }), {
    externalId: '7',
    status: 'PUBLISHED',
  })
  t.deepEqual(flowNewsOf({ event: 'FLOW_STATUS_CHANGE', flow_id: '90071992547409931', new_status: 'NOVEL' }), {
    externalId: '90071992547409931',
    status: null,
  })
  t.deepEqual(flowNewsOf({ event: 'ENDPOINT_ERROR_RATE', flow_id: '7', new_status: 'PUBLISHED' }), {
    externalId: '7',
    status: null,
  })
  for (const flow_id of [undefined, null, '', 'x', 2 ** 60, -1, {}, '1 ', '9'.repeat(65)])
    t.is(flowNewsOf({ event: 'FLOW_STATUS_CHANGE', flow_id, new_status: 'DRAFT' }), null)
})

// [flows.upstream.9]
test('status changes count by the time upstream told them: late, twice, in one second', async (t) => {
  const world = await openFlowWorld(database())
  const { id, officialFlowId } = valueOf(await world.create())
  const statusAfter = async (status: string, second: number) => {
    await tell(world, officialFlowId, status, second)
    return (await world.find(id)).officialStatus
  }
  world.platform.change(officialFlowId ?? '', { status: 'BLOCKED' })
  t.is(await statusAfter('PUBLISHED', 10), 'PUBLISHED')
  t.deepEqual((await world.find(id)).publishedAt, new Date(T0 + 10_000))
  t.is(await statusAfter('THROTTLED', 20), 'THROTTLED')
  t.is(await statusAfter('PUBLISHED', 10), 'THROTTLED')
  t.is(await statusAfter('BLOCKED', 15), 'THROTTLED')
  t.is(await statusAfter('THROTTLED', 20), 'THROTTLED')
  world.platform.change(officialFlowId ?? '', { status: 'PUBLISHED' })
  t.is(await statusAfter('PUBLISHED', 20), 'PUBLISHED')
  world.platform.change(officialFlowId ?? '', { status: 'BLOCKED' })
  t.is(await statusAfter('BLOCKED', 20), 'BLOCKED')
  t.is(await statusAfter('PUBLISHED', 20), 'BLOCKED', 'told late: upstream was asked')
  t.deepEqual((await world.find(id)).publishedAt, new Date(T0 + 10_000))
  t.is(await statusAfter('NOVEL', 30), 'BLOCKED', 'read anew')
  t.is(await statusAfter('DEPRECATED', 40), 'DEPRECATED')
})

test('a creation or publication that is told behind our own requests changes nothing back', async (t) => {
  const world = await openFlowWorld(database())
  const { id, officialFlowId } = valueOf(await world.create())
  world.platform.change(officialFlowId ?? '', { document: '{"screens":[]}' })
  valueOf(await world.flows.publish(world.number, id))
  await tell(world, officialFlowId, 'DRAFT', 1)
  t.is((await world.find(id)).officialStatus, 'PUBLISHED')
  world.platform.change(officialFlowId ?? '', { status: 'DEPRECATED' })
  valueOf(await world.flows.refresh(world.number, await world.find(id)))
  await tell(world, officialFlowId, 'PUBLISHED', 2)
  t.is((await world.find(id)).officialStatus, 'DEPRECATED')
})

test('changes that waited while the upstream was read for earlier ones undo nothing of what was read', async (t) => {
  const world = await openFlowWorld(database())
  const { id, officialFlowId } = valueOf(await world.create())
  world.platform.change(officialFlowId ?? '', { document: '{"screens":[]}' })
  valueOf(await world.flows.publish(world.number, id))
  world.platform.change(officialFlowId ?? '', { status: 'BLOCKED' })
  const statusAfter = async (status: string, second: number) => {
    await tell(world, officialFlowId, status, second)
    return (await world.find(id)).officialStatus
  }
  t.is(await statusAfter('DRAFT', 1), 'BLOCKED', 'read')
  t.is(await statusAfter('PUBLISHED', 2), 'BLOCKED')
  t.is(await statusAfter('BLOCKED', 3), 'BLOCKED')
  world.platform.fault('read', 'lost before')
  t.is(await statusAfter('PUBLISHED', 3), 'PUBLISHED', 'upstream cannot be read')
})

// [flows.upstream.7] [flows.object.6]
test('an unknown Flow is read and imported in every tenant of the account, also after a change of another kind', async (t) => {
  const world = await openFlowWorld(database())
  const other = await world.join('Other')
  const { externalId } = world.platform.add({
    name: 'elsewhere',
    status: 'PUBLISHED',
    categories: ['NOVEL', 'SURVEY'],
    jsonVersion: '6.0',
    health: 'LIMITED',
  })
  await tell(world, externalId, 'PUBLISHED', 1)
  for (const number of [world.number, other]) {
    const { items } = await world.stores.flows.list(number, { page: 1, pageSize: 9, officialStatus: null })
    t.like(items, [
      {
        officialFlowId: externalId,
        name: 'elsewhere',
        officialStatus: 'PUBLISHED',
        categories: ['OTHER', 'SURVEY'],
        jsonVersion: '6.0',
        healthStatus: 'LIMITED',
        publishedAt: null,
      },
    ])
  }
  world.platform.change(externalId, { health: 'BLOCKED' })
  await tell(world, externalId, '', 2, 'ENDPOINT_AVAILABILITY')
  t.like(await world.rows(), [{ healthStatus: 'BLOCKED', officialStatus: 'PUBLISHED' }])
  await tell(world, '404', 'PUBLISHED', 3)
  t.is((await world.rows()).length, 1)
})

/**
 * During the first read, the upstream sets the Flow to `status` and tells so. Returns a function that counts the reads.
 */
function whileRead(world: FlowWorld, status: string): () => number {
  const { platform, clock } = world
  const read = platform.read.bind(platform)
  let reads = 0
  platform.read = async (externalId) => {
    const shown = await read(externalId)
    clock.advance(1)
    if (!shown.ok || ++reads > 1) return shown
    platform.change(externalId, { status, health: 'LIMITED' })
    await tell(world, externalId, status, 5)
    return shown
  }
  return () => reads
}

test('a change that arrives while a Flow is read (for earlier changes, for a refresh, after its creation) is not undone by that read', async (t) => {
  for (const how of ['told', 'refresh', 'created'] as const) {
    const world = await openFlowWorld(database())
    const before = how === 'created' ? null : valueOf(await world.create())
    const reads = whileRead(world, 'BLOCKED')
    const flow = before ?? valueOf(await world.create())
    if (how === 'told') await tell(world, flow.officialFlowId, '', 4, 'ENDPOINT_AVAILABILITY')
    if (how === 'refresh') t.like(valueOf(await world.flows.refresh(world.number, flow)), { officialStatus: 'BLOCKED' })
    t.like(await world.find(flow.id), { officialStatus: 'BLOCKED', healthStatus: 'LIMITED' }, how)
    t.is(reads(), 2)
  }
})

test('news in doubt count when the Flow was being asked about while it was read, and no longer is', async (t) => {
  const world = await openFlowWorld(database())
  const { flows } = world.stores
  const { id, officialFlowId } = valueOf(await world.create())
  const told = (status: string) => tell(world, officialFlowId, status, 20)
  await told('PUBLISHED')
  world.platform.change(officialFlowId ?? '', { status: 'BLOCKED' })
  const ask = (one: StoredFlow['ask']) => flows.change(id, () => ({ kind: 'CHANGE', patch: { ask: one } }))
  const read = world.platform.read.bind(world.platform)
  world.platform.read = async (externalId) => {
    const shown = await read(externalId)
    await ask({ kind: 'PUBLISH' })
    return shown
  }
  const merge = flows.merge.bind(flows)
  flows.merge = async (owner, listing, listed, decide) => {
    const merged = await merge(owner, listing, listed, decide)
    await ask(null)
    return merged
  }
  await told('BLOCKED')
  t.like(await world.find(id), { officialStatus: 'BLOCKED' })
})

test('a publication that takes effect and is told while its outcome is read is not undone', async (t) => {
  for (const how of ['at once', 'in the background'] as const) {
    const world = await openFlowWorld(database())
    const { id } = valueOf(await world.create())
    world.platform.fault('publish', 'lost before')
    if (how === 'in the background') world.platform.fault('read', 'lost before')
    const reads = whileRead(world, 'PUBLISHED')
    const answer = codeOf(await world.flows.publish(world.number, id))
    t.is(answer, how === 'at once' ? null : 'OFFICIAL_ERROR')
    if (how === 'in the background') await world.settleLater()
    t.like(await world.find(id), { officialStatus: 'PUBLISHED', healthStatus: 'LIMITED', ask: null }, how)
    t.is(reads(), 2)
  }
})

// [flows.upstream.8]
test('a listing takes over what upstream says, removes drafts that are gone and keeps what was published', async (t) => {
  const world = await openFlowWorld(database())
  const [draft, kept, changed] = await Promise.all(
    ['draft', 'kept', 'changed'].map(async (name) => valueOf(await world.create({ name }))),
  )
  world.platform.change(kept?.officialFlowId ?? '', { status: 'PUBLISHED' })
  valueOf(await world.flows.refresh(world.number, await world.find(kept?.id ?? '')))
  world.clock.advance(1_000)
  for (const one of [draft, kept]) world.platform.flows.delete(one?.officialFlowId ?? '')
  world.platform.change(changed?.officialFlowId ?? '', {
    status: 'PUBLISHED',
    validationErrors: [{ error: 'X' }],
    health: null,
    status2: 1,
  } as never)
  t.deepEqual(valueOf(await world.flows.sync(world.number)), { imported: 0, updated: 1, removed: 1, total: 1 })
  t.deepEqual(
    (await world.rows())
      .map(({ name, officialStatus, healthStatus }) => `${name} ${officialStatus} ${healthStatus}`)
      .toSorted(),
    ['changed PUBLISHED AVAILABLE', 'kept PUBLISHED AVAILABLE'],
  )
  t.truthy((await world.find(changed?.id ?? '')).publishedAt)
})

test('a listing in which something cannot be read removes nothing until it is gone, and a look-up in it misses nothing', async (t) => {
  const world = await openFlowWorld(database())
  const { officialFlowId } = valueOf(await world.create())
  world.platform.flows.delete(officialFlowId ?? '')
  const other = world.platform.add({ name: 'other' })
  world.platform.isWhole = false
  world.clock.advance(1_000)
  t.deepEqual(valueOf(await world.flows.sync(world.number)), { imported: 1, updated: 0, removed: 0, total: 1 })
  t.is(codeOf(await lookUp(world.platform, ({ name }) => name === 'Book')), 'OFFICIAL_ERROR')
  t.like(valueOf(await lookUp(world.platform, ({ name }) => name === 'other')), [{ externalId: other.externalId }])
  world.platform.isWhole = true
  world.clock.advance(1_000)
  t.deepEqual(valueOf(await world.flows.sync(world.number)), { imported: 0, updated: 0, removed: 1, total: 1 })
})

test('a read with refresh removes a draft that is gone, answers 502 when the upstream cannot be read, and ignores an unknown status', async (t) => {
  const world = await openFlowWorld(database())
  const { id, officialFlowId } = valueOf(await world.create())
  const refresh = async () => world.flows.refresh(world.number, await world.find(id))
  world.platform.fault('read', 'lost before')
  t.is(codeOf(await refresh()), 'OFFICIAL_ERROR')
  world.platform.change(officialFlowId ?? '', { status: 'NOVEL', name: 'Renamed' })
  t.like(valueOf(await refresh()), { officialStatus: 'DRAFT', name: 'Renamed' })
  world.platform.flows.delete(officialFlowId ?? '')
  t.is(codeOf(await refresh()), 'FLOW_NOT_FOUND')
  t.deepEqual(await world.rows(), [])
})

// [flows.upstream.7]
// Serial, because chores list the accounts of every test.
test.serial('a new account is listed at once, and every hour', async (t) => {
  const world = await openFlowWorld(database())
  world.platform.add()
  const listed = async () => {
    while (await world.flows.listDue(() => true));
    return world.platform.asked.filter((op) => op === 'page').length
  }
  t.is(await listed(), 1)
  t.is((await world.rows()).length, 1)
  world.clock.advance(3_599_000)
  t.is(await listed(), 1)
  world.clock.advance(2_000)
  t.is(await listed(), 2)
})
