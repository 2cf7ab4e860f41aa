import test from 'ava'
import { callEvent } from '../../../actors/call/event-data.ts'
import { numberEvent } from '../../../actors/number/rows/event-data.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { REFUSALS } from '../../../src/domain/errors.ts'
import { EVENT_NAMES } from '../../../src/domain/events.ts'
import { isNative, NATIVE_FIELDS } from '../../../src/domain/upstream-fields.ts'
import { NO_CONTENT } from '../../../src/domain/message.ts'
import { messageEvent } from '../../../src/domain/message-event.ts'
import { newId } from '../../../src/domain/ids.ts'
import { describedRoutes } from '../../../src/http/described-routes.ts'
import { createCaches } from '../../../src/http/caches.ts'
import { DESCRIBED_EVENTS, envelopeOf } from '../../../src/http/openapi/event-schema.ts'
import { SCOPES } from '../../../src/domain/oauth.ts'
import { shownCode } from '../../../src/http/request/refusal-body.ts'
import { describeApi } from '../../../src/http/openapi/document.ts'
import { bodyOf, curlOf } from '../../../src/http/openapi/example.ts'
import { serve } from '../../helpers/http-app.ts'
import { World } from '../../helpers/world.ts'

function routes() {
  const deps = new World().deps()
  return describedRoutes({ ...deps, ...createCaches(deps) }).filter(({ isHidden }) => !isHidden)
}

const document: any = JSON.parse(JSON.stringify(describeApi(routes(), 'http://localhost:3000')))

test('the document is OpenAPI 3.1 with both key headers, and every reference in it resolves', (t) => {
  t.regex(document.openapi, /^3\.1\./)
  t.is(document.components.securitySchemes.apiKey.name, 'x-api-key')
  t.is(document.components.securitySchemes.apiKeyId.name, 'x-api-key-id')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  )
  t.true(references.length > 20)
  for (const name of references) t.truthy(document.components.schemas[name], name)
})

// [rest.surface.4]
test('the document is version 1.0.0 of the interface', (t) => {
  t.is(document.info.version, '1.0.0')
})

test('the document names access tokens with their scopes, and beside each route the scope that it needs', (t) => {
  const { accessToken } = document.components.securitySchemes
  t.deepEqual([accessToken.type, Object.keys(accessToken.flows.authorizationCode.scopes)], ['oauth2', SCOPES])
  t.is(accessToken.flows.authorizationCode.tokenUrl, 'http://localhost:3000/oauth/token')
  const scopesOf = (method: string, path: string) =>
    document.paths[path][method].security?.find((one: object) => 'accessToken' in one)?.accessToken
  t.deepEqual(scopesOf('get', '/v1/calls'), ['calls:read'])
  t.deepEqual(scopesOf('post', '/v1/messages/send'), ['chat:send'])
  for (const [method, path] of [
    ['get', '/v1/api-keys'],
    ['get', '/v1/subscription'],
    ['post', '/v1/embed/sessions'],
    ['post', '/v1/users'],
    ['get', '/v1/users'],
    ['patch', '/v1/users/{id}'],
    ['post', '/v1/users/{id}/invite'],
    ['delete', '/v1/users/{id}'],
  ] as const)
    t.is(scopesOf(method, path), undefined, 'no token opens it')
})

// [rest.errors.1]
test('every operation names its answers, its errors and its headers', (t) => {
  for (const [path, item] of Object.entries<any>(document.paths)) {
    for (const [method, operation] of Object.entries<any>(item)) {
      const title = `${method} ${path}`
      t.truthy(operation.summary, title)
      t.truthy(operation.responses[500], title)
      const isKeyed = /^\/v1\/(?!remote-pairing|connect\/)/.test(path)
      const keys = operation.security ?? document.security
      t.deepEqual(
        keys.filter((one: object) => !('accessToken' in one)),
        isKeyed ? [{ apiKey: [] }, { apiKeyId: [] }] : path.startsWith('/api/public/embed') ? [{ embedToken: [] }] : [],
        title,
      )
      for (const [status, answer] of Object.entries<any>(operation.responses)) {
        t.truthy(answer.headers['x-request-id'], title)
        if (Number(status) >= 400 && path !== '/health/ready')
          t.is(
            answer.content['application/json'].schema.$ref,
            `#/components/schemas/${path.startsWith('/v1/flows') ? 'FlowError' : 'Error'}`,
            title,
          )
      }
      if (!isKeyed) continue
      for (const status of [400, 401, 404, 429]) t.truthy(operation.responses[status], `${title} ${status}`)
      t.truthy(operation.responses[429].headers['retry-after'], title)
      t.true(
        operation.parameters.some(({ name }: any) => name === 'x-channel-number-id'),
        title,
      )
    }
  }
})

