import test from 'ava'
import type { TemplateEvent } from '../../../src/commands/templates/told.ts'
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
    at: new Date('2026-01-05T12:00:00Z'),
  })
  t.like(await rowOf(world, other, 'order_shipped'), { officialStatus: 'APPROVED', statusReason: null })
})

// [templates.account-changes.5] [templates.account-changes.6]
test('a notice of a category changes the correct one alone, the change itself the category; quality stands by itself', async (t) => {
  const world = await openTemplateWorld(database())
  const { externalId } = await approved(world)
  const ref = { ...NO_ONE, externalId }
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

test('a template nobody knows is read and imported, a word that does not exist yet is read anew, a deleted one goes', async (t) => {
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

/** What upstream shows at first; `meanwhile` happens before that is answered. Answers how often it was read. */
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

test('news that come while a template is read for earlier ones, or with refresh, are not undone by what was read', async (t) => {
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
    t.is(reads(), 2)
  }
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

test('what changes as often as it is read is taken over as it was read last', async (t) => {
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

test('what is told of another id is not of the template that has its name now: its end removes nothing, all else is read anew', async (t) => {
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

test('a creation that is answered while a listing is under way stays, though the page was read before it', async (t) => {
  const world = await openTemplateWorld(database())
  const read = Promise.withResolvers<void>()
  let listing: ReturnType<TemplateWorld['templates']['sync']> | null = null
  // The first try is lost, and upstream is listed before the second.
  world.platform.fault('create', 'lost before')
  world.platform.beforeAnswer = async (op) => {
    if (op === 'find') {
      world.clock.advance(1_000)
      listing = world.templates.sync(world.official)
      await read.promise
      world.clock.advance(1_000)
    }
    if (op === 'page') {
      read.resolve()
      await made
    }
  }
  const made = world.templates.create(world.official, given())
  const { id } = valueOf(await made)
  t.like(await (listing as ReturnType<TemplateWorld['templates']['sync']> | null), {
    ok: true,
    value: { removed: 0, total: 0 },
  })
  t.like(await rowOf(world, world.official, 'order_shipped'), { id })
})

// [templates.import.3] [templates.import.4]
test('a listing imports, updates and removes; ours keep id and names while upstream shows them as submitted', async (t) => {
  const world = await openTemplateWorld(database())
  const ours = await approved(world)
  const edited = await approved(world, { name: 'edited' })
  const gone = await approved(world, { name: 'gone' })
  const shown = world.platform.add({ name: 'elsewhere', language: 'pt_BR' })
  world.platform.templates.delete(gone.externalId ?? '')
  world.platform.change(edited.externalId ?? '', {
    components: [{ type: 'BODY', text: 'Now {{1}} it is another.', example: { body_text: [['it']] } }],
  })
  world.clock.advance(1_000)
  t.deepEqual(valueOf(await world.templates.sync(world.official)), {
    imported: 1,
    updated: 1,
    removed: 1,
    total: 3,
  })
  t.like(await rowOf(world, world.official, 'order_shipped'), { id: ours.id, variables: ['customer'] })
  t.like(await rowOf(world, world.official, 'edited'), {
    id: edited.id,
    variables: ['1'],
    body: { body: { text: 'Now {{1}} it is another.' } },
  })
  t.like(await rowOf(world, world.official, 'elsewhere'), { externalId: shown.externalId, language: 'pt_BR' })
  t.is(await rowOf(world, world.official, 'gone'), null)
  world.clock.advance(1_000)
  t.deepEqual(valueOf(await world.templates.sync(world.official)), {
    imported: 0,
    updated: 0,
    removed: 0,
    total: 3,
  })
})

test('a listing in which something cannot be read imports all else and removes nothing until it is gone', async (t) => {
  const world = await openTemplateWorld(database())
  const gone = await approved(world, { name: 'gone' })
  world.platform.templates.clear()
  for (const name of ['a', 'b', 'c']) world.platform.add({ name })
  world.platform.isWhole = false
  world.clock.advance(1_000)
  t.deepEqual(valueOf(await world.templates.sync(world.official)), {
    imported: 3,
    updated: 0,
    removed: 0,
    total: 3,
  })
  t.like(await rowOf(world, world.official, 'gone'), { id: gone.id })
  world.platform.isWhole = true
  world.clock.advance(1_000)
  t.deepEqual(valueOf(await world.templates.sync(world.official)), {
    imported: 0,
    updated: 0,
    removed: 1,
    total: 3,
  })
})

// [templates.import.2] [templates.import.3]
test('a listing that breaks on its second page removes nothing; those who want one at the same time share it', async (t) => {
  const world = await openTemplateWorld(database())
  const gone = await approved(world, { name: 'gone' })
  world.platform.templates.clear()
  for (const name of ['a', 'b', 'c', 'd', 'e']) world.platform.add({ name })
  world.clock.advance(1_000)
  let pages = 0
  world.platform.beforeAnswer = async (op) => {
    if (op === 'page' && ++pages === 1) world.platform.fault('page', 'lost before')
  }
  t.is(codeOf(await world.templates.sync(world.official)), 'OFFICIAL_ERROR')
  t.like(await rowOf(world, world.official, 'gone'), { id: gone.id })
  t.truthy(await rowOf(world, world.official, 'b'))
  const asked = world.platform.asked.length
  const [one, other] = await Promise.all([world.templates.sync(world.official), world.templates.sync(world.official)])
  t.deepEqual([valueOf(one), world.platform.asked.length - asked], [valueOf(other), 3])
  t.is(await rowOf(world, world.official, 'gone'), null)
})

test('a row that changes while a page of a listing is under way keeps what it says', async (t) => {
  const world = await openTemplateWorld(database())
  const { externalId } = await approved(world)
  world.clock.advance(1_000)
  world.platform.beforeAnswer = async (op) => {
    if (op !== 'page') return
    await told(world, { ref: { ...NO_ONE, externalId }, value: { event: 'PAUSED' } })
  }
  valueOf(await world.templates.sync(world.official))
  t.like(await rowOf(world, world.official, 'order_shipped'), { upstreamStatus: 'PAUSED' })
})

// Chores take rows of every test: nothing else runs beside.
test.serial(
  'accounts are listed when they come, every hour, and every ten minutes while something is pending',
  async (t) => {
    const world = await openTemplateWorld(database())
    const listings = async () => {
      const before = world.platform.asked.filter((op) => op === 'page').length
      while (await world.templates.listDue(() => true));
      return world.platform.asked.filter((op) => op === 'page').length - before
    }
    t.is(await listings(), 1)
    t.is(await listings(), 0)
    world.clock.advance(3_601_000)
    t.is(await listings(), 1)
    valueOf(await world.templates.create(world.official, given()))
    world.clock.advance(601_000)
    t.is(await listings(), 1)
  },
)

test('a read with refresh takes over what upstream says; what it has no more is gone here too', async (t) => {
  const world = await openTemplateWorld(database())
  const made = await approved(world)
  world.platform.change(made.externalId ?? '', { status: 'REJECTED', rejectedReason: 'INVALID_FORMAT' })
  t.like(valueOf(await world.templates.refresh(world.official, made)), {
    officialStatus: 'REJECTED',
    statusReason: 'INVALID_FORMAT',
    sendable: false,
  })
  world.platform.fault('read', 'lost before')
  t.is(codeOf(await world.templates.refresh(world.official, made)), 'OFFICIAL_ERROR')
  world.platform.templates.clear()
  t.is(codeOf(await world.templates.refresh(world.official, made)), 'TEMPLATE_NOT_FOUND')
  t.is(await rowOf(world, world.official, 'order_shipped'), null)
})

// [templates.special-buttons.2]
test('the words of a code are upstream’s once they are known, under our variable’s name', async (t) => {
  const world = await openTemplateWorld(database())
  const body = { body: { text: 'Your code is {{pin}}.' }, buttons: [{ type: 'COPY_CODE', text: 'Copy' }] }
  const made = valueOf(
    await world.templates.create(world.official, given({ category: 'OTP', body, examples: { pin: '1' } })),
  )
  world.platform.change(made.externalId ?? '', {
    category: 'AUTHENTICATION',
    status: 'APPROVED',
    components: [
      { type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: true },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Copy code',
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
          },
        ],
      },
    ],
  })
  t.like(valueOf(await world.templates.refresh(world.official, made)), {
    category: 'OTP',
    variables: ['pin'],
    sendable: true,
    body: { body: { text: '*{{pin}}* is your verification code.' } },
  })
})

// [templates.import.8]
test('the file of an imported template is fetched once when it is first wanted, from an address read anew, and kept', async (t) => {
  const world = await openTemplateWorld(database())
  const header = (url: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [url] } })
  const shown = world.platform.add({
    name: 'pictured',
    components: [header('https://cdn.upstream/old'), { type: 'BODY', text: 'Hello.' }],
  })
  valueOf(await world.templates.sync(world.official))
  const row = await rowOf(world, world.official, 'pictured')
  if (!row) return t.fail('it was not imported')
  t.deepEqual(row.files, { header: null, cards: [] })
  world.platform.change(shown.externalId, {
    components: [header('https://cdn.upstream/new'), { type: 'BODY', text: 'Hello.' }],
  })
  const { sampleFiles } = world.templates
  const [one, other] = await Promise.all([sampleFiles(world.official, row), sampleFiles(world.official, row)])
  t.deepEqual(valueOf(one), valueOf(other))
  t.deepEqual(world.templateFiles.asked, ['IMAGE https://cdn.upstream/new UPSTREAM'])
  const kept = await rowOf(world, world.official, 'pictured')
  t.is(kept?.files.header, valueOf(one).header)
  t.regex(kept?.body.header.url ?? '', /^https:\/\/files\.example\/file_/)
  world.platform.fault('read', 'lost before')
  t.is(codeOf(await sampleFiles(world.official, row)), 'TEMPLATE_MEDIA_REQUIRED')
})
