import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { newSecretId } from '../../src/domain/ids.ts'
import { sendFile } from '../../src/http/request/sent-file.ts'
import { FILE_ANSWER_BYTES, FILE_REQUESTS_PER_MINUTE } from '../../src/http/middlewares/rate-limited.ts'
import * as schema from '../../src/http/routes/media/schema.ts'
import { serve, serveSteps } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { until } from '../helpers/until.ts'

async function open(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  const { number, key } = world.addOfficial()
  const read = (path: string, caller = key.raw) => client.send('GET', path, { key: caller })
  return { world, client, number, read, upstream: world.official.upstream }
}

// [media.inbound.3] [media.inbound.5]
test('a received media is downloaded with the credentials of its number, as a data URI', async (t) => {
  const { read, upstream } = await open(t)
  const bytes = Buffer.from([0, 1, 2, 0xff, 0xfe])
  upstream.script = { 'media.read': () => succeed({ bytes, mimeType: 'audio/ogg; codecs=opus', fileName: 'note.ogg' }) }
  const { status, body } = await read('/v1/media/1037?phoneNumberId=1000')
  t.is(status, 200)
  t.deepEqual(schema.media.parse(body), body)
  t.deepEqual(body, {
    base64: `data:audio/ogg;codecs=opus;base64,${bytes.toString('base64')}`,
    mimeType: 'audio/ogg; codecs=opus',
    fileName: 'note.ogg',
    mediaId: '1037',
  })
  t.like(upstream.asked[0], { op: 'media.read', args: [{ phoneId: '1000', accessToken: 'EAA' }, '1037'] })
})

// [media.inbound.6]
test('media of another phone, ids that are none, and media that is gone are 404 without a code', async (t) => {
  const { read, upstream } = await open(t)
  upstream.script = { 'media.read': () => fail(refuse('NOT_FOUND', 'expired')) }
  for (const path of ['1037?phoneNumberId=1001', '..%2f2000?phoneNumberId=1000', '1037?phoneNumberId=1000']) {
    const { status, body } = await read(`/v1/media/${path}`)
    t.deepEqual([status, body.code], [404, undefined], path)
  }
  t.is(upstream.asked.length, 1, 'upstream is asked only for what may be its')
  const missing = await read('/v1/media/1037')
  t.deepEqual([missing.status, missing.body.code, missing.body.details[0].path], [400, undefined, 'phoneNumberId'])
})

