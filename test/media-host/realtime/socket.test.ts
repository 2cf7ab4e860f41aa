import test from 'ava'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { MediaHostRig, ramp } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until, within } from '../../helpers/until.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

async function refusal(wsUrl: string, query = ''): Promise<[number, string]> {
  const { status, body } = await SessionClient.attempt(wsUrl, query)
  return [status, body === '' ? '' : JSON.parse(body).code]
}

// [realtime.session.5]
test.serial('of a hundred parallel upgrades with one token exactly one passes', async (t) => {
  const { wsUrl } = await rig.mint(await rig.call())
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => SessionClient.attempt(wsUrl)))
  t.is(outcomes.filter(({ status }) => status === 101).length, 1)
  t.is(outcomes.filter(({ status, body }) => status === 401 && body.includes('TOKEN_USED')).length, 99)
})

// [realtime.refusals.2]
test.serial('tokens that are invented, of another call, used or expired are told apart', async (t) => {
  const callId = await rig.call()
  const { wsUrl, token } = await rig.mint(callId)
  const other = await rig.mint(await rig.call())
  t.deepEqual(await refusal(wsUrl.replace(token, 'A'.repeat(43))), [401, 'INVALID_TOKEN'])
  t.deepEqual(await refusal(wsUrl.replace(token, other.token)), [401, 'INVALID_TOKEN'])
  t.deepEqual(await refusal(wsUrl.replace(/\?.*/, '')), [401, 'INVALID_TOKEN'])
  t.is((await SessionClient.attempt(wsUrl)).status, 101)
  t.deepEqual(await refusal(wsUrl), [401, 'TOKEN_USED'])
  for (let second = 0; second < 120; second += 5) {
    rig.clock.advance(5_000)
    // A gateway without a frame for this long counts as gone, and its calls end.
    await rig.control.do('revoke', { by: 'nobody' })
  }
  t.deepEqual(await refusal(other.wsUrl), [401, 'TOKEN_EXPIRED'])
})

// [realtime.session.6]
test.serial('a token may come as a bearer', async (t) => {
  const { wsUrl, token } = await rig.mint(await rig.call())
  const socket = new WebSocket(wsUrl.replace(/\?.*/, '?rate=8000'), { headers: { authorization: `Bearer ${token}` } })
  const client = new SessionClient(socket)
  t.like(await client.until('start'), { inRate: 8_000 })
})

// [realtime.refusals.1]
test.serial('a bad parameter is refused and leaves the token as it was', async (t) => {
  const { wsUrl } = await rig.mint(await rig.call())
  t.deepEqual(await refusal(wsUrl, 'rate=12345'), [400, 'INVALID_PARAMETER'])
  t.deepEqual(await refusal(wsUrl, 'frameMs=30'), [400, 'INVALID_PARAMETER'])
  t.is((await SessionClient.attempt(wsUrl)).status, 101)
})

// [realtime.refusals.5]
test.serial('a page whose session is refused is told 1006 alone, and its socket was never open', async (t) => {
  const callId = await rig.call()
  const { wsUrl, token } = await rig.mint(callId)
  for (let listener = 0; listener < 4; listener++) await rig.client(callId, '', 'listen')
  const refused = {
    token: wsUrl.replace(token, 'A'.repeat(43)),
    parameter: `${wsUrl}&rate=12345`,
    capacity: (await rig.mint(callId, 'listen')).wsUrl,
  }
  for (const [what, address] of Object.entries(refused)) {
    const socket = new WebSocket(address)
    const client = new SessionClient(socket)
    socket.on('open', () => t.fail(`${what}: it was open`))
    t.deepEqual(await client.untilClosed(), { code: 1006, reason: '' }, what)
  }
})

// [realtime.refusals.3]
test.serial('the socket of a call that is over is refused with CALL_ENDED, while the call is remembered', async (t) => {
  const callId = await rig.call()
  const { wsUrl } = await rig.mint(callId)
  await rig.control.do('close', { callId, status: 'COMPLETED' })
  t.deepEqual(await refusal(wsUrl), [410, 'CALL_ENDED'])
  rig.clock.advance(610_000)
  t.deepEqual(await refusal(wsUrl), [401, 'INVALID_TOKEN'])
})

