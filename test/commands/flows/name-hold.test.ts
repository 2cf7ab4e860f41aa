import test from 'ava'
import { heldFrom, heldRefusal } from '../../../src/commands/flows/name-hold.ts'
import type { GivenFlowPatch } from '../../../src/domain/flow-form.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { openFlowWorld } from '../../helpers/flow-world.ts'
import type { FlowWorld } from '../../helpers/flow-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

// Tests run one after the other, because the background work of one world acts on the rows of all.
const database = sharedDatabase(test, openTestPglite)
const HELD_MS = 60_000

/** The codes that a rename, a change of categories and a deletion are refused with; null when they succeed. */
async function answersOf({ flows, number }: FlowWorld, id: string) {
  const patch = (given: Partial<GivenFlowPatch>) => flows.patch(number, id, { name: null, categories: null, ...given })
  return {
    same: codeOf(await patch({ name: 'Book', categories: ['SURVEY'] })),
    categories: codeOf(await patch({ categories: ['SIGN_UP'] })),
    rename: codeOf(await patch({ name: 'Other' })),
    remove: codeOf(await flows.remove(number, id)),
  }
}

const HELD = { same: null, categories: null, rename: 'BUSY', remove: 'BUSY' }
const FREE = { same: null, categories: null, rename: null, remove: null }

test('a held name tells the seconds that are left, and none once they are over', (t) => {
  const nameHeldUntil = heldFrom(1_000)
  t.like(heldRefusal({ nameHeldUntil }, 1_000), { code: 'BUSY', retryAfterSeconds: 60 })
  t.like(heldRefusal({ nameHeldUntil }, 1_000 + HELD_MS - 1), { code: 'BUSY', retryAfterSeconds: 1 })
  t.is(heldRefusal({ nameHeldUntil }, 1_000 + HELD_MS), null)
  t.is(heldRefusal({ nameHeldUntil: null }, 0), null)
})

test.serial(
  'a Flow that a second try created holds its name while the first try may still take effect, so no duplicate appears',
  async (t) => {
    const world = await openFlowWorld(database())
    world.platform.fault('create', 'lost before')
    const { id, officialFlowId } = valueOf(await world.create())
    t.deepEqual(await answersOf(world, id), HELD)
    const late = await world.platform.create({ name: 'Book', categories: ['OTHER'], cloneOf: null })
    t.is(late.kind, 'refused', 'the first one, late')
    world.clock.advance(HELD_MS - 1)
    t.deepEqual(await answersOf(world, id), HELD)
    t.deepEqual(
      world.platform.named('Book').map(({ externalId }) => externalId),
      [officialFlowId],
    )
    world.clock.advance(1)
    t.deepEqual(await answersOf(world, id), FREE)
    t.is(world.platform.flows.size, 0)
  },
)

test.serial('a held name delays neither documents nor publications', async (t) => {
  const world = await openFlowWorld(database())
  world.platform.fault('create', 'lost before')
  const { id } = valueOf(await world.create())
  valueOf(await world.flows.uploadDocument(world.number, id, '{"screens":[]}'))
  t.is(valueOf(await world.flows.publish(world.number, id)).officialStatus, 'PUBLISHED')
  t.is(codeOf(await world.flows.remove(world.number, id)), 'FLOW_NOT_DRAFT')
})

test.serial('a name is not held when the outcome of every request is known', async (t) => {
  for (const fault of [null, 'lost after', 'unsent'] as const) {
    const world = await openFlowWorld(database())
    if (fault) world.platform.fault('create', fault)
    const { id } = valueOf(await world.create())
    t.is((await world.find(id)).nameHeldUntil, null, String(fault))
    t.deepEqual(await answersOf(world, id), FREE)
  }
})

// [flows.upstream.1]
test.serial(
  'while a creation is under way its row says how long it may take effect: a process that dies then leaves a held name',
  async (t) => {
    const world = await openFlowWorld(database())
    let during: Date | null = null
    world.platform.beforeAnswer = async (op) => {
      if (op === 'create')
        during = (await world.rows())[0] ? (await world.find((await world.rows())[0]?.id ?? '')).nameHeldUntil : null
    }
    const { id, officialFlowId } = valueOf(await world.create())
    t.deepEqual(during, heldFrom(world.clock.now()))
    world.platform.flows.delete(officialFlowId ?? '')
    await world.stores.flows.change(id, () => ({
      kind: 'CHANGE',
      patch: { officialFlowId: null, ask: { kind: 'CREATE' }, askedUntil: null, nameHeldUntil: during },
    }))
    world.clock.advance(20_000)
    await world.flows.settleAsked(() => true)
    t.is((await world.find(id)).officialFlowId ?? undefined, world.platform.named('Book')[0]?.externalId)
    t.deepEqual(await answersOf(world, id), HELD)
    const removed = await world.flows.remove(world.number, id)
    t.is(removed.ok ? null : removed.error.retryAfterSeconds, 40)
    world.clock.advance(40_000)
    t.deepEqual(await answersOf(world, id), FREE)
  },
)

test.serial(
  'when a creation is refused while an earlier try may be late, another name has to wait, and a Flow that comes late is adopted',
  async (t) => {
    const world = await openFlowWorld(database())
    world.platform.fault('create', 'lost before', { code: 10 })
    world.platform.fault('page', 'lost before')
    const { id } = valueOf(await world.create())
    await world.flows.settleAsked(() => true)
    t.like(await world.find(id), { officialFlowId: null, ask: null, syncError: { code: 'OFFICIAL_ERROR' } })
    const rename = () => world.flows.patch(world.number, id, { name: 'Other', categories: null })
    t.is(codeOf(await rename()), 'BUSY')
    t.is(codeOf(await world.flows.remove(world.number, id)), 'BUSY')
    t.like(await world.find(id), { name: 'Book', ask: null })
    const { externalId } = world.platform.add({ name: 'Book' })
    t.like(valueOf(await world.flows.patch(world.number, id, { name: null, categories: ['SURVEY'] })), {
      officialFlowId: externalId,
      syncError: null,
      categories: ['SURVEY'],
    })
    t.is(world.platform.flows.size, 1)
    world.clock.advance(HELD_MS)
    t.like(valueOf(await rename()), { name: 'Other' })
  },
)

test.serial(
  'a clone whose source is gone is refused only once no earlier try may be late, and what came late is adopted',
  async (t) => {
    for (const isLate of [true, false]) {
      const world = await openFlowWorld(database())
      const source = valueOf(await world.create({ name: 'Source' }))
      world.platform.fault('create', 'lost before')
      world.platform.fault('page', 'lost before')
      const { id } = valueOf(await world.create({ name: 'Clone', cloneFromFlowId: source.id }))
      valueOf(await world.flows.remove(world.number, source.id))
      await world.flows.settleAsked(() => true)
      t.like(await world.find(id), { officialFlowId: null, ask: { kind: 'CREATE' }, syncError: null })
      const late = isLate ? world.platform.add({ name: 'Clone' }).externalId : null
      world.clock.advance(HELD_MS)
      await world.flows.settleAsked(() => true)
      t.like(
        await world.find(id),
        isLate
          ? { officialFlowId: late, ask: null, syncError: null }
          : { officialFlowId: null, ask: null, syncError: { code: 'FLOW_CLONE_SOURCE_INVALID' } },
      )
      t.is(valueOf(await world.flows.remove(world.number, id)), id)
      t.is(world.platform.flows.size, 0)
    }
  },
)
