import test from 'ava'
import type { ExecutionContext } from 'ava'
import { RowLeases } from '../../src/cluster/lease-rows.ts'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import type { GrantId, NumberId } from '../../src/domain/ids.ts'
import type { Permission } from '../../src/domain/permissions.ts'
import type { AccessTokens } from '../../src/ports/access-tokens.ts'
import type { Log } from '../../src/ports/log.ts'
import { newCall } from '../contracts/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { GRANTABLE, grantToken, type Granted } from '../helpers/granted-tokens.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { openStoredWorld } from '../helpers/stored-world.ts'
import { silentLog } from '../helpers/silent.ts'

const METADATA = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/v1"'

const database = sharedDatabase(test, openTestDatabase)

/** A tenant with two numbers. It counts how often tokens are proved. */
async function tokens(t: ExecutionContext) {
  const world = await openStoredWorld(database())
  const { accessTokens } = world.stores
  const asked = { proofs: 0 }
  const counted: AccessTokens = {
    prove: (...of) => {
      asked.proofs++
      return accessTokens.prove(...of)
    },
    find: (grantId) => accessTokens.find(grantId),
  }
  const client = await serve(t, world, { accessTokens: counted })
  return {
    world,
    client,
    asked,
    other: (await world.addNumber(world.tenantId)).number,
    issue: (granted: Granted = {}) => grantToken(world.stores, world.tenantId, granted),
    end: (grantId: GrantId) => world.stores.grants.end(grantId),
  }
}

/** Sends requests with a token, and with a number when one is given. */
function asker(client: Client, token: string) {
  return (method: string, path: string, numberId?: NumberId, body?: unknown, more: Record<string, string> = {}) =>
    client.send(method, path, {
      headers: { authorization: `Bearer ${token}`, ...(numberId ? { 'x-channel-number-id': numberId } : {}), ...more },
      ...(body === undefined ? {} : { body }),
    })
}

// [oauth.tokens.10] [oauth.tokens.11]
test('an account-wide token does with the header what a number key does, and without it what the tenant key does', async (t) => {
  const { world, client, other, issue } = await tokens(t)
  const ask = asker(client, (await issue()).token)
  t.is((await ask('GET', '/v1/status', world.number.id)).body.numberId, world.number.id)
  t.is((await ask('GET', '/v1/status', other.id)).body.numberId, other.id)
  t.deepEqual(
    (await ask('GET', '/v1/numbers')).body.map(({ id }: any) => id),
    [world.number.id, other.id],
  )
  t.deepEqual(
    (await ask('GET', '/v1/numbers', other.id)).body.map(({ id }: any) => id),
    [other.id],
  )
  for (const channelNumberId of [world.number.id, other.id])
    await ask('POST', '/v1/webhooks', undefined, {
      url: 'https://hooks.example/x',
      events: ['message.received'],
      channelNumberId,
    })
  t.is((await ask('GET', '/v1/webhooks')).body.length, 2)
  t.is((await ask('GET', '/v1/webhooks', other.id)).body.length, 1)
  t.is(
    (await ask('POST', '/v1/webhooks', undefined, { url: 'https://hooks.example/y', events: ['message.received'] }))
      .body.code,
    'NUMBER_REQUIRED',
  )
  t.is((await ask('GET', '/v1/leads')).body.code, 'NUMBER_REQUIRED')
  t.is((await ask('GET', '/v1/flows')).status, 422)
  t.is((await ask('GET', '/v1/flows')).body.code, 'FLOW_NUMBER_FROM_KEY')
})

