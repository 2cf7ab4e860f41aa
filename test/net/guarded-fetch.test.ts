import test from 'ava'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ExecutionContext } from 'ava'
import type { AddressInfo } from 'node:net'
import type { LookupAddress } from 'node:dns'
import { readBeginning } from '../../src/net/guarded-body.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import type { FetchOutcome, GuardedFetch, GuardedFetchOptions, GuardedRequest } from '../../src/net/guarded-fetch.ts'

// Proxy settings of the environment must have no effect. Nobody listens at this proxy.
process.env['http_proxy'] = process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'

function open(t: ExecutionContext<unknown>, options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const guarded = createGuardedFetch({
    egressAllow: ['127.0.0.1'],
    clock: systemClock,
    connectMs: PATIENCE_MS,
    ...options,
  })
  t.teardown(() => guarded.close())
  return guarded
}

// undici's timers for connections, which a test can move.
const connectTimers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(ms: number): void }
const limits = { maxBytes: 1_000_000, totalMs: 30_000 }
const get = (guarded: GuardedFetch, url: string, more: Partial<GuardedRequest> = {}) =>
  guarded.request({ url, ...limits, ...more })
const kindOf = (outcome: FetchOutcome) => (outcome.ok ? `status ${outcome.response.status}` : outcome.failure.kind)
const v4 = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

async function drain(outcome: FetchOutcome): Promise<{ size: number; end: string }> {
  if (!outcome.ok) return { size: 0, end: outcome.failure.kind }
  for (let size = 0; ;) {
    const part = await outcome.response.body.read()
    if (part.kind === 'bytes') size += part.bytes.byteLength
    else return { size, end: part.kind === 'end' ? 'end' : part.failure.kind }
  }
}

/** A server on raw TCP, for answers that no HTTP library would send. */
async function rawHost(t: ExecutionContext<unknown>, answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a request reaches an allowed host with a fixed user agent, no cookies and no wish for compression', async (t) => {
  const host = await startFileHost(t, (_, response) => {
    response.setHeader('set-cookie', 'a=1')
    response.end('hello')
  })
  const guarded = open(t)
  const outcome = await get(guarded, `${host.origin}/a?b=c`)
  t.is(kindOf(outcome), 'status 200')
  t.deepEqual(await drain(outcome), { size: 5, end: 'end' })
  await drain(await get(guarded, host.origin))
  t.is(host.requests[0]?.url, '/a?b=c')
  for (const { headers } of host.requests) {
    t.is(headers['user-agent'], 'channel-messaging-service/1.0')
    t.is(headers['accept-encoding'], 'identity')
    t.is(headers.cookie, undefined)
  }
})

test('a POST carries body and headers, and a redirect it gets is an answer', async (t) => {
  const bodies: string[] = []
  const host = await startFileHost(t, (request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (text: string) => void bodies.push(text))
      .on('end', () => {
        response.writeHead(307, { location: '/elsewhere' }).end()
      })
  })
  const outcome = await get(open(t), host.origin, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json', 'user-agent': 'other' },
    redirects: 3,
  })
  t.is(kindOf(outcome), 'status 307')
  t.deepEqual(await drain(outcome), { size: 0, end: 'end' })
  t.deepEqual(bodies, ['{"a":1}'])
  t.is(host.requests.length, 1)
  t.is(host.requests[0]?.headers['user-agent'], 'channel-messaging-service/1.0')
})

test('without EGRESS_ALLOW a loopback host is not contacted', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.end())
  const guarded = open(t, { egressAllow: [] })
  for (const name of [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    'localhost',
  ]) {
    t.is(kindOf(await get(guarded, `http://${name}:${host.port}/`)), 'forbidden', name)
    t.is((await guarded.check(`http://${name}:${host.port}/`))?.kind, 'forbidden', name)
  }
  t.is(host.requests.length, 0)
  t.is(host.connections(), 0)
})

test('a name with one private address among public ones is refused', async (t) => {
  for (const address of [
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '100.64.0.1',
    'fd00::1',
  ]) {
    const guarded = open(t, { egressAllow: [], resolve: async () => v4('93.184.216.34', address) })
    t.is(kindOf(await get(guarded, 'http://files.test/')), 'forbidden', address)
    t.is((await guarded.check('http://files.test/'))?.kind, 'forbidden', address)
  }
})