// [media.inbound.6] [media.inbound.7]
test('a download that failed is a 500 without a code; without a token the number cannot do it, nor can an UNOFFICIAL one', async (t) => {
  const { world, read, number, upstream } = await open(t)
  upstream.script = { 'media.read': () => fail(refuse('MEDIA_READ_FAILED', 'Upstream failed')) }
  const failed = await read('/v1/media/1037?phoneNumberId=1000')
  t.deepEqual([failed.status, failed.body.code], [500, undefined])
  world.official.store.secrets.delete(number.id)
  for (const reply of [
    await read('/v1/media/1037?phoneNumberId=1000'),
    await read('/v1/media/1037', world.numberKey.raw),
  ]) {
    t.deepEqual([reply.status, reply.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
  }
})

async function withFile(
  t: ExecutionContext,
  bytes: Uint8Array,
  mimeType = 'image/png',
  fileName: string | null = 'a.png',
) {
  const opened = await open(t)
  const folder = await mkdtemp(join(tmpdir(), 'files-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'kept')
  await writeFile(path, bytes)
  const id = newSecretId('file')
  opened.world.files.served.set(id, { path, mimeType, sizeBytes: bytes.length, fileName })
  const url = `${opened.client.url}/media/${id}/x.bin`
  return { ...opened, path, id, url }
}

test('a file is served without a key, with its type, and not for shared caches', async (t) => {
  const bytes = randomBytes(300_000)
  const { url } = await withFile(t, bytes)
  const reply = await fetch(url)
  t.is(reply.status, 200)
  t.true(Buffer.from(await reply.arrayBuffer()).equals(bytes))
  const wanted = {
    'content-type': 'image/png',
    'content-length': '300000',
    'content-disposition': 'inline; filename="a.png"',
    'cache-control': 'private',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  }
  for (const [name, value] of Object.entries(wanted)) t.is(reply.headers.get(name), value)
  const head = await fetch(url, { method: 'HEAD' })
  t.is(head.status, 200)
  for (const [name, value] of Object.entries(wanted)) t.is(head.headers.get(name), value)
  t.is((await head.arrayBuffer()).byteLength, 0)
})

test('a file that a browser would execute is served as a download', async (t) => {
  for (const type of [
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/javascript',
    'application/octet-stream',
    'TEXT/HTML; charset=utf-8',
  ]) {
    const { url } = await withFile(t, Buffer.from('<script>'), type, 'a.html')
    const { headers } = await fetch(url)
    t.is(headers.get('content-disposition'), 'attachment; filename="a.html"', type)
    t.is(headers.get('x-content-type-options'), 'nosniff')
    t.truthy(headers.get('content-security-policy'))
  }
  const { url } = await withFile(t, Buffer.from('a'), 'audio/ogg; codecs=opus', 'нота".ogg')
  t.regex(
    (await fetch(url)).headers.get('content-disposition') ?? '',
    /^inline; filename="\?{4}\\".ogg"; filename\*=UTF-8''%D0%BD%D0%BE%D1%82%D0%B0%22\.ogg$/,
  )
})

test('one range is served, one beyond the end is 416, others are ignored', async (t) => {
  const { url } = await withFile(t, Buffer.from('0123456789'))
  const ranged = async (range: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(url, { headers: { range, ...headers } })
    return [reply.status, await reply.text(), reply.headers.get('content-range')]
  }
  t.deepEqual(await ranged('bytes=2-4'), [206, '234', 'bytes 2-4/10'])
  t.deepEqual(await ranged('bytes=7-'), [206, '789', 'bytes 7-9/10'])
  t.deepEqual(await ranged('bytes=-3'), [206, '789', 'bytes 7-9/10'])
  t.deepEqual(await ranged('bytes=8-99'), [206, '89', 'bytes 8-9/10'])
  t.deepEqual(await ranged('bytes=-99'), [200, '0123456789', null])
  for (const odd of ['bytes=4-2', 'bytes=-', 'bytes=1-2,4-5', 'chars=1-2', 'bytes=a-b'])
    t.deepEqual(await ranged(odd), [200, '0123456789', null], odd)
  t.deepEqual(await ranged('bytes=2-4', { 'if-range': '"x"' }), [200, '0123456789', null])
  const [status, text, range] = await ranged('bytes=10-')
  t.deepEqual([status, range, Object.keys(JSON.parse(String(text)))], [416, 'bytes */10', ['error']])
  t.is((await ranged('bytes=-0'))[0], 416)
})

test('a file that is empty, unknown, expired or gone from the disk', async (t) => {
  const { client, path, url } = await withFile(t, Buffer.alloc(0))
  const empty = await fetch(url)
  t.deepEqual([empty.status, await empty.text(), empty.headers.get('content-length')], [200, '', '0'])
  await rm(path)
  for (const gone of [
    url,
    `${client.url}/media/${newSecretId('file')}/a`,
    `${client.url}/media/..%2f..%2fetc%2fpasswd/a`,
  ]) {
    const reply = await fetch(gone)
    t.deepEqual(
      [reply.status, reply.headers.get('cache-control'), Object.keys((await reply.json()) as object)],
      [404, 'no-store', ['error']],
      gone,
    )
  }
  t.is((await fetch(url, { method: 'DELETE' })).status, 405)
})

test('a file counts as the requests that its size is worth, a range by its own, and is not sent where those are not left', async (t) => {
  const { world, url, path } = await withFile(t, randomBytes(3 * FILE_ANSWER_BYTES + 10))
  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await fetch(url, { headers, method })
    return {
      reply,
      size: (await reply.clone().arrayBuffer()).byteLength,
      left: Number(reply.headers.get('ratelimit-remaining')),
    }
  }
  const whole = await ask()
  t.deepEqual([whole.size, whole.left], [3 * FILE_ANSWER_BYTES + 10, FILE_REQUESTS_PER_MINUTE - 4])
  const range = await ask({ range: `bytes=5-${FILE_ANSWER_BYTES + 4}` })
  t.deepEqual([range.reply.status, range.left], [206, FILE_REQUESTS_PER_MINUTE - 6])
  t.is((await ask({ range: 'bytes=0-9' })).left, FILE_REQUESTS_PER_MINUTE - 7)
  t.is((await ask({}, 'HEAD')).left, FILE_REQUESTS_PER_MINUTE - 8)
  const bucket = `files:${createHash('sha256')
    .update(new URL(url).pathname.split('/')[2] ?? '')
    .digest('base64url')}`
  await world.limiter.take(bucket, FILE_REQUESTS_PER_MINUTE, FILE_REQUESTS_PER_MINUTE - 8 - 3)
  const { reply } = await ask()
  t.is(reply.status, 429)
  t.deepEqual(await reply.json(), { error: 'Rate limit exceeded: each 1024 KB of an answer count as a request' })
  t.truthy(reply.headers.get('retry-after'))
  t.deepEqual(
    ['content-disposition', 'accept-ranges', 'content-range', 'cache-control', 'content-type'].map((name) =>
      reply.headers.get(name),
    ),
    [null, null, null, 'no-store', 'application/json; charset=utf-8'],
  )
  await until('the file is closed', () => heldOpen(path) === 0)
  t.deepEqual(
    [
      (await ask({ range: 'bytes=0-9' })).reply.status,
      (await ask({ range: 'bytes=0-9' })).reply.status,
      (await ask({ range: 'bytes=0-9' })).reply.status,
    ],
    [206, 206, 429],
  )
})

/** How often this process has a file of the folder open. */
function heldOpen(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false
    }
  }).length
}