test('no field that may be left out has a default, or generated clients would ask for it', (t) => {
  const faults: string[] = []
  const walk = (node: any, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('default' in node && node.properties === undefined) faults.push(path)
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`)
  }
  walk(document.components.schemas, '#/components/schemas')
  walk(document.paths, '#/paths')
  t.deepEqual(faults, [])
})

/** The name that client generators make of a field: `phone_number` and `phoneNumber` become the same. */
function asGenerated(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+(\w)?/g, (_, next = '') => next.toUpperCase())
}

test('no two fields beside each other are one name to generators of clients', (t) => {
  const clashes: string[] = []
  const walk = (node: any, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (typeof node.properties === 'object' && !Array.isArray(node)) {
      const names = Object.keys(node.properties)
      for (const name of names)
        if (names.some((other) => other !== name && asGenerated(other) === asGenerated(name)))
          clashes.push(`${path}/${name}`)
    }
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`)
  }
  walk(document, '#')
  t.deepEqual(clashes, [])
})

test('a file is described with the types it comes in, whole and as a range', (t) => {
  const { responses } = document.paths['/media/{fileId}/{fileName}'].get
  for (const status of [200, 206]) {
    t.deepEqual(Object.keys(responses[status].content), [
      'image/*',
      'audio/*',
      'video/*',
      'application/pdf',
      'text/plain',
      'application/octet-stream',
    ])
    t.is(responses[status].content['image/*'].schema.format, 'binary')
  }
  t.truthy(responses[206].headers['content-range'])
  t.truthy(responses[416])
})

test('groups stand in the order of use and are described', (t) => {
  t.deepEqual(
    document.tags.slice(0, 4).map(({ name }: any) => name),
    ['Calls', 'Messages', 'Numbers', 'Webhooks'],
  )
  const used = new Set(
    Object.values<any>({ ...document.paths, ...document.webhooks }).flatMap((item) =>
      Object.values<any>(item).flatMap(({ tags }) => tags),
    ),
  )
  t.deepEqual(document.tags.map(({ name }: any) => name).toSorted(), [...used].toSorted())
  for (const { name, description } of document.tags) t.truthy(description, name)
  t.is(document.paths['/v1/calls'].post.operationId, 'placeCall')
  t.is(Object.keys(document.paths)[0], '/v1/calls')
})

test('the errors of an operation carry the status of their code', (t) => {
  const { 409: conflict } = document.paths['/v1/calls'].post.responses
  t.true(conflict.description.includes('`CHANNEL_INSTANCE_NOT_CONNECTED`'))
  t.true(conflict.description.includes('`IDEMPOTENCY_IN_PROGRESS`'))
  t.is(REFUSALS.CHANNEL_INSTANCE_NOT_CONNECTED.status, 409)
})

test('a refusal that stands in for another shows the name of that one', (t) => {
  t.is(shownCode('OFFICIAL_REQUEST_REFUSED'), 'OFFICIAL_ERROR')
  t.is(shownCode('NUMBER_NOT_BOUND'), 'NUMBER_NOT_FOUND')
  t.is(shownCode('VALIDATION'), null)
  t.is(shownCode('CALL_NOT_FOUND'), 'CALL_NOT_FOUND')
})

test('every body example passes the schema it stands for', (t) => {
  for (const route of routes()) {
    for (const [what, example] of Object.entries({
      ...route.bodyExamples,
      ...(route.bodyExample === undefined ? {} : { example: route.bodyExample }),
    })) {
      t.true(route.body?.safeParse(example).success, `${route.name}: ${what}`)
    }
  }
})

test('every route with a required body has an example', (t) => {
  for (const route of routes()) {
    if (route.body?.safeParse(undefined).success === false) t.not(bodyOf(route), undefined, route.name)
  }
})

test('every JSON answer has an example, and each passes the schema it stands for', (t) => {
  for (const { name, answer } of routes().filter(
    (route) => route.answer.type === undefined && route.answer.fileTypes === undefined,
  )) {
    const examples = Object.entries({
      ...answer.examples,
      ...(answer.example === undefined ? {} : { example: answer.example }),
    })
    t.not(examples.length, 0, name)
    for (const [what, example] of examples)
      t.is(answer.schema?.safeParse(example).error?.message, undefined, `${name}: ${what}`)
  }
})

test('sending is shown in every mode, calls on both kinds of number', (t) => {
  const shown = (path: string) =>
    Object.values<any>(document.paths[path].post.requestBody.content['application/json'].examples).map(
      ({ value }) => value,
    )
  const sends = shown('/v1/messages/send')
  for (const mode of [
    'text',
    'media',
    'carousel',
    'buttons',
    'quotedMessageId',
    'deliverAt',
    'groupId',
    'newsletterId',
  ])
    t.true(
      sends.some((body) => mode in body),
      mode,
    )
  t.deepEqual(
    shown('/v1/calls').map((body) => ['sdp' in body, 'media' in body]),
    [
      [false, false],
      [true, false],
      [false, true],
    ],
  )
})

