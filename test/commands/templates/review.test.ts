import test from 'ava'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { approved, given, openTemplateWorld } from '../../helpers/template-world.ts'
import type { TemplateWorld } from '../../helpers/template-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const database = sharedDatabase(test, openTestPglite)

async function rowOf({ stores }: TemplateWorld, number: TemplateWorld['official'], idOrName: string) {
  const [row] = await stores.templates.find(number, idOrName)
  return row ?? null
}

test('a creation that is answered while a listing is under way stays, though the page was read before it', async (t) => {
  const world = await openTemplateWorld(database())
  const read = Promise.withResolvers<void>()
  let listing: ReturnType<TemplateWorld['templates']['sync']> | null = null
  // The first request is lost. A listing of the upstream comes before the second one.
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

// [templates.import.3] [templates.import.4] [templates.import.1]
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

test('a row that changes while a page of a listing is being read keeps its change', async (t) => {
  const world = await openTemplateWorld(database())
  const { externalId } = await approved(world)
  world.clock.advance(1_000)
  const page = world.platform.page.bind(world.platform)
  world.platform.page = async (query) => {
    const shown = await page(query)
    world.platform.change(externalId ?? '', { status: 'PAUSED' })
    await world.templates.told({
      tenantId: world.official.tenantId,
      accountId: world.accountId,
      kind: 'STATUS',
      ref: { externalId, name: null, language: null },
      value: { event: 'PAUSED' },
      at: new Date('2026-01-05T12:00:00Z'),
    })
    return shown
  }
  valueOf(await world.templates.sync(world.official))
  t.like(await rowOf(world, world.official, 'order_shipped'), { upstreamStatus: 'PAUSED' })
})

// [templates.import.1]
// Serial, because chores take the rows of every test.
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

// [templates.routes.4]
test("a read with refresh stores the upstream's state, and removes a template that the upstream no longer has", async (t) => {
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
test('an OTP template shows the upstream’s text once it is known, with the name of our variable', async (t) => {
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
