import test from 'ava'
import { createTemplates } from '../../../src/commands/templates/templates.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { approved, given, openTemplateWorld, settleLater } from '../../helpers/template-world.ts'
import type { TemplateWorld } from '../../helpers/template-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const database = sharedDatabase(test, openTestPglite)

function rowsOf({ stores, official }: TemplateWorld) {
  return stores.templates.list(official, {
    page: 1,
    pageSize: 100,
    name: null,
    category: null,
    language: null,
    source: null,
    officialStatus: null,
    sendable: null,
  })
}

// [templates.create.1] [templates.examples.3] [templates.object.3]
test('a template of an OFFICIAL number is submitted with numbered variables and waits for its review, ours keep their names', async (t) => {
  const world = await openTemplateWorld(database())
  const made = valueOf(
    await world.templates.create(
      world.official,
      given({ body: 'Hi {{a}} and {{a}} and {{b}} bye', examples: { a: 'x', b: 'y' } }),
    ),
  )
  const [shown] = world.platform.named('order_shipped')
  t.like(made, {
    source: 'OFFICIAL',
    officialStatus: 'PENDING',
    sendable: false,
    externalId: shown?.externalId,
    requestedCategory: 'UTILITY',
    ask: null,
  })
  t.deepEqual(made.variables, ['a', 'b'])
  t.deepEqual(shown?.components, [
    { type: 'BODY', text: 'Hi {{1}} and {{2}} and {{3}} bye', example: { body_text: [['x', 'x', 'y']] } },
  ])
  t.truthy(made.submittedAt)
})

// [templates.object.8] [templates.object.3]
test('a template of an UNOFFICIAL number is sendable at once, and upstream hears nothing of it', async (t) => {
  const world = await openTemplateWorld(database())
  t.like(valueOf(await world.templates.create(world.local, given())), {
    source: 'LOCAL',
    officialStatus: null,
    sendable: true,
    externalId: null,
    quality: null,
    submittedAt: null,
  })
  t.deepEqual(world.platform.asked, [])
})

test('a refused body fetches, stores and submits nothing', async (t) => {
  const world = await openTemplateWorld(database())
  const header = { type: 'IMAGE', url: 'https://cdn.acme.shop/a.png' }
  t.is(
    codeOf(
      await world.templates.create(
        world.official,
        given({ body: { header, body: { text: 'Hi {{name}}' } }, examples: {} }),
      ),
    ),
    'TEMPLATE_BODY_VARIABLE_AT_EDGE',
  )
  t.deepEqual([world.platform.asked, world.templateFiles.asked, (await rowsOf(world)).total], [[], [], 0])
})

// [templates.files.1] [templates.files.7]
test('a media header is uploaded and named by its handle; without an app id upstream is not asked, nor the file fetched', async (t) => {
  const body = { header: { type: 'IMAGE', url: 'https://cdn.acme.shop/a.png?x=1' }, body: { text: 'Hello there.' } }
  const without = await openTemplateWorld(database(), { appId: null })
  t.is(codeOf(await without.templates.create(without.official, given({ body }))), 'OFFICIAL_APP_ID_REQUIRED')
  t.deepEqual([without.platform.asked, without.templateFiles.asked], [[], []])

  const world = await openTemplateWorld(database())
  const made = valueOf(await world.templates.create(world.official, given({ body })))
  t.is(made.body.header.url, 'https://cdn.acme.shop/a.png?x=1')
  t.truthy(made.files.header)
  const [shown] = world.platform.named('order_shipped')
  t.deepEqual(shown?.components[0], {
    type: 'HEADER',
    format: 'IMAGE',
    example: { header_handle: [`4::${made.files.header}.png`] },
  })
})