test('a connection goes to the very address that was checked', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.end('ok'))
  const asked: string[] = []
  const guarded = open(t, {
    resolve: async (name) => {
      asked.push(name)
      return v4('127.0.0.1')
    },
  })
  // No DNS server knows the name, so only the scripted answer can have led here.
  t.deepEqual(await drain(await get(guarded, `http://files.test:${host.port}/`)), { size: 2, end: 'end' })
  t.deepEqual(asked, ['files.test'])
  t.is(host.requests[0]?.headers.host, `files.test:${host.port}`)
})

test('a name that answers public first and private later gets nothing (DNS rebinding)', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.setHeader('connection', 'close').end('ok'))
  const answers = [v4('127.0.0.1'), v4('127.0.0.1'), v4('127.0.0.2')]
  const guarded = open(t, { resolve: async () => answers.shift() ?? v4('127.0.0.2') })
  const url = `http://files.test:${host.port}/`
  t.is(await guarded.check(url), null)
  t.deepEqual(await drain(await get(guarded, url)), { size: 2, end: 'end' })
  await until('the first connection is gone', () => host.connections() === 0)
  t.is(kindOf(await get(guarded, url)), 'forbidden')
  t.is((await guarded.check(url))?.kind, 'forbidden')
  t.is(host.requests.length, 1)
})

test('a connection that landed elsewhere than allowed is dropped unused', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.end('secret'))
  // Connecting to 0.0.0.0 reaches the loopback interface.
  const guarded = open(t, { egressAllow: ['0.0.0.0'] })
  t.is(kindOf(await get(guarded, `http://0.0.0.0:${host.port}/`)), 'forbidden')
  t.is(host.requests.length, 0)
})

for (const location of [
  'http://127.0.0.2/',
  'http://[::1]/',
  'http://2130706434/',
  '//169.254.169.254/latest',
  'http://user@127.0.0.1/',
  'http://internal.test/',
]) {
  test(`a redirect to ${location} is refused`, async (t) => {
    const host = await startFileHost(t, (_, response) => void response.writeHead(302, { location }).end())
    const guarded = open(t, { resolve: async () => v4('10.0.0.9') })
    t.is(kindOf(await get(guarded, host.origin, { redirects: 3 })), 'forbidden')
  })
}

test('a redirect out of HTTP is refused', async (t) => {
  const host = await startFileHost(
    t,
    (_, response) => void response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
  )
  t.is(kindOf(await get(open(t), host.origin, { redirects: 3 })), 'invalid-url')
})

