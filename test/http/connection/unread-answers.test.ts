import test, { type ExecutionContext } from 'ava'
import { connect, type Socket } from 'node:net'
import { startHttp, type ListenOptions } from '../../../src/http/listen.ts'
import type { UnreadBounds } from '../../../src/http/connection/unread-answers.ts'
import { until } from '../../helpers/until.ts'

/** In bytes: more of an answer than the sockets' kernel buffers hold. */
const LARGE = Buffer.alloc(24_000_000)

/** Bounds that no test exceeds by accident, however slow the machine is. */
const AMPLE: UnreadBounds = { mostBytes: 1_000_000_000, mostBytesOfAddress: 1_000_000_000, unmovedMs: 3_600_000 }

interface Served {
  readonly port: number
  /** The server's ends of connections, by the `x-from` header that arrived over them. */
  readonly ends: ReadonlyMap<string, Socket>
}

/** A server that answers with 24 MB, or with a few bytes at /small. The request says which client it counts for. */
async function serveLarge(t: ExecutionContext, options: Partial<ListenOptions>): Promise<Served> {
  const ends = new Map<string, Socket>()
  const listener = await startHttp(
    {
      callback: () => (request, response) => {
        ends.set(String(request.headers['x-from']), request.socket)
        response.end(request.url === '/small' ? 'small' : LARGE)
      },
    },
    { host: '127.0.0.1', port: 0, countedAddress: ({ headers }) => String(headers['x-from']).slice(0, 1), ...options },
  )
  t.teardown(() => listener.close(0))
  return { port: listener.port, ends }
}

/** Sends a request and never reads the answer. Resolves once no more of the answer can be written. */
async function askUnread(t: ExecutionContext, { port, ends }: Served, from: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.pause()
  socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-from: ${from}\r\n\r\n`)
  await until(`${from} was answered`, () => ends.get(from)?.writableLength || ends.get(from)?.destroyed)
  return socket
}

const isCut = (served: Served, from: string): boolean => served.ends.get(from)?.destroyed === true

test('an address that leaves more unread than its share loses the connection that waits for longest, and nobody else one', async (t) => {
  const served = await serveLarge(t, { unread: { ...AMPLE, mostBytesOfAddress: 60_000_000 } })
  for (const from of ['a1', 'b1', 'a2', 'a3']) await askUnread(t, served, from)
  await until('the first is cut', () => isCut(served, 'a1'))
  t.deepEqual(
    ['b1', 'a2', 'a3'].map((from) => isCut(served, from)),
    [false, false, false],
  )
  t.is(await (await fetch(`http://127.0.0.1:${served.port}/small`, { headers: { 'x-from': 'c' } })).text(), 'small')
})

test('when unread answers take too much memory in total, the connection that has waited longest is cut', async (t) => {
  const served = await serveLarge(t, { unread: { ...AMPLE, mostBytes: 60_000_000 } })
  for (const from of ['a', 'b', 'c']) await askUnread(t, served, from)
  await until('the first is cut', () => isCut(served, 'a'))
  t.deepEqual(
    ['b', 'c'].map((from) => isCut(served, from)),
    [false, false],
  )
})

test('an answer that makes no progress is cut, and its memory is freed', async (t) => {
  const served = await serveLarge(t, { unread: { ...AMPLE, unmovedMs: 100 } })
  await askUnread(t, served, 'a')
  await until('it is cut', () => isCut(served, 'a'))
  t.pass()
})

test('a slow reader keeps its connection and gets the whole answer', async (t) => {
  const served = await serveLarge(t, { unread: { ...AMPLE, mostBytes: 60_000_000, mostBytesOfAddress: 60_000_000 } })
  const response = await fetch(`http://127.0.0.1:${served.port}/`, { headers: { 'x-from': 'a' } })
  t.is((await response.arrayBuffer()).byteLength, LARGE.length)
  for (const from of ['b', 'c']) await askUnread(t, served, from)
  t.deepEqual(
    ['b', 'c'].map((from) => isCut(served, from)),
    [false, false],
    'what was read counts no more',
  )
})
