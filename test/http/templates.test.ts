import test from 'ava'
import type { ExecutionContext } from 'ava'
import { serve } from '../helpers/http-app.ts'
import { TemplatePlatform } from '../helpers/template-platform.ts'
import { World } from '../helpers/world.ts'

const BODY = {
  header: { type: 'TEXT', text: 'Your {{what}}' },
  body: { text: 'Hello {{customer}}, it is on its way.' },
  footer: { text: 'Acme' },
  buttons: [
    { type: 'URL', text: 'Track it', url: 'https://acme.shop/t/{{order}}' },
    { type: 'QUICK_REPLY', text: 'Thanks' },
  ],
}
const EXAMPLES = { what: 'order', customer: 'Ana', order: 7 }
/** The fields of a template in an answer. */
const FIELDS = [
  'id',
  'name',
  'category',
  'language',
  'source',
  'officialStatus',
  'officialLanguage',
  'sendable',
  'variables',
  'body',
  'examples',
  'externalId',
  'upstreamStatus',
  'statusReason',
  'statusDescription',
  'quality',
  'requestedCategory',
  'correctCategory',
  'unsupported',
  'submittedAt',
  'createdAt',
  'updatedAt',
]
const GIVEN = { name: 'Order Shipped', category: 'UTILITY', language: 'pt-BR', body: BODY, examples: EXAMPLES }

async function open(t: ExecutionContext, provider: 'OFFICIAL' | 'UNOFFICIAL' = 'UNOFFICIAL') {
  const world = new World()
  const { key } = provider === 'OFFICIAL' ? world.addOfficial() : { key: world.numberKey }
  const client = await serve(t, world)
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    client.send(method, path, { key: key.raw, ...(body ? { body } : {}), headers })
  const create = (fields: object = {}) => send('POST', '/v1/templates', { ...GIVEN, ...fields })
  return { world, client, send, create }
}

// [templates.body.1] [templates.body.2] [templates.body.3] [templates.routes.1] [templates.routes.5]
test('a body as an object, as JSON text and as plain text reads back alike, and what a read gives is accepted by PUT unchanged', async (t) => {
  const { send, create } = await open(t)
  const asObject = await create({ name: 'a' })
  t.is(asObject.status, 201, asObject.text)
  t.like(asObject.body, {
    name: 'a',
    language: 'pt_BR',
    source: 'LOCAL',
    officialStatus: null,
    sendable: true,
    variables: ['what', 'customer', 'order'],
    examples: EXAMPLES,
  })
  t.deepEqual(asObject.body.body, { ...BODY, carousel: null })
  t.deepEqual((await create({ name: 'b', body: JSON.stringify(BODY) })).body.body, asObject.body.body)
  const plain = await create({ name: 'c', body: 'Hello {{customer}}, hi.' })
  const parts = {
    header: { type: 'NONE' },
    body: { text: 'Hello {{customer}}, hi.' },
    footer: null,
    buttons: [],
    carousel: null,
  }
  t.deepEqual(plain.body.body, parts)
  t.deepEqual((await create({ name: 'd', body: { body: { text: 'Hello {{customer}}, hi.' } } })).body.body, parts)
  for (const name of ['a', 'c']) {
    const { body: read } = await send('GET', `/v1/templates/${name}`)
    const put = await send('PUT', `/v1/templates/${name}`, {
      name,
      category: read.category,
      language: read.language,
      body: read.body,
      examples: read.examples,
    })
    t.deepEqual({ ...put.body, updatedAt: null }, { ...read, updatedAt: null })
  }
})

// [templates.object.1]
test('a template has the same fields and no others on both kinds, from whichever route it comes', async (t) => {
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const { send, create } = await open(t, provider)
    const made = await create()
    const { body: read } = await send('GET', `/v1/templates/${made.body.id}`)
    const { body: list } = await send('GET', '/v1/templates')
    for (const shown of [made.body, read, list.templates[0]])
      t.deepEqual(Object.keys(shown).toSorted(), FIELDS.toSorted(), provider)
  }
})

// [templates.routes.4]
test('a read shows what is stored, and one with refresh=1 what upstream says now, 404 where it has it no more', async (t) => {
  const world = new World()
  const { key } = world.addOfficial()
  const platform = new TemplatePlatform()
  const { upstream } = world.official
  const officialOf: typeof upstream.officialOf = (credentials) => ({
    ...upstream.officialOf(credentials),
    templates: platform,
  })
  const client = await serve(t, world, { officialOf })
  const made = await client.send('POST', '/v1/templates', { key: key.raw, body: GIVEN })
  const read = (query = '') => client.send('GET', `/v1/templates/${made.body.id}${query}`, { key: key.raw })
  platform.change(made.body.externalId, { status: 'REJECTED', rejectedReason: 'INVALID_FORMAT' })
  for (const query of ['', '?refresh=0']) t.deepEqual((await read(query)).body, made.body, query)
  const refreshed = await read('?refresh=1')
  t.like(refreshed.body, { officialStatus: 'REJECTED', statusReason: 'INVALID_FORMAT' })
  t.deepEqual((await read()).body, refreshed.body, 'what upstream says is stored')
  platform.templates.clear()
  t.is((await read()).status, 200)
  for (const query of ['?refresh=1', '']) {
    const { status, body } = await read(query)
    t.deepEqual([status, body.code], [404, 'TEMPLATE_NOT_FOUND'], query)
  }
})

