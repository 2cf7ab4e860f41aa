import test from 'ava'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { openFlowWorld } from '../../helpers/flow-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

// Tests run one after the other, because the background work of one world acts on the rows of all.
const database = sharedDatabase(test, openTestPglite)
const DOCUMENT = '{"screens":[]}'

// [flows.upstream.2]
test.serial(
  'after a lost answer a Flow that was created is adopted, and one that was not is requested once more',
  async (t) => {
    for (const fault of ['lost after', 'lost before', 'unsent'] as const) {
      const world = await openFlowWorld(database())
      world.platform.fault('create', fault)
      const made = valueOf(await world.create())
      t.is(made.officialFlowId ?? undefined, world.platform.named('Book')[0]?.externalId, fault)
      t.is(world.platform.named('Book').length, 1)
      t.like(await world.find(made.id), {
        ask: null,
        syncError: null,
        previewUrl: world.platform.named('Book')[0]?.previewUrl,
      })
    }
  },
)

test.serial('lost twice although upstream answers look-ups: 502, and nothing is left', async (t) => {
  const world = await openFlowWorld(database())
  world.platform.fault('create', 'lost before', 'lost before')
  t.is(codeOf(await world.create()), 'OFFICIAL_ERROR')
  t.deepEqual([await world.rows(), world.platform.flows.size], [[], 0])
  world.platform.fault('create', 'throttled')
  t.is(codeOf(await world.create()), 'OFFICIAL_THROTTLED')
  t.deepEqual(await world.rows(), [])
})

// [flows.upstream.2]
test.serial(
  'another Flow of the account with the same name is not adopted, whether this tenant or only another one knows it',
  async (t) => {
    const world = await openFlowWorld(database())
    world.platform.add({ name: 'Book' })
    t.is(codeOf(await world.create()), 'FLOW_NAME_INVALID')
    t.is(world.platform.asked.includes('read'), false)
    const other = await world.join('Other')
    valueOf(await world.flows.sync(other))
    t.is((await world.rows()).length, 1)
    world.clock.advance(1_000)
    world.platform.fault('create', 'lost before')
    t.is(codeOf(await world.create()), 'FLOW_NAME_INVALID')
    t.is((await world.rows()).length, 1)
  },
)

test.serial(
  'a creation in doubt is adopted later though another tenant has imported it meanwhile, and no import of its own tenant doubles it',
  async (t) => {
    const world = await openFlowWorld(database())
    world.platform.fault('create', 'lost after')
    world.platform.fault('page', 'lost before')
    const made = valueOf(await world.create())
    t.is(made.officialFlowId, null)
    world.clock.advance(1_000)
    valueOf(await world.flows.sync(world.number))
    valueOf(await world.flows.sync(await world.join('Other')))
    t.like(await world.rows(), [{ id: made.id, officialFlowId: null }])
    await world.settleLater()
    t.like(await world.rows(), [
      { id: made.id, officialFlowId: world.platform.named('Book')[0]?.externalId, officialStatus: 'DRAFT' },
    ])
    t.is(world.platform.flows.size, 1)
  },
)

// [flows.upstream.3]
test.serial(
  'a creation that waits is done in the background, and a clone gets the document of its source',
  async (t) => {
    const world = await openFlowWorld(database())
    const source = valueOf(await world.create({ name: 'Source', categories: ['SURVEY'] }))
    valueOf(await world.flows.uploadDocument(world.number, source.id, DOCUMENT))
    world.platform.fault('create', 'unsent')
    world.platform.fault('page', 'lost before')
    const clone = valueOf(await world.create({ name: 'Clone', cloneFromFlowId: source.id }))
    t.like(clone, { officialFlowId: null, clonedFromFlowId: source.id, categories: ['SURVEY'] })
    world.platform.fault('page', 'throttled')
    await world.settleLater()
    t.like(await world.find(clone.id), { officialFlowId: null, askTries: 1 })
    await world.settleLater()
    t.like(await world.find(clone.id), {
      officialFlowId: world.platform.named('Clone')[0]?.externalId,
      ask: null,
      askTries: 0,
    })
    t.is(world.platform.named('Clone')[0]?.document, DOCUMENT)
  },
)

