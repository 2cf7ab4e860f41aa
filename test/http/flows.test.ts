import test from 'ava'
import type { ExecutionContext } from 'ava'
import { FLOW_STATUSES } from '../../src/domain/flow.ts'
import type { FlowStatus } from '../../src/domain/flow.ts'
import { FLOW_JSON_BYTES } from '../../src/domain/limits.ts'
import { isRefused, openFlowApp, VALID } from '../helpers/flow-app.ts'
import { NO_SCREENS } from '../helpers/flow-platform.ts'

// [flows.routes.1] [flows.routes.2] [flows.routes.5] [flows.routes.6] [flows.routes.7] [flows.routes.8]
// [flows.routes.9] [flows.routes.10] [flows.object.1] [flows.object.5] [flows.object.6] [flows.states.1]
// [flows.states.2] [flows.states.3] [flows.document.4] [flows.document.5] [flows.document.6]
test('a Flow is drafted, its document refused and mended, published, ended, and read as it is', async (t) => {
  const { platform, send } = await openFlowApp(t)
  const made = await send('POST', '', { name: 'Book', categories: ['SURVEY'] })
  t.is(made.status, 201, made.text)
  const { id } = made.body
  const [upstream] = platform.named('Book')
  t.deepEqual(
    { ...made.body, id: '', createdAt: '', updatedAt: '' },
    {
      id: '',
      officialFlowId: upstream?.externalId,
      name: 'Book',
      officialStatus: 'DRAFT',
      categories: ['SURVEY'],
      jsonVersion: '',
      healthStatus: 'AVAILABLE',
      validationErrors: [],
      previewUrl: upstream?.previewUrl,
      clonedFromFlowId: null,
      supersededByFlowId: null,
      syncError: null,
      publishedAt: null,
      createdAt: '',
      updatedAt: '',
    },
  )
  t.deepEqual((await send('GET', `/${id}/json`)).body, { flowJson: null })
  const refused = await send('POST', `/${id}/json`, { flowJson: '{"version":"7.1"}' })
  t.is(refused.status, 422)
  t.deepEqual(refused.body, {
    error: 'O documento do Flow foi recusado',
    errorEN: 'The Flow document was refused',
    code: 'FLOW_JSON_INVALID',
    validationErrors: [NO_SCREENS],
  })
  t.like((await send('GET', `/${id}`)).body, {
    validationErrors: [NO_SCREENS],
    jsonVersion: '7.1',
    officialStatus: 'DRAFT',
  })
  t.like((await send('POST', `/${id}/publish`, { confirm: true })).body, {
    code: 'FLOW_JSON_INVALID',
    validationErrors: [NO_SCREENS],
  })
  t.deepEqual((await send('POST', `/${id}/json`, { flowJson: VALID })).body, { validationErrors: [] })
  t.deepEqual((await send('GET', `/${id}/json`)).body, { flowJson: VALID })
  t.like((await send('PATCH', `/${id}`, { name: 'Booking' })).body, {
    name: 'Booking',
    categories: ['SURVEY'],
    validationErrors: [],
  })
  const published = await send('POST', `/${id}/publish`, { confirm: true })
  t.is(published.body.officialStatus, 'PUBLISHED')
  t.truthy(published.body.publishedAt)
  const next = await send('POST', '', { name: 'Booking 2', cloneFromFlowId: id })
  t.like(next.body, { clonedFromFlowId: id, categories: ['SURVEY'], jsonVersion: '7.1', officialStatus: 'DRAFT' })
  t.like((await send('POST', `/${id}/deprecate`, { supersededByFlowId: next.body.id })).body, {
    officialStatus: 'DEPRECATED',
    supersededByFlowId: next.body.id,
  })
  t.is(platform.flows.get(upstream?.externalId ?? '')?.status, 'DEPRECATED')
  t.like((await send('POST', `/${id}/deprecate`)).body, {
    officialStatus: 'DEPRECATED',
    supersededByFlowId: next.body.id,
  })
  t.deepEqual((await send('DELETE', `/${next.body.id}`)).body, { deleted: true, id: next.body.id })
  t.is(platform.named('Booking 2').length, 0)
  t.like((await send('GET', '?officialStatus=DEPRECATED')).body, {
    total: 1,
    page: 1,
    pageSize: 30,
    totalPages: 1,
    flows: [{ id }],
  })
  t.like((await send('GET', '')).body, { total: 1 })
})

