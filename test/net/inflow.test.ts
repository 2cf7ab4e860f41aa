import test from 'ava'
import type { ExecutionContext } from 'ava'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { Inflow } from '../../src/net/inflow.ts'
import { openJsonSocket } from '../../src/net/json-socket.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'

const RATES = { framesPerSecond: 100, bytesPerSecond: 10_000 }

test("a peer within its rates is read without pause, and a second's worth may come at once", (t) => {
  const inflow = new Inflow(RATES)
  for (let frame = 0; frame < 100; frame += 1) t.is(inflow.take(10, 0), 0)
  t.is(inflow.take(10, 0), 10)
  t.is(inflow.take(10, 0), 20)
  t.is(inflow.behindMs(20), 0)
  t.is(inflow.take(10, 20), 10, 'silence that was used up gives nothing more')
})

test('large frames cost by their bytes', (t) => {
  const inflow = new Inflow(RATES)
  t.is(inflow.take(10_000, 0), 0)
  t.is(inflow.take(5_000, 0), 500)
  t.is(inflow.take(0, 5_000), 0)
})

/** A socket and its peer, with a clock that stands still. */
async function pair(t: ExecutionContext, tuning: object) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const clock = new FakeClock()
  const seen: number[] = []
  const accepted = once(server, 'connection')
  const socket = openJsonSocket(
    { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, headers: {}, clock, log: silentLog, tuning },
    {
      up: () => {},
      down: () => {},
      frame: ({ n }) => void seen.push(Number(n)),
    },
  )
  t.teardown(() => {
    socket.close()
    clock.advance(10_000)
    for (const client of server.clients) client.terminate()
    server.close()
  })
  const [peer] = await accepted
  await until('it is up', () => socket.isUp)
  return { socket, peer, clock, seen }
}

const COUNT = 20_000
const PADDING = 'x'.repeat(100)
/** Frames that may still be read after a pause, because the socket had received them before. */
const AT_HAND = (64 * 1024) / PADDING.length

function flood(peer: { send(text: string): void }): void {
  for (let n = 0; n < COUNT; n += 1) peer.send(JSON.stringify({ n, PADDING }))
}

test('frames over the rates wait and are read in order when their time has come', async (t) => {
  const { peer, clock, seen } = await pair(t, { maxFramesPerSecond: 5_000 })
  flood(peer)
  await until('the burst is read', () => seen.length >= 5_000)
  t.true(seen.length <= 5_000 + AT_HAND, String(seen.length))
  await until('all is read', () => {
    clock.advance(1_000)
    return seen.length === COUNT
  })
  t.true(seen.every((n, index) => n === index))
})

test('a socket that is held reads nothing more until it is released, and is not taken for dead meanwhile', async (t) => {
  const { socket, peer, clock, seen } = await pair(t, { keepaliveMs: 1_000, deadAfterMs: 2_000 })
  socket.hold(true)
  flood(peer)
  clock.advance(60_000)
  t.true(socket.isUp)
  t.true(seen.length <= AT_HAND)
  socket.hold(false)
  await until('all is read', () => seen.length === COUNT)
})
