import test from 'ava'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createFileDecoder } from '../../../media-host/playback/decode.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { amplitudeAt, dominantHz, rmsOf } from '../../helpers/audio-signal.ts'
import { hear } from '../../helpers/file-host.ts'
import { albumArt, oggOpus, opusTone } from '../../helpers/ogg-files.ts'
import { silentLog } from '../../helpers/silent.ts'
import type { DecodeOutcome } from '../../../media-host/playback/decode.ts'

const directory = mkdtempSync(join(tmpdir(), 'decode-ogg-'))
const decoder = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 4_000 })
test.after.always(async () => {
  await decoder.close()
  await rm(directory, { recursive: true, force: true })
})
let count = 0

const tone = opusTone({ hz: 600, seconds: 2 })

interface Played {
  readonly outcome: DecodeOutcome
  readonly packets: Uint8Array[]
}

async function play(content: Uint8Array): Promise<Played> {
  const path = join(directory, String(++count))
  await writeFile(path, content)
  const packets: Uint8Array[] = []
  const outcome = await decoder.decode({
    path,
    straightPath: `${path}.straight`,
    format: 'ogg',
    onPackets: (batch) => void packets.push(...batch),
  })
  return { outcome, packets }
}

const isAsItWas = ({ packets }: Played, from: readonly Uint8Array[]) =>
  Buffer.concat(packets).equals(Buffer.concat(from))

/** Asserts that this many packets contain only this tone, at its recorded level. */
async function isHeard(
  t: ExecutionContext<unknown>,
  { outcome, packets }: Played,
  length: number,
  hz = 600,
): Promise<void> {
  t.deepEqual(outcome, { ok: true })
  t.is(packets.length, length)
  const samples = await hear(packets)
  const middle = samples.subarray(4_800, samples.length - 4_800)
  t.is(samples.length, length * 960)
  t.is(dominantHz(middle, 48_000), hz)
  t.true(amplitudeAt(middle, 48_000, hz) > 0.9 * Math.SQRT2 * rmsOf(middle))
  t.true(rmsOf(middle) > 5_000 && rmsOf(middle) < 6_500, String(rmsOf(middle)))
}

/** The same packets, decoded and encoded again. A gain of 1/256 dB forces that and is inaudible. */
const decoded = (packets: readonly Uint8Array[], options = {}) => play(oggOpus(packets, { ...options, gain: 1 }))

for (const [what, options, length] of [
  ['with the delay of an encoder', {}, 100],
  ['with nothing to skip', { preSkip: 0 }, 100],
  ['recorded at 16 kHz', { inputRateHz: 16_000 }, 100],
  ['with an end that is trimmed', { trimmed: 10_000 }, 90],
  ['with a small picture', { comments: [albumArt(10_000)] }, 100],
] as const) {
  test(`Opus in packets of 20 ms ${what} is played as it is, as long and as loud as a decoder has it`, async (t) => {
    const passed = await play(oggOpus(tone, options))
    t.true(isAsItWas(passed, tone.slice(0, length)))
    await isHeard(t, passed, length)
    const again = await decoded(tone, options)
    t.false(isAsItWas(again, tone.slice(0, length)))
    // Encoding again adds one packet of delay when there is nothing to skip.
    t.true(again.packets.length - length <= 1)
    await isHeard(t, again, again.packets.length)
  })
}

test('a file with a large picture is heard whole', async (t) => {
  await isHeard(t, await play(oggOpus(tone, { comments: [albumArt(200_000)] })), 100)
})

test('streams one behind the other are heard to the end of the last', async (t) => {
  for (const serial of [7, 8]) {
    for (const gain of [0, 1]) {
      const { outcome, packets } = await play(
        Buffer.concat([
          oggOpus(tone, { gain }),
          oggOpus(opusTone({ hz: 900, seconds: 1 }), { serial, packetsPerPage: 25 }),
        ]),
      )
      t.deepEqual(outcome, { ok: true })
      t.true(Math.abs(packets.length - 150) <= 1, String(packets.length))
      const samples = await hear(packets)
      t.is(dominantHz(samples.subarray(4_800, 91_200), 48_000), 600)
      t.is(dominantHz(samples.subarray(105_600, 139_200), 48_000), 900)
    }
  }
})