// [flows.document.3]
test('a document arrives byte for byte, whatever it holds', async (t) => {
  const { platform, send, add } = await openFlowApp(t)
  for (const flowJson of [
    '{"screens":"😀 é \u2028"}',
    '{"screens":"a\\/b \\u00e9"}',
    '\r\n{"screens":1}\r\n\t ',
    '\uFEFF{"screens":1}',
    '{"screens":{"__proto__":1,"constructor":2}}',
  ]) {
    const { id, officialFlowId } = add()
    t.is((await send('POST', `/${id}/json`, { flowJson })).status, 200)
    t.is(platform.flows.get(officialFlowId ?? '')?.document, flowJson)
    t.is((await send('GET', `/${id}/json`)).body.flowJson, flowJson)
  }
})

// [flows.document.1]
test('a document of 10 MB goes up, one of a byte more is 413, and so is a body over 25 MB', async (t) => {
  const { platform, send, add } = await openFlowApp(t)
  const { id } = add()
  const sized = (bytes: number) => `{"screens":"${'x'.repeat(bytes - 14)}"}`
  t.is((await send('POST', `/${id}/json`, { flowJson: sized(FLOW_JSON_BYTES) })).status, 200)
  const over = await send('POST', `/${id}/json`, { flowJson: sized(FLOW_JSON_BYTES + 1) })
  t.is(over.status, 413)
  t.like(over.body, { code: 'PAYLOAD_TOO_LARGE', error: 'O corpo da requisição é grande demais' })
  t.like((await send('POST', `/${id}/json`, { flowJson: 'x'.repeat(25_000_000) })).body, {
    code: 'PAYLOAD_TOO_LARGE',
    error: 'O corpo da requisição é grande demais',
  })
  t.like((await send('POST', '', { name: 'x'.repeat(1_000_001) })).body, { code: 'PAYLOAD_TOO_LARGE' })
  t.is(platform.asked.filter((op) => op === 'upload').length, 1)
})

test('the values of a document are counted before it is parsed, once the Flow was found (security case 8)', async (t) => {
  const { platform, send, add } = await openFlowApp(t)
  const flowJson = `{"screens":[${'[],'.repeat(3_333_320)}1]}`
  t.like(await send('POST', '/flow_01kb0000000000000000000000/json', { flowJson }), { status: 404 })
  t.like(await send('POST', `/${add('PUBLISHED').id}/json`, { flowJson }), { status: 409 })
  const { id } = add()
  isRefused(
    t,
    await send('POST', `/${id}/json`, { flowJson }),
    413,
    'PAYLOAD_TOO_LARGE',
    'O corpo',
    'flowJson holds more than 100000 values',
  )
  t.deepEqual((await send('GET', `/${id}/json`)).body, { flowJson: null })
  t.false(platform.asked.includes('upload'))
})

const NOT_DRAFT = '409 FLOW_NOT_DRAFT'
/** What each action answers in each of FLOW_STATUSES. */
const CELLS: Readonly<
  Record<
    string,
    { readonly method: string; readonly path: string; readonly body?: object; readonly answers: readonly string[] }
  >
> = {
  json: {
    method: 'POST',
    path: '/json',
    body: { flowJson: VALID },
    answers: ['200', NOT_DRAFT, NOT_DRAFT, NOT_DRAFT, NOT_DRAFT],
  },
  patch: {
    method: 'PATCH',
    path: '',
    body: { categories: ['SURVEY'] },
    answers: ['200', NOT_DRAFT, NOT_DRAFT, NOT_DRAFT, NOT_DRAFT],
  },
  publish: {
    method: 'POST',
    path: '/publish',
    body: { confirm: true },
    answers: ['200 PUBLISHED', NOT_DRAFT, NOT_DRAFT, NOT_DRAFT, NOT_DRAFT],
  },
  deprecate: {
    method: 'POST',
    path: '/deprecate',
    answers: ['409 FLOW_NOT_PUBLISHED', '200 DEPRECATED', '200 DEPRECATED', '200 DEPRECATED', '200 DEPRECATED'],
  },
  delete: { method: 'DELETE', path: '', answers: ['200', NOT_DRAFT, NOT_DRAFT, NOT_DRAFT, NOT_DRAFT] },
  read: { method: 'GET', path: '?refresh=1', answers: FLOW_STATUSES.map((status) => `200 ${status}`) },
}

