import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { openJsonSocket } from '../../src/net/json-socket.ts'
import type { JsonSocket, JsonSocketOptions, Redialling, SocketEnding } from '../../src/net/json-socket.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'

/** A server that refuses or accepts upgrades, as the test says. */
class Server {
  refusal: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null = null
  dials = 0
  pings = 0
  readonly accepted: WebSocket[] = []
  readonly #http = createServer((_request, response) => void response.end())
  readonly #sockets: WebSocketServer

  constructor(autoPong: boolean) {
    this.#sockets = new WebSocketServer({ noServer: true, autoPong })
    this.#http.on('upgrade', (request, socket, head) => {
      this.dials += 1
      const { refusal } = this
      if (!refusal)
        return this.#sockets.handleUpgrade(request, socket, head, (ws) => {
          this.accepted.push(ws)
          ws.on('ping', () => void (this.pings += 1))
        })
      const headers = Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(
        `HTTP/1.1 ${refusal.status} Refused\r\n${headers.join('')}connection: close\r\ncontent-length: 0\r\n\r\n`,
      )
    })
  }

  static async start(t: ExecutionContext, { autoPong = true } = {}): Promise<Server> {
    const server = new Server(autoPong)
    server.#http.listen(0, '127.0.0.1')
    await once(server.#http, 'listening')
    t.teardown(() => {
      for (const ws of server.accepted) ws.terminate()
      server.#http.close()
      server.#http.closeAllConnections()
    })
    return server
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }
}

interface Opened {
  readonly socket: JsonSocket
  readonly endings: SocketEnding[]
}

function open(
  t: ExecutionContext,
  options: Pick<JsonSocketOptions, 'url'> & Partial<JsonSocketOptions>,
  over: (ending: SocketEnding) => Redialling | void = () => {},
): Opened {
  const endings: SocketEnding[] = []
  const socket = openJsonSocket(
    { headers: {}, clock: systemClock, log: silentLog, ...options },
    {
      up: () => {},
      down: () => {},
      frame: () => {},
      over(ending) {
        endings.push(ending)
        return over(ending)
      },
    },
  )
  t.teardown(() => socket.close())
  return { socket, endings }
}

/** Each wait is half of the one step that there is. */
const LAST_STEP: Pick<JsonSocketOptions, 'random' | 'tuning'> = {
  random: () => 0.5,
  tuning: { backoffMinMs: 1_000, backoffMaxMs: 1_000 },
}

test('the address is asked for at each dial, so that a lost connection goes on elsewhere', async (t) => {
  const [first, second] = [await Server.start(t), await Server.start(t)]
  let url = first.url
  const { socket } = open(t, { url: () => url, tuning: { backoffMinMs: 1, backoffMaxMs: 5 } })
  await until('up', () => socket.isUp)
  url = second.url
  first.accepted[0]?.terminate()
  await until('up elsewhere', () => second.accepted.length === 1 && socket.isUp)
  t.is(first.dials, 1)
})

test('where there is nobody to dial the address is asked for again after the backoff', async (t) => {
  const server = await Server.start(t)
  const clock = new FakeClock()
  let asked = 0
  let url: string | null = null
  const ask = (): string | null => {
    asked += 1
    return url
  }
  const { socket, endings } = open(t, { url: ask, clock, ...LAST_STEP })
  for (let wanted = 1; wanted <= 4; wanted++) {
    await until('asked', () => asked === wanted)
    clock.advance(499)
    t.is(asked, wanted)
    if (wanted === 4) url = server.url
    clock.advance(1)
  }
  await until('up', () => socket.isUp)
  t.deepEqual(endings, [], 'nothing was tried')
})

test('a refusal is told with its headers, and whoever hears it may have the next one dialled at once, once in a row', async (t) => {
  const server = await Server.start(t)
  const clock = new FakeClock()
  server.refusal = { status: 421, headers: { 'engine-id': 'engine-b', 'retry-after': '7' } }
  const { endings } = open(t, { url: server.url, clock, ...LAST_STEP }, () => ({ when: 'at once' }))
  await until('refused', () => endings.length === 1)
  t.like(endings[0], { refusedStatus: 421, refusedHeaders: { 'engine-id': 'engine-b', 'retry-after': '7' } })
  clock.advance(0)
  await until('refused again', () => endings.length === 2)
  clock.advance(499)
  t.is(server.dials, 2, 'the second wish waits for the backoff')
  clock.advance(1)
  await until('refused a third time', () => endings.length === 3)
  clock.advance(0)
  await until('and at once again', () => endings.length === 4)
})

test('a wait that was asked for is waited for before the drawn one, as long as the step of the backoff', async (t) => {
  const server = await Server.start(t)
  const clock = new FakeClock()
  server.refusal = { status: 421, headers: {} }
  let ms = 300
  const { endings } = open(t, { url: server.url, clock, ...LAST_STEP }, () => ({ when: 'not before', ms }))
  await until('refused', () => endings.length === 1)
  ms = 60_000
  clock.advance(799)
  t.is(server.dials, 1)
  clock.advance(1)
  await until('refused again', () => endings.length === 2)
  clock.advance(1_499)
  t.is(server.dials, 2)
  clock.advance(1)
  await until('refused a third time', () => endings.length === 3)
})

async function probed(t: ExecutionContext, autoPong: boolean, clock: Clock) {
  const server = await Server.start(t, { autoPong })
  const opened = open(t, { url: server.url, clock, ...LAST_STEP })
  await until('up', () => opened.socket.isUp)
  opened.socket.probe(5_000)
  await until('pinged', () => server.pings === 1)
  return { server, ...opened }
}

test('a connection that is probed is cut when nothing is heard in time', async (t) => {
  const clock = new FakeClock()
  const { socket, endings } = await probed(t, false, clock)
  clock.advance(4_999)
  t.true(socket.isUp)
  clock.advance(1)
  await until('cut', () => endings.length === 1)
})

test('a connection that is probed stays when its peer answers, or while it is not read', async (t) => {
  const clock = new FakeClock()
  const { socket, server, endings } = await probed(t, true, clock)
  // What the peer sends after its pong shows that the pong has come.
  server.accepted[0]?.send('{}')
  await new Promise((resolve) => server.accepted[0]?.once('pong', resolve) && server.accepted[0]?.ping())
  clock.advance(10_000)
  t.true(socket.isUp)
  socket.hold(true)
  socket.probe(5_000)
  await until('pinged again', () => server.pings >= 2)
  clock.advance(20_000)
  t.true(socket.isUp)
  t.deepEqual(endings, [])
})

test('a process that stood still while it probed does not take its own silence for that of the peer', async (t) => {
  const clock = new FakeClock()
  const { socket, endings } = await probed(t, false, clock)
  clock.stall(60_000)
  t.true(socket.isUp)
  t.deepEqual(endings, [])
})
