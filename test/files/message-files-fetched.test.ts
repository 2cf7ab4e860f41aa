import test from 'ava'
import { FakeClock } from '../helpers/fake-clock.ts'
import { until } from '../helpers/until.ts'
import { film, jpeg, png } from './make-media.ts'
import {
  NUMBER,
  OTHER_NUMBER,
  OTHER_TENANT,
  TENANT,
  codeOf,
  mediaOf,
  never,
  openFiles,
  orderOf,
  prepare,
  serve,
} from './rig.ts'

const uriOf = (bytes: Uint8Array, type = 'image/png') => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

test('one picture for many messages is fetched once, for ten minutes, and while its file is there', async (t) => {
  const clock = new FakeClock()
  const host = await serve(t, { '/a.png': await png() })
  const rig = await openFiles(t, { clock })
  const all = await Promise.all(
    Array.from({ length: 5 }, () => prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`)),
  )
  const [first = ''] = all.map((one) => String(mediaOf(t, one).fileId))
  t.true(all.every((one) => one.ok && one.media.fileId === first))
  clock.advance(600_000)
  t.is(String(mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`)).fileId), first)
  t.is(host.requests.length, 1)
  clock.advance(1)
  const second = mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`)).fileId
  t.not(String(second), first)
  await rig.files.release([second])
  t.not(mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`)).fileId, second)
  t.is(host.requests.length, 3)
})

test('tenants, numbers, providers and kinds never share a file', async (t) => {
  const host = await serve(t, { '/a.png': await png() })
  const rig = await openFiles(t)
  const orders = [
    prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`),
    prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`, { tenantId: OTHER_TENANT }),
    prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.png`, { numberId: OTHER_NUMBER }),
    prepare(rig, 'UNOFFICIAL', 'image', `${host.origin}/a.png`),
    prepare(rig, 'OFFICIAL', 'document', `${host.origin}/a.png`),
  ]
  t.is(new Set((await Promise.all(orders)).map((one) => mediaOf(t, one).fileId)).size, orders.length)
  t.is(host.requests.length, orders.length)
  t.deepEqual([...rig.rows.rows.values()].map(({ tenantId }) => tenantId).filter((id) => id === OTHER_TENANT).length, 1)
})

test('an order given up leaves the others their file, and the last one ends the transfer', async (t) => {
  let release = () => {}
  const photo = await jpeg()
  const host = await serve(t, {
    '/a.jpg': (_, response) => {
      response.write(photo.subarray(0, 10))
      release = () => void response.end(photo.subarray(10))
    },
  })
  const rig = await openFiles(t)
  const [one, two] = [new AbortController(), new AbortController()]
  const order = orderOf('OFFICIAL', 'image', `${host.origin}/a.jpg`)
  const left = rig.files.prepare(order, one.signal)
  const stays = rig.files.prepare(order, never)
  await until('the host is asked', () => host.requests.length === 1)
  one.abort()
  const given = await left
  t.true(!given.ok && given.isRetryable)
  release()
  t.is(codeOf(await stays), 'ok')
  const last = rig.files.prepare({ ...order, kind: 'document' }, two.signal)
  await until('the host is asked again', () => host.requests.length === 2)
  two.abort()
  t.false((await last).ok)
  await until('the transfer ended and nothing of it stays', async () => (await rig.onDisk()).length === 1)
})

test('hosts that are gone, refuse, compress or redirect to a private address fail the download; only some are worth another try', async (t) => {
  const host = await serve(t, {
    '/500': (_, response) => void response.writeHead(500).end(),
    '/gzip': (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    '/private': (_, response) => void response.writeHead(302, { location: 'http://127.0.0.2/a.jpg' }).end(),
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 })
      response.write('x', () => void response.socket?.destroy())
    },
  })
  const rig = await openFiles(t)
  const results = await Promise.all(
    ['/404', '/500', '/gzip', '/private', '/cut'].map(async (path) => {
      const prepared = await prepare(rig, 'OFFICIAL', 'image', host.origin + path)
      return [path, codeOf(prepared), !prepared.ok && prepared.isRetryable]
    }),
  )
  t.deepEqual(results, [
    ['/404', 'MEDIA_DOWNLOAD_FAILED', false],
    ['/500', 'MEDIA_DOWNLOAD_FAILED', true],
    ['/gzip', 'MEDIA_DOWNLOAD_FAILED', false],
    ['/private', 'MEDIA_DOWNLOAD_FAILED', false],
    ['/cut', 'MEDIA_DOWNLOAD_FAILED', true],
  ])
  t.deepEqual(await rig.onDisk(), [])
})

test('a host that sends a byte a second is given up', async (t) => {
  const photo = await jpeg()
  const host = await serve(t, {
    '/a.jpg': (_, response) => {
      let at = 0
      const drip = setInterval(() => void response.write(photo.subarray(at, ++at)), 10)
      response.on('close', () => clearInterval(drip))
    },
  })
  const rig = await openFiles(t, { transfer: { paceMs: 300 } })
  const prepared = await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.jpg`)
  t.is(codeOf(prepared), 'MEDIA_DOWNLOAD_FAILED')
  t.regex(prepared.ok ? '' : prepared.failure.message, /too slowly/)
})

// [media.sending.11]
test('at once it is told that an address may not be used, or that a video is sent as document on OFFICIAL', async (t) => {
  const mp4 = await film({ container: 'mp4' })
  let answer = () => {}
  const host = await serve(t, {
    '/a.pdf': mp4,
    '/b.pdf': Buffer.from('%PDF-1.7'),
    '/slow': (_, response) => void (answer = () => response.end(mp4)),
  })
  const rig = await openFiles(t, { inspectMs: 60_000 })
  const inspect = async (...[provider, kind, url]: Parameters<typeof orderOf>) =>
    (await rig.files.inspect(orderOf(provider, kind, url)))?.code ?? null
  t.is(await inspect('OFFICIAL', 'image', 'ftp://example.com/a.jpg'), 'VALIDATION')
  t.is(await inspect('UNOFFICIAL', 'image', 'http://127.0.0.2/a.jpg'), 'MEDIA_URL_FORBIDDEN')
  t.is(await inspect('OFFICIAL', 'document', `${host.origin}/a.pdf`), 'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED')
  t.is(await inspect('UNOFFICIAL', 'document', `${host.origin}/a.pdf`), null)
  t.is(await inspect('OFFICIAL', 'document', `${host.origin}/b.pdf`), null)
  t.is(await inspect('OFFICIAL', 'document', `${host.origin}/gone`), null)
  const hasty = await openFiles(t, { inspectMs: 100 })
  t.is(await hasty.files.inspect(orderOf('OFFICIAL', 'document', `${host.origin}/slow`)), null)
  answer()
  const kept = await rig.files.keep(TENANT, NUMBER, uriOf(mp4))
  if (!kept.ok) return t.fail(kept.refusal.message)
  const source = { fileId: kept.file.fileId }
  t.is(
    (await rig.files.inspect(orderOf('OFFICIAL', 'document', '', { source })))?.code,
    'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED',
  )
  t.is(await rig.files.inspect(orderOf('UNOFFICIAL', 'document', '', { source })), null)
})
