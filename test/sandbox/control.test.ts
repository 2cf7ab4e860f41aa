import test from 'ava'
import { FakeClock } from '../helpers/fake-clock.ts'
import { until } from '../helpers/until.ts'
import { BridgeClient, GATEWAY_NUMBER, startPlayground } from './bridge-client.ts'

const PEER = '5511990000001'
const TEXT = { to: PEER, content: { type: 'text', text: 'hello' } }

// [sandbox.listening.3]
test('an unknown route, a wrong method and a bad body are answered as JSON errors', async (t) => {
  const { sandbox } = await startPlayground()
  const base = `http://127.0.0.1:${sandbox.port}/control`
  const unknown = await fetch(`${base}/nothing`)
  t.is(unknown.status, 404)
  t.is(((await unknown.json()) as any).code, 'ROUTE_NOT_FOUND')
  const wrong = await fetch(`${base}/reset`)
  t.is(wrong.status, 405)
  t.is(wrong.headers.get('allow'), 'POST')
  const broken = await fetch(`${base}/faults`, { method: 'POST', body: '{' })
  t.is(broken.status, 400)
  t.is(((await broken.json()) as any).code, 'INVALID_JSON')
  const invalid = await fetch(`${base}/faults`, { method: 'POST', body: '{"times":0}' })
  t.is(invalid.status, 400)
  t.is(((await invalid.json()) as any).details[0].path, 'times')
  const large = await fetch(`${base}/faults`, { method: 'POST', body: `"${'x'.repeat(32 * 1024 * 1024)}"` })
  t.is(large.status, 413)
  await sandbox.close()
})

// [sandbox.control.10]
test('a fault fails as many requests of its operation as asked, then no more', async (t) => {
  const { sandbox, post, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  await post('/control/faults', {
    match: { op: 'message.send' },
    times: 2,
    error: { code: 'FAILED', message: 'busy', retryable: false },
  })
  t.is((await client.ask('number.check', { numbers: [] })).ok, true)
  const first = await client.ask('message.send', { messageId: 'm1', ...TEXT })
  t.deepEqual(first.ok ? null : first.error, { code: 'FAILED', message: 'busy', retryable: false })
  t.is(await client.refusal('message.send', { messageId: 'm1', ...TEXT }), 'FAILED')
  t.is((await client.ask('message.send', { messageId: 'm1', ...TEXT })).ok, true)
  t.deepEqual(await get('/control/faults'), { faults: [] })
  await sandbox.close()
})

test('a delayed operation is answered later, and others are not held up', async (t) => {
  const clock = new FakeClock()
  const { sandbox, post, link } = await startPlayground({ clock })
  const { client } = await link(GATEWAY_NUMBER)
  await post('/control/faults', { match: { op: 'number.check' }, times: 1, delayMs: 5_000 })
  let isAnswered = false
  const delayed = client.ask('number.check', { numbers: [] }).then((answer) => {
    isAnswered = true
    return answer
  })
  await client.result('number.check', { numbers: [] })
  t.false(isAnswered)
  clock.advance(5_000)
  t.true((await delayed).ok)
  await sandbox.close()
})

test('an operation whose answer is held takes effect at once, and what it tells comes before its answer', async (t) => {
  const clock = new FakeClock()
  const { sandbox, post, get, link } = await startPlayground({ clock })
  const { client } = await link(GATEWAY_NUMBER)
  await post('/control/faults', { match: { op: 'message.send' }, answerDelayMs: 5_000 })
  let isAnswered = false
  const held = client.ask('message.send', { messageId: 'm1', ...TEXT }).then((answer) => {
    isAnswered = true
    return answer
  })
  await until('the message is told of', () => client.all('message.status').length > 0)
  t.is((await get(`/control/peers/${PEER}/inbox`)).messages.length, 1)
  t.false(isAnswered)
  clock.advance(5_000)
  t.true((await held).ok)
  await sandbox.close()
})

test('the fault drop cuts the socket before or after the request takes effect', async (t) => {
  const { sandbox, post, get, link } = await startPlayground()
  const { client, credentials, numberId } = await link(GATEWAY_NUMBER)
  await post('/control/faults', { match: { op: 'message.send' }, times: 1, drop: true })
  void client.ask('message.send', { messageId: 'm1', ...TEXT })
  t.is(await client.closed(), 1006)
  t.deepEqual((await get(`/control/peers/${PEER}/inbox`)).messages, [])
  const again = await BridgeClient.open(sandbox.port, numberId)
  await again.start(credentials)
  await post('/control/faults', { match: { op: 'message.send' }, times: 1, drop: 'after' })
  void again.ask('message.send', { messageId: 'm1', ...TEXT })
  t.is(await again.closed(), 1006)
  t.is((await get(`/control/peers/${PEER}/inbox`)).messages.length, 1)
  await sandbox.close()
})

test('a fault on the path refuses new sockets, not operations', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  await post('/control/faults', { match: { path: '/devices/sessions/num_new' }, times: 1, status: 503 })
  t.true((await client.ask('number.check', { numbers: [] })).ok)
  await t.throwsAsync(BridgeClient.open(sandbox.port, 'num_new'), { message: /503/ })
  const opened = await BridgeClient.open(sandbox.port, 'num_new')
  t.true((await opened.start()).ok)
  await sandbox.close()
})