// [templates.files.3] [templates.files.5]
test('a file that cannot be had is refused by its kind, and one of a card names the card; nothing is left', async (t) => {
  const world = await openTemplateWorld(database())
  const url = 'https://cdn.acme.shop/a.png'
  world.templateFiles.problems.set(url, { problem: 'TOO_LARGE', message: 'too large', measured: 6, max: 5 })
  const ofHeader = await world.templates.create(
    world.official,
    given({ body: { header: { type: 'IMAGE', url }, body: { text: 'Hello.' } } }),
  )
  t.is(codeOf(ofHeader), 'MEDIA_TOO_LARGE')
  const card = (at: string) => ({ media: { url: at }, buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] })
  const ofCard = await world.templates.create(
    world.official,
    given({
      category: 'MARKETING',
      body: { body: { text: 'New.' }, carousel: { cards: [card('https://cdn.acme.shop/b.png'), card(url)] } },
    }),
  )
  t.like(ofCard.ok ? {} : ofCard.error, {
    code: 'TEMPLATE_CARD_MEDIA_REFUSED',
    details: { card: 2, problem: 'TOO_LARGE', measured: 6, max: 5 },
  })
  t.is(world.templateFiles.released.length, 1)
  t.deepEqual([world.platform.asked, (await rowsOf(world)).total], [[], 0])
})

// [templates.create.21]
test('a sample whose upload upstream refuses is told as that, whatever the code, and leaves no row', async (t) => {
  const world = await openTemplateWorld(database())
  const body = { header: { type: 'IMAGE', url: 'https://cdn.acme.shop/a.png' }, body: { text: 'Hello there.' } }
  world.platform.fault('uploadSample', { code: 100, message: 'Not this file' })
  const refused = await world.templates.create(world.official, given({ body }))
  t.like(refused.ok ? {} : refused.error, {
    code: 'OFFICIAL_TEMPLATE_SUBMIT_FAILED',
    message: 'Not this file',
    details: { upstreamCode: 100, upstreamMessage: 'Not this file', reason: 'MEDIA_UPLOAD_FAILED' },
  })
  t.deepEqual([world.platform.asked, (await rowsOf(world)).total], [['uploadSample'], 0])
})

// [templates.create.2] [templates.create.5]
test('upstream refuses: its words, its codes and our reason are told, and the name is free again', async (t) => {
  const world = await openTemplateWorld(database())
  world.platform.fault('create', { code: 368, subcode: 1346003, message: 'Not this domain' })
  const refused = await world.templates.create(world.official, given())
  t.like(refused.ok ? {} : refused.error, {
    code: 'OFFICIAL_TEMPLATE_SUBMIT_FAILED',
    message: 'Not this domain',
    details: {
      upstreamCode: 368,
      upstreamSubcode: 1346003,
      upstreamMessage: 'Not this domain',
      reason: 'CONTENT_ABUSIVE',
    },
  })
  world.platform.fault('create', 'throttled')
  t.is(codeOf(await world.templates.create(world.official, given())), 'OFFICIAL_THROTTLED')
  t.is((await rowsOf(world)).total, 0)
  t.true((await world.templates.create(world.official, given())).ok)
})

// [templates.name.4] [templates.create.3]
test('a name that is taken here is refused with the id of its template; one taken upstream is imported first', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = valueOf(await world.templates.create(world.official, given()))
  const again = await world.templates.create(world.official, given({ name: 'Order Shipped' }))
  t.like(again.ok ? {} : again.error, { code: 'TEMPLATE_ALREADY_EXISTS', details: { id } })
  const elsewhere = world.platform.add({ name: 'welcome' })
  const taken = await world.templates.create(world.official, given({ name: 'welcome' }))
  const [row] = await world.stores.templates.find(world.official, 'welcome')
  t.like(taken.ok ? {} : taken.error, { code: 'TEMPLATE_ALREADY_EXISTS', details: { id: row?.id } })
  t.like(row, {
    externalId: elsewhere.externalId,
    officialStatus: 'APPROVED',
    ask: null,
    requestedCategory: null,
    body: { body: { text: 'Hello {{1}}, welcome.' } },
  })
})

// [templates.create.4]
test('a name that upstream is still deleting is said to be so, and leaves no row', async (t) => {
  const world = await openTemplateWorld(database())
  world.platform.add({ name: 'gone', status: 'PENDING_DELETION' })
  t.is(codeOf(await world.templates.create(world.official, given({ name: 'gone' }))), 'TEMPLATE_NAME_BEING_DELETED')
  world.platform.fault('create', { code: 100, subcode: 2388023 })
  t.is(codeOf(await world.templates.create(world.official, given({ name: 'blocked' }))), 'TEMPLATE_NAME_BEING_DELETED')
  t.is((await rowsOf(world)).total, 0)
})

