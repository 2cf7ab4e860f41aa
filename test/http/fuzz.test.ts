import test from 'ava'
import * as fc from 'fast-check'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { createCaches } from '../../src/http/caches.ts'
import { DEVICE_OP_NAMES } from '../../src/domain/device-ops.ts'
import { isOfDashboard } from '../../src/http/request/dashboard-paths.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { signIn } from '../helpers/dashboard.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { counted } from '../helpers/size.ts'
import { makeWebhook } from '../contracts/webhook-store.ts'

const described = new World().deps()
const routes = describedRoutes({ ...described, ...createCaches(described) })

/** Values similar to what the fields expect, so that some random bodies pass the first check. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: ANY_LETTER }),
  fc.constantFrom(
    '5511999990001',
    '+55 11 90000-1111',
    'https://a.example/x',
    'num_01kb0000000000000000000000',
    'talk',
    'STORE_X_DAYS',
    'image',
    'QUICK_REPLY',
    'data:image/png;base64,AA==',
    '2030-01-05T12:00:00Z',
    ['*'],
    ['call.ended', 'nothing'],
    '\ud800',
    'a\0',
    null,
    true,
    0,
    -1,
    1e308,
  ),
)
const field = fc.constantFrom(
  'to',
  'name',
  'number',
  'settings',
  'branding',
  'mediaUrl',
  'mode',
  'piiMode',
  'piiRetentionDays',
  'channelNumberId',
  'text',
  '__proto__',
  'constructor',
  'url',
  'events',
  'active',
  'secret',
  'bizOpaqueCallbackData',
  'destinationNumber',
  'media',
  'mediaType',
  'caption',
  'buttons',
  'carousel',
  'cards',
  'image',
  'type',
  'location',
  'latitude',
  'longitude',
  'contacts',
  'phones',
  'list',
  'sections',
  'rows',
  'reaction',
  'emoji',
  'contactRequest',
  'poll',
  'options',
  'quotedMessageId',
  'deliverAt',
  'deliverUntil',
  'correlationId',
  'conversationId',
  'messageIds',
  'subject',
  'participants',
  'numbers',
)
const body = fc.oneof(
  fc
    .dictionary(field, fc.oneof(value, fc.dictionary(fc.oneof(field, fc.string()), value)))
    .map((object) => JSON.stringify(object)),
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.string({ unit: ANY_LETTER }),
)

for (const route of routes.filter(({ method }) => method !== 'get')) {
  const method = route.method.toUpperCase()

  test(`no body makes ${method} ${route.path} fail by a fault of ours`, async (t) => {
    const world = new World()
    const call = world.calls.add(world.number, { status: 'ACCEPTED' })
    const refused = () => fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'not connected'))
    world.directory.script = {
      Pair: refused,
      Logout: refused,
      Remove: refused,
      PlaceCall: refused,
      Accept: refused,
      Reject: refused,
      Terminate: refused,
      Play: refused,
      OpenSession: refused,
      GiveBack: refused,
      ...Object.fromEntries(DEVICE_OP_NAMES.map((op) => [op, refused])),
      ApplySettings: refused,
    }
    const client = await serve(t, world)
    const webhook = await makeWebhook(world.webhooks, {
      tenantId: world.tenantId,
      numberId: world.number.id,
      name: null,
      url: 'https://a.example/',
      events: [],
      secret: 'whsec_',
    })
    const log = world.webhooks.addLog(webhook)
    const path = route.path
      .replace('webhooks/{id}', `webhooks/${webhook.id}`)
      .replace('groups/{id}', 'groups/1@g.us')
      .replace('{logId}', log.id)
      .replace('{id}', world.number.id)
      .replace('{callId}', call.id)
      .replace('{token}', 'rp_00000000000000000000000000')
    const key = ['number', 'chosenNumber', 'namedNumber'].includes(route.access.of)
      ? () => world.numberKey.raw
      : () =>
          [...world.rows.keys.values()].find((key) => key.tenantId === world.tenantId && key.scope === 'TENANT')?.raw
    const { send } = isOfDashboard(path) ? await signIn(client, world) : client
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const reply = await send(method, path, { key: key(), body: text })
        return reply.status < 500 && reply.body !== null
      }),
      { numRuns: counted(60, 15) },
    )
    t.pass()
  })
}

test('no path, query or header makes a read fail by a fault of ours', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const part = fc.string({ unit: ANY_LETTER }).map((text) => encodeURIComponent(text.toWellFormed()))
  const raw = fc.constantFrom(
    '%',
    '%00',
    '%ff',
    '..',
    '.',
    '//',
    '%2f',
    '%ed%a0%80',
    ';',
    '{callId}',
    ':callId',
    '(.*)',
    '*',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(part, raw),
      fc.oneof(part, raw),
      fc.stringMatching(/^[\x21-\x7e]{0,40}$/),
      async (path, query, header) => {
        const headers = { 'x-channel-number-id': header, 'x-request-id': header }
        const reply = await client.send('GET', `/v1/calls/${path}?limit=${query}&before=${query}`, {
          key: world.numberKey.raw,
          headers,
        })
        return reply.status < 500
      },
    ),
    { numRuns: counted(200, 60) },
  )
  t.pass()
})
