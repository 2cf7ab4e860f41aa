import test from 'ava'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { mkdtemp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ExecutionContext } from 'ava'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFileDecoder } from '../../../media-host/playback/decode.ts'
import { createPlayableSource } from '../../../media-host/playback/files.ts'
import { PLAYBACK_BYTES } from '../../../src/domain/limits.ts'
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { amplitudeAt, dominantHz, rmsOf } from '../../helpers/audio-signal.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { hear, startFileHost, waveFile } from '../../helpers/file-host.ts'
import { oddWave } from '../../helpers/odd-waves.ts'
import type { OddWave } from '../../helpers/odd-waves.ts'
import { silentLog } from '../../helpers/silent.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Playable } from '../../../media-host/playback/playable.ts'
import type { PlayableSourceOptions } from '../../../media-host/playback/files.ts'
import type { Resolve } from '../../../src/net/guarded-lookup.ts'

const decoder = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 5_000 })
const directory = mkdtempSync(join(tmpdir(), 'playback-test-'))
test.after.always(async () => {
  await decoder.close()
  await rm(directory, { recursive: true, force: true })
})

const mp3 = readFileSync(new URL('../../fixtures/tone-1000hz.mp3', import.meta.url))
const opus = readFileSync(new URL('../../fixtures/tone-600hz.opus', import.meta.url))
const wav = waveFile({ hz: 440, seconds: 2 })

interface Setup extends Partial<PlayableSourceOptions> {
  readonly egressAllow?: readonly string[]
  readonly resolve?: Resolve
  /** Clock of the client; the source has its own. */
  readonly netClock?: Clock
}

async function open(t: ExecutionContext<unknown>, { egressAllow = ['127.0.0.1'], resolve, netClock = systemClock, ...options }: Setup = {}) {
  const guardedFetch = createGuardedFetch({ egressAllow, clock: netClock, connectMs: PATIENCE_MS, ...(resolve ? { resolve } : {}) })
  const tempDir = options.tempDir ?? await mkdtemp(join(directory, 'source-'))
  const source = createPlayableSource({ guardedFetch, decoder, clock: systemClock, log: silentLog, ...options, tempDir })
  t.teardown(async () => {
    await source.close()
    await guardedFetch.close()
  })
  const files = async () => (await readdir(tempDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => entry.name)
  return { source, files, tempDir }
}

const codeOf = (outcome: Outcome<Playable>) => outcome.ok ? 'ok' : outcome.error.code

async function settled(t: ExecutionContext<unknown>, outcome: Outcome<Playable>): Promise<Playable> {
  if (!outcome.ok) return t.fail(outcome.error.message) as never
  await until('the file is ready or failed', () => outcome.value.state !== 'loading')
  return outcome.value
}

async function isHeard(t: ExecutionContext<unknown>, outcome: Outcome<Playable>, hz: number): Promise<void> {
  const playable = await settled(t, outcome)
  t.is(playable.error, null)
  t.is(playable.state, 'complete')
  t.true(Math.abs(playable.packets.length - 100) <= 5)
  t.is(dominantHz((await hear(playable.packets)).subarray(9_600, 86_400), 48_000), hz)
}

/** Serves one body with an ETag, confirming it when asked. */
function withEtag(body: Uint8Array, etag: string) {
  return (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('etag', etag)
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.end(body)
  }
}

test('MP3, WAV and Opus files are told by their bytes, whatever name and type they come under', async (t) => {
  const host = await startFileHost(t, ({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(url === '/a.txt' ? mp3 : url === '/b.mp3' ? wav : opus)
  })
  const { source, files } = await open(t)
  await isHeard(t, await source.open(`${host.origin}/a.txt`), 1_000)
  await isHeard(t, await source.open(`${host.origin}/b.mp3`), 440)
  await isHeard(t, await source.open(`${host.origin}/c`), 600)
  t.deepEqual(await files(), [])
})

test('a file behind redirects plays', async (t) => {
  const host = await startFileHost(t, ({ url }, response) => void (url === '/there' ? response.end(mp3) : response.writeHead(302, { location: '/there' }).end()))
  const { source } = await open(t)
  await isHeard(t, await source.open(host.origin), 1_000)
})

test('what is not audio is refused, even under the name and type of audio', async (t) => {
  const bodies: Record<string, string | Buffer> = {
    '/html.mp3': '<!doctype html><title>Sign in</title>',
    '/playlist.mp3': '#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret.mp3\n',
    '/avi.wav': Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'),
    '/empty.mp3': '',
  }
  const host = await startFileHost(t, ({ url }, response) => {
    response.setHeader('content-type', 'audio/mpeg')
    response.end(bodies[url ?? ''])
  })
  const { source, files } = await open(t)
  for (const path of Object.keys(bodies)) t.is(codeOf(await source.open(host.origin + path)), 'MEDIA_UNSUPPORTED', path)
  t.deepEqual(await files(), [])
})

test('addresses that are not http, not public or lead to a private one are refused by their own codes', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end())
  const { source } = await open(t, { resolve: async () => [{ address: '10.0.0.1', family: 4 }] })
  for (const url of ['ftp://example.com/a.mp3', 'file:///etc/passwd', 'a.mp3', 'data:audio/wav;base64,UklGRg==']) {
    const outcome = await source.open(url)
    t.is(codeOf(outcome), 'VALIDATION')
    t.deepEqual(!outcome.ok && (outcome.error.details as { path: string }[]).map(({ path }) => path), ['mediaUrl'])
  }
  for (const url of [host.origin, 'http://127.0.0.2/', 'http://[::1]/', 'http://2130706434/', 'http://internal.test/a.mp3']) {
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
  for (const path of ['/reset', '/gzip', '/404']) t.is(codeOf(await source.open(host.origin + path)), 'MEDIA_DOWNLOAD_FAILED', path)
  const missing = await source.open(`${host.origin}/404`)
  t.regex(missing.ok ? '' : missing.error.message, /status 404/)
})

test('a file announced over 25 MB is refused at once', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.writeHead(200, { 'content-length': String(PLAYBACK_BYTES + 1) }).write(wav))
  const { source } = await open(t)
  t.is(codeOf(await source.open(host.origin)), 'MEDIA_TOO_LARGE')
})

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

