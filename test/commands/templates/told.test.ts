import test from 'ava'
import type { TemplateEvent } from '../../../src/commands/templates/told.ts'
import type { StoredTemplate } from '../../../src/ports/stores/template-store.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { approved, given, openTemplateWorld } from '../../helpers/template-world.ts'
import type { TemplateWorld } from '../../helpers/template-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const database = sharedDatabase(test, openTestPglite)
const NO_ONE = { externalId: null, name: null, language: null }

function told({ templates, official, accountId }: TemplateWorld, fields: Partial<TemplateEvent>) {
  return templates.told({
    tenantId: official.tenantId,
    accountId,
    kind: 'STATUS',
    ref: NO_ONE,
    value: {},
    at: new Date('2026-01-05T12:00:00Z'),
    ...fields,
  })
}

async function rowOf({ stores }: TemplateWorld, number: TemplateWorld['official'], idOrName: string) {
  const [row] = await stores.templates.find(number, idOrName)
  return row ?? null
}

// [templates.account-changes.1]
test('an event finds its template by id, or by name and language however it is written, in every tenant of the account', async (t) => {
  const world = await openTemplateWorld(database())
  const other = await world.join('Other')
  const made = await approved(world, { language: 'en-US' })
  valueOf(await world.templates.sync(other))
  world.platform.change(made.externalId ?? '', { status: 'PAUSED' })
  await told(world, {
    ref: { ...NO_ONE, externalId: made.externalId },
    value: { event: 'PAUSED', reason: 'NONE', other_info: { title: 'FIRST_PAUSE', description: 'Three hours.' } },
  })
  for (const number of [world.official, other]) {
    t.like(await rowOf(world, number, 'order_shipped'), {
      officialStatus: 'DISABLED',
      upstreamStatus: 'PAUSED',
      statusReason: 'FIRST_PAUSE',
      statusDescription: 'Three hours.',
      sendable: false,
    })
  }
  await told(world, {
    ref: { externalId: null, name: 'order_shipped', language: 'en-US' },
    value: { event: 'APPROVED' },
    at: new Date('2026-01-05T11:00:00Z'),
  })
  t.like(await rowOf(world, other, 'order_shipped'), { upstreamStatus: 'PAUSED' })
  await told(world, {
    ref: { externalId: null, name: 'order_shipped', language: 'en-US' },
    value: { event: 'APPROVED' },
    at: new Date('2026-01-05T12:00:01Z'),
  })
  t.like(await rowOf(world, other, 'order_shipped'), { officialStatus: 'APPROVED', statusReason: null })
})

// [templates.account-changes.3]
test('after two statuses of the same second the upstream is asked which is true; when it cannot say, the one that was told last counts', async (t) => {
  const world = await openTemplateWorld(database())
  const { externalId } = await approved(world)
  const ref = { ...NO_ONE, externalId }
  const pause = { event: 'PAUSED', other_info: { title: 'FIRST_PAUSE', description: 'Three hours.' } }
  const after = async (value: TemplateEvent['value']) => {
    await told(world, { ref, value })
    return await rowOf(world, world.official, 'order_shipped')
  }
  const paused = { upstreamStatus: 'PAUSED', sendable: false, statusReason: 'FIRST_PAUSE' }
  world.platform.change(externalId ?? '', { status: 'PAUSED' })
  t.like(await after(pause), paused)
  t.like(await after({ event: 'APPROVED' }), paused, 'told late: upstream was asked')
  t.like(await after(pause), paused)
  world.platform.change(externalId ?? '', { status: 'APPROVED' })
  t.like(await after({ event: 'APPROVED' }), { upstreamStatus: 'APPROVED', sendable: true, statusReason: null })
  t.like(await after(pause), { upstreamStatus: 'APPROVED', sendable: true })
  world.platform.change(externalId ?? '', { status: 'PAUSED' })
  t.like(await after(pause), paused, 'its reason is told by the event alone')
  world.platform.fault('read', 'lost before')
  t.like(await after({ event: 'APPROVED' }), { upstreamStatus: 'APPROVED', sendable: true }, 'upstream cannot be read')
})