test('streams of a page each, one behind the other, are heard to the end of the last', async (t) => {
  for (const serial of [7, 8]) {
    const short = (hz: number) => opusTone({ hz, seconds: 1 })
    const played = await play(Buffer.concat([oggOpus(short(600)), oggOpus(short(900), { serial })]))
    t.deepEqual(played.outcome, { ok: true })
    t.true(isAsItWas(played, [...short(600), ...short(900)]))
  }
})

test('streams that a decoder must see to are heard to the end of the last, though each is a page', async (t) => {
  const short = (hz: number, options: { gain?: number; channels?: 1 | 2 } = {}) =>
    oggOpus(opusTone({ hz, seconds: 1, ...options }), { gain: 1, ...options })
  for (const [name, links] of Object.entries({
    gain: [short(600), short(900), short(600)],
    'channels that differ': [short(600, { channels: 2 }), short(900), short(600, { channels: 2 })],
    'one that is damaged at its end': [short(600), short(900), short(600).subarray(0, -1)],
    'one that begins like a stream': [short(600), short(900), short(600).subarray(0, 60)],
  })) {
    const { outcome, packets } = await play(Buffer.concat(links))
    t.deepEqual(outcome, { ok: true }, name)
    const samples = await hear(packets)
    t.is(dominantHz(samples.subarray(4_800, 43_200), 48_000), 600, name)
    t.is(dominantHz(samples.subarray(57_600, 91_200), 48_000), 900, name)
    if (links.every((link) => link.length > 1_000)) t.true(packets.length >= 100, name)
  }
  const { packets } = await play(Buffer.concat([600, 900, 600].map((hz) => short(hz))))
  t.true(Math.abs(packets.length - 150) <= 3, String(packets.length))
  const long = Buffer.concat(Array.from({ length: 6 }, () => short(600)))
  t.deepEqual(await play(long), { outcome: { ok: false, reason: 'too-long' }, packets: [] })
})

test('four packets that the header says to skip at the start are not heard', async (t) => {
  const packets = [...opusTone({ hz: 1_500, seconds: 0.08 }), ...tone]
  const played = await play(oggOpus(packets, { preSkip: 3_840 }))
  t.deepEqual(played.outcome, { ok: true })
  t.true(Math.abs(played.packets.length - 100) <= 1, String(played.packets.length))
  const start = (await hear(played.packets)).subarray(960, 4_800)
  t.true(amplitudeAt(start, 48_000, 600) > 4 * amplitudeAt(start, 48_000, 1_500))
})

test('packets of 60 ms and of two channels are heard whole', async (t) => {
  await isHeard(t, await play(oggOpus(opusTone({ hz: 600, seconds: 3, packetMs: 60 }), { packetSamples: 2_880 })), 150)
  const both = opusTone({ hz: 600, seconds: 2, channels: 2 })
  for (const channels of [1, 2]) await isHeard(t, await play(oggOpus(both, { channels })), 100)
})

test('a file that is cut within its last page is heard to the page before', async (t) => {
  const file = oggOpus(tone)
  await isHeard(t, await play(file.subarray(0, file.length - 300)), 50)
})

test('a last page that lies about the length adds nothing to the sound, and a hole takes nothing away', async (t) => {
  await isHeard(t, await play(oggOpus(tone, { trimmed: -48_000 * 3_600 })), 100)
  await isHeard(t, await play(oggOpus(tone, { gap: { fromPage: 1, samples: 48_000 * 3_600 } })), 100)
})

test('a file is as long as its packets are, whatever its pages say, and too long is refused before any of it is given out', async (t) => {
  const long = opusTone({ hz: 600, seconds: 6 })
  for (const options of [{}, { packetSamples: 1 }, { trimmed: 48_000 }, { gain: 1 }]) {
    t.deepEqual(
      await play(oggOpus(long, options)),
      { outcome: { ok: false, reason: 'too-long' }, packets: [] },
      JSON.stringify(options),
    )
  }
  await isHeard(t, await play(oggOpus(opusTone({ hz: 600, seconds: 4 }))), 200)
})

test('headers without sound are no audio', async (t) => {
  t.deepEqual((await play(oggOpus([]))).outcome, { ok: false, reason: 'no-audio' })
})
