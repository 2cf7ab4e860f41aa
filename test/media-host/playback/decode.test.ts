import test from 'ava'
import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createFileDecoder } from '../../../media-host/playback/decode.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { amplitudeAt, dominantHz, rmsOf } from '../../helpers/audio-signal.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { hear, startFileHost, waveFile } from '../../helpers/file-host.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import type { DecodeOutcome, FileDecoder, FileDecoderOptions } from '../../../media-host/playback/decode.ts'
import type { DecodeFormat } from '../../../engines/media/protocol/decoding.ts'

const SECRET = 'a-secret-of-the-gateway'
process.env['INTERNAL_SECRET'] = SECRET

const directory = mkdtempSync(join(tmpdir(), 'decode-test-'))
/** Shared by the tests about files, because a child takes longer to start than to decode. */
const shared = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 600_000 })
test.after.always(async () => {
  await shared.close()
  await rm(directory, { recursive: true, force: true })
})

const fixture = (name: string) => readFile(new URL(`../../fixtures/${name}`, import.meta.url))
/** Long enough to be interrupted: it takes about 1 s to decode. */
const LONG = { hz: 300, seconds: 300, rateHz: 16_000 }
const long = waveFile(LONG)
let fileCount = 0

async function fileOf(content: Uint8Array): Promise<string> {
  const path = join(directory, String(++fileCount))
  await writeFile(path, content)
  return path
}

function open(t: ExecutionContext<unknown>, options: Partial<FileDecoderOptions> = {}): FileDecoder {
  const decoder = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 600_000, ...options })
  t.teardown(() => decoder.close())
  return decoder
}

/** The one child; there must be one, since a signal to no process reaches all of the group. */
function childOf(decoder: FileDecoder): number {
  const [pid] = decoder.stats().children
  if (pid === undefined) throw new Error('the decoder has no child')
  return pid
}

interface Decoded {
  readonly outcome: DecodeOutcome
  readonly packets: Uint8Array[]
}

async function decode(
  decoder: FileDecoder,
  content: Uint8Array | string,
  format: DecodeFormat,
  more: { signal?: AbortSignal; onFirst?: () => void } = {},
): Promise<Decoded> {
  const packets: Uint8Array[] = []
  const path = await fileOf(typeof content === 'string' ? Buffer.from(content) : content)
  const outcome = await decoder.decode({
    path,
    straightPath: `${path}.straight`,
    format,
    ...(more.signal ? { signal: more.signal } : {}),
    onPackets: (batch) => {
      if (packets.length === 0) more.onFirst?.()
      packets.push(...batch)
    },
  })
  return { outcome, packets }
}

async function isTone(
  t: ExecutionContext<unknown>,
  { outcome, packets }: Decoded,
  hz: number,
  seconds: number,
): Promise<void> {
  t.deepEqual(outcome, { ok: true })
  t.true(Math.abs(packets.length - seconds * 50) <= 5, `${packets.length} packets`)
  const samples = await hear(packets)
  t.is(samples.length, packets.length * 960)
  const middle = samples.subarray(9_600, samples.length - 9_600)
  t.is(dominantHz(middle, 48_000), hz)
  // The tone accounts for the whole level, so nothing else is audible.
  t.true(amplitudeAt(middle, 48_000, hz) > 0.9 * Math.SQRT2 * rmsOf(middle))
  t.true(rmsOf(middle) > 3_000)
}

test('a WAV of any usual rate and channel count keeps its tone and length', async (t) => {
  for (const [rateHz, channels] of [
    [8_000, 1],
    [44_100, 2],
    [48_000, 1],
  ] as const) {
    await isTone(t, await decode(shared, waveFile({ hz: 440, seconds: 2, rateHz, channels }), 'wav'), 440, 2)
  }
})

test('a WAV that is shorter than a packet is heard, with silence behind it', async (t) => {
  for (const [seconds, rateHz] of [
    [0.001, 48_000],
    [0.01, 8_000],
    [0.019, 16_000],
  ] as const) {
    const { outcome, packets } = await decode(shared, waveFile({ hz: 1_000, seconds, rateHz }), 'wav')
    t.true(outcome.ok, `${seconds} s at ${rateHz} Hz`)
    t.true(packets.length >= 1 && packets.length <= 2)
  }
  const { packets } = await decode(shared, waveFile({ hz: 1_000, seconds: 0.01, rateHz: 8_000 }), 'wav')
  t.true(rmsOf(await hear(packets)) > 100)
})