test.serial('other paths answer 404, and a plain request to the socket 426', async (t) => {
  const base = `http://127.0.0.1:${rig.host.mediaPort}`
  t.is((await fetch(`${base}/`)).status, 404)
  t.is((await fetch(`${base}/v1/realtime/call_x`)).status, 426)
  const control = `http://127.0.0.1:${rig.host.controlPort}`
  t.is((await fetch(`${control}/control`)).status, 426)
  t.is((await fetch(`${control}/v1/realtime/call_x`)).status, 404)
})

// [realtime.audio.4] [realtime.closing.7]
test.serial('64 KiB is taken and one byte more closes 1009', async (t) => {
  const client = await rig.client(await rig.call())
  client.socket.send(Buffer.alloc(65_536))
  await rig.settled(client)
  client.socket.send(Buffer.alloc(65_537))
  t.is((await client.untilClosed()).code, 1009)
  t.like(client.messages.at(-1), { type: 'error', code: 'MESSAGE_TOO_BIG', fatal: true })
})

test.serial(
  'a text of over 4 KiB closes 1009 unread, and one of very many values is told to be invalid (security case 3)',
  async (t) => {
    const client = await rig.client(await rig.call())
    client.socket.send(`{"type":"ping","id":"many","x":[${'[],'.repeat(300)}[]]}`)
    client.socket.send(`{"type":"ping","id":"text","x":"${'[,'.repeat(300)}"}`)
    await client.until('pong')
    t.deepEqual(
      client.of('pong').map(({ id }) => id),
      ['text'],
    )
    t.like(client.of('warning')[0], { code: 'INVALID_MESSAGE', message: 'a message may hold at most 200 values' })
    client.socket.send(`{"type":"ping","x":[${'[],'.repeat(21_800)}[]]}`)
    t.is((await client.untilClosed()).code, 1009)
    t.like(client.messages.at(-1), {
      type: 'error',
      code: 'MESSAGE_TOO_BIG',
      message: 'a text message may have at most 4096 bytes',
    })
  },
)

test.serial(
  'sockets that send all they may are read as far as their call may cost, and another call is read at once',
  async (t) => {
    const callId = await rig.call()
    const greedy = [await rig.client(callId)]
    for (let i = 0; i < 4; i++) greedy.push(await rig.client(callId, '', 'listen'))
    const other = await rig.client(await rig.call())
    const text = (id: number) => JSON.stringify({ type: 'ping', id, filling: 'x'.repeat(4_000) })
    for (let id = 0; id < 400; id++) for (const client of greedy) client.socket.send(text(id))
    const pongs = () => greedy.reduce((sum, client) => sum + client.of('pong').length, 0)
    await until('the budget of the call is spent', () => pongs() >= 100)
    await rig.settled(other)
    // Such a text costs 92 us, so about 110 of them fit into the 10 ms of a core that may be read at once.
    t.true(pongs() < 120, String(pongs()))
    while (pongs() < 2_000) {
      rig.clock.advance(20)
      await rig.settled(other)
    }
    for (const client of greedy)
      t.deepEqual(
        client.of('pong').map(({ id }) => id),
        Array.from({ length: 400 }, (_, id) => id),
      )
  },
)

// [realtime.closing.6]
test.serial('a text that is no JSON closes 1007', async (t) => {
  const client = await rig.client(await rig.call())
  client.socket.send('{"type"')
  t.is((await client.untilClosed()).code, 1007)
})

// [realtime.client-messages.13] [realtime.server-messages.11]
test.serial('unknown types only warn, the first at once and then at most one in 10 s with a count', async (t) => {
  const client = await rig.client(await rig.call())
  for (let i = 0; i < 150; i++) client.send({ type: 'dance' })
  await rig.settled(client)
  t.is(client.of('warning').length, 1)
  t.like(client.of('warning')[0], { code: 'UNKNOWN_MESSAGE' })
  rig.clock.advance(10_000)
  client.send({ type: 'dance' })
  await rig.settled(client)
  t.is(client.of('warning')[1].count, 150)
  t.is(client.closed, null)
})

