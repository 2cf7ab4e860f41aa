import test from 'ava'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { FlowId } from '../../../src/domain/ids.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { NO_SCREENS } from '../../helpers/flow-platform.ts'
import { openFlowWorld } from '../../helpers/flow-world.ts'
import type { FlowWorld } from '../../helpers/flow-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

// Tests run one after the other, because the background work of one world acts on the rows of all.
const database = sharedDatabase(test, openTestPglite)
const DOCUMENT = '{"screens":[]}'

interface Act {
  readonly op: 'update' | 'upload' | 'publish' | 'deprecate'
  /** The read with which the upstream is asked whether the write took effect. */
  readonly reads: 'read' | 'document'
  run(world: FlowWorld, id: string): Promise<Outcome<unknown>>
  readonly done: object
  readonly undone: object
}

const ACTS: Readonly<Record<string, Act>> = {
  patch: {
    op: 'update',
    reads: 'read',
    run: ({ flows, number }, id) => flows.patch(number, id, { name: 'New', categories: ['SURVEY', 'OTHER'] }),
    done: { name: 'New', categories: ['SURVEY', 'OTHER'] },
    undone: { name: 'Book' },
  },
  upload: {
    op: 'upload',
    reads: 'document',
    run: ({ flows, number }, id) => flows.uploadDocument(number, id, '{"screens":[1]}'),
    done: { jsonVersion: '7.1' },
    undone: {},
  },
  publish: {
    op: 'publish',
    reads: 'read',
    run: ({ flows, number }, id) => flows.publish(number, id),
    done: { officialStatus: 'PUBLISHED' },
    undone: { officialStatus: 'DRAFT', publishedAt: null },
  },
  deprecate: {
    op: 'deprecate',
    reads: 'read',
    run: ({ flows, number }, id) => flows.deprecate(number, id, null),
    done: { officialStatus: 'DEPRECATED' },
    undone: { officialStatus: 'PUBLISHED' },
  },
}

async function openFor(op: Act['op']) {
  const world = await openFlowWorld(database())
  const { id } = valueOf(await world.create())
  if (op !== 'upload') valueOf(await world.flows.uploadDocument(world.number, id, DOCUMENT))
  if (op === 'deprecate') valueOf(await world.flows.publish(world.number, id))
  return { world, id }
}

for (const [title, { op, reads, run, done, undone }] of Object.entries(ACTS)) {
  // [flows.upstream.6]
  test.serial(`${title}: a lost answer is settled by reading`, async (t) => {
    const { world, id } = await openFor(op)
    world.platform.fault(op, 'lost before')
    t.is(codeOf(await run(world, id)), 'OFFICIAL_ERROR')
    t.like(await world.find(id), { ...undone, ask: null })
    world.platform.fault(op, 'lost after')
    valueOf(await run(world, id))
    t.like(await world.find(id), { ...done, ask: null, validationErrors: [] })
  })

  test.serial(`${title}: in doubt it is settled by the background, or by the next write`, async (t) => {
    for (const fault of ['lost before', 'lost after'] as const) {
      const { world, id } = await openFor(op)
      world.platform.fault(op, fault)
      world.platform.fault(reads, 'lost before')
      t.is(codeOf(await run(world, id)), 'OFFICIAL_ERROR')
      t.truthy((await world.find(id)).ask, fault)
      world.platform.fault('read', 'lost before')
      await world.settleLater()
      t.like(await world.find(id), { askTries: 1 })
      await world.settleLater()
      t.like(await world.find(id), { ...(fault === 'lost after' ? done : undone), ask: null, askTries: 0 })
    }
    const { world, id } = await openFor(op)
    world.platform.fault(op, 'lost before')
    world.platform.fault(reads, 'lost before')
    t.is(codeOf(await run(world, id)), 'OFFICIAL_ERROR')
    valueOf(await run(world, id))
    t.like(await world.find(id), { ...done, ask: null })
  })
}

test.serial('after a lost answer, a refused document is reported with the faults that the Flow shows', async (t) => {
  const { world, id } = await openFor('upload')
  world.platform.fault('upload', 'lost after')
  const refused = await world.flows.uploadDocument(world.number, id, '{}')
  t.deepEqual(refused.ok ? null : [refused.error.code, refused.error.details], ['FLOW_JSON_INVALID', [NO_SCREENS]])
  t.like(await world.find(id), { validationErrors: [NO_SCREENS], ask: null })
  t.is(valueOf(await world.flows.readDocument(world.number, id)), '{}')
})

