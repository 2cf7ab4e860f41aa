import test from 'ava'
import { once } from 'node:events'
import { connect } from 'node:net'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { until, within } from '../../helpers/until.ts'
import { BridgeClient, GATEWAY_NUMBER, startPlayground } from '../bridge-client.ts'

const SCAN = `/control/devices/${GATEWAY_NUMBER}/scan`

function states(client: BridgeClient): string[] {
  return client.all('session.state').map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
}

// [sandbox.listening.3]
test('a number without credentials is shown a code, and a scan links it', async (t) => {
  const { sandbox, post } = await startPlayground()
  const client = await BridgeClient.open(sandbox.port, 'num_1')
  t.like(await client.start(), { re: 'r1', ok: true, result: { engine: { name: 'sandbox' } } })
  const { qr, pairingCode, expiresInMs } = await client.event('session.qr')
  t.true(qr.length > 100)
  t.regex(pairingCode ?? '', /^[1-9A-Z]{8}$/)
  t.is(expiresInMs, 60_000)
  t.is((await post(SCAN)).body.state, 'OPEN')
  await until('the session is open', () => states(client).includes('OPEN'))
  t.deepEqual(
    client.events.map(({ ev }) => ev),
    ['session.qr', 'session.state', 'session.credentials', 'session.state'],
  )
  t.deepEqual(states(client), ['CONNECTING', 'OPEN'])
  const seqs = client.events.map(({ seq }) => seq)
  t.deepEqual(
    seqs,
    seqs.map((_, index) => (seqs[0] ?? 0) + index),
  )
  await sandbox.close()
})

// [sandbox.control.1]
test('a scan is refused with 409 when no code is shown', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  t.is((await post(SCAN)).status, 409)
  await link('551130000001')
  const { status, body } = await post('/control/devices/551130000001/scan')
  t.is(status, 409)
  t.is(body.code, 'NO_CODE_SHOWN')
  await sandbox.close()
})

test('six codes are shown, the first for 60 s and the others for 20 s, and then the session closes', async (t) => {
  const clock = new FakeClock()
  const { sandbox, post } = await startPlayground({ clock })
  const client = await BridgeClient.open(sandbox.port, 'num_1')
  await client.start()
  clock.advance(59_999)
  await client.ask('settings.set', { settings: {} })
  t.is(client.all('session.qr').length, 1)
  clock.advance(1)
  clock.advance(4 * 20_000 + 19_999)
  await until('all codes came', () => client.all('session.qr').length === 6)
  const codes = client.all('session.qr')
  t.deepEqual(
    codes.map(({ expiresInMs }) => expiresInMs),
    [60_000, 20_000, 20_000, 20_000, 20_000, 20_000],
  )
  t.is(new Set(codes.map(({ qr }) => qr)).size, 6)
  t.is(new Set(codes.map(({ pairingCode }) => pairingCode)).size, 1)
  t.deepEqual(states(client), [])
  clock.advance(1)
  await until('the session closed', () => states(client).length > 0)
  t.deepEqual(states(client), ['CLOSE qr_expired'])
  t.is((await post(SCAN)).status, 409)
  await client.start()
  await until('codes are shown again', () => client.all('session.qr').length === 7)
  await sandbox.close()
})

// [sandbox.control.13]
test('with autopair the phone scans one second after the code', async (t) => {
  const clock = new FakeClock()
  const { sandbox } = await startPlayground({ clock, autopair: true })
  const client = await BridgeClient.open(sandbox.port, 'num_1')
  await client.start()
  await client.event('session.qr')
  clock.advance(999)
  await client.ask('settings.set', { settings: {} })
  t.deepEqual(states(client), [])
  clock.advance(1)
  await until('the session is open', () => states(client).includes('OPEN'))
  t.pass()
  await sandbox.close()
})

test('good credentials open at once without a code, even at a sandbox that was restarted', async (t) => {
  const first = await startPlayground({ bridgeToken: 'secret' })
  const { credentials } = await first.link(GATEWAY_NUMBER)
  await first.sandbox.close()
  const second = await startPlayground({ bridgeToken: 'secret' })
  const client = await BridgeClient.open(second.sandbox.port, 'num_1', 'secret')
  await client.start(credentials)
  await client.event('session.state')
  t.deepEqual(states(client), ['OPEN'])
  t.deepEqual(client.all('session.qr'), [])
  await second.sandbox.close()
})

test('events of a restarted sandbox carry higher numbers than those before', async (t) => {
  const clock = new FakeClock()
  const first = await startPlayground({ clock })
  const { client: before, credentials } = await first.link(GATEWAY_NUMBER)
  await first.sandbox.close()
  clock.advance(1_000)
  const second = await startPlayground({ clock })
  const after = await BridgeClient.open(second.sandbox.port, 'num_1')
  await after.start(credentials)
  const { seq } = await after.event('session.state')
  t.true(seq > (before.events.at(-1)?.seq ?? Infinity))
  await second.sandbox.close()
})

