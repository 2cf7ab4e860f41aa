import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { FlowsPort } from '../../../../src/ports/official/flows.ts'
import type { UpstreamWrite } from '../../../../src/ports/official/write.ts'
import { flowsOps } from '../../../../src/providers/official/ops/flows.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'
import type { RigOptions, Scripted } from '../scripted-graph.ts'

const AT = '/2002/flows'
const ID = '12345678901234567890'
const FIELDS = 'id,name,categories,preview.invalidate(false),status,validation_errors,json_version,health_status'
const ERROR = {
  error: 'INVALID_PROPERTY_VALUE',
  error_type: 'FLOW_JSON_ERROR',
  message: 'Invalid value',
  line_start: 10,
  line_end: 10,
  column_start: 21,
  column_end: 34,
  pointers: [{ path: 'screens[0]' }],
}
const SHOWN = {
  id: ID,
  name: 'Sign up',
  categories: ['SIGN_UP', 'survey'],
  preview: { preview_url: 'https://example.com/preview?token=x', expires_at: '2026-01-01T00:00:00+0000' },
  status: 'draft',
  validation_errors: [ERROR],
  json_version: '7.1',
  health_status: { can_send_message: 'limited', entities: [] },
}
const FLOW = {
  externalId: ID,
  name: 'Sign up',
  status: 'DRAFT',
  categories: ['SIGN_UP', 'SURVEY'],
  jsonVersion: '7.1',
  validationErrors: [ERROR],
  health: 'LIMITED',
  previewUrl: 'https://example.com/preview?token=x',
}

async function opened(t: ExecutionContext, options: RigOptions = {}) {
  const { server, graph, apiUrl } = await rig(t, options)
  return { server, apiUrl, flows: flowsOps(graph, CREDENTIALS) }
}