// [templates.checks.1] [templates.checks.2]
test('everything wrong is told at once, with the code of the first by the table; nothing is stored', async (t) => {
  const { send, create } = await open(t, 'OFFICIAL')
  const { status, body } = await create({
    body: {
      body: { text: '{{a}} b' },
      footer: { text: '{{c}}' },
      buttons: [{ type: 'URL', text: 'x', url: 'https://{{d}}.acme.com' }],
    },
    examples: {},
  })
  t.is(status, 400)
  t.is(body.code, 'TEMPLATE_BODY_VARIABLE_AT_EDGE')
  t.deepEqual(
    body.details.faults.map((fault: any) => fault.code),
    [
      'TEMPLATE_BODY_VARIABLE_AT_EDGE',
      'TEMPLATE_FOOTER_VARIABLE',
      'TEMPLATE_URL_INVALID',
      'TEMPLATE_EXAMPLES_REQUIRED',
    ],
  )
  t.like(body.details, { upstreamCode: 2388299, field: 'body.text' })
  t.is((await send('GET', '/v1/templates')).body.total, 0)
})

const REFUSED: Readonly<Record<string, readonly [fields: object, status: number, code: string | undefined]>> = {
  'a name of other characters': [{ name: 'a&b' }, 400, 'TEMPLATE_NAME_INVALID'],
  'a language of another form': [{ language: 'pt_br' }, 400, 'TEMPLATE_LANGUAGE_INVALID'],
  'a category that is none': [{ category: 'AUTHENTICATION' }, 400, undefined],
  'no body': [{ body: null }, 400, undefined],
  'examples that are a list': [{ examples: ['a'] }, 400, undefined],
  'buttons that are no list': [{ body: { body: 'Hi.', buttons: {} } }, 400, undefined],
  'a carousel, whatever its name': [
    { name: 'a&b', body: { body: 'Hi.', carousel: { cards: [] } } },
    400,
    'FEATURE_NOT_SUPPORTED',
  ],
}

// [templates.name.3] [templates.language.2] [templates.object.2]
test('each fault of name, language and form has its code', async (t) => {
  const { create } = await open(t)
  for (const [title, [fields, status, code]] of Object.entries(REFUSED)) {
    const answer = await create(fields)
    t.deepEqual([answer.status, answer.body.code], [status, code], `${title}: ${answer.text}`)
  }
})

// [templates.name.4]
test('a name that is taken is 409 with the id; a repeat with the same Idempotency-Key gets the first answer', async (t) => {
  const { send, create } = await open(t)
  const first = await send('POST', '/v1/templates', GIVEN, { 'idempotency-key': 'k1' })
  const again = await send('POST', '/v1/templates', GIVEN, { 'idempotency-key': 'k1' })
  t.deepEqual([again.status, again.body, again.headers.get('idempotency-replayed')], [201, first.body, 'true'])
  const taken = await create({ name: 'order/shipped' })
  t.deepEqual(
    [taken.status, taken.body.code, taken.body.details],
    [409, 'TEMPLATE_ALREADY_EXISTS', { id: first.body.id }],
  )
})

// [templates.scope.4] [templates.routes.6] [templates.delete.2]
test('a name that languages share needs the language, however it is written', async (t) => {
  const { send, create } = await open(t)
  const [one, other] = [await create(), await create({ language: 'en' })]
  const ambiguous = await send('GET', '/v1/templates/order_shipped')
  t.deepEqual(
    [ambiguous.status, ambiguous.body.code, ambiguous.body.details.languages.toSorted()],
    [409, 'TEMPLATE_NAME_AMBIGUOUS', ['en', 'pt_BR']],
  )
  t.is((await send('GET', '/v1/templates/order_shipped?language=pt-BR')).body.id, one.body.id)
  t.is((await send('GET', `/v1/templates/${other.body.id}`)).body.id, other.body.id)
  t.deepEqual((await send('DELETE', '/v1/templates/order_shipped?language=en')).body, {
    deleted: true,
    id: other.body.id,
  })
  t.is((await send('GET', `/v1/templates/${other.body.id}`)).body.code, 'TEMPLATE_NOT_FOUND')
  t.is((await send('GET', '/v1/templates/order_shipped')).body.id, one.body.id)
})

