import test from 'ava'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { FLOW_REFUSALS } from '../../src/domain/flow-refusals.ts'
import type { FlowRefusalCode } from '../../src/domain/flow-refusals.ts'
import { REFUSALS } from '../../src/domain/errors.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { createCaches } from '../../src/http/caches.ts'
import { isRefused, openFlowApp, VALID } from '../helpers/flow-app.ts'
import type { FlowApp } from '../helpers/flow-app.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

type Ask = readonly [method: string, path: string, body?: unknown]

const NAME_201 = 'x'.repeat(201)
/**
 * Inputs that lead to each code. `$D` is a draft, `$P` a published Flow. Codes without inputs have tests of their own.
 */
const INPUTS: Readonly<Partial<Record<FlowRefusalCode, readonly Ask[]>>> = {
  FLOW_NOT_FOUND: [
    ['GET', '/nothing'],
    ['GET', '/flow_01kb0000000000000000000000/json'],
    ['PATCH', '/x', { name: 'a' }],
    ['POST', '/x/json', { flowJson: VALID }],
    ['POST', '/x/publish', { confirm: true }],
    ['POST', '/x/deprecate'],
    ['DELETE', '/x'],
    ['GET', '/x/responses'],
    ['GET', '/x?refresh=1'],
  ],
  FLOW_NOT_DRAFT: [
    ['PATCH', '/$P', { name: 'a' }],
    ['POST', '/$P/json', { flowJson: VALID }],
    ['POST', '/$P/publish', { confirm: true }],
    ['DELETE', '/$P'],
  ],
  FLOW_NOT_PUBLISHED: [
    ['POST', '/$D/deprecate'],
    ['POST', '/$D/deprecate', { supersededByFlowId: '$P' }],
  ],
  FLOW_JSON_INVALID: [
    ['POST', '/$D/json', { flowJson: '[]' }],
    ['POST', '/$D/json', { flowJson: '{"a":}' }],
    ['POST', '/$D/json', { flowJson: '{}' }],
  ],
  FLOW_JSON_REQUIRED: [
    ['POST', '/$D/json'],
    ['POST', '/$D/json', {}],
    ['POST', '/$D/json', { flowJson: null }],
    ['POST', '/$D/json', { flowJson: ' \n' }],
  ],
  FLOW_NAME_REQUIRED: [
    ['POST', ''],
    ['POST', '', { name: null }],
    ['POST', '', { categories: ['constructor'] }],
  ],
  FLOW_NAME_INVALID: [
    ['POST', '', { name: 7 }],
    ['POST', '', { name: '' }],
    ['POST', '', { name: NAME_201 }],
    ['POST', '', { name: 'a\u0007' }],
    ['PATCH', '/$D', { name: ' ' }],
    ['PATCH', '/$D', { name: null }],
    ['POST', '', { name: 'taken' }],
    ['PATCH', '/$D', { name: 'taken' }],
  ],
  FLOW_CATEGORY_INVALID: [
    ['POST', '', { name: 'a', categories: 'OTHER' }],
    ['POST', '', { name: 'a', categories: [] }],
    ['POST', '', { name: 'a', categories: ['OTHER', 'OTHER'] }],
    ['PATCH', '/$D', { categories: ['constructor'] }],
  ],
  FLOW_CLONE_SOURCE_INVALID: [
    ['POST', '', { name: 'a', cloneFromFlowId: '' }],
    ['POST', '', { name: 'a', cloneFromFlowId: 7 }],
    ['POST', '', { name: 'a', cloneFromFlowId: 'flow_x' }],
    ['POST', '', { name: 'a', cloneFromFlowId: '$F' }],
  ],
  FLOW_PATCH_EMPTY: [
    ['PATCH', '/$D'],
    ['PATCH', '/$D', {}],
  ],
  FLOW_UNKNOWN_FIELDS: [
    ['POST', '', { name: 'a', status: 1 }],
    ['PATCH', '/$D', { publish: true }],
    ['POST', '/$D/json', { flowJson: VALID, x: 1 }],
    ['POST', '/$D/publish', { confirm: true, x: 1 }],
    ['POST', '/$P/deprecate', { x: 1 }],
    ['POST', '/sync', { x: 1 }],
    ['DELETE', '/$D', { x: 1 }],
  ],
  FLOW_PUBLISH_REQUIRES_CONFIRMATION: [
    ['POST', '/$D/publish'],
    ['POST', '/$D/publish', { confirm: 'true' }],
    ['POST', '/$D/publish', { confirm: 1 }],
    ['POST', '/$D/publish', { confirm: false }],
  ],
  FLOW_DEPRECATE_INVALID_SUCCESSOR: [
    ['POST', '/$P/deprecate', { supersededByFlowId: '' }],
    ['POST', '/$P/deprecate', { supersededByFlowId: 'flow_x' }],
    ['POST', '/$P/deprecate', { supersededByFlowId: '$P' }],
    ['POST', '/$P/deprecate', { supersededByFlowId: '$F' }],
  ],
  FLOW_BODY_INVALID: [
    ['POST', '', '{broken'],
    ['POST', '', []],
    ['POST', '', '"text"'],
    ['POST', '', 'null'],
    ['PATCH', '/$D', []],
    ['POST', '/$D/json', { flowJson: { version: '7.1' } }],
    ['POST', '/$D/json', { flowJson: 7 }],
    ['POST', '/$D/publish', '[true]'],
    ['DELETE', '/$D', '{'],
    ['POST', '/sync', '[]'],
  ],
  INVALID_PAGINATION: [
    ['GET', '?page=101&pageSize=100'],
    ['GET', '/$P/responses?page=334'],
    ['GET', '/x/responses?page=10001&pageSize=1'],
  ],
}