// [templates.account-changes.3]
test('older news that waited behind a read do not undo what was read', async (t) => {
  const world = await openTemplateWorld(database())
  const made = await approved(world)
  const ref = { ...NO_ONE, externalId: made.externalId }
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 12, minute))
  world.platform.change(made.externalId ?? '', { status: 'PAUSED' })
  await told(world, { ref, at: at(1), value: { event: 'PAUSED' } })
  world.platform.change(made.externalId ?? '', { status: 'APPROVED' })
  t.like(valueOf(await world.templates.refresh(world.official, made)), { upstreamStatus: 'APPROVED' })
  await told(world, { ref, at: at(2), value: { event: 'PAUSED' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), { upstreamStatus: 'APPROVED', sendable: true })
  await told(world, { ref, at: at(3), value: { event: 'APPROVED' } })
  world.platform.change(made.externalId ?? '', { status: 'DISABLED' })
  await told(world, { ref, at: at(4), value: { event: 'DISABLED' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), { upstreamStatus: 'DISABLED', sendable: false })
})

test('after two qualities of the same second the upstream is asked which is true', async (t) => {
  const world = await openTemplateWorld(database())
  const { externalId } = await approved(world)
  const ref = { ...NO_ONE, externalId }
  world.platform.change(externalId ?? '', { quality: 'RED' })
  for (const score of ['RED', 'GREEN']) {
    await told(world, { kind: 'QUALITY', ref, value: { new_quality_score: score } })
    t.like(await rowOf(world, world.official, 'order_shipped'), { quality: 'RED' }, score)
  }
})

