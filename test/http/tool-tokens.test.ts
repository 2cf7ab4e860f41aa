import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Permission } from '../../src/domain/permissions.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { grantToken, type Granted } from '../helpers/granted-tokens.ts'
import { openStoredWorld } from '../helpers/stored-world.ts'
import { ACCEPT } from '../helpers/tool-client.ts'
import { openTools, HISTORY_CALL, TOOLS_METADATA, READ_SCOPES } from './open-tools.ts'

const database = sharedDatabase(test, openTestDatabase)

/** Programs with access tokens, in a tenant with one number of each kind. */
async function openGranted(t: ExecutionContext) {
  const world = await openStoredWorld(database())
  const { client } = await openTools(t, {}, world)
  const second = await world.addOfficial(world.tenantId)
  const by = async (granted: Granted) => {
    const { token, grantId } = await grantToken(world.stores, world.tenantId, { resource: 'mcp', ...granted })
    const post = (message: object) =>
      client.send('POST', '/mcp', {
        headers: { ...ACCEPT, authorization: `Bearer ${token}` },
        body: Array.isArray(message) ? message : { jsonrpc: '2.0', id: 1, ...message },
      })
    return {
      token,
      grantId,
      post,
      list: async () =>
        (await post({ method: 'tools/list' })).body.result.tools.map(({ name }: { name: string }) => name) as string[],
      call: async (name: string, args: object = {}) => {
        const reply = await post({ method: 'tools/call', params: { name, arguments: args } })
        const result = reply.body.result
        return { reply, result, refusal: result?.isError ? JSON.parse(result.content[0].text) : null }
      },
    }
  }
  return { world, client, second: second.number, by }
}

test('a token of this resource opens the tools that its scopes name, one of the other resource none', async (t) => {
  const { by, client } = await openGranted(t)
  const { list } = await by({ scopes: ['templates:read', 'flows:read'] })
  t.deepEqual(await list(), [
    'templates_list',
    'template_get',
    'flows_list',
    'flow_get',
    'flow_json_get',
    'flow_responses',
  ])
  t.is((await (await by({ scopes: [] })).list()).length, 0)
  const { token } = await by({ resource: 'v1' })
  const refused = await client.send('POST', '/mcp', {
    headers: { ...ACCEPT, authorization: `Bearer ${token}` },
    body: HISTORY_CALL,
  })
  t.deepEqual(
    [refused.status, refused.headers.get('www-authenticate')],
    [401, `Bearer error="invalid_token", ${TOOLS_METADATA}, ${READ_SCOPES}`],
  )
  t.is(
    (await client.send('POST', `/mcp?access_token=${(await by({})).token}`, { headers: ACCEPT, body: HISTORY_CALL }))
      .status,
    401,
  )
})

// [tools.calls.8]
test('a token whose scopes lack a permission that its role has is sent to ask for it; one whose role lacks it, too, is refused', async (t) => {
  const { by, second } = await openGranted(t)
  const missing: Permission = 'templates:manage'
  const owner = await by({ scopes: ['templates:read'], numberIds: [second.id] })
  const remove = { method: 'tools/call', params: { name: 'template_delete', arguments: { id: 'unknown' } } }
  for (const body of [
    remove,
    [
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 2, ...remove },
    ],
  ]) {
    const reply = await owner.post(body)
    t.deepEqual(
      [reply.status, reply.body.code, reply.headers.get('www-authenticate')],
      [403, 'PERMISSION_DENIED', `Bearer error="insufficient_scope", scope="${missing}", ${TOOLS_METADATA}`],
    )
  }
  const { reply, refusal } = await (
    await by({ role: 'ANALYST' })
  ).call('template_delete', {
    channelNumberId: second.id,
    id: 'unknown',
  })
  t.deepEqual(
    [reply.status, reply.headers.get('www-authenticate'), refusal.status, refusal.code],
    [200, null, 403, 'PERMISSION_DENIED'],
  )
})

// [tools.calls.3]
test('a grant over one number need not name it, one over several or all has to, and none reaches another', async (t) => {
  const { by, world, second } = await openGranted(t)
  const first = world.number
  const foreign = await world.addForeign()
  // Only the second number is OFFICIAL, and only OFFICIAL numbers have Flows.
  const one = await by({ numberIds: [second.id] })
  t.is((await one.call('flows_list')).refusal, null)
  t.like((await one.call('templates_list', { channelNumberId: first.id })).refusal, {
    status: 404,
    code: 'NUMBER_NOT_FOUND',
  })
  t.like((await (await by({ numberIds: [first.id] })).call('flows_list')).refusal, {
    status: 422,
    code: 'FLOW_REQUIRES_OFFICIAL_NUMBER',
  })
  t.deepEqual(
    (await one.call('numbers_list')).result.structuredContent.numbers.map(({ id }: { id: string }) => id),
    [second.id],
  )
  for (const several of [await by({ numberIds: [first.id, second.id] }), await by({})]) {
    t.like((await several.call('templates_list')).refusal, { status: 400, code: 'NUMBER_REQUIRED' })
    t.is((await several.call('flows_list', { channelNumberId: second.id })).refusal, null)
    t.like((await several.call('templates_list', { channelNumberId: foreign.id })).refusal, {
      status: 404,
      code: 'NUMBER_NOT_FOUND',
    })
  }
})

test('a grant that ended opens no tool any more', async (t) => {
  const { by, world, client } = await openGranted(t)
  const { token, grantId } = await by({})
  const post = () =>
    client.send('POST', '/mcp', { headers: { ...ACCEPT, authorization: `Bearer ${token}` }, body: HISTORY_CALL })
  t.is((await post()).status, 200)
  await world.stores.grants.end(grantId)
  await world.broadcast.publish('key.rotated', grantId)
  t.is((await post()).status, 401)
})