function fill(app: FlowApp): (text: string) => string {
  const [draft, published] = [app.add(), app.add('PUBLISHED')]
  app.add('DRAFT', { name: 'taken' })
  const foreign = app.world.addNumber(app.world.otherTenantId, '5511933332222', {
    provider: 'OFFICIAL',
    official: { ...app.number.official, accountId: '2999' } as never,
  })
  const theirs = app.world.flows.add(foreign.number)
  return (text) => text.replaceAll('$D', draft.id).replaceAll('$P', published.id).replaceAll('$F', theirs.id)
}

// [flows.errors.1] [flows.errors.2] [flows.errors.3] [flows.errors.4] [flows.errors.5] [flows.errors.6]
// [flows.errors.7] [flows.errors.8] [flows.errors.9] [flows.errors.10] [flows.errors.11] [flows.errors.12]
// [flows.errors.13] [flows.errors.14] [flows.errors.15] [flows.errors.16] [flows.errors.17]
for (const [code, asks] of Object.entries(INPUTS)) {
  const { pt, en } = FLOW_REFUSALS[code as FlowRefusalCode]
  test(`${code} has its status and both of its texts`, async (t) => {
    const app = await openFlowApp(t)
    const filled = fill(app)
    for (const ask of asks) {
      const [method, path, body] = ask
      const sent = body === undefined || typeof body === 'string' ? body : JSON.parse(filled(JSON.stringify(body)))
      const reply = await app.send(method, filled(path), sent)
      isRefused(t, reply, REFUSALS[code as FlowRefusalCode].status, code, pt, en, ask)
      t.is('validationErrors' in reply.body, code === 'FLOW_JSON_INVALID')
      t.is('unknownFields' in reply.body, code === 'FLOW_UNKNOWN_FIELDS')
      if (code === 'FLOW_JSON_INVALID') t.is(typeof reply.body.validationErrors[0].line_start, 'number')
      if (code === 'FLOW_UNKNOWN_FIELDS') t.is(reply.body.unknownFields.length, 1)
    }
  })
}

test('the table has the 17 codes of the contract, and one of ours', (t) => {
  t.is(Object.keys(FLOW_REFUSALS).length, 18)
  const ownTests: readonly string[] = ['FLOW_REQUIRES_OFFICIAL_NUMBER', 'FLOW_NUMBER_FROM_KEY', 'INTERNAL_ERROR']
  t.deepEqual(
    Object.keys(FLOW_REFUSALS).filter((code) => !(code in INPUTS)),
    ownTests,
  )
})