// [sandbox.control.11]
test('the ledger lists what gateways asked, without credentials and session descriptions', async (t) => {
  const { sandbox, get, link } = await startPlayground()
  const { client, credentials, numberId } = await link(GATEWAY_NUMBER)
  await client.start(credentials, {}, GATEWAY_NUMBER)
  await client.ask('call.offer', { to: PEER, media: { kind: 'webrtc', sdp: 'v=0 secret' } })
  const { requests } = await get(`/control/requests?path=/devices/sessions/${numberId}`)
  t.deepEqual(
    requests.map((request: any) => request.op),
    ['session.start', 'session.start', 'call.offer'],
  )
  t.like(requests[1], { kind: 'device', number: GATEWAY_NUMBER, fields: { hasCredentials: true } })
  t.false(JSON.stringify(requests).includes(credentials))
  t.false(JSON.stringify(requests).includes('secret'))
  t.is((await get('/control/requests?op=call.offer')).requests.length, 1)
  t.deepEqual(await get('/control/requests?path=/official'), { total: 0, requests: [] })
  await sandbox.close()
})

// [sandbox.control.12]
test('a reset forgets everything and cuts the sockets, and gateways come back with their credentials', async (t) => {
  const { sandbox, post, get, link } = await startPlayground()
  const { client, credentials, numberId } = await link(GATEWAY_NUMBER)
  await client.result('message.send', { messageId: 'm1', ...TEXT })
  await post('/control/faults', { match: { op: 'session.start' }, times: 1, error: 'FAILED' })
  t.is((await post('/control/reset')).status, 200)
  t.is(await client.closed(), 1006)
  t.deepEqual(await get('/control/devices'), { devices: [] })
  t.deepEqual(await get(`/control/peers/${PEER}/inbox`), { messages: [] })
  t.deepEqual(await get('/control/requests'), { total: 0, requests: [] })
  const again = await BridgeClient.open(sandbox.port, numberId)
  t.true((await again.start(credentials)).ok)
  await again.event('session.state', ({ state }) => state === 'OPEN')
  await sandbox.close()
})

test('a fault may take effect first and answer its error then', async (t) => {
  const { sandbox, post, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  await post('/control/faults', { match: { op: 'message.send' }, after: true, error: { code: 'RATE_LIMITED' } })
  t.is(await client.refusal('message.send', { messageId: 'm1', ...TEXT }), 'RATE_LIMITED')
  t.is((await get(`/control/peers/${PEER}/inbox`)).messages.length, 1)
  t.true((await client.ask('message.send', { messageId: 'm1', ...TEXT })).ok)
  t.is((await get(`/control/peers/${PEER}/inbox`)).messages.length, 1)
  await post('/control/faults', { match: { op: 'message.send' }, after: true })
  void client.ask('message.send', { messageId: 'm2', ...TEXT })
  t.is(await client.closed(), 1006)
  t.is((await get(`/control/peers/${PEER}/inbox`)).messages.length, 2)
  await sandbox.close()
})

test('a limit shows the latest requests, and total counts them all', async (t) => {
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  for (const number of ['1', '2', '3']) await client.result('number.check', { numbers: [number] })
  const { total, requests } = await get('/control/requests?op=number.check&limit=2')
  t.is(total, 3)
  t.deepEqual(
    requests.map((request: any) => request.fields.numbers),
    [['2'], ['3']],
  )
  t.deepEqual(await get('/control/requests?op=number.check&limit=0'), { total: 3, requests: [] })
  await sandbox.close()
})

test('closing the sandbox closes its sockets and frees the port', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  await sandbox.close()
  await sandbox.close()
  await until('the socket closed', () => client.closeCode !== null)
  await t.throwsAsync(fetch(`http://127.0.0.1:${sandbox.port}/health`))
})

test('a connection is kept ten minutes for a client that was busy, and says so', async (t) => {
  const { sandbox } = await startPlayground()
  const answer = await fetch(`http://127.0.0.1:${sandbox.port}/control/requests`)
  t.is(answer.headers.get('keep-alive'), 'timeout=600')
  await sandbox.close()
})