// [oauth.tokens.12] [oauth.tokens.13] [webhooks.routes.13]
test('a per-number token sees its numbers and nothing of the account beside them', async (t) => {
  const { world, client, other, issue } = await tokens(t)
  const third = (await world.addNumber(world.tenantId)).number
  const hook = (channelNumberId: string) =>
    client.send('POST', '/v1/webhooks', {
      key: world.tenantKey.raw,
      body: { url: 'https://hooks.example/x', events: ['message.received'], channelNumberId },
    })
  const hooks = { own: (await hook(world.number.id)).body.id, third: (await hook(third.id)).body.id }
  const ask = asker(client, (await issue({ numberIds: [world.number.id, other.id] })).token)
  t.deepEqual(
    (await ask('GET', '/v1/numbers')).body.map(({ id }: any) => id),
    [world.number.id, other.id],
  )
  t.is((await ask('GET', `/v1/numbers/${other.id}`)).status, 200)
  t.is((await ask('GET', `/v1/numbers/${third.id}`)).body.code, 'NUMBER_NOT_FOUND')
  t.is((await ask('GET', `/v1/numbers/${other.id}`, third.id)).body.code, 'NUMBER_NOT_FOUND')
  t.deepEqual(
    (await ask('GET', '/v1/webhooks', world.number.id)).body.map(({ id }: any) => id),
    [hooks.own],
  )
  t.is((await ask('GET', `/v1/webhooks/${hooks.third}`, world.number.id)).body.code, 'WEBHOOK_NOT_FOUND')
  t.is((await ask('GET', '/v1/webhooks')).body.code, 'NUMBER_REQUIRED')
  t.is((await ask('GET', '/v1/events', third.id)).body.code, 'NUMBER_NOT_FOUND')
  t.is(
    (
      await ask('POST', '/v1/webhooks', world.number.id, {
        url: 'https://hooks.example/z',
        events: ['message.received'],
        channelNumberId: other.id,
      })
    ).body.code,
    'NUMBER_MISMATCH',
  )
  for (const [method, path] of [
    ['POST', '/v1/numbers'],
    ['POST', '/v1/numbers/official'],
    ['POST', '/v1/numbers/remote-pairing'],
    ['GET', '/v1/branding'],
    ['PUT', '/v1/branding'],
  ] as const) {
    for (const id of [undefined, world.number.id]) {
      const reply = await ask(method, path, id, method === 'GET' ? undefined : '{broken')
      t.is(`${reply.status} ${reply.body.code}`, '403 NUMBER_SCOPE_NOT_ALLOWED', path)
    }
  }
})

// [oauth.tokens.4]
test('a token that is unknown, over or for another resource is 401 and told where to get one; so is whoever sends nothing', async (t) => {
  const { world, client, issue, end } = await tokens(t)
  const { token, grantId } = await issue()
  const mcp = await issue({ resource: 'mcp' })
  await end(grantId)
  for (const sent of [token, mcp.token, 'x', generateApiKey(), world.tenantKey.raw, `emb_${'0'.repeat(26)}.x`]) {
    const reply = await asker(client, sent)('GET', '/v1/numbers')
    t.is(reply.status, 401)
    t.deepEqual(Object.keys(reply.body), ['error'])
    t.is(reply.headers.get('www-authenticate'), `Bearer error="invalid_token", ${METADATA}`)
  }
  t.is((await client.send('GET', '/v1/numbers')).headers.get('www-authenticate'), `Bearer ${METADATA}`)
  t.is((await client.send('GET', `/v1/numbers?access_token=${(await issue()).token}`)).status, 401)
  t.is((await client.send('GET', '/v1/numbers', { headers: { authorization: 'Basic eDp5' } })).status, 401)
  t.is((await client.send('GET', '/v1/numbers', { key: world.tenantKey.raw })).headers.get('www-authenticate'), null)
})

// [oauth.tokens.2]
test('a token beside a key is 400, whichever of them is good, and nothing is looked up', async (t) => {
  const { world, client, asked, issue } = await tokens(t)
  const { token } = await issue()
  for (const headers of [
    { 'x-api-key': world.tenantKey.raw },
    { 'x-api-key': 'cms_x' },
    { 'x-api-key-id': world.tenantKey.id },
  ] as Record<string, string>[]) {
    for (const sent of [token, 'x'])
      t.is(
        (await client.send('GET', '/v1/numbers', { headers: { ...headers, authorization: `Bearer ${sent}` } })).status,
        400,
      )
  }
  t.is(asked.proofs, 0)
})