test('MP3, Ogg Opus and Ogg Vorbis keep their tone and length', async (t) => {
  await isTone(t, await decode(shared, await fixture('tone-1000hz.mp3'), 'mp3'), 1_000, 2)
  await isTone(t, await decode(shared, await fixture('tone-600hz.opus'), 'ogg'), 600, 2)
  await isTone(t, await decode(shared, await fixture('tone-800hz.ogg'), 'ogg'), 800, 2)
})

test('a WAV whose header lies about its length plays what is there', async (t) => {
  for (const lie of [0xffff_ffff, 100_000_000, 0]) {
    await isTone(t, await decode(shared, waveFile({ hz: 440, seconds: 1, rateHz: 16_000 }, lie), 'wav'), 440, 1)
  }
})

test('an MP3 cut in the middle plays as far as it goes', async (t) => {
  const whole = await fixture('tone-1000hz.mp3')
  await isTone(t, await decode(shared, whole.subarray(0, whole.byteLength / 2 + 33), 'mp3'), 1_000, 1)
})

test('damage in the middle of an MP3 costs only the damaged part', async (t) => {
  const damaged = Buffer.from(await fixture('tone-1000hz.mp3'))
  damaged.fill(0x55, 4_000, 4_600)
  const { outcome, packets } = await decode(shared, damaged, 'mp3')
  t.deepEqual(outcome, { ok: true })
  t.true(packets.length > 80)
})

test('a file that is not audio of the named format fails, and no other decoder opens it', async (t) => {
  const playlist = '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n'
  for (const format of ['mp3', 'wav', 'ogg'] as const) {
    t.deepEqual((await decode(shared, playlist, format)).outcome, { ok: false, reason: 'no-audio' })
    t.deepEqual((await decode(shared, '', format)).outcome, { ok: false, reason: 'no-audio' })
  }
  t.deepEqual((await decode(shared, waveFile({ hz: 440, seconds: 1 }), 'ogg')).outcome, {
    ok: false,
    reason: 'no-audio',
  })
  t.deepEqual((await decode(shared, waveFile({ hz: 440, seconds: 0 }), 'wav')).outcome, {
    ok: false,
    reason: 'no-audio',
  })
})

test('a path that is an address or names another protocol is not followed', async (t) => {
  // This is one of the formats that only the demuxer looks at.
  const sound = await fixture('tone-600hz.opus')
  const local = await fileOf(sound)
  t.deepEqual(
    await shared.decode({ path: local, straightPath: `${local}.straight`, format: 'ogg', onPackets: () => {} }),
    { ok: true },
  )
  const host = await startFileHost(t, (_, response) => void response.end(sound))
  for (const path of [
    `${host.origin}/a.ogg`,
    `concat:${local}|${local}`,
    `cache:${local}`,
    `subfile,,start,0,end,0,,:${local}`,
  ]) {
    t.deepEqual(
      await shared.decode({ path, straightPath: `${local}.straight`, format: 'ogg', onPackets: () => {} }),
      { ok: false, reason: 'no-audio' },
      path,
    )
  }
  t.is(host.requests.length, 0)
})

test('a file over the limit fails before any of it is given out', async (t) => {
  const decoder = open(t, { maxMs: 2_000 })
  const { outcome, packets } = await decode(decoder, waveFile({ hz: 440, seconds: 4, rateHz: 8_000 }), 'wav')
  t.deepEqual(outcome, { ok: false, reason: 'too-long' })
  t.is(packets.length, 0)
  await isTone(t, await decode(decoder, waveFile({ hz: 440, seconds: 2, rateHz: 8_000 }), 'wav'), 440, 2)
})

test('packets arrive while the rest is still being decoded', async (t) => {
  const decoder = open(t)
  let finishedAtFirst = -1
  const { packets } = await decode(decoder, waveFile({ hz: 300, seconds: 30, rateHz: 16_000 }), 'wav', {
    onFirst: () => void (finishedAtFirst = decoder.stats().finished),
  })
  t.is(finishedAtFirst, 0)
  t.true(Math.abs(packets.length - 30 * 50) <= 2)
})

test('a child killed in the middle fails its own file only', async (t) => {
  const decoder = open(t, { maxChildren: 1 })
  const doomed = decode(decoder, long, 'wav', {
    onFirst: () => process.kill(childOf(decoder), 'SIGKILL'),
  })
  await until('it is under way', () => decoder.stats().started === 1)
  const behind = decode(decoder, waveFile({ hz: 440, seconds: 2 }), 'wav')
  const { outcome, packets } = await doomed
  t.deepEqual(outcome, { ok: false, reason: 'crashed' })
  t.true(packets.length > 0 && packets.length < LONG.seconds * 50)
  await isTone(t, await behind, 440, 2)
  t.is(decoder.stats().childrenStarted, 2)
})

