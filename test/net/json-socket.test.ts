import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { createConnectGate } from '../../src/net/connect-gate.ts'
import { openJsonSocket } from '../../src/net/json-socket.ts'
import { DEFAULT_TUNING } from '../../src/net/json-socket-tuning.ts'
import type { JsonFrame, JsonSocket, JsonSocketOptions, SocketEnding } from '../../src/net/json-socket.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until, within } from '../helpers/until.ts'

interface Peer {
  readonly socket: JsonSocket
  readonly server: WebSocketServer
  readonly accepted: WebSocket[]
  readonly received: string[]
  readonly pings: { count: number }
  readonly frames: JsonFrame[]
  readonly log: string[]
  readonly endings: SocketEnding[]
}

interface PeerOptions {
  readonly clock?: Clock
  readonly autoPong?: boolean
  readonly onFrame?: (frame: JsonFrame) => void
  readonly over?: Partial<JsonSocketOptions>
}

async function peer(
  t: ExecutionContext,
  { clock = systemClock, autoPong = true, onFrame, over }: PeerOptions = {},
): Promise<Peer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong })
  await once(server, 'listening')
  const [accepted, received, frames, log, endings] = [
    [] as WebSocket[],
    [] as string[],
    [] as JsonFrame[],
    [] as string[],
    [] as SocketEnding[],
  ]
  const pings = { count: 0 }
  server.on('connection', (socket) => {
    accepted.push(socket)
    socket.on('message', (data) => received.push(String(data)))
    socket.on('ping', () => void (pings.count += 1))
  })
  const socket = openJsonSocket(
    {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/x`,
      headers: { 'x-who': 'me' },
      clock,
      log: silentLog,
      tuning: { backoffMinMs: 2, backoffMaxMs: 10 },
      ...over,
    },
    {
      up: () => void log.push('up'),
      down: () => void log.push('down'),
      frame: (frame) => {
        frames.push(frame)
        onFrame?.(frame)
      },
      malformed: () => void log.push('malformed'),
      over: (ending) => void endings.push(ending),
    },
  )
  t.teardown(async () => {
    socket.close()
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  return { socket, server, accepted, received, pings, frames, log, endings }
}

test('frames travel both ways as JSON objects', async (t) => {
  const { socket, accepted, received, frames } = await peer(t)
  t.false(socket.send({ early: true }), 'nothing is taken before the connection')
  await until('up', () => socket.isUp)
  t.true(socket.send({ a: 1 }))
  accepted[0]?.send('{"b":{"c":2}}')
  await until('both arrived', () => received.length === 1 && frames.length === 1)
  t.deepEqual(received, ['{"a":1}'])
  t.deepEqual(frames, [{ b: { c: 2 } }])
})

test('a frame that is no JSON object is dropped and reported, and the connection stays', async (t) => {
  const { socket, accepted, frames, log } = await peer(t)
  await until('up', () => socket.isUp)
  for (const text of ['nope', '[]', '7', 'null', Buffer.from('{"binary":1}')]) accepted[0]?.send(text)
  accepted[0]?.send('{"good":1}')
  await until('the good one arrived', () => frames.length === 1)
  t.deepEqual(log, ['up', 'malformed', 'malformed', 'malformed', 'malformed', 'malformed'])
  t.true(socket.isUp)
})

test('a listener that throws does not end the connection', async (t) => {
  const { socket, accepted, frames } = await peer(t, {
    onFrame: () => {
      throw new Error('listener')
    },
  })
  await until('up', () => socket.isUp)
  accepted[0]?.send('{"n":1}')
  accepted[0]?.send('{"n":2}')
  await until('both were given', () => frames.length === 2)
  t.true(socket.isUp)
})

test('a lost connection comes back, until it is closed', async (t) => {
  const { socket, accepted, log } = await peer(t)
  await until('up', () => socket.isUp)
  accepted[0]?.terminate()
  await until('up again', () => accepted.length === 2 && socket.isUp)
  socket.drop()
  await until('and again', () => accepted.length === 3 && socket.isUp)
  socket.close()
  socket.close()
  await until('the peer saw it go', () => accepted[2]?.readyState === 3)
  t.deepEqual(log, ['up', 'down', 'up', 'down', 'up'])
  t.false(socket.isUp)
  t.false(socket.send({}))
})

test('how a connection ended is told: the code of the peer, or 1006 where it was cut; nothing of one that was closed here', async (t) => {
  const { socket, accepted, endings } = await peer(t)
  await until('up', () => socket.isUp)
  accepted[0]?.close(4409, 'replaced')
  await until('up again', () => accepted.length === 2 && socket.isUp)
  accepted[1]?.terminate()
  await until('and again', () => accepted.length === 3 && socket.isUp)
  socket.close()
  await until('the peer saw it go', () => accepted[2]?.readyState === 3)
  t.deepEqual(endings, [
    { refusedStatus: null, refusedHeaders: {}, closeCode: 4409 },
    { refusedStatus: null, refusedHeaders: {}, closeCode: 1006 },
  ])
})

test('an upgrade that was refused is told with its status', async (t) => {
  const server = createHttpServer((_request, response) => void response.end())
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 401 Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const ending = Promise.withResolvers<SocketEnding>()
  const socket = openJsonSocket(
    {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      headers: {},
      clock: systemClock,
      log: silentLog,
    },
    {
      up: () => {},
      down: () => {},
      frame: () => {},
      over: ending.resolve,
    },
  )
  socket.setReconnect(false)
  t.is((await within('the upgrade is refused', ending.promise)).refusedStatus, 401)
})

test('frames sent before the close arrive', async (t) => {
  const { socket, received } = await peer(t)
  await until('up', () => socket.isUp)
  socket.send({ last: 1 })
  socket.close()
  await until('it arrived', () => received.length === 1)
  t.deepEqual(received, ['{"last":1}'])
})

test('the waits grow by two to the limit, each drawn from nothing to its step', async (t) => {
  // Nobody listens on this port, so every connect is refused at once.
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    monotonicMs: () => 0,
    after(delayMs, fire) {
      // The deadline of a connect is not a wait between two connects.
      if (delayMs === DEFAULT_TUNING.connectTimeoutMs) return { cancel: () => {} }
      waits.push(delayMs)
      if (waits.length < 9) setImmediate(fire)
      return { cancel: () => {} }
    },
  }
  const socket = openJsonSocket(
    {
      url: `ws://127.0.0.1:${port}`,
      headers: {},
      clock,
      log: silentLog,
      random: () => 0.5,
    },
    { up: () => {}, down: () => {}, frame: () => {} },
  )
  await until('nine waits', () => waits.length === 9)
  socket.close()
  t.deepEqual(waits, [50, 100, 200, 400, 800, 1600, 2500, 2500, 2500])
})

