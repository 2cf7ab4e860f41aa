import test, { type ExecutionContext } from 'ava'
import { MOST_BATCH_BYTES, MOST_BATCHED } from '../../src/http/tools/batch.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { ACCEPT } from '../helpers/tool-client.ts'

const LIST = { method: 'tools/list' }
const STATUS = { method: 'tools/call', params: { name: 'number_status', arguments: {} } }

function times(count: number, message: object): object[] {
  return Array.from({ length: count }, () => message)
}

async function open(t: ExecutionContext, requestsPerMinute = 10_000) {
  const world = new World()
  world.keys.requestsPerMinute = requestsPerMinute
  const { raw: key } = world.keys.issue(world.tenantId, world.number.id)
  const client = await serve(t, world)
  const post = (messages: readonly object[]) =>
    client.send('POST', '/mcp', {
      key,
      headers: { ...ACCEPT, 'mcp-protocol-version': '2025-03-26' },
      body: messages.map((message, id) => ({ jsonrpc: '2.0', id, ...message })),
    })
  return { world, post }
}

test('a batch of more than 10 messages is refused whole, and nothing of it is done', async (t) => {
  const { post } = await open(t)
  const { status, body } = await post(times(100, LIST))
  t.is(status, 400)
  t.like(body, { id: null, error: { code: -32600, message: 'Invalid Request: a batch holds at most 10 messages' } })
  t.is((await post(times(MOST_BATCHED, { method: 'ping' }))).body.length, MOST_BATCHED)
})

test('each message of a batch counts as a request (security case 2)', async (t) => {
  const { post } = await open(t, 12)
  t.is((await post(times(8, STATUS))).status, 200)
  const refused = await post(times(5, STATUS))
  t.is(refused.status, 429)
  t.deepEqual(Object.keys(refused.body), ['error'])
  t.truthy(refused.headers.get('retry-after'))
  t.is((await post([STATUS, STATUS])).status, 200, 'what is refused takes nothing but itself')
})

// [tools.endpoint.2]
test('a batch is answered in the order asked, as each message would be by itself', async (t) => {
  const { post } = await open(t)
  const { body } = await post([STATUS, LIST, { method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } }])
  t.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [0, 1, 2],
  )
  t.is(typeof body[0].result.structuredContent, 'object')
  t.true(body[1].result.tools.length > 10)
  t.is(body[2].error.code, -32602)
})

for (const [name, more] of [
  ['as usual', {}],
  ['that only the library takes', { params: { cursor: 'x' } }],
] as const) {
  test(`answers of a batch are bounded: of messages ${name} those beyond are refused, each by itself`, async (t) => {
    const { post } = await open(t)
    const { body, text } = await post(times(MOST_BATCHED, { ...LIST, ...more }))
    t.true(text.length < MOST_BATCH_BYTES * 1.3)
    t.is(body.length, MOST_BATCHED)
    const errors = body.filter(({ error }: { error?: object }) => error)
    t.true(errors.length > 0 && errors.length < MOST_BATCHED)
    for (const { error } of errors)
      t.like(error, {
        code: -32600,
        message: 'The answers of this batch are too large: nothing of this message was done, send it by itself',
      })
  })
}
