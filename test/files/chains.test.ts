import { readFile } from 'node:fs/promises'
import test from 'ava'
import { createFileDecoder } from '../../media-host/playback/decode.ts'
import { systemClock } from '../../src/process/clock.ts'
import { dominantHz } from '../helpers/audio-signal.ts'
import { hear } from '../helpers/file-host.ts'
import { oggOpus, opusTone } from '../helpers/ogg-files.ts'
import { silentLog } from '../helpers/silent.ts'
import { NUMBER, TENANT, codeOf, mediaOf, openFiles, prepare, serve } from './rig.ts'
import type { OggOptions } from '../helpers/ogg-files.ts'

const SECOND = 48_000
/** Samples: where two streams meet, the encoder's look-ahead mixes a little of the first into the second. */
const EDGE = 4_800

/** A stream of one second of a tone, all of it on one page. */
const link = (hz: number, options: OggOptions & { readonly channels?: 1 | 2 } = {}): Buffer =>
  oggOpus(opusTone({ hz, seconds: 1, channels: options.channels ?? 1 }), options)

const TONES = [600, 900, 1_200]
const CHAINS: Readonly<Record<string, readonly Buffer[]>> = {
  'of one kind': TONES.map((hz) => link(hz)),
  'with serials of their own': TONES.map((hz, serial) => link(hz, { serial })),
  'of one channel and of two': TONES.map((hz, at) => link(hz, { channels: at === 1 ? 2 : 1 })),
}

for (const [what, links] of Object.entries(CHAINS)) {
  test(`a chain of Ogg streams of a page each, ${what}, is sent as one stream that holds them all`, async (t) => {
    const host = await serve(t, { '/a.ogg': Buffer.concat(links) })
    const rig = await openFiles(t)
    const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'voice', `${host.origin}/a.ogg`))
    t.is(media.mimeType, 'audio/ogg; codecs=opus')
    const starts = (await readFile(media.path)).toString('latin1').split('OpusHead').length - 1
    t.is(starts, 1)
    const decoder = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 60_000, maxChildren: 1 })
    t.teardown(() => decoder.close())
    const packets: Uint8Array[] = []
    t.deepEqual(
      await decoder.decode({
        path: media.path,
        straightPath: `${media.path}.straight`,
        format: 'ogg',
        onPackets: (more) => void packets.push(...more),
      }),
      { ok: true },
    )
    const samples = await hear(packets)
    t.true(Math.abs(samples.length - TONES.length * SECOND) <= EDGE, String(samples.length))
    for (const [at, hz] of TONES.entries())
      t.is(dominantHz(samples.subarray(at * SECOND + EDGE, (at + 1) * SECOND - EDGE), SECOND), hz)
    t.is((await rig.onDisk()).length, 1)
  })
}

test('a chain of Ogg streams of a page each is listened to as long as it lasts, and stays as it came', async (t) => {
  const rig = await openFiles(t)
  const chain = Buffer.concat(TONES.map((hz) => link(hz)))
  const kept = await rig.files.keep(TENANT, NUMBER, `data:audio/ogg;base64,${chain.toString('base64')}`)
  const id = kept.ok ? kept.file.fileId : (t.fail(kept.refusal.message) as never)
  const { durationMs = 0 } = (await rig.files.hear(NUMBER, id)) ?? {}
  t.true(Math.abs(durationMs - 3_000) <= 30, String(durationMs))
  t.deepEqual(await readFile((await rig.files.open(id))?.path ?? ''), chain)
})

test('a link of a chain that holds no sound costs itself alone, a chain of such is refused', async (t) => {
  const empty = oggOpus([])
  const host = await serve(t, {
    '/some.ogg': Buffer.concat([link(600), empty, link(900)]),
    '/none.ogg': Buffer.concat([empty, empty]),
  })
  const rig = await openFiles(t)
  t.true(mediaOf(t, await prepare(rig, 'OFFICIAL', 'voice', `${host.origin}/some.ogg`)).sizeBytes > 4_000)
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'voice', `${host.origin}/none.ogg`)), 'MEDIA_UNSUPPORTED')
})

test('a single stream of Ogg goes as it came', async (t) => {
  const one = link(600)
  const host = await serve(t, { '/a.ogg': one })
  t.deepEqual(
    await readFile(mediaOf(t, await prepare(await openFiles(t), 'OFFICIAL', 'voice', `${host.origin}/a.ogg`)).path),
    one,
  )
})