test('a socket told not to reconnect stays down, until it may again', async (t) => {
  const clock = new FakeClock()
  const { socket, accepted } = await peer(t, { clock })
  await until('up', () => socket.isUp)
  socket.setReconnect(false)
  accepted[0]?.terminate()
  await until('down', () => !socket.isUp)
  clock.advance(3_600_000)
  socket.setReconnect(true)
  clock.advance(10)
  await until('up again', () => socket.isUp)
  t.is(accepted.length, 2)
})

test('a quiet connection is pinged, and kept while the peer answers', async (t) => {
  const clock = new FakeClock()
  const { socket, pings } = await peer(t, { clock })
  await until('up', () => socket.isUp)
  for (let beat = 1; beat <= 5; beat++) {
    clock.advance(DEFAULT_TUNING.keepaliveMs)
    await until('the ping arrived', () => pings.count === beat)
  }
  t.true(socket.isUp)
})

test('a connection that has gone silent is cut and opened again', async (t) => {
  const clock = new FakeClock()
  const { socket, accepted, log } = await peer(t, { clock, autoPong: false })
  await until('up', () => socket.isUp)
  clock.advance(DEFAULT_TUNING.deadAfterMs)
  await until('cut', () => log.includes('down'))
  clock.advance(10)
  await until('opened again', () => socket.isUp)
  t.is(accepted.length, 2)
})