test('a client that does not read holds the file back, and one that leaves closes it', async (t) => {
  const size = 64_000_000
  const { client, url, path } = await withFile(t, Buffer.alloc(size, 1))
  const { port } = new URL(client.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  socket.pause()
  socket.write(`GET ${new URL(url).pathname} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await until('the file is being sent', () => heldOpen(path) === 1)
  socket.destroy()
  await until('the file is closed', () => heldOpen(path) === 0)
  const whole = createHash('sha256')
    .update(Buffer.from(await (await fetch(url)).arrayBuffer()))
    .digest('hex')
  t.is(whole, createHash('sha256').update(Buffer.alloc(size, 1)).digest('hex'))
  await until('the file is closed after it was sent', () => heldOpen(path) === 0)
})

test('a client that stops reading is cut', async (t) => {
  const { path } = await withFile(t, Buffer.alloc(64_000_000, 1))
  let wasOpen = false
  const { url } = await serveSteps(t, [
    async (ctx) => {
      await sendFile(ctx, { path, fileName: null }, 50)
      // This looks from inside the process, because a look from outside could come after the file is closed.
      wasOpen = heldOpen(path) === 1
    },
  ])
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await until('the file is being sent', () => wasOpen)
  await until('the file is closed', () => heldOpen(path) === 0)
  t.pass()
})

test('unknown files are limited per address, apart from those that exist and from pairing links', async (t) => {
  const { world, client, url } = await withFile(t, Buffer.from('a'))
  const bucket = 'files-unknown:127.0.0.1'
  for (let taken = 0; taken < FILE_REQUESTS_PER_MINUTE; taken++)
    await world.limiter.take(bucket, FILE_REQUESTS_PER_MINUTE)
  const over = await client.send('GET', '/media/file_00000000000000000000000000/a.jpg')
  t.is(over.status, 429)
  t.truthy(over.headers.get('retry-after'))
  t.is((await fetch(url)).status, 200)
  t.is((await client.send('GET', '/v1/remote-pairing/rp_00000000000000000000000000')).status, 404)
})