// [templates.account-changes.5] [templates.account-changes.6] [templates.object.2]
test('the announcement of a category sets only the correct category, the change itself sets the category, and quality is independent', async (t) => {
  const world = await openTemplateWorld(database())
  const { externalId } = await approved(world)
  const ref = { ...NO_ONE, externalId }
  world.platform.change(externalId ?? '', { correctCategory: 'MARKETING', quality: 'RED' })
  await told(world, { kind: 'CATEGORY', ref, value: { new_category: 'UTILITY', correct_category: 'MARKETING' } })
  await told(world, { kind: 'QUALITY', ref, value: { new_quality_score: 'RED' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), {
    category: 'UTILITY',
    correctCategory: 'MARKETING',
    quality: 'RED',
    officialStatus: 'APPROVED',
  })
  await told(world, { kind: 'CATEGORY', ref, value: { previous_category: 'UTILITY', new_category: 'MARKETING' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), { category: 'MARKETING', requestedCategory: 'UTILITY' })
})

test('an unknown template is read and imported, an unknown status is read anew, and a deleted template is removed', async (t) => {
  const world = await openTemplateWorld(database())
  const other = await world.join('Other')
  const shown = world.platform.add({ name: 'elsewhere' })
  const ref = { externalId: shown.externalId, name: 'elsewhere', language: 'en' }
  await told(world, { ref, value: { event: 'APPROVED' } })
  t.like(await rowOf(world, world.official, 'elsewhere'), {
    externalId: shown.externalId,
    sendable: true,
    quality: 'GREEN',
  })
  t.like(await rowOf(world, other, 'elsewhere'), { externalId: shown.externalId })
  world.platform.change(shown.externalId, { status: 'ASLEEP' })
  await told(world, { ref, value: { event: 'ASLEEP' } })
  t.like(await rowOf(world, other, 'elsewhere'), { officialStatus: 'DISABLED', upstreamStatus: 'ASLEEP' })
  const asked = world.platform.asked.length
  await told(world, { ref, value: { event: 'DELETED' } })
  await told(world, { ref, value: { event: 'DELETED' } })
  t.is(world.platform.asked.length, asked)
  t.deepEqual([await rowOf(world, world.official, 'elsewhere'), await rowOf(world, other, 'elsewhere')], [null, null])
})

/**
 * Runs `meanwhile` during the first read, after the upstream has fixed its answer. Returns a function that counts the
 * reads.
 */
function whileRead({ platform, clock }: TemplateWorld, meanwhile: () => Promise<void>): () => number {
  const read = platform.read.bind(platform)
  let reads = 0
  platform.read = async (externalId) => {
    const shown = await read(externalId)
    clock.advance(1)
    if (++reads === 1) await meanwhile()
    return shown
  }
  return () => reads
}

test('a change that arrives while a template is read, for earlier changes or for a refresh, is not undone by that read', async (t) => {
  const at = new Date('2026-01-05T12:01:00Z')
  for (const how of ['told', 'refresh'] as const) {
    const world = await openTemplateWorld(database())
    const other = await world.join('Other')
    const made = await approved(world)
    valueOf(await world.templates.sync(other))
    const ref = { ...NO_ONE, externalId: made.externalId }
    const reads = whileRead(world, async () => {
      world.platform.change(made.externalId ?? '', { status: 'PAUSED' })
      await told(world, { ref, at, value: { event: 'PAUSED', other_info: { title: 'FIRST_PAUSE' } } })
    })
    if (how === 'told') await told(world, { kind: 'COMPONENTS', ref })
    else t.like(valueOf(await world.templates.refresh(world.official, made)), { upstreamStatus: 'PAUSED' })
    for (const number of [world.official, other])
      t.like(
        await rowOf(world, number, 'order_shipped'),
        { upstreamStatus: 'PAUSED', statusReason: 'FIRST_PAUSE' },
        how,
      )
    t.is(reads(), 3, 'once more for the news')
  }
})

test('news in doubt count when the template was being asked about while it was read, and no longer is', async (t) => {
  const world = await openTemplateWorld(database())
  const { templates } = world.stores
  const { id, externalId } = await approved(world)
  const ref = { ...NO_ONE, externalId }
  world.platform.change(externalId ?? '', { status: 'PAUSED' })
  await told(world, { ref, value: { event: 'PAUSED' } })
  world.platform.change(externalId ?? '', { status: 'APPROVED' })
  const ask = (one: StoredTemplate['ask']) => templates.change(id, () => ({ kind: 'CHANGE', patch: { ask: one } }))
  whileRead(world, async () => void (await ask({ kind: 'DELETE' })))
  const merge = templates.merge.bind(templates)
  templates.merge = async (owner, listing, listed, decide) => {
    const merged = await merge(owner, listing, listed, decide)
    await ask(null)
    return merged
  }
  await told(world, { ref, value: { event: 'APPROVED' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), { upstreamStatus: 'APPROVED', ask: null })
})

test('a template whose end is told while it is read is not imported again', async (t) => {
  for (const how of ['told', 'refresh'] as const) {
    const world = await openTemplateWorld(database())
    const made = await approved(world)
    const ref = { ...NO_ONE, externalId: made.externalId }
    whileRead(world, async () => {
      world.platform.templates.clear()
      await told(world, { ref, value: { event: 'DELETED' } })
    })
    if (how === 'told') await told(world, { kind: 'COMPONENTS', ref })
    else t.is(codeOf(await world.templates.refresh(world.official, made)), 'TEMPLATE_NOT_FOUND')
    t.is(await rowOf(world, world.official, 'order_shipped'), null, how)
  }
})

test('a template that changes during every read is stored as it was read last', async (t) => {
  const world = await openTemplateWorld(database())
  const made = await approved(world)
  let times = 0
  world.platform.beforeAnswer = async () => {
    world.clock.advance(1)
    await world.stores.templates.change(made.id, () => ({
      kind: 'CHANGE',
      patch: { statusDescription: `change ${++times}` },
    }))
  }
  world.platform.change(made.externalId ?? '', { status: 'PAUSED' })
  t.like(valueOf(await world.templates.refresh(world.official, made)), { upstreamStatus: 'PAUSED' })
  t.is(times, 3)
})

test('a change with another id is not about the template that has the name now: a deletion removes nothing, any other change is read anew', async (t) => {
  const world = await openTemplateWorld(database())
  const predecessor = { externalId: '9007199254740999999', name: 'order_shipped', language: 'en' }
  world.platform.beforeAnswer = async (op) => {
    if (op === 'create') await told(world, { ref: predecessor, value: { event: 'DELETED' } })
  }
  const made = valueOf(await world.templates.create(world.official, given()))
  await told(world, { ref: predecessor, value: { event: 'DELETED' } })
  await told(world, { ref: predecessor, value: { event: 'REJECTED', reason: 'SCAM' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), {
    id: made.id,
    externalId: made.externalId,
    officialStatus: 'PENDING',
    statusReason: null,
  })
  world.platform.templates.delete(made.externalId ?? '')
  const { externalId } = world.platform.add({ name: 'order_shipped' })
  await told(world, { ref: { ...predecessor, externalId }, value: { event: 'APPROVED' } })
  t.like(await rowOf(world, world.official, 'order_shipped'), { id: made.id, externalId, officialStatus: 'APPROVED' })
})
