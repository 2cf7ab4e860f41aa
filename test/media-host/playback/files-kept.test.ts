import test from 'ava'
import { mkdtemp, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerResponse } from 'node:http'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { startFileHost } from '../../helpers/file-host.ts'
import { until } from '../../helpers/until.ts'
import { codeOf, directory, isHeard, mp3, open, settled, wav, withEtag } from './playable-files.ts'

test('an older version is not played while a slow host is asked whether it is current', async (t) => {
  const clock = new FakeClock()
  let held: ServerResponse | null = null
  const host = await startFileHost(t, (request, response) => {
    if (host.requests.length === 1) withEtag(wav, '"v1"')(request, response)
    else held = response
  })
  const { source } = await open(t, { clock })
  await isHeard(t, await source.open(host.origin), 440)
  const opening = source.open(host.origin)
  const response = await until('the host is asked', () => held)
  clock.advance(6_000)
  const outcome = await opening
  t.is(outcome.ok && outcome.value.packets.length, 0)
  response.setHeader('etag', '"v2"').end(mp3)
  await isHeard(t, outcome, 1_000)
})

test('a file seen before is confirmed with its host and not decoded again', async (t) => {
  const host = await startFileHost(t, withEtag(wav, '"v1"'))
  const { source } = await open(t)
  await isHeard(t, await source.open(`${host.origin}/a.wav#intro`), 440)
  await isHeard(t, await source.open(`${host.origin}/a.wav`), 440)
  t.like(source.stats(), { requested: 2, decoded: 1, reused: 1, failed: 0, loading: 0 })
  t.is(host.requests.length, 2)
  t.true(source.stats().cacheBytes > 0)
})

test('a modification date serves as well, and a changed file is decoded anew', async (t) => {
  let body: Uint8Array = wav
  let changed = 'Mon, 01 Jun 2026 00:00:00 GMT'
  const host = await startFileHost(t, (request, response) => {
    response.setHeader('last-modified', changed)
    if (request.headers['if-modified-since'] === changed) response.writeHead(304).end()
    else response.end(body)
  })
  const { source } = await open(t)
  await isHeard(t, await source.open(host.origin), 440)
  await isHeard(t, await source.open(host.origin), 440)
  t.like(source.stats(), { decoded: 1, reused: 1 })
  body = mp3
  changed = 'Tue, 02 Jun 2026 00:00:00 GMT'
  await isHeard(t, await source.open(host.origin), 1_000)
  t.like(source.stats(), { decoded: 2, reused: 1 })
})

test('a cached file is not played once its name leads to a private address', async (t) => {
  const host = await startFileHost(t, (request, response) => {
    response.setHeader('connection', 'close')
    withEtag(wav, '"v1"')(request, response)
  })
  let address = '127.0.0.1'
  const { source } = await open(t, { resolve: async () => [{ address, family: 4 }] })
  const url = `http://files.test:${host.port}/a.wav`
  await isHeard(t, await source.open(url), 440)
  await until('the connection is gone', () => host.connections() === 0)
  address = '127.0.0.2'
  t.is(codeOf(await source.open(url)), 'MEDIA_URL_FORBIDDEN')
})

test('without a validator a file is used again for five seconds only, with no-store never', async (t) => {
  const clock = new FakeClock()
  const host = await startFileHost(t, ({ url }, response) => {
    if (url === '/private') response.setHeader('cache-control', 'private, No-Store')
    response.end(wav)
  })
  const { source } = await open(t, { clock })
  await isHeard(t, await source.open(host.origin), 440)
  clock.advance(5_000)
  await isHeard(t, await source.open(host.origin), 440)
  t.is(host.requests.length, 1)
  clock.advance(1)
  await isHeard(t, await source.open(host.origin), 440)
  t.is(host.requests.length, 2)
  for (const round of [3, 4]) {
    await isHeard(t, await source.open(`${host.origin}/private`), 440)
    t.is(host.requests.length, round)
  }
})

test('calls that want the same file at once share one transfer and one decoding', async (t) => {
  const host = await startFileHost(t, withEtag(wav, '"v1"'))
  const { source } = await open(t)
  const all = await Promise.all(Array.from({ length: 8 }, () => source.open(host.origin)))
  for (const one of all) await isHeard(t, one, 440)
  t.is(host.requests.length, 1)
  t.like(source.stats(), { requested: 1, decoded: 1, joined: 7 })
})

test('the cache gives up what was not used for longest', async (t) => {
  const host = await startFileHost(t, (request, response) => withEtag(wav, `"${request.url}"`)(request, response))
  const probe = await open(t)
  await settled(t, await probe.source.open(`${host.origin}/probe`))
  const { source } = await open(t, { cacheBytes: probe.source.stats().cacheBytes * 2.5 })
  for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await settled(t, await source.open(host.origin + path))
  // The cache has room for two files. /c replaced /b, because /a was used after it.
  t.like(source.stats(), { decoded: 4, reused: 2 })
  t.true(source.stats().cacheBytes <= probe.source.stats().cacheBytes * 2.5)
})

test('files that a killed host left behind are removed, those of living ones stay', async (t) => {
  const tempDir = await mkdtemp(join(directory, 'left-'))
  for (const name of ['playback-old', 'playback-new', 'other']) {
    await mkdir(join(tempDir, name))
    await writeFile(join(tempDir, name, 'file'), wav)
  }
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of ['playback-old', 'other']) await utimes(join(tempDir, name), longAgo, longAgo)
  await open(t, { tempDir })
  await until('the old one is gone', async () => !(await readdir(tempDir)).includes('playback-old'))
  t.true((await readdir(join(tempDir, 'playback-new'))).includes('file'))
  t.true((await readdir(join(tempDir, 'other'))).includes('file'))
})
