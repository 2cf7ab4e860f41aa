import { readFile } from 'node:fs/promises'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createFileDecoder } from '../../media-host/playback/decode.ts'
import { systemClock } from '../../src/process/clock.ts'
import { amplitudeAt, rmsOf } from '../helpers/audio-signal.ts'
import { hear } from '../helpers/file-host.ts'
import { oddWave } from '../helpers/odd-waves.ts'
import { silentLog } from '../helpers/silent.ts'
import { NUMBER, TENANT, mediaOf, openFiles, prepare, serve } from './rig.ts'
import type { OddWave } from '../helpers/odd-waves.ts'

/** Files with a second of 600 Hz that decoders read as noise. */
const MISREAD: Readonly<Record<string, OddWave>> = {
  'big-endian': { isBig: true },
  'big-endian-24': { isBig: true, bits: 24 },
  'big-endian-floats': { isBig: true, tag: 3, bits: 32 },
  '24-in-32': { bits: 24, containerBits: 32, channels: 2 },
}

async function isTone(t: ExecutionContext<unknown>, path: string, what: string): Promise<void> {
  const decoder = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 60_000, maxChildren: 1 })
  t.teardown(() => decoder.close())
  const packets: Uint8Array[] = []
  t.deepEqual(
    await decoder.decode({
      path,
      straightPath: `${path}.straight`,
      format: 'ogg',
      onPackets: (more) => void packets.push(...more),
    }),
    { ok: true },
    what,
  )
  const middle = (await hear(packets)).subarray(9_600, 38_400)
  t.true(amplitudeAt(middle, 48_000, 600) > 0.9 * Math.SQRT2 * rmsOf(middle), what)
  t.true(rmsOf(middle) > 7_000, what)
}

test('a WAV that decoders misread is sent as the sound it holds', async (t) => {
  const host = await serve(
    t,
    Object.fromEntries(Object.entries(MISREAD).map(([what, wave]) => [`/${what}`, oddWave(600, wave)])),
  )
  const rig = await openFiles(t)
  for (const what of Object.keys(MISREAD)) {
    const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'voice', `${host.origin}/${what}`))
    t.like(media, { mimeType: 'audio/ogg; codecs=opus', fileName: 'file.ogg' }, what)
    await isTone(t, media.path, what)
  }
  t.is((await rig.onDisk()).length, Object.keys(MISREAD).length)
})

test('a kept WAV that decoders misread is listened to as the sound it holds, and stays as it came', async (t) => {
  const rig = await openFiles(t)
  const keep = async (bytes: Uint8Array) => {
    const kept = await rig.files.keep(TENANT, NUMBER, `data:audio/wav;base64,${Buffer.from(bytes).toString('base64')}`)
    return kept.ok ? kept.file.fileId : (t.fail(kept.refusal.message) as never)
  }
  // The first samples are soft. Read in the wrong byte order they would be loud.
  const samples = oddWave(600, { isBig: true })
  for (let at = 44; at < 44 + 16_000; at += 2) samples.writeInt16BE(Math.round(samples.readInt16BE(at) / 100), at)
  const id = await keep(samples)
  const { waveform = [] } = (await rig.files.hear(NUMBER, id)) ?? {}
  t.true(
    waveform.slice(0, 30).every((point) => point <= 2),
    waveform.join(' '),
  )
  t.true(
    waveform.slice(34).every((point) => point >= 95),
    waveform.join(' '),
  )
  const kept = await rig.files.open(id)
  t.deepEqual(await readFile(kept?.path ?? ''), samples)
  t.deepEqual(await rig.onDisk(), [id])
})

test('a big-endian WAV of something else than PCM is refused in words', async (t) => {
  const host = await serve(t, { '/a.wav': oddWave(600, { isBig: true, tag: 7, bits: 8 }) })
  const prepared = await prepare(await openFiles(t), 'OFFICIAL', 'audio', `${host.origin}/a.wav`)
  t.like(prepared, {
    ok: false,
    failure: {
      code: 'MEDIA_UNSUPPORTED',
      message: 'The WAV file could not be read. Its samples are big-endian and no PCM.',
    },
  })
})