// [templates.create.6] [templates.create.7] [templates.create.8]
test('after a lost answer a template that was created is adopted, and one that was not is submitted once more', async (t) => {
  const world = await openTemplateWorld(database())
  world.platform.fault('create', 'lost after')
  t.like(valueOf(await world.templates.create(world.official, given({ name: 'taken' }))), {
    officialStatus: 'PENDING',
    ask: null,
  })
  world.platform.fault('create', 'lost before')
  t.like(valueOf(await world.templates.create(world.official, given({ name: 'twice' }))), {
    officialStatus: 'PENDING',
    ask: null,
  })
  world.platform.fault('create', 'lost before', 'lost after')
  t.like(valueOf(await world.templates.create(world.official, given({ name: 'thrice' }))), {
    officialStatus: 'PENDING',
    ask: null,
  })
  t.deepEqual(
    ['taken', 'twice', 'thrice'].map((name) => world.platform.named(name).length),
    [1, 1, 1],
  )
  world.platform.fault('create', 'lost before', 'lost before')
  t.is(codeOf(await world.templates.create(world.official, given({ name: 'never' }))), 'OFFICIAL_ERROR')
  t.deepEqual([(await rowsOf(world)).total, world.platform.named('never').length], [3, 0])
})

// [templates.create.9] [templates.create.10]
// Serial, because chores take the rows of every test.
test.serial(
  'when the look-up fails too the row stays in doubt; the same POST joins it, and the background settles it',
  async (t) => {
    const world = await openTemplateWorld(database())
    world.platform.fault('create', 'lost after', 'lost before')
    world.platform.fault('find', 'lost before', 'lost before')
    t.is(codeOf(await world.templates.create(world.official, given({ name: 'done' }))), 'OFFICIAL_ERROR')
    t.is(codeOf(await world.templates.create(world.official, given({ name: 'lost' }))), 'OFFICIAL_ERROR')
    t.is((await rowsOf(world)).total, 2)
    t.is(
      codeOf(await world.templates.create(world.official, given({ name: 'done', body: 'Something else.' }))),
      'TEMPLATE_ALREADY_EXISTS',
    )
    t.like(valueOf(await world.templates.create(world.official, given({ name: 'done' }))), {
      ask: null,
      officialStatus: 'PENDING',
    })
    await settleLater(world)
    t.deepEqual(
      (await rowsOf(world)).items.map(({ name }) => name),
      ['done'],
    )
    t.deepEqual(
      ['done', 'lost'].map((name) => world.platform.named(name).length),
      [1, 0],
    )
  },
)

// Serial, because chores take the rows of every test.
test.serial(
  'a creation whose second try is refused is in doubt, because the first may still take effect; a late one is adopted',
  async (t) => {
    const world = await openTemplateWorld(database())
    world.platform.fault('create', 'lost before', { code: 131_000, message: 'Something went wrong' })
    t.is(codeOf(await world.templates.create(world.official, given({ name: 'late' }))), 'OFFICIAL_ERROR')
    const [row] = await world.stores.templates.find(world.official, 'late')
    t.deepEqual(row?.ask, { kind: 'CREATE' })
    world.platform.add({ name: 'late', status: 'PENDING', components: row?.submitted ?? [] })
    await settleLater(world)
    t.like(await world.stores.templates.find(world.official, 'late'), [
      { id: row?.id, ask: null, officialStatus: 'PENDING' },
    ])
  },
)

test('what is told of the template that had the name before says nothing of the one that is being created', async (t) => {
  const world = await openTemplateWorld(database())
  const { tenantId } = world.official
  world.platform.beforeAnswer = () =>
    world.templates.told({
      tenantId,
      accountId: world.accountId,
      kind: 'STATUS',
      ref: { externalId: '7', name: 'order_shipped', language: 'en' },
      value: { event: 'APPROVED' },
      at: new Date('2026-01-05T12:00:00Z'),
    })
  t.like(valueOf(await world.templates.create(world.official, given())), { officialStatus: 'PENDING', sendable: false })
})