// [templates.routes.2] [templates.routes.8]
test('a preview is filled with what was given and the examples, in the form of the body, and stores nothing', async (t) => {
  const { send } = await open(t)
  const { status, body } = await send('POST', '/v1/templates/preview', {
    ...GIVEN,
    variables: { customer: '$& {{what}}', constructor: 'x' },
  })
  t.is(status, 200)
  t.deepEqual([body.name, body.variables], ['order_shipped', ['what', 'customer', 'order']])
  t.deepEqual(body.preview, {
    header: { type: 'TEXT', text: 'Your order' },
    body: { text: 'Hello $& {{what}}, it is on its way.' },
    footer: { text: 'Acme' },
    buttons: [
      { type: 'URL', text: 'Track it', url: 'https://acme.shop/t/7' },
      { type: 'QUICK_REPLY', text: 'Thanks' },
    ],
    carousel: null,
  })
  t.is((await send('GET', '/v1/templates')).body.total, 0)
})

// [templates.routes.3] [templates.routes.9]
test('lists are paged and filtered; a value that no filter knows is 400', async (t) => {
  const { send, create } = await open(t)
  for (const name of ['one', 'two', 'one_more']) await create({ name })
  const page = await send('GET', '/v1/templates?name=one&pageSize=1&sendable=true')
  t.like(page.body, { total: 2, page: 1, pageSize: 1, totalPages: 2 })
  t.deepEqual(
    page.body.templates.map(({ name }: any) => name),
    ['one_more'],
  )
  for (const query of [
    'category=AUTHENTICATION',
    'language=english',
    'source=REMOTE',
    'officialStatus=PAUSED',
    'sendable=yes',
    'name=a&name=b',
  ]) {
    t.is((await send('GET', `/v1/templates?${query}`)).status, 400, query)
  }
  const deep = await send('GET', '/v1/templates?page=101&pageSize=100')
  t.deepEqual([deep.status, deep.body.code], [400, 'INVALID_PAGINATION'])
})

// [templates.files.6] [templates.routes.1] [templates.routes.5] [templates.body.7]
test('base64 of a header is taken while the body arrives; reads show an address of ours, which an edit brings back without a fetch', async (t) => {
  const { world, send, create } = await open(t)
  const base64 = `data:image/png;base64,${Buffer.alloc(2_000_000, 1).toString('base64')}`
  const made = await create({
    name: 'pictured',
    body: { header: { type: 'IMAGE', base64 }, body: 'Hello.' },
    examples: {},
  })
  t.is(made.status, 201, made.text.slice(0, 300))
  t.regex(made.body.body.header.url, /^https:\/\/files\.example\/file_/)
  t.deepEqual(Object.keys(made.body.body.header), ['type', 'url'])
  const kept = world.templateFiles.kept.size
  t.is((await send('PUT', '/v1/templates/pictured', { body: made.body.body })).status, 200)
  t.is(world.templateFiles.kept.size, kept)
})

// [templates.routes.1] [templates.routes.2] [templates.routes.5]
test('the body of a new template, a preview or an edit may have 25 MB, and no more', async (t) => {
  const { world, send, create } = await open(t)
  const pictured = (length: number) => ({
    ...GIVEN,
    body: { header: { type: 'IMAGE', base64: `data:image/png;base64,${'A'.repeat(length)}` }, body: 'Hello.' },
    examples: {},
  })
  const room = 25_000_000 - JSON.stringify(pictured(0)).length
  const made = await create(pictured(room))
  t.is(made.status, 201, made.text.slice(0, 300))
  const kept = world.templateFiles.kept.size
  for (const [method, path] of [
    ['POST', '/v1/templates'],
    ['POST', '/v1/templates/preview'],
    ['PUT', `/v1/templates/${made.body.id}`],
  ] as const) {
    const over = await send(method, path, pictured(room + 1))
    t.deepEqual([over.status, over.body.code], [413, 'PAYLOAD_TOO_LARGE'], `${method} ${path}`)
  }
  t.is(world.templateFiles.kept.size, kept)
})

// [templates.scope.2] [templates.routes.7]
test('templates are of number keys; those of another tenant are not found, and only OFFICIAL numbers have something to import', async (t) => {
  const { world, client, send, create } = await open(t)
  const {
    body: { id },
  } = await create()
  t.is((await client.send('GET', `/v1/templates/${id}`, { key: world.foreignKey.raw })).body.code, 'TEMPLATE_NOT_FOUND')
  t.is((await client.send('DELETE', '/v1/templates/order_shipped', { key: world.foreignKey.raw })).status, 404)
  t.deepEqual(
    [
      (await client.send('GET', '/v1/templates', { key: world.tenantKey.raw })).status,
      (await client.send('POST', '/v1/templates', { key: world.tenantKey.raw, body: GIVEN })).status,
    ],
    [403, 403],
  )
  t.is((await send('POST', '/v1/templates/sync')).body.code, 'FEATURE_NOT_SUPPORTED')
  const official = world.addOfficial()
  t.deepEqual((await client.send('POST', '/v1/templates/sync', { key: official.key.raw })).body, {
    imported: 0,
    updated: 0,
    removed: 0,
    total: 0,
  })
})