// [flows.scope.3]
test('of several faults the first in the order of checks is told', async (t) => {
  const app = await openFlowApp(t)
  const filled = fill(app)
  const firsts: readonly [Ask, string][] = [
    [['POST', '/$P/json', { flowJson: {}, x: 1 }], 'FLOW_BODY_INVALID'],
    [['POST', '', { name: '', status: 1 }], 'FLOW_UNKNOWN_FIELDS'],
    [['POST', '', { name: '', categories: [], cloneFromFlowId: '' }], 'FLOW_NAME_INVALID'],
    [['POST', '', { name: 'a', categories: [], cloneFromFlowId: 'flow_x' }], 'FLOW_CATEGORY_INVALID'],
    [['POST', '/$P/json', {}], 'FLOW_JSON_REQUIRED'],
    [['POST', '/$P/json', { flowJson: '[' }], 'FLOW_JSON_INVALID'],
    [['POST', '/$P/publish', {}], 'FLOW_PUBLISH_REQUIRES_CONFIRMATION'],
    [['PATCH', '/$P', {}], 'FLOW_PATCH_EMPTY'],
    [['PATCH', '/nothing', { name: '' }], 'FLOW_NAME_INVALID'],
    [['POST', '/nothing/json', { flowJson: '' }], 'FLOW_JSON_REQUIRED'],
    [['POST', '/nothing/deprecate', { supersededByFlowId: 'flow_x' }], 'FLOW_DEPRECATE_INVALID_SUCCESSOR'],
    [['DELETE', '/nothing', { x: 1 }], 'FLOW_UNKNOWN_FIELDS'],
    [['GET', '/nothing/responses?page=999&pageSize=100'], 'INVALID_PAGINATION'],
  ]
  for (const [[method, path, body], code] of firsts)
    t.is((await app.send(method, filled(path), body)).body.code, code, `${method} ${path} ${JSON.stringify(body)}`)
  t.deepEqual(app.platform.asked, [], 'upstream was not asked')
})

function flowRoutes() {
  const deps = new World().deps()
  return describedRoutes({ ...deps, ...createCaches(deps) }).filter(({ path }) => path.startsWith('/v1/flows'))
}