test('a Flow is created by name and categories, a clone by its source, and its id is whole', async (t) => {
  const { server, flows } = await opened(t)
  server.on(`POST ${AT}`, { text: `{"id":${ID},"success":true,"validation_errors":[]}` }, { json: { id: ID } })
  t.deepEqual(await flows.create({ name: 'Sign up', categories: ['SIGN_UP'], cloneOf: null }), {
    kind: 'done',
    value: { externalId: ID },
  })
  t.deepEqual(await flows.create({ name: 'Sign up 2', categories: ['OTHER'], cloneOf: ID }), {
    kind: 'done',
    value: { externalId: ID },
  })
  t.deepEqual(
    server.asked.map(({ body }) => body),
    [
      { name: 'Sign up', categories: ['SIGN_UP'] },
      { name: 'Sign up 2', categories: ['OTHER'], clone_flow_id: ID },
    ],
  )
  t.is(server.asked[0]?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
})

test('an update says what changes and nothing else, an endpoint taken away too', async (t) => {
  const { server, flows } = await opened(t)
  server.on(`POST /${ID}`, { json: { success: true } })
  for (const metadata of [
    { name: 'New' },
    { categories: ['OTHER'] },
    { endpointUri: 'https://example.com/x', applicationId: '3003' },
    { endpointUri: '' },
  ]) {
    t.deepEqual(await flows.update(ID, metadata), { kind: 'done', value: null })
  }
  t.deepEqual(
    server.asked.map(({ body }) => body),
    [
      { name: 'New' },
      { categories: ['OTHER'] },
      { endpoint_uri: 'https://example.com/x', application_id: '3003' },
      { endpoint_uri: '' },
    ],
  )
})

// [flows.document.4]
test('a document leaves byte for byte as the file flow.json, and what upstream finds wrong comes back unchanged though it says success', async (t) => {
  const { server, flows } = await opened(t)
  server.on(
    `POST /${ID}/assets`,
    { json: { success: true, validation_errors: [ERROR, { ...ERROR, error: 'OF_TOMORROW', more: { a: [1] } }] } },
    { json: { success: true } },
  )
  const flowJson = '\uFEFF{\r\n  "a": "😀 \\/ \\ud83d\\ude00 é",\r\n\t"b": 1.0e2 }  \r\n--x\r\n'
  t.deepEqual(await flows.upload(ID, flowJson), {
    kind: 'done',
    value: { validationErrors: [ERROR, { ...ERROR, error: 'OF_TOMORROW', more: { a: [1] } }] },
  })
  const [asked] = server.asked
  t.deepEqual(
    asked?.form,
    {
      name: 'flow.json',
      asset_type: 'FLOW_JSON',
      file: { name: 'flow.json', type: 'application/json', text: flowJson.slice(1) },
    },
    'the reader takes the byte order mark off',
  )
  t.true(asked?.sent.includes(Buffer.concat([Buffer.from('\r\n\r\n'), Buffer.from(flowJson), Buffer.from('\r\n--')])))
  t.deepEqual(await flows.upload(ID, '{}'), { kind: 'done', value: { validationErrors: [] } })
})

test('publishing, deprecating and removing ask for nothing but that', async (t) => {
  const { server, flows } = await opened(t)
  server
    .on(`POST /${ID}/publish`, { json: { success: true } })
    .on(`POST /${ID}/deprecate`, { json: { success: true } })
    .on(`DELETE /${ID}`, { json: { success: true } }, { json: { success: false } })
  for (const write of [flows.publish(ID), flows.deprecate(ID), flows.remove(ID)])
    t.deepEqual(await write, { kind: 'done', value: null })
  t.deepEqual(
    server.asked.map(({ method, target, sent }) => [method, target, sent.length]),
    [
      ['POST', `/${ID}/publish`, 0],
      ['POST', `/${ID}/deprecate`, 0],
      ['DELETE', `/${ID}`, 0],
    ],
  )
  t.like(await flows.remove(ID), { kind: 'refused', no: { upstreamCode: null, upstreamSubcode: null } })
})

const WRITES: readonly (readonly [
  name: string,
  at: string,
  write: (flows: FlowsPort) => Promise<UpstreamWrite<unknown>>,
])[] = [
  ['a creation', `POST ${AT}`, (flows) => flows.create({ name: 'Sign up', categories: ['OTHER'], cloneOf: null })],
  ['an update', `POST /${ID}`, (flows) => flows.update(ID, { name: 'New' })],
  ['an upload', `POST /${ID}/assets`, (flows) => flows.upload(ID, '{}')],
  ['a publication', `POST /${ID}/publish`, (flows) => flows.publish(ID)],
  ['a deprecation', `POST /${ID}/deprecate`, (flows) => flows.deprecate(ID)],
  ['a deletion', `DELETE /${ID}`, (flows) => flows.remove(ID)],
]

const STATES = [139_000, 139_001, 139_002, 139_003, 139_004, 139_005, 139_006]
const CAME_TO: readonly (readonly [what: string, answer: Scripted, kind: UpstreamWrite<unknown>['kind']])[] = [
  ...[10, 100, 190, 200, ...STATES].map((code) => [`code ${code}`, graphError(code), 'refused'] as const),
  ...STATES.map((code) => [`code ${code} at HTTP 500`, graphError(code, 500), 'refused'] as const),
  ...[4, 613, 80_007, 80_008, 130_429].map((code) => [`throttling ${code}`, graphError(code, 400), 'unsent'] as const),
  ['HTTP 429 without an error', { status: 429, text: '<html>' }, 'unsent'],
  ['code 1', graphError(1), 'unknown'],
  ['code 2', graphError(2, 503), 'unknown'],
  ['a state that is transient', graphError(139_002, 400, { is_transient: true }), 'unknown'],
  ['a refusal at HTTP 500', graphError(100, 500), 'unknown'],
  ['a page of a proxy', { status: 502, text: '<html>' }, 'unknown'],
  ['an answer that is cut', { text: '{"success":tr' }, 'unknown'],
  ['an answer that says nothing', { json: {} }, 'unknown'],
  ['a broken connection', 'drop', 'unknown'],
]

for (const [name, at, write] of WRITES) {
  test(`${name} of a Flow is requested once, and its outcome follows from the answer`, async (t) => {
    const { server, flows } = await opened(t)
    for (const [what, answer, kind] of CAME_TO) {
      server.asked.length = 0
      server.on(at, answer)
      t.is((await write(flows)).kind, kind, what)
      t.is(server.asked.length, 1, what)
    }
  })
}

test("a refusal of a Flow carries the upstream's code, subcode and text for people", async (t) => {
  const { server, flows } = await opened(t)
  server.on(`POST ${AT}`, graphError(100, 400, { error_subcode: 4_016_019, error_user_msg: 'Flow name is not unique' }))
  t.deepEqual(await flows.create({ name: 'Sign up', categories: ['OTHER'], cloneOf: null }), {
    kind: 'refused',
    no: { upstreamCode: 100, upstreamSubcode: 4_016_019, upstreamMessage: 'Flow name is not unique' },
  })
})

test('an upload that nobody answers within a minute is unknown', async (t) => {
  const clock = new FakeClock()
  const { server, flows } = await opened(t, { clock })
  server.on(`POST /${ID}/assets`, 'silence')
  const uploading = flows.upload(ID, '{}')
  await until('it is asked', () => server.asked.length === 1)
  clock.advance(60_000)
  t.like(await uploading, { kind: 'unknown', refusal: { code: 'OFFICIAL_ERROR' } })
})

test('a Flow is read with every field that is kept of it, and its preview lives on', async (t) => {
  const { server, flows } = await opened(t)
  server.on(
    `GET /${ID}`,
    { text: JSON.stringify(SHOWN).replace(`"${ID}"`, ID) },
    { json: { id: ID, name: 'Bare' } },
    graphError(139_000, 400),
  )
  t.deepEqual(await flows.read(ID), { ok: true, value: FLOW })
  t.deepEqual(server.asked[0]?.query, { fields: FIELDS })
  t.deepEqual(await flows.read(ID), {
    ok: true,
    value: {
      externalId: ID,
      name: 'Bare',
      status: 'UNKNOWN',
      categories: [],
      jsonVersion: null,
      validationErrors: [],
      health: null,
      previewUrl: null,
    },
  })
  t.like(await flows.read(ID), {
    ok: false,
    error: { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 139_000 } },
  })
})