test('a decoder has a child once it is to be warm, one however often', async (t) => {
  const decoder = open(t)
  t.is(decoder.stats().childrenStarted, 0)
  decoder.warm()
  decoder.warm()
  t.is(decoder.stats().children.length, 1)
  await isTone(t, await decode(decoder, waveFile({ hz: 440, seconds: 1 }), 'wav'), 440, 1)
  t.is(decoder.stats().childrenStarted, 1)
})

test('an idle child that dies is replaced when the next file comes', async (t) => {
  const decoder = open(t)
  await isTone(t, await decode(decoder, waveFile({ hz: 440, seconds: 1 }), 'wav'), 440, 1)
  process.kill(childOf(decoder), 'SIGKILL')
  await until('its end was noticed', () => decoder.stats().children.length === 0)
  await isTone(t, await decode(decoder, waveFile({ hz: 440, seconds: 1 }), 'wav'), 440, 1)
})

test('a file that takes too long on a child is given up', async (t) => {
  const clock = new FakeClock()
  const decoder = open(t, { clock, wallMs: 60_000 })
  const { outcome } = await decode(decoder, long, 'wav', { onFirst: () => clock.advance(60_000) })
  t.deepEqual(outcome, { ok: false, reason: 'timeout' })
})

test('a child that takes too much memory is ended', async (t) => {
  const clock = new FakeClock()
  const decoder = open(t, { clock, maxRssBytes: 1_000_000 })
  const { outcome } = await decode(decoder, long, 'wav', { onFirst: () => clock.advance(500) })
  t.deepEqual(outcome, { ok: false, reason: 'memory' })
})

test('a file given up is cancelled, waiting or under way, and the child goes on', async (t) => {
  const decoder = open(t, { maxChildren: 1 })
  const [running, waiting] = [new AbortController(), new AbortController()]
  const first = decode(decoder, long, 'wav', {
    signal: running.signal,
    onFirst: () => {
      waiting.abort()
      running.abort()
    },
  })
  await until('the first is under way', () => decoder.stats().started === 1)
  const second = decode(decoder, long, 'wav', { signal: waiting.signal })
  t.deepEqual((await first).outcome, { ok: false, reason: 'cancelled' })
  t.deepEqual((await second).outcome, { ok: false, reason: 'cancelled' })
  t.deepEqual((await decode(decoder, '', 'wav', { signal: AbortSignal.abort() })).outcome, {
    ok: false,
    reason: 'cancelled',
  })
  await isTone(t, await decode(decoder, waveFile({ hz: 440, seconds: 1 }), 'wav'), 440, 1)
  t.is(decoder.stats().childrenStarted, 1)
})

test('many files share two children, and children are replaced after their share of files', async (t) => {
  const decoder = open(t, { jobsPerChild: 2 })
  const all = await Promise.all(
    Array.from({ length: 7 }, () => decode(decoder, waveFile({ hz: 440, seconds: 1 }), 'wav')),
  )
  for (const one of all) await isTone(t, one, 440, 1)
  t.true(decoder.stats().children.length <= 2)
  t.true(decoder.stats().childrenStarted >= 4)
  t.is(decoder.stats().finished, 7)
})

test('a child knows no secrets and gives way to the audio loop', async (t) => {
  const decoder = open(t)
  await decode(decoder, waveFile({ hz: 440, seconds: 1 }), 'wav')
  const pid = childOf(decoder)
  t.false((await readFile(`/proc/${pid}/environ`, 'utf8')).includes(SECRET))
  t.is(getPriority(pid), 10)
})

test('closing ends children and cancels what is under way', async (t) => {
  const decoder = open(t)
  let pid = 0
  const pending = decode(decoder, long, 'wav', {
    onFirst: () => {
      pid = childOf(decoder)
      void decoder.close()
    },
  })
  t.deepEqual((await pending).outcome, { ok: false, reason: 'cancelled' })
  await decoder.close()
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  t.deepEqual((await decode(decoder, '', 'wav')).outcome, { ok: false, reason: 'cancelled' })
})

test('a child that Ctrl-C reached while it was starting is no warning', async (t) => {
  const told: string[] = []
  const decoder = open(t, { log: { ...silentLog, warn: (_, message) => void told.push(message) } })
  decoder.warm()
  const pid = childOf(decoder)
  process.kill(pid, 'SIGINT')
  await until('it has ended', () => !decoder.stats().children.includes(pid))
  t.deepEqual(told, [])
})