// [oauth.tokens.5]
test('a scope that was not granted is 403, with a challenge only where the role of the user has it', async (t) => {
  const { world, client, issue } = await tokens(t)
  const held: readonly Permission[] = ['numbers:read']
  const agent = asker(client, (await issue({ role: 'AGENT', scopes: held })).token)
  const missing = await agent('GET', '/v1/calls', world.number.id)
  t.is(`${missing.status} ${missing.body.code}`, '403 PERMISSION_DENIED')
  t.is(missing.headers.get('www-authenticate'), `Bearer error="insufficient_scope", scope="calls:read", ${METADATA}`)
  for (const [method, path] of [
    ['POST', '/v1/numbers'],
    ['GET', '/v1/webhooks'],
  ] as const) {
    const beyond = await agent(method, path)
    t.is(`${beyond.status} ${beyond.body.code}`, '403 PERMISSION_DENIED')
    t.is(beyond.headers.get('www-authenticate'), null, 'an AGENT is never given it')
  }
  const owner = asker(client, (await issue({ role: 'OWNER', scopes: GRANTABLE })).token)
  for (const [method, path] of [
    ['GET', '/v1/api-keys'],
    ['POST', '/v1/api-keys/regenerate'],
    ['GET', '/v1/subscription'],
    ['POST', '/v1/embed/sessions'],
    ['GET', '/v1/embed/sessions'],
  ] as const) {
    const never = await owner(method, path)
    t.is(`${never.status} ${never.body.code}`, '403 PERMISSION_DENIED', path)
    t.is(never.headers.get('www-authenticate'), null, 'no client is ever granted it')
  }
})

// [oauth.tokens.3]
test('the permission is looked at before the number, and the number before all else', async (t) => {
  const { world, client, issue } = await tokens(t)
  const foreign = await world.addForeign()
  const none = asker(client, (await issue({ scopes: [], numberIds: [world.number.id] })).token)
  t.is((await none('POST', '/v1/calls', foreign.id, '{broken')).body.code, 'PERMISSION_DENIED')
  const all = asker(client, (await issue({ numberIds: [world.number.id] })).token)
  t.is((await all('POST', '/v1/calls', undefined, '{broken')).body.code, 'NUMBER_REQUIRED')
  t.is((await all('POST', '/v1/calls', foreign.id, '{broken')).body.code, 'NUMBER_NOT_FOUND')
  t.is((await all('POST', '/v1/calls', world.number.id, '{broken')).body.code, 'INVALID_JSON')
})

// [oauth.tokens.15]
test('limits count for the grant, whichever of its tokens asks, and no other caller', async (t) => {
  const { world, client, issue } = await tokens(t)
  await world.limit(world.tenantId, 2)
  const ask = asker(client, (await issue()).token)
  t.is((await ask('GET', '/v1/numbers')).headers.get('ratelimit-limit'), '2')
  t.is((await ask('GET', '/v1/numbers')).status, 200)
  t.is((await ask('GET', '/v1/numbers')).status, 429)
  t.is((await client.send('GET', '/v1/numbers', { key: world.tenantKey.raw })).status, 200)
  t.is((await asker(client, (await issue()).token)('GET', '/v1/numbers')).status, 200)
})

// [oauth.tokens.15]
test('an Idempotency-Key belongs to the grant, and the same body for another number is another request', async (t) => {
  const { world, client, other, issue } = await tokens(t)
  const [one, two] = [await issue(), await issue()].map(({ token }) => asker(client, token))
  const body = { destinationNumber: '5511988887777', text: 'Hi' }
  const send = (ask = one, id: NumberId = world.number.id) =>
    ask?.('POST', '/v1/messages/send', id, body, { 'idempotency-key': 'once' })
  const first = await send()
  t.is(first?.status, 202)
  t.is((await send())?.body.id, first?.body.id)
  t.is((await send(one, other.id))?.body.code, 'IDEMPOTENCY_KEY_REUSED')
  t.not((await send(two))?.body.id, first?.body.id)
  const byKey = await client.send('POST', '/v1/messages/send', {
    key: world.numberKey.raw,
    body,
    headers: { 'idempotency-key': 'once' },
  })
  t.not(byKey.body.id, first?.body.id)
})