test('a Flow that the upstream does not show does not exist, and a failed read is a refusal', async (t) => {
  const { server, flows } = await opened(t)
  for (const gone of [graphError(100, 400, { error_subcode: 33 }), graphError(1, 404), { status: 404, text: '' }]) {
    server.on(`GET /${ID}`, gone)
    t.deepEqual(await flows.read(ID), { ok: true, value: null })
  }
  for (const odd of [
    graphError(100),
    graphError(190, 401),
    { json: { name: 'No id' } },
    { json: { id: 'x', name: 'Odd id' } },
    { json: { id: ID } },
    { status: 502, text: '<html>' },
  ]) {
    server.on(`GET /${ID}`, odd)
    t.false((await flows.read(ID)).ok)
  }
})

test('a listing is followed by its cursors alone, and never by its links', async (t) => {
  const { server, flows } = await opened(t)
  const paging = (after: string) => ({
    cursors: { before: 'b', after },
    next: 'https://elsewhere.example/steal?access_token=x',
  })
  server.on(
    `GET ${AT}`,
    { json: { data: [SHOWN], paging: paging('c1') } },
    { json: { data: [SHOWN], paging: { cursors: { before: 'b', after: 'c2' } } } },
  )
  t.deepEqual(await flows.page(null), { ok: true, value: { flows: [FLOW], next: 'c1', isWhole: true } })
  t.deepEqual(await flows.page('c1'), { ok: true, value: { flows: [FLOW], next: null, isWhole: true } })
  t.deepEqual(
    server.asked.map(({ query }) => query),
    [
      { fields: FIELDS, limit: '100' },
      { fields: FIELDS, limit: '100', after: 'c1' },
    ],
  )
})