// [templates.create.6]
test('a look-up never adopts a template whose name only contains the name', async (t) => {
  const world = await openTemplateWorld(database())
  valueOf(await world.templates.create(world.official, given({ name: 'order_sent' })))
  world.platform.fault('create', 'lost before')
  const made = valueOf(await world.templates.create(world.official, given({ name: 'order_sen' })))
  t.is(made.externalId, world.platform.named('order_sen')[0]?.externalId ?? '')
  t.is((await rowsOf(world)).total, 2)
})

// [templates.account-changes.4]
test('approved before the answer of its creation comes: the event wins', async (t) => {
  const world = await openTemplateWorld(database())
  world.platform.beforeAnswer = async () => {
    const [row] = await world.stores.templates.find(world.official, 'order_shipped')
    if (row)
      await world.stores.templates.change(row.id, () => ({
        kind: 'CHANGE',
        patch: {
          officialStatus: 'APPROVED',
          upstreamStatus: 'APPROVED',
          applied: { ...row.applied, status: new Date() },
        },
      }))
  }
  t.like(valueOf(await world.templates.create(world.official, given())), {
    officialStatus: 'APPROVED',
    sendable: true,
  })
})

// [templates.create.11]
test.serial('a process that ends anywhere in a creation leaves nothing in doubt for good', async (t) => {
  const world = await openTemplateWorld(database())
  const crash = new Error('killed')
  const { asked } = world.platform
  // Throws before the request, or after its effect but before the answer is stored. The throw stands for a kill.
  const createThenDie = async (name: string, at: 'before' | 'after') => {
    const { templates } = world.stores
    let changes = 0
    const change: typeof templates.change = (id, decide) =>
      ++changes > (at === 'before' ? 0 : 1) ? Promise.reject(crash) : templates.change(id, decide)
    const dying = new Proxy(templates, {
      get: (target, key) =>
        key === 'change' ? change : (target[key as keyof typeof target] as () => unknown).bind(target),
    })
    await t.throwsAsync(createTemplates({ ...world.ports, templates: dying }).create(world.official, given({ name })), {
      is: crash,
    })
  }
  await createThenDie('before_it', 'before')
  await createThenDie('after_it', 'after')
  t.true(asked.includes('create'))
  await settleLater(world)
  t.deepEqual(
    (await rowsOf(world)).items.map(({ name, officialStatus }) => [name, officialStatus]),
    [['after_it', 'PENDING']],
  )
  t.deepEqual(
    ['before_it', 'after_it'].map((name) => world.platform.named(name).length),
    [0, 1],
  )
})

// [templates.routes.2]
test('a preview fills in what was given and the examples beside it, and writes nothing', async (t) => {
  const world = await openTemplateWorld(database())
  const seen = valueOf(
    await world.templates.preview(
      world.official,
      given({ name: 'Hé llo', body: 'Hi {{a}}, {{b}} it is.', examples: { a: 'x', b: 'y' } }),
      { a: '$& {{b}}' },
    ),
  )
  t.deepEqual([seen.name, seen.variables, seen.preview.body?.text], ['he_llo', ['a', 'b'], 'Hi $& {{b}}, y it is.'])
  t.is(codeOf(await world.templates.preview(world.local, given({ examples: {} }), {})), 'TEMPLATE_EXAMPLES_REQUIRED')
  t.is((await rowsOf(world)).total, 0)
})

// [templates.scope.1]
test('numbers of one account in one tenant see one row; another tenant its own, and a QR-paired number none of them', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = await approved(world)
  const other = await world.join('Other')
  t.deepEqual(
    (await world.stores.templates.find(world.official, id)).map((row) => row.id),
    [id],
  )
  t.deepEqual(await world.stores.templates.find(other, id), [])
  t.deepEqual(await world.stores.templates.find(world.local, 'order_shipped'), [])
})