test('three redirects are followed, a fourth is not, and none without leave', async (t) => {
  const host = await startFileHost(t, ({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead(302, { location: String(left - 1) }).end()
  })
  const guarded = open(t)
  t.deepEqual(await drain(await get(guarded, `${host.origin}/3`, { redirects: 3 })), { size: 5, end: 'end' })
  t.is(kindOf(await get(guarded, `${host.origin}/4`, { redirects: 3 })), 'protocol')
  const outcome = await get(guarded, `${host.origin}/1`)
  t.is(kindOf(outcome), 'status 302')
  t.is(outcome.ok && outcome.response.headers['location'], '0')
})

test('a body announced too large fails before it is sent', async (t) => {
  const host = await startFileHost(
    t,
    (_, response) => void response.writeHead(200, { 'content-length': '26000000' }).write('x'),
  )
  t.is(kindOf(await get(open(t), host.origin, { maxBytes: 25_000_000 })), 'too-large')
  await until('the connection is freed', () => host.connections() === 0)
})

test('a body that never ends is cut at the cap', async (t) => {
  const chunk = Buffer.alloc(65_536)
  const host = await startFileHost(t, (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  })
  const { size, end } = await drain(await get(open(t), host.origin, { maxBytes: 1_000_000 }))
  t.is(end, 'too-large')
  t.true(size <= 1_000_000)
  await until('the connection is freed', () => host.connections() === 0)
})

test('a content-length that promises more than comes is a failure, not a short file', async (t) => {
  const url = await rawHost(t, 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort')
  t.deepEqual(await drain(await get(open(t), url)), { size: 5, end: 'protocol' })
})

test('bytes beyond the content-length do not count as body', async (t) => {
  const url = await rawHost(t, `HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello${'x'.repeat(10_000)}`)
  const { size } = await drain(await get(open(t), url, { maxBytes: 100 }))
  t.true(size <= 5)
})

test('an answer that is not HTTP is a failure', async (t) => {
  t.is(kindOf(await get(open(t), await rawHost(t, '220 mail.test ESMTP\r\n'))), 'protocol')
})

test('a compressed body is handed on as sent and never inflated', async (t) => {
  const bomb = gzipSync(Buffer.alloc(20_000_000))
  const host = await startFileHost(
    t,
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  const outcome = await get(open(t), host.origin, { maxBytes: 100_000 })
  t.deepEqual(await drain(outcome), { size: bomb.byteLength, end: 'end' })
})

test('a host that accepts and says nothing runs into the first-byte limit', async (t) => {
  const clock = new FakeClock()
  const host = await startFileHost(t, () => {})
  const pending = get(open(t, { clock }), host.origin, { firstByteMs: 10_000 })
  await until('the request arrived', () => host.requests.length === 1)
  clock.advance(9_999)
  clock.advance(1)
  t.is(kindOf(await pending), 'timeout')
  await until('the connection is freed', () => host.connections() === 0)
})

test('a body that stalls runs into the total limit, also while nobody reads', async (t) => {
  const clock = new FakeClock()
  const host = await startFileHost(t, (_, response) => void response.write('begin'))
  const outcome = await get(open(t, { clock }), host.origin, { firstByteMs: 1_000, totalMs: 60_000 })
  clock.advance(59_999)
  t.is(host.connections(), 1)
  clock.advance(1)
  t.is((await drain(outcome)).end, 'timeout')
  await until('the connection is freed', () => host.connections() === 0)
})

test('a name look-up that never answers runs into the connect limit', async (t) => {
  // Timers of connections do not keep a process alive, so this starts a server that does.
  await startFileHost(t, () => {})
  const guarded = open(t, { connectMs: 50, resolve: () => new Promise(() => {}) })
  t.is(kindOf(await get(guarded, 'http://slow.test/')), 'timeout')
})

// [webhooks.delivery.6]
test.serial('a connection that is not there after 5 s has failed, where nobody set another limit', async (t) => {
  const guarded = createGuardedFetch({ egressAllow: [], clock: systemClock, resolve: () => new Promise(() => {}) })
  t.teardown(() => guarded.close())
  let seen = 'open'
  void get(guarded, 'http://slow.test/').then((outcome) => (seen = kindOf(outcome)))
  const seenAfter: string[] = []
  for (const ms of [0, 3_500, 1_000]) {
    connectTimers.tick(ms)
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    seenAfter.push(seen)
  }
  t.deepEqual(seenAfter, ['open', 'open', 'timeout'])
})

test('a name without an address, and a port nobody listens on, are told apart', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const guarded = open(t, { resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  t.is(kindOf(await get(guarded, 'http://missing.test/')), 'dns')
  t.is((await guarded.check('http://missing.test/'))?.kind, 'dns')
  t.is(kindOf(await get(guarded, `http://127.0.0.1:${port}/`)), 'connect')
})

test('an aborted request frees its connection, before the headers and in the body', async (t) => {
  const host = await startFileHost(t, ({ url }, response) => {
    if (url === '/body') response.write('begin')
  })
  const guarded = open(t)
  const [early, late] = [new AbortController(), new AbortController()]
  const pending = get(guarded, host.origin, { signal: early.signal })
  await until('the request arrived', () => host.requests.length === 1)
  early.abort()
  t.is(kindOf(await pending), 'aborted')
  const begun = await get(guarded, `${host.origin}/body`, { signal: late.signal })
  t.is(kindOf(begun), 'status 200')
  late.abort()
  t.is((await drain(begun)).end, 'aborted')
  t.is(kindOf(await get(guarded, host.origin, { signal: AbortSignal.abort() })), 'aborted')
  await until('the connections are freed', () => host.connections() === 0)
})

test('only the requested beginning of an answer is kept', async (t) => {
  const host = await startFileHost(
    t,
    ({ url }, response) => void response.end(url === '/long' ? 'x'.repeat(500_000) : 'short'),
  )
  const guarded = open(t)
  const long = await get(guarded, `${host.origin}/long`, { maxBytes: Infinity })
  const short = await get(guarded, `${host.origin}/short`, { maxBytes: Infinity })
  t.true(long.ok && short.ok)
  if (!long.ok || !short.ok) return
  const beginning = await readBeginning(long.response.body, 16_384)
  t.is(beginning.bytes.byteLength, 16_384)
  t.true(beginning.isCut)
  t.deepEqual(await readBeginning(short.response.body, 16_384), {
    bytes: Buffer.from('short'),
    isCut: false,
    failure: null,
  })
})

test('closing ends what is under way', async (t) => {
  const host = await startFileHost(t, () => {})
  const guarded = open(t)
  const pending = get(guarded, host.origin)
  await until('the request arrived', () => host.requests.length === 1)
  await guarded.close()
  t.is(kindOf(await pending), 'protocol')
  t.false((await get(guarded, host.origin)).ok)
})