// [flows.upstream.4]
test.serial(
  'a creation that is refused in the background says why and is not repeated; the Flow that has the name is imported, and a new name helps',
  async (t) => {
    const world = await openFlowWorld(database())
    world.platform.fault('create', 'unsent')
    world.platform.fault('page', 'lost before')
    const made = valueOf(await world.create())
    const other = await world.join('Other')
    const theirs = world.platform.add({ name: 'Book' })
    await world.stores.flows.merge(
      { tenantId: other.tenantId, accountId: world.accountId },
      null,
      [theirs],
      (listed, row) =>
        row
          ? { kind: 'KEEP' }
          : {
              kind: 'CREATE',
              flow: {
                ...made,
                id: made.id.replace('flow_', 'flow_x') as never,
                owner: { tenantId: other.tenantId, accountId: world.accountId },
                officialFlowId: listed.externalId,
                ask: null,
                askedUntil: null,
                createdAt: made.createdAt,
              },
            },
    )
    await world.settleLater()
    t.like(await world.find(made.id), { officialFlowId: null, ask: null, syncError: { code: 'FLOW_NAME_INVALID' } })
    valueOf(await world.flows.sync(world.number))
    t.is((await world.rows()).length, 2)
    t.is(
      codeOf(await world.flows.patch(world.number, made.id, { name: null, categories: ['SURVEY'] })),
      'FLOW_NAME_INVALID',
    )
    t.like(valueOf(await world.flows.patch(world.number, made.id, { name: 'Booking', categories: null })), {
      name: 'Booking',
      categories: ['SURVEY'],
      syncError: null,
      officialFlowId: world.platform.named('Booking')[0]?.externalId,
    })
  },
)

test.serial('a creation whose process died is finished once in the background', async (t) => {
  const world = await openFlowWorld(database())
  for (const [op, made] of [
    ['before', 0],
    ['after', 1],
  ] as const) {
    const name = `Died ${op}`
    const owner = { tenantId: world.number.tenantId, accountId: world.accountId }
    const row = valueOf(await world.create({ name }))
    world.platform.flows.delete(row.officialFlowId ?? '')
    if (made > 0) world.platform.add({ name })
    await world.stores.flows.change(row.id, () => ({
      kind: 'CHANGE',
      patch: { officialFlowId: null, ask: { kind: 'CREATE' }, askedUntil: new Date(world.clock.now() + 90_000) },
    }))
    t.deepEqual(row.owner, owner)
    t.is(codeOf(await world.flows.uploadDocument(world.number, row.id, DOCUMENT)), 'BUSY', 'somebody may be at it')
    await world.settleLater()
    t.is(world.platform.named(name).length, 1)
    t.is((await world.find(row.id)).officialFlowId ?? undefined, world.platform.named(name)[0]?.externalId)
  }
})

test.serial('a creation that waits can be deleted, together with a Flow that a lost request created', async (t) => {
  const world = await openFlowWorld(database())
  for (const fault of ['lost before', 'lost after'] as const) {
    world.platform.fault('create', fault)
    world.platform.fault('page', 'lost before')
    const { id } = valueOf(await world.create())
    t.is(codeOf(await world.flows.remove(world.number, id)), 'BUSY', 'it may come yet')
    world.clock.advance(60_000)
    world.platform.fault('page', 'lost before')
    t.is(codeOf(await world.flows.remove(world.number, id)), 'OFFICIAL_ERROR')
    t.is(valueOf(await world.flows.remove(world.number, id)), id)
    t.deepEqual([await world.rows(), world.platform.flows.size], [[], 0], fault)
  }
})

// [flows.upstream.2]
test.serial('a Flow that got the name while a creation was in doubt is not taken for what that one made', async (t) => {
  const world = await openFlowWorld(database())
  const { platform, flows, number } = world
  const create = platform.create.bind(platform)
  let other: string | null = null
  platform.create = async (submission) => {
    platform.create = create
    const { id } = valueOf(await world.create({ name: 'Other' }))
    valueOf(await flows.patch(number, id, { name: submission.name, categories: null }))
    other = id
    platform.fault('create', 'lost before')
    return create(submission)
  }
  t.is(codeOf(await world.create({ name: 'Book' })), 'FLOW_NAME_INVALID')
  t.deepEqual(
    (await world.rows()).map(({ id, name }) => ({ id, name })),
    [{ id: other, name: 'Book' }],
  )
  t.is(platform.named('Book').length, 1)
})