test("a process that stood still does not take its own silence for the peer's", async (t) => {
  const clock = new FakeClock()
  const { socket, pings, log } = await peer(t, { clock })
  await until('up', () => socket.isUp)
  for (let beat = 1; beat <= 4; beat++) {
    clock.stall(DEFAULT_TUNING.deadAfterMs * 10)
    await until('the ping arrived', () => pings.count === beat)
  }
  t.true(socket.isUp)
  t.deepEqual(log, ['up'])
})

test('a peer that accepts the connection but never upgrades is given up in time', async (t) => {
  const clock = new FakeClock()
  let connects = 0
  const mute = createServer((connection) => {
    connects += 1
    connection.on('error', () => {})
    t.teardown(() => connection.destroy())
  }).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  t.teardown(() => mute.close())
  const socket = openJsonSocket(
    {
      url: `ws://127.0.0.1:${(mute.address() as AddressInfo).port}`,
      headers: {},
      clock,
      log: silentLog,
    },
    { up: () => {}, down: () => {}, frame: () => {} },
  )
  await until('connected', () => connects === 1)
  clock.advance(DEFAULT_TUNING.connectTimeoutMs)
  await until('tried again', () => {
    clock.advance(100)
    return connects === 2
  })
  socket.close()
  t.pass()
})

test('a peer that refuses the upgrade is tried again', async (t) => {
  let asked = 0
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_info: unknown, done: (isWelcome: boolean, status?: number) => void) => done(++asked > 2, 401),
  })
  await once(server, 'listening')
  let ups = 0
  const socket = openJsonSocket(
    {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      headers: {},
      clock: systemClock,
      log: silentLog,
      tuning: { backoffMinMs: 1, backoffMaxMs: 5 },
    },
    { up: () => void (ups += 1), down: () => {}, frame: () => {} },
  )
  t.teardown(() => {
    socket.close()
    for (const client of server.clients) client.terminate()
    server.close()
  })
  await until('it was let in', () => socket.isUp)
  t.is(asked, 3)
  t.is(ups, 1)
})

test('a frame that would overfill the outgoing buffer is refused', async (t) => {
  const { socket, received } = await peer(t, { over: { tuning: { maxBufferedBytes: 1_000 } } })
  await until('up', () => socket.isUp)
  t.false(socket.send({ text: 'x'.repeat(1_000) }))
  t.true(socket.send({ text: 'x' }))
  await until('the small one arrived', () => received.length === 1)
})

test('a frame of the peer above the limit ends the connection, which comes back', async (t) => {
  const { socket, accepted, frames } = await peer(t, { over: { tuning: { maxPayloadBytes: 100, backoffMinMs: 1 } } })
  await until('up', () => socket.isUp)
  accepted[0]?.send(JSON.stringify({ text: 'x'.repeat(200) }))
  await until('it came back', () => accepted.length === 2 && socket.isUp)
  t.is(frames.length, 0)
})

test('an address that is no WebSocket is refused at once', (t) => {
  const open = (url: string) => () =>
    openJsonSocket(
      { url, headers: {}, clock: systemClock, log: silentLog },
      { up: () => {}, down: () => {}, frame: () => {} },
    )
  t.throws(open('http://127.0.0.1:1'), { instanceOf: TypeError })
  t.throws(open('nonsense'))
})

test('a gate lets so many connect at once, the others in order as those end', (t) => {
  const gate = createConnectGate(2)
  const dialed: string[] = []
  const enter = (name: string) => gate.enter(() => void dialed.push(name))
  const [leaveA, , leaveC] = ['a', 'b', 'c', 'd', 'e'].map(enter)
  t.deepEqual(dialed, ['a', 'b'])
  leaveC?.()
  leaveA?.()
  leaveA?.()
  t.deepEqual(dialed, ['a', 'b', 'd'], 'c left the queue, and leaving twice is leaving once')
})

test('sockets behind one gate connect one after the other and all get in', async (t) => {
  const gate = createConnectGate(1)
  const peers = await Promise.all([1, 2, 3].map(() => peer(t, { over: { gate } })))
  await until('all are up', () => peers.every(({ socket }) => socket.isUp))
  t.pass()
})