test('a file longer than the decoder allows fails with a reason', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.end(waveFile({ hz: 440, seconds: 7, rateHz: 8_000 })))
  const { source } = await open(t)
  const playable = await settled(t, await source.open(host.origin))
  t.is(playable.state, 'failed')
  t.regex(playable.error ?? '', /10 minutes/)
})

/** WAVs of a second of 600 Hz that are legal and seldom seen. */
const ODD_WAVES: Readonly<Record<string, OddWave>> = {
  'rifx-600hz': { isBig: true }, 'big-endian of 24 bits': { isBig: true, bits: 24 }, 'big-endian of floats': { isBig: true, tag: 3, bits: 32 },
  'extensible': { isExtensible: true }, 'of 24 bits in 32': { bits: 24, containerBits: 32 }, 'extensible, of 24 bits in 32': { isExtensible: true, bits: 24, containerBits: 32, channels: 2 },
  'of 20 bits in 24': { bits: 20, containerBits: 24 }, 'with a list of odd length': { between: [['LIST', Buffer.alloc(7, 0x41)]] }, 'with one that is not padded': { between: [['LIST', Buffer.alloc(7, 0x41)]], isUnpadded: true },
}

for (const [what, wave] of Object.entries(ODD_WAVES)) {
  test(`a WAV ${what} plays, and nothing but its tone is heard`, async (t) => {
    const host = await startFileHost(t, (_, response) => void response.end(oddWave(600, wave)))
    const { source, files } = await open(t)
    const playable = await settled(t, await source.open(host.origin))
    t.deepEqual([playable.state, playable.error], ['complete', null])
    const middle = (await hear(playable.packets)).subarray(9_600, 38_400)
    t.true(amplitudeAt(middle, 48_000, 600) > 0.9 * Math.SQRT2 * rmsOf(middle))
    t.true(rmsOf(middle) > 7_000)
    t.deepEqual(await files(), [])
  })
}

