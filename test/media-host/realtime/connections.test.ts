import test from 'ava'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Connection } from '../../../media-host/realtime/connection.ts'
import { openSocketServer } from '../../../media-host/realtime/socket-server.ts'
import type { SocketServerOptions } from '../../../media-host/realtime/socket-server.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until, within } from '../../helpers/until.ts'

const HOST = '127.0.0.1'

/** A server that takes any socket and notes what comes. */
async function opened(options: Partial<SocketServerOptions> = {}) {
  const connections: Connection[] = []
  const got = { bytes: 0, alive: 0, drains: 0, closed: [] as number[] }
  const server = await openSocketServer({
    host: HOST, port: 0, log: silentLog,
    sockets: [{
      pattern: '/s/*',
      upgrade: () => ({
        kind: 'accept',
        open(connection) {
          connections.push(connection)
          return {
            message: (bytes) => void (got.bytes += bytes.byteLength),
            alive: () => void got.alive++,
            drain: () => void got.drains++,
            closed: (code) => void got.closed.push(code),
          }
        },
      }),
    }],
    ...options,
  })
  return { server, connections, got }
}

async function socketOf(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${HOST}:${port}/s/one`).on('error', () => {})
  await within('the socket opens', once(socket, 'open'))
  return socket
}

function silent(port: number): Socket {
  return connect(port, HOST).on('error', () => {}).resume()
}

test('connections that say nothing, no HTTP, or a handshake byte by byte are cut (security case 10)', async (t) => {
  const { server } = await opened()
  t.teardown(() => server.close())
  const sockets = [silent(server.port), silent(server.port), silent(server.port)]
  const [, nonsense, slow] = sockets
  nonsense?.write('nonsense\r\n\r\n')
  slow?.write('GET /s/one HTTP/1.1\r\nhost: a\r\nx: ')
  // The library looks at real time; each is waited for, however long.
  await until('all are cut', () => {
    if (slow?.writable) slow.write('x')
    return sockets.every((socket) => socket.closed)
  })
  t.deepEqual(sockets.map(({ bytesRead }) => bytesRead), [0, 0, 0])
})

test('of connections that asked nothing so many may be open of an address; the oldest makes room, and who asks gets in', async (t) => {
  const { server, connections } = await opened({ unasked: { mostOfAddress: 2, most: 10 } })
  t.teardown(() => server.close())
  const waiting: Socket[] = []
  const wait = async () => {
    const socket = silent(server.port)
    waiting.push(socket)
    await within('it connects', once(socket, 'connect'))
  }
  for (let i = 0; i < 3; i++) await wait()
  await until('the first is cut', () => waiting[0]?.closed)
  t.deepEqual(waiting.map(({ closed }) => closed), [true, false, false])
  // Sockets do not count, nor do connections that got their answer.
  for (let i = 0; i < 3; i++) {
    await socketOf(server.port)
    t.is((await fetch(`http://${HOST}:${server.port}/`)).status, 404)
    await wait()
    await wait()
  }
  t.is(connections.length, 3)
  waiting.at(-1)?.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await until('it is answered and ended', () => waiting.at(-1)?.closed)
  t.true((waiting.at(-1)?.bytesRead ?? 0) > 0)
})

const ASKS = {
  'at once': ['GET / HTTP/1.1\r\nhost: a\r\n\r\n'],
  'in two pieces': ['GET / HTTP/1.1\r\nho', 'st: a\r\n\r\n'],
  'with a body': ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabc'],
  'with a body that is not there': ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n'],
} as const

test('a request gets its own answer, however it is written and whatever waits beside it', async (t) => {
  const { server } = await opened()
  t.teardown(() => server.close())
  const inParts = silent(server.port)
  inParts.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
  await until('one whose body comes in parts is cut', () => inParts.closed)
  t.is(inParts.bytesRead, 0)
  for (const [how, pieces] of Object.entries(ASKS)) {
    const socket = silent(server.port)
    for (const piece of pieces) await new Promise((resolve) => { socket.write(piece, resolve) })
    await until(`it is answered ${how}`, () => socket.closed)
    t.true(socket.bytesRead > 0, how)
  }
  const gone = Array.from({ length: 50 }, () => silent(server.port).once('connect', function (this: Socket) {
    this.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n', () => this.resetAndDestroy())
  }))
  await until('all are gone', () => gone.every(({ closed }) => closed))
  t.is((await fetch(`http://${HOST}:${server.port}/`)).status, 404)
})

const BLOCK = Buffer.alloc(65_536)
/** More than the library and both kernels hold of one connection. */
const BLOCKS = 640

test('a connection that is paused is not read until it goes on, and its close neither', async (t) => {
  const { server, connections, got } = await opened()
  t.teardown(() => server.close())
  const [stopped, other] = [await socketOf(server.port), await socketOf(server.port)]
  const [connection] = connections
  connection?.pause()
  for (let i = 0; i < BLOCKS; i++) stopped.send(BLOCK)
  stopped.close(1000)
  for (let i = 0; i < 20; i++) {
    other.ping()
    await until('the other is read', () => got.alive > i)
  }
  t.is(got.bytes, 0)
  t.true(stopped.bufferedAmount > 0)
  connection?.resume()
  await until('all is read', () => got.bytes === BLOCKS * BLOCK.length)
  await until('its close too', () => got.closed.length === 1)
  t.deepEqual(got.closed, [1000])
})

test('a connection that is paused while the client reads slowly gets all there is, and is read on', async (t) => {
  const { server, connections, got } = await opened({ bounds: { longestMessage: 131_072, mostUnsent: 0 } })
  t.teardown(() => server.close())
  const socket = await socketOf(server.port)
  const [connection] = connections
  if (!connection) throw new Error('no connection')
  let received = 0
  socket.on('message', (bytes: Buffer) => { received += bytes.length })
  socket.pause()
  connection.pause()
  let sent = 0
  for (; connection.bufferedBytes < 1_000_000; sent += BLOCK.length) connection.sendBinary(BLOCK)
  socket.resume()
  await until('all has come', () => received === sent)
  t.true(got.drains > 0)
  t.is(connection.bufferedBytes, 0)
  connection.resume()
  for (let i = 0; i < BLOCKS; i++) socket.send(BLOCK)
  await until('all is read', () => got.bytes === BLOCKS * BLOCK.length)
})

test('a client that reads nothing is cut once more waits for it than may', async (t) => {
  const { server, connections, got } = await opened()
  t.teardown(() => server.close())
  const socket = await socketOf(server.port)
  socket.pause()
  const [connection] = connections
  await until('it is cut', () => {
    for (let i = 0; i < 20; i++) connection?.sendBinary(BLOCK)
    return got.closed.length > 0
  })
  t.deepEqual(got.closed, [1006])
})

test('what is sent under one cork arrives whole and in order', async (t) => {
  const { server, connections } = await opened()
  t.teardown(() => server.close())
  const socket = await socketOf(server.port)
  const texts: string[] = []
  socket.on('message', (bytes: Buffer) => void texts.push(bytes.toString()))
  connections[0]?.cork(() => {
    for (const text of ['one', 'two', 'three']) connections[0]?.sendText(text)
    connections[0]?.end(1000, 'all said')
  })
  const [code] = await within('it is closed', once(socket, 'close'))
  t.deepEqual([texts.join(' '), code], ['one two three', 1000])
})
