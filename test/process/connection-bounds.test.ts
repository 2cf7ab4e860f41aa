import test, { type ExecutionContext } from 'ava'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { boundConnections, type ConnectionBounds } from '../../src/process/connection-bounds.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { until } from '../helpers/until.ts'

interface Bounded {
  readonly clock: FakeClock
  /** The server's ends of the connections, in the order in which they came. */
  readonly ends: Socket[]
  /** Connects, and waits until the server has accepted the connection. */
  readonly open: () => Promise<{ readonly client: Socket; readonly end: Socket }>
}

async function bounded(t: ExecutionContext, bounds: ConnectionBounds = {}): Promise<Bounded> {
  const clock = new FakeClock()
  const ends: Socket[] = []
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  boundConnections(server, { clock, ...bounds })
  server.on('connection', (socket) => ends.push(socket))
  server.listen(0, '127.0.0.1')
  await until('the server listens', () => server.listening)
  t.teardown(() => {
    server.close()
    for (const socket of ends) socket.destroy()
  })
  const open = async () => {
    const before = ends.length
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    const end = await until('the server has the connection', () => ends[before])
    return { client, end }
  }
  return { clock, ends, open }
}

test('a connection that sent nothing for 10 s is cut, one that sent a byte is not', async (t) => {
  const { clock, open } = await bounded(t)
  const silent = await open()
  const said = await open()
  said.client.write('G')
  await until('the byte is there', () => said.end.bytesRead === 1)
  clock.advance(9_000)
  t.false(silent.end.destroyed)
  clock.advance(1_000)
  t.true(silent.end.destroyed)
  clock.advance(600_000)
  t.false(said.end.destroyed)
})

test('where very many are silent the first of them wait no longer than a second', async (t) => {
  const { clock, ends, open } = await bounded(t)
  const opened = open()
  for (let i = 1; i < 258; i++) void open().catch(() => {})
  await opened
  await until('all are there', () => ends.length === 258)
  clock.advance(1_000)
  t.deepEqual(
    ends.map(({ destroyed }) => destroyed),
    [true, true, ...Array<boolean>(256).fill(false)],
  )
})

test('an address has as many connections as it may, and one more once one of them is over', async (t) => {
  const { open } = await bounded(t, { mostOfAddress: 2 })
  const first = await open()
  t.false((await open()).end.destroyed)
  t.true((await open()).end.destroyed)
  first.client.destroy()
  await until('the first is over', () => first.end.destroyed)
  t.false((await open()).end.destroyed)
})

test('a new connection takes the place of the oldest that is idle, and is refused where none is', async (t) => {
  const idle = new Set<Socket>()
  const { open } = await bounded(t, { most: 3, isIdle: (socket) => idle.has(socket) })
  const [first, second, third] = [await open(), await open(), await open()]
  t.true((await open()).end.destroyed)
  idle.add(second.end).add(third.end)
  t.false((await open()).end.destroyed)
  t.deepEqual(
    [first, second, third].map(({ end }) => end.destroyed),
    [false, true, false],
  )
})

test('connections of a proxy, which carries requests of many, are counted in all alone', async (t) => {
  const { open } = await bounded(t, { most: 3, mostOfAddress: 1, isShared: (address) => address === '127.0.0.1' })
  t.deepEqual(
    [await open(), await open(), await open(), await open()].map(({ end }) => end.destroyed),
    [false, false, false, true],
  )
})
