import test from 'ava'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import { PLAYBACK_BYTES } from '../../../src/domain/limits.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { startFileHost } from '../../helpers/file-host.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { codeOf, isHeard, mp3, open, settled, wav } from './playable-files.ts'

test('a file behind redirects plays', async (t) => {
  const host = await startFileHost(
    t,
    ({ url }, response) =>
      void (url === '/there' ? response.end(mp3) : response.writeHead(302, { location: '/there' }).end()),
  )
  const { source } = await open(t)
  await isHeard(t, await source.open(host.origin), 1_000)
})

test('addresses that are not http, not public or lead to a private one are refused by their own codes', async (t) => {
  const host = await startFileHost(
    t,
    (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  )
  const { source } = await open(t, { resolve: async () => [{ address: '10.0.0.1', family: 4 }] })
  for (const url of ['ftp://example.com/a.mp3', 'file:///etc/passwd', 'a.mp3', 'data:audio/wav;base64,UklGRg==']) {
    const outcome = await source.open(url)
    t.is(codeOf(outcome), 'VALIDATION')
    t.deepEqual(!outcome.ok && (outcome.error.details as { path: string }[]).map(({ path }) => path), ['mediaUrl'])
  }
  for (const url of [
    host.origin,
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://2130706434/',
    'http://internal.test/a.mp3',
  ]) {
    t.is(codeOf(await source.open(url)), 'MEDIA_URL_FORBIDDEN', url)
  }
})

test('a host that is gone, refuses or compresses is told to the caller', async (t) => {
  const host = await startFileHost(t, ({ url }, response) => {
    if (url === '/reset') response.socket?.destroy()
    else if (url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(wav))
    else response.writeHead(404).end('no such file')
  })
  const { source } = await open(t)
  for (const path of ['/reset', '/gzip', '/404'])
    t.is(codeOf(await source.open(host.origin + path)), 'MEDIA_DOWNLOAD_FAILED', path)
  const missing = await source.open(`${host.origin}/404`)
  t.regex(missing.ok ? '' : missing.error.message, /status 404/)
})

// [calls.play.5]
test('a file announced over 25 MB is refused at once', async (t) => {
  const host = await startFileHost(
    t,
    (_, response) => void response.writeHead(200, { 'content-length': String(PLAYBACK_BYTES + 1) }).write(wav),
  )
  const { source } = await open(t)
  t.is(codeOf(await source.open(host.origin)), 'MEDIA_TOO_LARGE')
})

// [calls.play.5]
test('a file that turns out over 25 MB fails and leaves nothing behind', async (t) => {
  const chunk = Buffer.alloc(1_000_000)
  const host = await startFileHost(t, (_, response) => {
    response.write(wav)
    for (let sent = 0; sent < 26; sent++) response.write(chunk)
    response.end()
  })
  const { source, files } = await open(t)
  const playable = await settled(t, await source.open(host.origin))
  t.is(playable.state, 'failed')
  t.regex(playable.error ?? '', /25 MB/)
  t.deepEqual(await files(), [])
})

test('a transfer cut in the middle fails', async (t) => {
  const host = await startFileHost(t, (_, response) => {
    response.writeHead(200, { 'content-length': String(wav.byteLength) })
    response.write(wav.subarray(0, 50_000), () => void response.socket?.destroy())
  })
  const { source } = await open(t)
  t.is((await settled(t, await source.open(host.origin))).state, 'failed')
})

// [calls.play.9]
test('a slow host delays the start, not the answer', async (t) => {
  const clock = new FakeClock()
  const held = Promise.withResolvers<ServerResponse>()
  const host = await startFileHost(t, (_, response) => held.resolve(response))
  const { source } = await open(t, { clock })
  const opening = source.open(host.origin)
  const response = await held.promise
  clock.advance(6_000)
  const outcome = await opening
  t.is(outcome.ok && outcome.value.state, 'loading')
  response.end(wav)
  await isHeard(t, outcome, 440)
})

test('media that never arrives fails after a minute', async (t) => {
  const netClock = new FakeClock()
  const host = await startFileHost(t, (_, response) => void response.write(wav.subarray(0, 10_000)))
  const { source, files } = await open(t, { netClock })
  const outcome = await source.open(host.origin)
  t.is(outcome.ok && outcome.value.state, 'loading')
  netClock.advance(60_000)
  t.regex((await settled(t, outcome)).error ?? '', /too long/)
  t.deepEqual(await files(), [])
})

test('the transfer goes on until the last user leaves, then stops and leaves nothing behind', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.write(wav.subarray(0, 50_000)))
  const { source, files } = await open(t)
  const [one, two] = [await source.open(host.origin), await source.open(host.origin)]
  t.true(one.ok && two.ok)
  if (!one.ok || !two.ok) return
  await until('some of it is stored', async () => (await files()).length === 1)
  one.value.release()
  one.value.release()
  t.is(two.value.state, 'loading')
  t.is(host.connections(), 1)
  two.value.release()
  await until('the connection is freed', () => host.connections() === 0)
  await until('the file is removed', async () => (await files()).length === 0)
  await until('the transfer has failed', () => two.value.state === 'failed')
  t.is(codeOf(await source.open(host.origin)), 'ok')
  t.is(host.requests.length, 2)
})

test('more files at once than the host takes on are refused for the moment', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.write(wav.subarray(0, 10_000)))
  const { source } = await open(t, { maxLoads: 1 })
  t.is(codeOf(await source.open(`${host.origin}/1`)), 'ok')
  const outcome = await source.open(`${host.origin}/2`)
  t.is(codeOf(outcome), 'MEDIA_CAPACITY')
  t.true(!outcome.ok && (outcome.error.retryAfterSeconds ?? 0) > 0)
})

test('logs name a file by the hash of its address only', async (t) => {
  const lines: string[] = []
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
  const host = await startFileHost(
    t,
    ({ url }, response) => void response.end(url?.startsWith('/good') === true ? wav : 'no audio'),
  )
  const { source } = await open(t, {
    log: { debug: keep, info: keep, warn: keep, error: keep, child: () => silentLog },
  })
  await settled(t, await source.open(`${host.origin}/good?token=hidden`))
  await source.open(`${host.origin}/bad?token=hidden`)
  await until('both are logged', () => lines.length === 2)
  t.false(lines.some((line) => line.includes('hidden') || line.includes(String(host.port))))
  t.true(lines[0]?.includes(createHash('sha256').update(`${host.origin}/good?token=hidden`).digest('hex').slice(0, 12)))
})

test('closing stops transfers and removes the files', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.write(wav.subarray(0, 50_000)))
  const { source, tempDir } = await open(t)
  const outcome = await source.open(host.origin)
  t.is(codeOf(outcome), 'ok')
  await source.close()
  t.is(outcome.ok && outcome.value.state, 'failed')
  t.deepEqual(await readdir(tempDir), [])
  t.is(codeOf(await source.open(host.origin)), 'MEDIA_UNAVAILABLE')
})