test.serial(
  'after a lost answer a deletion is done when the upstream no longer has the Flow, which a read alone does not prove',
  async (t) => {
    const world = await openFlowWorld(database())
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => valueOf(await world.create({ name })).id))
    const [first, second, third, fourth] = ids as [FlowId, FlowId, FlowId, FlowId]
    const remove = (id: string) => world.flows.remove(world.number, id)
    world.platform.fault('remove', 'lost before')
    t.is(codeOf(await remove(first)), 'OFFICIAL_ERROR')
    world.platform.fault('remove', 'lost after')
    t.is(valueOf(await remove(first)), first)
    world.platform.fault('remove', 'lost after')
    world.platform.fault('read', 'lost before')
    t.is(codeOf(await remove(second)), 'OFFICIAL_ERROR')
    await world.settleLater()
    t.is(await world.stores.flows.find(world.number, second), null)
    world.platform.flows.delete((await world.find(third)).officialFlowId ?? '')
    t.is(valueOf(await remove(third)), third, 'upstream says that there is none')
    world.platform.change((await world.find(fourth)).officialFlowId ?? '', { status: 'PUBLISHED' })
    t.is(codeOf(await remove(fourth)), 'FLOW_NOT_DRAFT')
    t.like(await world.rows(), [{ id: fourth, officialStatus: 'PUBLISHED' }])
  },
)

// [rest.bounds.4]
test.serial('of two simultaneous writes one works, and the other is told to retry', async (t) => {
  const { world, id } = await openFor('publish')
  const outcomes: (string | null)[] = []
  world.platform.beforeAnswer = async (op) => {
    if (op === 'publish')
      outcomes.push(
        codeOf(await world.flows.patch(world.number, id, { name: 'Other', categories: null })),
        codeOf(await world.flows.remove(world.number, id)),
      )
  }
  valueOf(await world.flows.publish(world.number, id))
  t.deepEqual(outcomes, ['BUSY', 'BUSY'])
  t.like(await world.find(id), { officialStatus: 'PUBLISHED', name: 'Book' })
})

// [flows.errors.14]
test.serial('a successor must be another Flow of the account; of an ended one it may be named later', async (t) => {
  const { world, id } = await openFor('deprecate')
  const other = valueOf(await world.create({ name: 'Next' }))
  t.is(codeOf(await world.flows.deprecate(world.number, id, id)), 'FLOW_DEPRECATE_INVALID_SUCCESSOR')
  t.like(valueOf(await world.flows.deprecate(world.number, id, null)), {
    officialStatus: 'DEPRECATED',
    supersededByFlowId: null,
  })
  t.like(valueOf(await world.flows.deprecate(world.number, id, other.id)), { supersededByFlowId: other.id })
  t.like(valueOf(await world.flows.deprecate(world.number, id, null)), { supersededByFlowId: other.id })
  t.is(world.platform.asked.filter((op) => op === 'deprecate').length, 1)
})

test.serial('a publication in doubt is settled by the deprecation that follows it', async (t) => {
  for (const [fault, said] of [
    ['lost after', null],
    ['lost before', 'FLOW_NOT_PUBLISHED'],
  ] as const) {
    const { world, id } = await openFor('publish')
    world.platform.fault('publish', fault)
    world.platform.fault('read', 'lost before')
    t.is(codeOf(await world.flows.publish(world.number, id)), 'OFFICIAL_ERROR')
    const ended = await world.flows.deprecate(world.number, id, null)
    t.is(ended.ok ? null : ended.error.code, said, fault)
    t.like(await world.find(id), { ask: null, officialStatus: said === null ? 'DEPRECATED' : 'DRAFT' })
  }
})

test.serial(
  'a creation whose second try is refused is no certain refusal, because the first may still take effect',
  async (t) => {
    const world = await openFlowWorld(database())
    world.platform.fault('create', 'lost before', { code: 139_006, message: 'No' })
    t.is(codeOf(await world.create()), 'OFFICIAL_ERROR')
  },
)