for (const [action, { method, path, body, answers }] of Object.entries(CELLS)) {
  for (const isKnown of [true, false]) {
    // [flows.routes.4] [flows.routes.5] [flows.routes.7] [flows.routes.8] [flows.routes.9] [flows.routes.10]
    // [flows.states.3] [flows.states.4] [flows.states.5] [flows.states.6] [flows.document.6]
    test(`${action} in every state, ${isKnown ? 'as it is known' : 'which upstream changed behind our back'}`, async (t) => {
      const { platform, send, add } = await openFlowApp(t)
      for (const [at, status] of FLOW_STATUSES.entries()) {
        // When the upstream changed the Flow silently, our row has a status that would allow or refuse the opposite.
        const known: FlowStatus = isKnown ? status : action === 'deprecate' ? 'PUBLISHED' : 'DRAFT'
        const row = add(known)
        platform.change(row.officialFlowId ?? '', { status, document: VALID })
        const reply = await send(method, `/${row.id}${path}`, body)
        const [code, said] = (answers[at] ?? '').split(' ')
        t.is(String(reply.status), code ?? '', `${status}: ${reply.text}`)
        if (said !== undefined) t.is(reply.status === 200 ? reply.body.officialStatus : reply.body.code, said, status)
        if (reply.status === 409) {
          t.is(reply.body.details.officialStatus, status)
          t.is((await send('GET', `/${row.id}`)).body.officialStatus, status, 'what upstream says is stored')
        }
      }
    })
  }
}

// [flows.object.2]
test('a Flow is named by its own id alone: under the id of upstream no route knows it', async (t) => {
  const { platform, send, add } = await openFlowApp(t)
  const { id, officialFlowId } = add('PUBLISHED')
  const actions = Object.values(CELLS).map(({ method, path, body }) => send(method, `/${officialFlowId}${path}`, body))
  const replies = await Promise.all([
    ...actions,
    send('GET', `/${officialFlowId}`),
    send('GET', `/${officialFlowId}/json`),
    send('GET', `/${officialFlowId}/responses`),
  ])
  for (const { status, body, text } of replies) t.deepEqual([status, body.code], [404, 'FLOW_NOT_FOUND'], text)
  const clone = await send('POST', '', { name: 'Clone', cloneFromFlowId: officialFlowId })
  t.is(clone.body.code, 'FLOW_CLONE_SOURCE_INVALID', clone.text)
  const superseded = await send('POST', `/${id}/deprecate`, { supersededByFlowId: officialFlowId })
  t.is(superseded.body.code, 'FLOW_DEPRECATE_INVALID_SUCCESSOR', superseded.text)
  t.deepEqual(platform.asked, [], 'upstream hears nothing of it')
})

// [flows.routes.2] [flows.states.1]
test('any state can be cloned, and 201 says so', async (t) => {
  const { send, add } = await openFlowApp(t)
  for (const status of FLOW_STATUSES) {
    const { id } = add(status)
    t.like((await send('POST', '', { name: `clone of ${status}`, cloneFromFlowId: id })).body, {
      officialStatus: 'DRAFT',
      clonedFromFlowId: id,
    })
  }
})

// [flows.errors.18] [flows.document.6]
test('upstream refuses otherwise: its code and words, and nothing changes', async (t) => {
  const { platform, send, add } = await openFlowApp(t)
  for (const [op, method, path, body] of [
    ['update', 'PATCH', '', { name: 'x' }],
    ['upload', 'POST', '/json', { flowJson: VALID }],
    ['publish', 'POST', '/publish', { confirm: true }],
    ['remove', 'DELETE', '', undefined],
  ] as const) {
    const { id } = add()
    platform.fault(op, { code: 139_000, message: 'integrity' }, 'throttled', 'lost before', { code: 139_001 })
    const refused = await send(method, `/${id}${path}`, body)
    t.is(refused.status, 422)
    t.like(refused.body, {
      code: 'OFFICIAL_ERROR',
      errorEN: 'integrity',
      error: 'A plataforma oficial recusou o pedido',
      details: { upstreamCode: 139_000, upstreamMessage: 'integrity' },
    })
    t.is((await send(method, `/${id}${path}`, body)).status, 429)
    const lost = await send(method, `/${id}${path}`, body)
    t.is(lost.status, 502, op)
    t.like(lost.body, { code: 'OFFICIAL_ERROR', details: { upstreamCode: null } })
    t.like(
      (await send(method, `/${id}${path}`, body)).body,
      { code: 'OFFICIAL_ERROR' },
      'its state is as ours, and nothing is wrong with the document',
    )
    t.like((await send('GET', `/${id}`)).body, { officialStatus: 'DRAFT' })
  }
})