test('a big-endian WAV of something else than PCM fails in words', async (t) => {
  const host = await startFileHost(t, (_, response) => void response.end(oddWave(600, { isBig: true, tag: 7, bits: 8 })))
  const { source } = await open(t)
  const playable = await settled(t, await source.open(host.origin))
  t.deepEqual([playable.state, playable.error], ['failed', 'The WAV file could not be read. Its samples are big-endian and no PCM.'])
})

const junk = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7_919 + (at >> 3)) & 0x7f))

/** Version 2, with a header and a footer around `bytes` of items. */
function apeTag(bytes: number): Buffer {
  const header = Buffer.alloc(32)
  header.write('APETAGEX')
  header.writeUInt32LE(2_000, 8)
  header.writeUInt32LE(bytes + 32, 12)
  const footer = Buffer.from(header)
  header.writeUInt32LE(0xa000_0000, 20)
  footer.writeUInt32LE(0x8000_0000, 20)
  return Buffer.concat([header, junk(bytes), footer])
}

const id3Tag = (bytes: number) => Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, (bytes >> 21) & 127, (bytes >> 14) & 127, (bytes >> 7) & 127, bytes & 127]), junk(bytes)])

for (const [what, before] of [
  ['junk', junk(700)], ['an APE tag', apeTag(300)], ['an APE tag with a picture', apeTag(100_000)], ['an ID3 tag with a picture', id3Tag(100_000)], ['two ID3 tags', Buffer.concat([id3Tag(1_000), id3Tag(50)])],
  ['an ID3 tag and an APE tag', Buffer.concat([id3Tag(1_000), apeTag(100)])],
] as const) {
  test(`an MP3 behind ${what} plays`, async (t) => {
    const host = await startFileHost(t, (_, response) => void response.end(Buffer.concat([before, mp3])))
    const { source } = await open(t)
    await isHeard(t, await source.open(host.origin), 1_000)
  })
}

test('a tag of MP3 in front of something else is never played as noise', async (t) => {
  const { source } = await open(t)
  for (const [at, content] of [wav, opus, junk(200_000)].entries()) {
    const host = await startFileHost(t, (_, response) => void response.end(Buffer.concat([at % 2 === 0 ? id3Tag(500) : apeTag(500), content])))
    const playable = await settled(t, await source.open(host.origin))
    t.is(playable.state, 'failed')
    t.regex(playable.error ?? '', /could not be decoded/)
  }
})

test('a file that only begins like audio fails later, and is not kept', async (t) => {
  const host = await startFileHost(t, withEtag(Buffer.concat([wav.subarray(0, 20), Buffer.alloc(5_000, 0x41)]), '"broken"'))
  const { source, files } = await open(t)
  for (const round of [1, 2]) {
    const playable = await settled(t, await source.open(host.origin))
    t.is(playable.state, 'failed')
    t.regex(playable.error ?? '', /could not be decoded/)
    t.is(playable.packets.length, 0)
    t.is(source.stats().requested, round)
  }
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

test('the cache gives up what was not used for longest', async (t) => {
  const host = await startFileHost(t, (request, response) => withEtag(wav, `"${request.url}"`)(request, response))
  const probe = await open(t)
  await settled(t, await probe.source.open(`${host.origin}/probe`))
  const { source } = await open(t, { cacheBytes: probe.source.stats().cacheBytes * 2.5 })
  for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await settled(t, await source.open(host.origin + path))
  // Room for two: /c pushed /b out, as /a had been used since.
  t.like(source.stats(), { decoded: 4, reused: 2 })
  t.true(source.stats().cacheBytes <= probe.source.stats().cacheBytes * 2.5)
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
  const host = await startFileHost(t, ({ url }, response) => void response.end(url?.startsWith('/good') === true ? wav : 'no audio'))
  const { source } = await open(t, { log: { debug: keep, info: keep, warn: keep, error: keep, child: () => silentLog } })
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