test('the example of an operation runs as it stands', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const create = routes().find(({ name }) => name === 'createNumber')
  const env = { KEY: world.tenantKey.raw, PATH: '/usr/bin:/bin' }
  const { stdout } = await promisify(execFile)('sh', ['-c', create ? curlOf(create, client.url) : 'exit 1'], { env })
  t.is(JSON.parse(stdout).code, 'NUMBER_ALREADY_EXISTS', 'the number of the example is the one the world has')
  const answers = await Promise.all(
    ['sendMessage', 'listMessages', 'checkNumbers'].map(async (wanted) => {
      const route = routes().find(({ name }) => name === wanted)
      const ran = await promisify(execFile)('sh', ['-c', route ? curlOf(route, client.url) : 'exit 1'], {
        env: { ...env, KEY: world.numberKey.raw },
      })
      return JSON.parse(ran.stdout)
    }),
  )
  t.is(answers[0].status, 'QUEUED')
  t.is(answers[1].total, 0)
  t.is(answers[2].code, 'BUSY', 'the device is not scripted')
})

test('every event is described with its headers and an example that fits, the native ones too', (t) => {
  t.deepEqual(Object.keys(document.webhooks).toSorted(), [...EVENT_NAMES, ...NATIVE_FIELDS].toSorted())
  for (const [name, { post }] of Object.entries<any>(document.webhooks)) {
    const headers = post.parameters.map((parameter: any) => parameter.name)
    t.deepEqual(
      headers,
      [
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
        'x-channel-event',
        'x-channel-number-id',
        'x-webhook-attempt',
        'traceparent',
      ],
      name,
    )
    const { example } = post.requestBody.content['application/json']
    if (isNative(name)) t.is(example.entry[0].changes[0].field, name)
    else t.deepEqual(Object.keys(example), ['id', 'event', 'channelNumberId', 'timestamp', 'data'])
  }
  for (const described of DESCRIBED_EVENTS) {
    const { schema, example } = envelopeOf(described)
    t.deepEqual(schema.parse(example), example as never, described.event)
  }
})

// [events.data.5] [events.data.8]
test('events made by the actors fit their description', (t) => {
  const world = new World()
  const described = new Map(DESCRIBED_EVENTS.map((one) => [one.event, one.data]))
  const facts = {
    id: newId('call'),
    direction: 'INBOUND',
    peerNumber: '5511999990001',
    fromNumber: '5511988887777',
    conversationId: 'conv_1',
    bizOpaqueCallbackData: null,
    startedAt: new Date(0),
    createdAt: new Date(0),
  } as never
  const moment = {
    status: 'COMPLETED',
    externalCallId: 'x',
    media: null,
    connectedAt: new Date(0),
    endedAt: new Date(5_000),
    durationSeconds: 5,
    errorCode: null,
    errorMessage: null,
  } as const
  const made = [
    ...(['call.ringing', 'call.connected', 'call.ended', 'call.missed'] as const).map((name) =>
      callEvent(name, facts, moment, 5_000),
    ),
    ...(['number.created', 'number.connected', 'number.disconnected', 'number.removed'] as const).map((name) =>
      numberEvent(name, world.number),
    ),
  ]
  for (const { event, data } of made) t.deepEqual(described.get(event)?.parse(data), data, event)
})

test('events of messages that came in fit their description', (t) => {
  const described = new Map(DESCRIBED_EVENTS.map((one) => [one.event, one.data]))
  const told = {
    id: newId('msg'),
    numberId: newId('num'),
    externalMessageId: 'ext',
    from: '5511999990001',
    fromName: null,
    to: '5511988887777',
    isFromMe: false,
    type: 'image',
    content: {
      ...NO_CONTENT,
      text: 'Look',
      media: { id: null, url: 'https://a.example/x', mimeType: 'image/png', fileName: null },
      reaction: { messageId: 'ext', emoji: null },
    },
    groupId: null,
    groupName: null,
    quotedMessageId: null,
    at: new Date(0),
  } as const
  const made = [
    messageEvent('message.received', told),
    messageEvent('message.reply', { ...told, quotedMessageId: 'ext-1' }),
    messageEvent('message.group', { ...told, groupId: '1@g.us', groupName: null }),
    messageEvent('message.newsletter', { ...told, from: '1@newsletter' }),
    messageEvent('message.stories', { ...told, to: null }),
  ]
  for (const { event, data } of made) t.deepEqual(described.get(event)?.parse(data), data as never, event)
})