// [flows.scope.2]
for (const { method, path, permission } of flowRoutes()) {
  const verb = method.toUpperCase()
  const at = path.replace('{id}', 'flow_01kb0000000000000000000000')
  test(`${verb} ${path} tells every common error in both languages`, async (t) => {
    t.is(permission, verb === 'GET' ? 'flows:read' : 'flows:manage')
    const world = new World()
    const { number, key } = world.addOfficial()
    const client = await serve(t, world)
    const send = (request: { key?: string; headers?: Record<string, string>; body?: unknown }) =>
      client.send(verb, at, request)
    isRefused(t, await send({}), 401, undefined, 'Chave ausente ou inválida', 'Send')
    isRefused(
      t,
      await send({ key: generateApiKey() }),
      401,
      undefined,
      'Chave ausente ou inválida',
      'The key is unknown',
    )
    isRefused(
      t,
      await send({ key: world.tenantKey.raw }),
      403,
      'TENANT_SCOPE_NOT_ALLOWED',
      'Esta rota atua em um número',
      'This route acts on one number',
    )
    isRefused(
      t,
      await send({ key: world.tenantKey.raw, headers: { 'x-channel-number-id': number.id } }),
      403,
      'TENANT_SCOPE_NOT_ALLOWED',
      'Esta rota atua em um número',
      'This route acts on one number',
    )
    isRefused(
      t,
      await send({ key: key.raw, headers: { 'x-channel-number-id': world.foreignNumber.id } }),
      404,
      'NUMBER_NOT_FOUND',
      'Número não encontrado',
      'No such number',
    )
    for (const body of verb === 'GET' ? [undefined] : ['{broken', { x: 1 }]) {
      isRefused(
        t,
        await send({ key: world.numberKey.raw, body }),
        422,
        'FLOW_REQUIRES_OFFICIAL_NUMBER',
        'Flows exigem um número OFFICIAL com conta',
        'Flows need an OFFICIAL number with an account',
        body,
      )
    }
    if (verb !== 'GET') {
      isRefused(
        t,
        await send({ key: key.raw, body: 'a=1', headers: { 'content-type': 'text/plain' } }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'Envie o corpo como application/json',
        'Send the body as application/json',
      )
      isRefused(
        t,
        await send({ key: key.raw, body: `{"a":"${'x'.repeat(path.endsWith('json') ? 25_000_000 : 1_000_000)}"}` }),
        413,
        'PAYLOAD_TOO_LARGE',
        'O corpo da requisição é grande demais',
        'The body is over',
      )
    }
    if (verb === 'POST')
      isRefused(
        t,
        await send({ key: key.raw, headers: { 'idempotency-key': 'é' } }),
        400,
        undefined,
        'Requisição inválida',
        'Invalid header',
      )
    isRefused(
      t,
      await client.send('PUT', at, { key: key.raw }),
      405,
      'METHOD_NOT_ALLOWED',
      'Método não permitido nesta rota',
      'This route answers',
    )
    world.keys.requestsPerMinute = 1
    const { key: limited } = world.addOfficial('5511922221111')
    await client.send(verb, at, { key: limited.raw })
    const reply = await client.send(verb, at, { key: limited.raw })
    isRefused(t, reply, 429, undefined, 'Limite de requisições excedido', 'Rate limit exceeded')
    t.truthy(reply.headers.get('retry-after'))
  })

  test(`${verb} ${path} of a key without a number, and of a fault of ours`, async (t) => {
    const world = new World()
    const { number, key } = world.addOfficial()
    const failing = () => Promise.reject(new Error('duplicate key (name)=(secret)'))
    const flows = new Proxy(world.flows, { get: () => failing })
    const client = await serve(t, world, { flows })
    const body = { name: 'a' }
    const fitting: unknown = path.endsWith('/json')
      ? { flowJson: VALID }
      : path.endsWith('/publish')
        ? { confirm: true }
        : verb === 'PATCH' || path === '/v1/flows'
          ? body
          : undefined
    const asked = verb === 'GET' ? {} : { body: fitting }
    const broken = await client.send(verb, at, { key: key.raw, ...asked })
    isRefused(t, broken, 500, 'INTERNAL_ERROR', 'Erro interno', 'Internal error')
    t.deepEqual(Object.keys(broken.body), ['error', 'errorEN', 'code'])
    world.numbers.rows.delete(number.id)
    world.clock.advance(10_000)
    isRefused(
      t,
      await client.send(verb, at, { key: key.raw, ...asked }),
      422,
      'FLOW_NUMBER_FROM_KEY',
      'Não foi possível identificar o número a partir da chave',
      'The number could not be derived from the key',
    )
    isRefused(
      t,
      await client.send(verb, at, { headers: { 'x-api-key-id': key.id }, ...asked }),
      422,
      'FLOW_NUMBER_FROM_KEY',
      'Não foi possível identificar o número a partir da chave',
      'The number could not be derived from the key',
    )
  })
}

test('unknown routes, addresses and query fields below /v1/flows speak both languages, others one', async (t) => {
  const { client, key, add } = await openFlowApp(t)
  const { id } = add()
  for (const path of ['/v1/flows/a/b/c', '/v1/flows/a/nothing', `/v1/flows/${id}/unknown`])
    isRefused(
      t,
      await client.send('GET', path, { key: key.raw }),
      404,
      'ROUTE_NOT_FOUND',
      'Rota não encontrada',
      'No such route',
      path,
    )
  isRefused(
    t,
    await client.send('GET', '/v1/flows/%00', { key: key.raw }),
    400,
    undefined,
    'Requisição inválida',
    'The address',
  )
  isRefused(
    t,
    await client.send('GET', '/v1/flows?officialStatus=draft', { key: key.raw }),
    400,
    undefined,
    'Requisição inválida',
    'Invalid query: officialStatus',
  )
  isRefused(
    t,
    await client.send('GET', `/v1/flows/${id}?refresh=yes`, { key: key.raw }),
    400,
    undefined,
    'Requisição inválida',
    'Invalid query: refresh',
  )
  isRefused(
    t,
    await client.send('GET', `/v1/flows/${id}/responses?startDate=x`, { key: key.raw }),
    400,
    'INVALID_DATE_RANGE',
    'Intervalo de datas inválido',
    'Invalid query: startDate',
  )
  isRefused(
    t,
    await client.send('GET', `/v1/flows/${id}/responses?startDate=2026-02-01&endDate=2026-01-01`, { key: key.raw }),
    400,
    'INVALID_DATE_RANGE',
    'Intervalo de datas inválido',
    'Invalid query: startDate',
  )
  for (const path of ['/v1/flowsx', '/v1/flow', '/v1/templates/x'])
    t.false('errorEN' in (await client.send('GET', path, { key: key.raw })).body, path)
})