test('an unreadable item of a page is reported, and the other Flows are listed', async (t) => {
  const { server, flows } = await opened(t)
  for (const none of [null, 'x', { id: ID }, { id: '9'.repeat(65), name: 'n' }]) {
    server.on(`GET ${AT}`, { json: { data: [none, SHOWN] } })
    t.deepEqual(await flows.page(null), { ok: true, value: { flows: [FLOW], next: null, isWhole: false } })
  }
})

test('a page that is no list, or does not say how to go on, is refused', async (t) => {
  const { server, flows } = await opened(t)
  for (const json of [
    {},
    { data: {} },
    { data: [SHOWN], paging: { next: 'https://x' } },
    { data: [SHOWN], paging: { cursors: { after: 'same' }, next: 'https://x' } },
  ]) {
    server.on(`GET ${AT}`, { json })
    t.like(await flows.page('same'), { ok: false, error: { code: 'OFFICIAL_ERROR' } }, JSON.stringify(json))
  }
})

const ASSET = { name: 'flow.json', asset_type: 'FLOW_JSON' }

test('the document is read back byte for byte from its address, without the token', async (t) => {
  const { server, flows, apiUrl } = await opened(t)
  const flowJson = '\uFEFF{"a": "😀 \\/"}\r\n  '
  server
    .on(`GET /${ID}/assets`, {
      json: {
        data: [
          { name: 'other', asset_type: 'IMAGE', download_url: `${apiUrl}/no` },
          { ...ASSET, download_url: `${apiUrl}/files/1?sig=x` },
        ],
      },
    })
    .on('GET /files/1', { bytes: Buffer.from(flowJson), headers: { 'content-type': 'application/octet-stream' } })
  t.deepEqual(await flows.document(ID), { ok: true, value: flowJson })
  t.deepEqual(
    server.asked.map(({ path, headers }) => [path, headers.authorization]),
    [
      [`/${ID}/assets`, `Bearer ${CREDENTIALS.accessToken}`],
      ['/files/1', undefined],
    ],
  )
})

test('a Flow without a document has none, and a document that cannot be had is refused', async (t) => {
  const { server, flows, apiUrl } = await opened(t)
  server.on(`GET /${ID}/assets`, { json: { data: [] } })
  t.deepEqual(await flows.document(ID), { ok: true, value: null })
  const at = (url: string) => ({ json: { data: [{ ...ASSET, download_url: url }] } })
  server
    .on('GET /files/large', { bytes: Buffer.alloc(12 * 1024 * 1024 + 1, 32) })
    .on('GET /files/gone', { status: 403, text: '' })
    .on('GET /files/moved', { status: 302, headers: { location: 'http://127.0.0.1/' } })
  const answers: readonly Scripted[] = [
    graphError(100, 400, { error_subcode: 33 }),
    { json: {} },
    { json: { data: [ASSET] } },
    at('http://example.com/x'),
    at('file:///etc/passwd'),
    at(`${apiUrl}/files/large`),
    at(`${apiUrl}/files/gone`),
    at(`${apiUrl}/files/moved`),
  ]
  for (const answer of answers) {
    server.on(`GET /${ID}/assets`, answer)
    t.false((await flows.document(ID)).ok, JSON.stringify(answer))
  }
})

test('an id cannot name another path of Flows', async (t) => {
  const { server, flows } = await opened(t)
  await flows.read('../1001')
  await flows.publish('..')
  t.deepEqual(
    server.asked.map(({ target }) => target.replace(/\?.*/, '')),
    ['/..%2F1001', '/%20/publish'],
  )
})