for (const [title, change] of [
  ['forged', (credentials: string) => `${credentials.slice(0, -4)}AAAA`],
  ['minted with another key', (credentials: string) => credentials],
  ['that are no credentials', () => 'nonsense'],
] as const) {
  test(`credentials ${title} close the session as logged out`, async (t) => {
    const other = await startPlayground({ bridgeToken: 'other' })
    const { credentials } = await other.link(GATEWAY_NUMBER)
    await other.sandbox.close()
    const { sandbox } = await startPlayground({ bridgeToken: title === 'forged' ? 'other' : 'secret' })
    const client = await BridgeClient.open(sandbox.port, 'num_1', title === 'forged' ? 'other' : 'secret')
    await client.start(change(credentials))
    await client.event('session.state')
    t.deepEqual(states(client), ['CLOSE logged_out'])
    await sandbox.close()
  })
}

test('credentials open only the number they were minted for', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { credentials } = await link(GATEWAY_NUMBER)
  const client = await BridgeClient.open(sandbox.port, 'num_other')
  await client.start(credentials, {}, '551139999999')
  await client.event('session.state')
  t.deepEqual(states(client), ['CLOSE logged_out'])
  await sandbox.close()
})

for (const [title, logout] of [
  [
    'on the phone',
    async (post: (path: string) => Promise<unknown>) => void (await post(`/control/devices/${GATEWAY_NUMBER}/logout`)),
  ],
  ['by the gateway', async (_post: unknown, client: BridgeClient) => void (await client.result('session.logout'))],
] as const) {
  // [sandbox.control.2]
  test(`a logout ${title} closes the session and revokes its credentials`, async (t) => {
    const { sandbox, post, link } = await startPlayground()
    const { client, credentials, numberId } = await link(GATEWAY_NUMBER)
    await logout(post, client)
    const { seq } = await client.event('session.state', ({ reason }) => reason === 'logged_out')
    client.ack(seq)
    t.is(
      await client.refusal('message.send', {
        messageId: 'm1',
        to: '551190000001',
        content: { type: 'text', text: 'hi' },
      }),
      'NOT_CONNECTED',
    )
    const again = await BridgeClient.open(sandbox.port, numberId)
    await again.start(credentials)
    await again.event('session.state', ({ reason }) => reason === 'logged_out')
    t.deepEqual(states(again), ['CLOSE logged_out'])
    t.deepEqual(again.all('session.qr'), [])
    await sandbox.close()
  })
}

test('a new pairing after a logout is not told of the old one', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client, numberId } = await link(GATEWAY_NUMBER)
  await post(`/control/devices/${GATEWAY_NUMBER}/logout`)
  await client.event('session.state', ({ reason }) => reason === 'logged_out')
  client.close()
  const again = await BridgeClient.open(sandbox.port, numberId)
  await again.start()
  await again.event('session.qr')
  t.deepEqual(states(again), [])
  await sandbox.close()
})

// [bridge.socket.1]
test('a second socket for a number replaces the first, which is told and closed', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client: first, credentials, numberId } = await link(GATEWAY_NUMBER)
  first.ack(first.events.at(-1)?.seq ?? 0)
  const second = await BridgeClient.open(sandbox.port, numberId)
  t.is(await first.closed(), 4409)
  t.is(states(first).at(-1), 'CLOSE replaced')
  await second.start(credentials)
  await second.event('session.state', ({ state }) => state === 'OPEN')
  t.false(states(second).includes('CLOSE replaced'))
  await sandbox.close()
})

test('a session that its gateway has closed is not replaced by the next one, though the connection lasts', async (t) => {
  const { sandbox, get } = await startPlayground()
  const socket = connect({ port: sandbox.port, host: '127.0.0.1', allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  socket.write(
    `GET /devices/sessions/num_1 HTTP/1.1\r\nHost: sandbox\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  )
  await within('it is upgraded', once(socket, 'data'))
  // A close frame with code 1000 and a mask of zeros. The test reads the answer but keeps the connection open.
  socket.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]))
  await within('its close is answered', once(socket, 'data'))
  await BridgeClient.open(sandbox.port, 'num_1')
  const { devices } = await get('/control/devices')
  t.deepEqual(
    devices.map(({ socketsOpened, socketsReplaced }: any) => [socketsOpened, socketsReplaced]),
    [[2, 0]],
  )
  socket.destroy()
  await sandbox.close()
})

// [bridge.socket.2]
test('a gateway without the bridge token is refused before the upgrade', async (t) => {
  const { sandbox } = await startPlayground({ bridgeToken: 'secret' })
  await t.throwsAsync(BridgeClient.open(sandbox.port, 'num_1'), { message: /401/ })
  await t.throwsAsync(BridgeClient.open(sandbox.port, 'num_1', 'wrong'), { message: /401/ })
  await sandbox.close()
})

// [bridge.socket.3] [bridge.socket.6]
test('a frame that is no valid request is answered with an error or closes the socket, and is never ignored', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  t.is(await client.refusal('group.rename'), 'UNSUPPORTED')
  t.is(await client.refusal('toString'), 'UNSUPPORTED')
  t.is(await client.refusal('message.send', { to: '551190000001' }), 'INVALID')
  client.raw('{')
  t.is(await client.closed(), 1007)
  await sandbox.close()
})
