import test from 'ava'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { CallId } from '../../../src/domain/ids.ts'
import { MediaHostRig } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

/** A TCP connection to the host that keeps everything it receives. */
class RawClient {
  readonly socket: Socket
  received = Buffer.alloc(0)
  hasEnded = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes) => {
      this.received = Buffer.concat([this.received, bytes])
    })
    socket.on('end', () => {
      this.hasEnded = true
    })
    socket.on('error', () => {})
  }

  static async open(): Promise<RawClient> {
    const socket = connect(rig.host.mediaPort, '127.0.0.1')
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  /** The status and the JSON of an HTTP answer, once the host has ended the connection. */
  async answer(): Promise<{ status: number; headers: string; body: any }> {
    await until('the host ends the connection', () => this.hasEnded)
    const [head = '', body = ''] = this.received.toString().split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), headers: head.toLowerCase(), body: JSON.parse(body) }
  }
}

async function handshake(callId: CallId, headers: Record<string, string> = {}, method = 'GET'): Promise<RawClient> {
  const { wsUrl } = await rig.mint(callId, 'listen')
  return begin(wsUrl, headers, method)
}

async function begin(wsUrl: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawClient> {
  const client = await RawClient.open()
  const all: Record<string, string> = {
    host: 'localhost',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const lines = Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  const { pathname, search } = new URL(wsUrl)
  client.socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return client
}

/** A client's frame, with a mask of zeros. */
function frame(first: number, payload: Buffer): Buffer {
  const length = payload.length < 126 ? Buffer.from([0x80 | payload.length]) : Buffer.alloc(9, 0xff)
  if (payload.length >= 126) length.writeBigUInt64BE(BigInt(payload.length), 1)
  return Buffer.concat([Buffer.from([first]), length, Buffer.alloc(4), payload])
}

/** The opcode and payload of all frames that the host sent after its handshake answer. */
function framesOf(received: Buffer): { opcode: number; payload: Buffer }[] {
  const frames: { opcode: number; payload: Buffer }[] = []
  let at = received.indexOf('\r\n\r\n') + 4
  while (at > 3 && at + 2 <= received.length) {
    const short = (received[at + 1] ?? 0) & 0x7f
    const head = short === 127 ? 10 : short === 126 ? 4 : 2
    const length =
      short === 127 ? Number(received.readBigUInt64BE(at + 2)) : short === 126 ? received.readUInt16BE(at + 2) : short
    frames.push({ opcode: (received[at] ?? 0) & 0x0f, payload: received.subarray(at + head, at + head + length) })
    at += head + length
  }
  return frames
}

/** Opens a socket; resolves after the handshake. */
async function opened(callId: CallId): Promise<RawClient> {
  const client = await handshake(callId)
  await until('it is open', () => framesOf(client.received).length > 0)
  return client
}

const TOO_LONG: Record<string, Buffer> = {
  'one byte over 64 KiB': frame(0x82, Buffer.alloc(65_537)),
  'parts that are over 64 KiB together': Buffer.concat([
    frame(0x02, Buffer.alloc(40_000)),
    frame(0x80, Buffer.alloc(40_000)),
  ]),
}
// [realtime.closing.2]
for (const [what, sent] of Object.entries(TOO_LONG)) {
  test.serial(`${what} get a close frame with 1009`, async (t) => {
    const client = await opened(await rig.call())
    client.socket.write(sent)
    const close = await until('the host says the close', () =>
      framesOf(client.received).find(({ opcode }) => opcode === 8),
    )
    client.socket.destroy()
    t.is(close.payload.readUInt16BE(0), 1009)
  })
}

const BAD_FRAMES: Record<string, Buffer> = {
  'a text that is no UTF-8': frame(0x81, Buffer.from([0xc3, 0x28])),
  'a text with a surrogate in UTF-8': frame(0x81, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  'the first reserved bit': frame(0xc2, Buffer.alloc(2)),
  'the second reserved bit': frame(0xa2, Buffer.alloc(2)),
  'the third reserved bit': frame(0x92, Buffer.alloc(2)),
  'a reserved opcode': frame(0x83, Buffer.alloc(2)),
  'a ping in parts': frame(0x09, Buffer.alloc(2)),
  'a part of nothing': frame(0x80, Buffer.alloc(2)),
  'five megabytes': frame(0x82, Buffer.alloc(5_000_000)),
  'the head of a frame of 2 GB': frame(0x82, Buffer.alloc(126)).fill(0x7f, 6, 7),
  'parts that are over 128 KiB together': Buffer.concat([
    frame(0x02, Buffer.alloc(80_000)),
    frame(0x80, Buffer.alloc(80_000)),
  ]),
}
// [realtime.closing.2]
for (const [what, sent] of Object.entries(BAD_FRAMES)) {
  test.serial(`${what} cuts the socket, and no other of its call`, async (t) => {
    const callId = await rig.call()
    const other = await rig.client(callId, '', 'listen')
    const client = await opened(callId)
    client.socket.write(sent)
    await until('it is cut', () => client.socket.closed || client.hasEnded)
    client.socket.destroy()
    await rig.settled(other)
    t.is(other.closed, null)
    const health = (await (await fetch(`http://127.0.0.1:${rig.host.controlPort}/health`)).json()) as {
      sessions: number
    }
    t.is(health.sessions, 1)
  })
}

// [realtime.closing.2]
test.serial('outdated, malformed or oversized HTTP is answered by the library and the connection ends', async (t) => {
  const broken: Record<string, [string, number]> = {
    'large headers': [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    connect: ['CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', 505],
    'an old version': ['GET / HTTP/1.0\r\n\r\n', 505],
  }
  for (const [what, [text, wanted]] of Object.entries(broken)) {
    const client = await RawClient.open()
    client.socket.write(text)
    await until('the host ends the connection', () => client.hasEnded)
    t.is(Number(client.received.toString().split(' ')[1]), wanted, what)
  }
})

test.serial('a request that becomes no socket is told so in JSON, and ended', async (t) => {
  const requests: Record<string, [string, number]> = {
    'another protocol': [
      'GET /v1/realtime/call_x HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
      426,
    ],
    'a key alone': [
      `GET /v1/realtime/call_x HTTP/1.1\r\nhost: a\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      426,
    ],
    'an upgrade elsewhere': [
      'GET /elsewhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      404,
    ],
    'a body': [`POST /v1/realtime/call_x HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nhello`, 426],
  }
  for (const [what, [text, wanted]] of Object.entries(requests)) {
    const client = await RawClient.open()
    client.socket.write(text)
    const { status, headers, body } = await client.answer()
    t.is(status, wanted, what)
    t.regex(headers, /content-type: application\/json/, what)
    t.is(typeof body.error, 'string', what)
  }
  const client = await RawClient.open()
  client.socket.write('HEAD / HTTP/1.1\r\nhost: a\r\n\r\n')
  await until('the host ends the connection', () => client.hasEnded)
  t.regex(client.received.toString(), /^HTTP\/1.1 404 [^]*\r\n\r\n$/)
})

test.serial('a handshake that is none is told so in JSON, and leaves the token as it was', async (t) => {
  const { wsUrl } = await rig.mint(await rig.call())
  const cases: [Record<string, string>, number, string?][] = [
    [{ 'sec-websocket-key': '' }, 400],
    [{ 'sec-websocket-key': 'short' }, 400],
    [{ 'sec-websocket-protocol': 'a,,b' }, 400],
    [{ 'sec-websocket-version': '12' }, 426],
    [{ 'sec-websocket-version': '' }, 426],
    [{}, 405, 'POST'],
  ]
  for (const [headers, wanted, method] of cases) {
    const { status, headers: told, body } = await (await begin(wsUrl, headers, method)).answer()
    t.deepEqual([status, typeof body.error], [wanted, 'string'], JSON.stringify(headers))
    t.is(told.includes('sec-websocket-version: 13'), status === 426)
  }
  t.is((await SessionClient.attempt(wsUrl)).status, 101)
})