test.serial('hundreds of unknown types in a minute are invalid messages', async (t) => {
  const client = await rig.client(await rig.call())
  const dance = async (times: number) => {
    for (let i = 0; i < times; i++) client.send({ type: 'dance' })
    rig.clock.advance(1_000)
    await rig.settled(client)
  }
  for (let second = 0; second < 3; second++) await dance(130)
  t.is(client.closed, null)
  for (let i = 0; i < 10; i++) client.send({ type: 'dance' })
  t.is((await client.untilClosed()).code, 4400)
})

// [realtime.closing.8]
test.serial('the hundredth invalid message closes 4400', async (t) => {
  const client = await rig.client(await rig.call())
  for (let i = 0; i < 99; i++) client.send({ type: 'mark' })
  await rig.settled(client)
  t.is(client.closed, null)
  client.send([])
  t.is((await client.untilClosed()).code, 4400)
})

// [realtime.closing.15]
test.serial('more than 500 messages in a second close 4429, 500 do not', async (t) => {
  const client = await rig.client(await rig.call())
  rig.clock.advance(1_000)
  for (let i = 0; i < 499; i++) client.socket.send(Buffer.alloc(2))
  await rig.settled(client)
  rig.clock.advance(1_000)
  for (let i = 0; i < 501; i++) client.socket.send(Buffer.alloc(2))
  t.is((await client.untilClosed()).code, 4429)
})

// [realtime.closing.1]
test.serial('the host pings every 20 s, and closes a socket that has been silent for 60 s', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId)
  rig.clock.advance(19_000)
  const pinged = once(client.socket, 'ping')
  rig.clock.advance(1_000)
  await within('the host pings', pinged)
  await rig.settled(client)
  rig.clock.advance(60_000)
  t.is((await client.untilClosed()).code, 4408)
})

test.serial('a client that pongs stays', async (t) => {
  const client = await rig.client(await rig.call())
  for (let i = 0; i < 5; i++) {
    const pinged = once(client.socket, 'ping')
    rig.clock.advance(20_000)
    await within('the host pings', pinged)
    await rig.settled(client)
  }
  t.is(client.closed, null)
})

test.serial(
  'a client that stops reading loses its oldest audio and is closed 4408 after 10 s, the others hear on',
  async (t) => {
    const callId = await rig.call()
    const stalled = await rig.client(callId, 'rate=48000')
    const listener = await rig.client(callId, 'rate=8000', 'listen')
    stalled.socket.pause()
    for (let second = 0; second < 200; second++) {
      rig.mediaClock.tick(50)
      await rig.settled(listener)
    }
    const sessions = async () =>
      ((await (await fetch(`http://127.0.0.1:${rig.host.controlPort}/health`)).json()) as { sessions: number }).sessions
    rig.clock.advance(1_000)
    t.is(await sessions(), 2)
    rig.clock.advance(10_000)
    t.is(await sessions(), 1)
    t.is(listener.samples, 200 * 8_000)
    stalled.socket.resume()
    t.is((await stalled.untilClosed()).code, 4408)
    t.true(stalled.samples < 200 * 48_000)
  },
)

// [realtime.closing.4]
test.serial('a draining host closes 1001 and asks nobody to hang up', async (t) => {
  const other = await MediaHostRig.start()
  const client = await other.client(await other.call(), 'onDisconnect=hangup')
  await other.stop()
  t.is((await client.untilClosed()).code, 1001)
  await until('the control socket is closed', () => other.control.closedCode === 1001)
  t.is(other.control.of('hangup').length, 0)
})

// [realtime.session.6]
test.serial('no token and no phone number ever reach the log', async (t) => {
  const callId = await rig.call()
  const minted = [await rig.mint(callId), await rig.mint(callId)]
  await SessionClient.attempt(minted[0]?.wsUrl ?? '')
  await SessionClient.attempt(minted[0]?.wsUrl ?? '')
  await SessionClient.attempt(minted[1]?.wsUrl ?? '', 'rate=1')
  const client = await rig.client(callId)
  client.speak(ramp(100))
  rig.control.socket.send('nonsense')
  rig.leg.send = () => {
    throw new Error('boom')
  }
  rig.mediaClock.tick(1)
  await rig.control.do('close', { callId, status: 'FAILED' })
  await client.untilClosed()
  const log = rig.logged.join('\n')
  t.true(rig.logged.length >= 2)
  t.true(minted.every(({ token }) => !log.includes(token)))
  t.false(log.includes('5511990000001'))
})