test('a grant and the number it names are remembered, and forgotten once either is gone', async (t) => {
  const { world, client, other, asked, issue, end } = await tokens(t)
  const { token, grantId } = await issue({ numberIds: [world.number.id, other.id] })
  const ask = asker(client, token)
  const looks: string[] = []
  const find = world.stores.numbers.find.bind(world.stores.numbers)
  world.stores.numbers.find = async (tenantId, id) => {
    looks.push(id)
    return await find(tenantId, id)
  }
  for (let i = 0; i < 3; i++) t.is((await ask('GET', '/v1/calls', other.id)).status, 200)
  t.is(asked.proofs, 1)
  t.deepEqual(looks, [other.id])
  world.directory.script = { Remove: () => succeed(null) }
  t.is((await client.send('DELETE', `/v1/numbers/${other.id}`, { key: world.tenantKey.raw })).status, 200)
  t.is((await ask('GET', '/v1/calls', other.id)).body.code, 'NUMBER_NOT_FOUND')
  t.is(asked.proofs, 2)
  await end(grantId)
  await world.broadcast.publish('key.rotated', grantId)
  t.is((await ask('GET', '/v1/calls', world.number.id)).status, 401)
})

test('a realtime session of a call is minted for the grant, and taken back where that ended, or may less, meanwhile', async (t) => {
  const { world, client, issue, end } = await tokens(t)
  const { token, grantId } = await issue({ numberIds: [world.number.id] })
  const fence = await new RowLeases(database(), newId('node')).acquire(world.number.id)
  if (!fence) return t.fail('the number could not be leased')
  const call = newCall({ ...world, key: world.numberKey, fence }, { status: 'RINGING' })
  await world.stores.calls.insert(fence, call, [])
  const minted = succeed({ wsUrl: 'ws://m/v1/realtime/x?token=y', token: 'y', expiresAtMs: 1_000 })
  const open = () => asker(client, token)('POST', `/v1/calls/${call.id}/realtime-session`, world.number.id)
  world.directory.script = { OpenSession: () => minted }
  t.is((await open()).status, 200)
  t.is(world.directory.asked[0]?.fields.by, grantId)
  world.directory.script = {
    OpenSession: async () => {
      await end(grantId)
      return minted
    },
  }
  t.is((await open()).status, 401)
})

// [oauth.tokens.1]
test('no log tells a token', async (t) => {
  const world = await openStoredWorld(database())
  const lines: string[] = []
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
  const log: Log = { ...silentLog, info: keep, warn: keep, error: keep }
  const client = await serve(t, world, { log })
  const { token } = await grantToken(world.stores, world.tenantId)
  await asker(client, token)('GET', '/v1/calls', world.number.id)
  await asker(client, `${token}x`)('GET', '/v1/calls', world.number.id)
  t.true(lines.some((line) => line.includes(world.tenantId) && line.includes(world.number.id)))
  t.false(lines.join('\n').includes(token))
})

// [oauth.endpoints.3] [oauth.endpoints.7]
test('pages of any origin may read the metadata of each resource, under its own name; the tools are found without a name', async (t) => {
  const { client } = await tokens(t)
  for (const [path, resource] of [
    ['', 'mcp'],
    ['/mcp', 'mcp'],
    ['/v1', 'v1'],
  ] as const) {
    const reply = await client.send('GET', `/.well-known/oauth-protected-resource${path}`, {
      headers: { origin: 'https://client.example' },
    })
    t.is(reply.status, 200)
    t.is(reply.headers.get('access-control-allow-origin'), '*')
    t.is(reply.headers.get('access-control-allow-credentials'), null)
    const { resource_name: name, ...body } = reply.body
    t.deepEqual(body, {
      resource: `http://localhost:3000/${resource}`,
      authorization_servers: ['http://localhost:3000'],
      scopes_supported: GRANTABLE,
      bearer_methods_supported: ['header'],
    })
    t.is(typeof name, 'string')
    t.false(body.scopes_supported.includes('account:manage'))
  }
  t.is((await client.send('GET', '/.well-known/oauth-protected-resource/other')).body.code, 'ROUTE_NOT_FOUND')
})

test('/api/v1 reads no keys and no tokens, and keys open /v1 as ever', async (t) => {
  const { world, client, issue } = await tokens(t)
  const { token } = await issue()
  for (const headers of [
    { 'x-api-key': world.tenantKey.raw },
    { 'x-api-key-id': world.tenantKey.id },
    { authorization: `Bearer ${token}` },
  ]) {
    t.is((await client.send('GET', '/api/v1/numbers', { headers: headers as Record<string, string> })).status, 401)
  }
  t.is((await client.send('GET', '/v1/numbers', { key: world.tenantKey.raw })).status, 200)
})