test('a POST with an Idempotency-Key is answered once', async (t) => {
  const { platform, send } = await openFlowApp(t)
  const headers = { 'idempotency-key': 'k1' }
  const first = await send('POST', '', { name: 'Once' }, headers)
  const again = await send('POST', '', { name: 'Once' }, headers)
  t.deepEqual([again.status, again.body, again.headers.get('idempotency-replayed')], [201, first.body, 'true'])
  t.is(platform.named('Once').length, 1)
  const other = await send('POST', '', { name: 'Twice' }, headers)
  t.like(other.body, { code: 'IDEMPOTENCY_KEY_REUSED', error: 'Esta Idempotency-Key já foi usada em outra requisição' })
  const refused = await send('POST', '', {}, { 'idempotency-key': 'k2' })
  t.deepEqual((await send('POST', '', {}, { 'idempotency-key': 'k2' })).body, refused.body)
  t.is(refused.body.error, 'Informe o nome do Flow')
})

// [flows.routes.3]
test('sync tells what changed; another account sees nothing of it', async (t) => {
  const { platform, client, world, send } = await openFlowApp(t)
  platform.add({ name: 'theirs', status: 'PUBLISHED' })
  platform.add({ name: 'draft' })
  platform.add({ name: 'third' })
  t.deepEqual((await send('POST', '/sync')).body, { imported: 3, updated: 0, removed: 0, total: 3 })
  platform.flows.delete(platform.named('draft')[0]?.externalId ?? '')
  platform.change(platform.named('theirs')[0]?.externalId ?? '', { status: 'BLOCKED' })
  world.clock.advance(1_000)
  t.deepEqual((await send('POST', '/sync', {})).body, { imported: 0, updated: 1, removed: 1, total: 2 })
  platform.fault('page', 'lost before')
  t.is((await send('POST', '/sync')).status, 502)
  const other = world.addNumber(world.otherTenantId, '5511955554444', {
    provider: 'OFFICIAL',
    official: {
      phoneId: '1',
      accountId: '2001',
      appId: null,
      callingStatus: null,
      qualityRating: null,
      messagingLimitTier: null,
      officialStatus: null,
      checkedAt: null,
      isTokenValid: true,
    } as never,
  })
  t.like((await client.send('GET', '/v1/flows', { key: other.key.raw })).body, { total: 0, flows: [] })
})

// [flows.responses.8] [flows.responses.10] [flows.routes.11] [flows.object.3] [flows.object.6] [flows.upstream.5]
test('upstream away, look-up too: 201 without its id, brought up by the next write; 502 while that fails, then syncError', async (t: ExecutionContext) => {
  const { platform, send } = await openFlowApp(t)
  platform.fault('create', 'lost before')
  platform.fault('page', 'lost before')
  const made = await send('POST', '', { name: 'Later' })
  t.is(made.status, 201)
  t.like(made.body, { officialFlowId: null, officialStatus: 'DRAFT', syncError: null, healthStatus: 'UNKNOWN' })
  const { id } = made.body
  t.like((await send('POST', '', { name: 'Later' })).body, {
    code: 'FLOW_NAME_INVALID',
    details: { reason: 'NOT_UNIQUE' },
  })
  t.like((await send('POST', '', { name: 'Clone', cloneFromFlowId: id })).body, {
    code: 'FLOW_CLONE_SOURCE_INVALID',
    details: { reason: 'NOT_UPSTREAM' },
  })
  t.deepEqual((await send('GET', `/${id}/json`)).body, { flowJson: null })
  platform.fault('page', 'lost before')
  t.is((await send('POST', `/${id}/json`, { flowJson: VALID })).status, 502)
  t.is((await send('POST', `/${id}/json`, { flowJson: VALID })).status, 200)
  t.is((await send('GET', `/${id}`)).body.officialFlowId, platform.named('Later')[0]?.externalId)

  platform.fault('create', 'unsent', { code: 100, message: 'no such category' })
  platform.fault('page', 'lost before')
  const doomed = await send('POST', '', { name: 'Doomed' })
  t.like((await send('PATCH', `/${doomed.body.id}`, { name: 'Still doomed' })).body, {
    code: 'OFFICIAL_ERROR',
    errorEN: 'no such category',
  })
  t.like((await send('GET', `/${doomed.body.id}`)).body, {
    officialFlowId: null,
    syncError: { code: 'OFFICIAL_ERROR', message: 'no such category' },
  })
  t.like((await send('PATCH', `/${doomed.body.id}`, { name: 'Saved' })).body, {
    name: 'Saved',
    syncError: null,
    officialFlowId: platform.named('Saved')[0]?.externalId,
  })
})
