import test from 'ava'
import { FRAME_SAMPLES, Framer, SOCKET_HZ } from '../../web/dashboard/softphone/audio/frame.ts'
import { FLOOR_DB, LevelMeter } from '../../web/dashboard/softphone/audio/level.ts'
import { PlaybackRing } from '../../web/dashboard/softphone/audio/playback-ring.ts'
import { PlayedFrames } from '../../web/dashboard/softphone/audio/played-frames.ts'
import { Recording } from '../../web/dashboard/softphone/audio/recording.ts'
import { StreamResampler } from '../../web/dashboard/softphone/audio/resampler.ts'
import { amplitudeAt, dominantHz, joined, rmsOf, toneSource } from '../helpers/audio-signal.ts'

/** Rates that audio devices run at. */
const DEVICE_RATES = [16_000, 44_100, 96_000]
/** Samples that a browser hands to the audio thread at once. */
const QUANTUM = 128

function resampled(fromHz: number, toHz: number, hz: number, seconds: number): Int16Array {
  const tone = toneSource(fromHz, hz, 16_000)
  const resampler = new StreamResampler(fromHz, toHz)
  const out: number[] = []
  for (let n = 0; n + QUANTUM <= fromHz * seconds; n += QUANTUM) {
    const block = Float32Array.from(tone(QUANTUM), (sample) => sample / 32_768)
    resampler.run(block, (value) => out.push(value * 32_768))
  }
  return Int16Array.from(out, Math.round)
}

function decibels(amplitude: number, of: number): number {
  return 20 * Math.log10(amplitude / of)
}

for (const deviceHz of DEVICE_RATES) {
  for (const [from, to] of [
    [deviceHz, SOCKET_HZ],
    [SOCKET_HZ, deviceHz],
  ] as const) {
    // [dashboard.softphone.3]
    test(`from ${from} Hz to ${to} Hz a tone keeps its frequency and its level to 0.1 dB, and nothing else sounds`, (t) => {
      const steady = resampled(from, to, 440, 1).subarray(to / 10)
      t.true(Math.abs(decibels(amplitudeAt(steady, to, 440), 16_000)) < 0.1)
      t.true(Math.abs(decibels(rmsOf(steady) * Math.SQRT2, 16_000)) < 0.1)
      t.is(dominantHz(steady, to), 440)
    })
  }
}

// [dashboard.softphone.3]
test('what the lower rate cannot carry is at least 60 dB down', (t) => {
  t.true(decibels(rmsOf(resampled(96_000, 48_000, 31_000, 1).subarray(4_800)) * Math.SQRT2, 16_000) < -60)
  t.true(decibels(rmsOf(resampled(48_000, 16_000, 11_000, 1).subarray(1_600)) * Math.SQRT2, 16_000) < -60)
})

test('a minute at 44,100 Hz is a minute at 48,000 Hz to the sample', (t) => {
  const resampler = new StreamResampler(44_100, 48_000)
  const block = new Float32Array(4_410)
  let made = 0
  for (let tenth = 0; tenth < 600; tenth++) resampler.run(block, () => made++)
  t.is(made, 60 * 48_000)
})

test('values become frames of 20 ms, and what is too loud is limited', (t) => {
  const frames: Int16Array[] = []
  const framer = new Framer((frame) => frames.push(frame))
  for (let n = 0; n < 2 * FRAME_SAMPLES + 1; n++) framer.take(n === 0 ? -2 : n === 1 ? 2 : 0.5)
  t.deepEqual(
    frames.map((frame) => frame.length),
    [FRAME_SAMPLES, FRAME_SAMPLES],
  )
  t.deepEqual([...(frames[0]?.subarray(0, 3) ?? [])], [-32_768, 32_767, 16_384])
})

// [dashboard.softphone.6]
test('a meter tells level and peak below full scale since it was read last', (t) => {
  const meter = new LevelMeter()
  meter.add(toneSource(SOCKET_HZ, 440, 32_767)(SOCKET_HZ))
  const loud = meter.read()
  t.true(Math.abs(loud.rmsDb + 3.01) < 0.02, `${loud.rmsDb}`)
  t.true(Math.abs(loud.peakDb) < 0.01)
  t.deepEqual(meter.read(), { rmsDb: FLOOR_DB, peakDb: FLOOR_DB })
})

function spoken(): Int16Array {
  return new Int16Array(FRAME_SAMPLES).fill(8_000)
}

function silent(): Int16Array {
  return new Int16Array(FRAME_SAMPLES)
}

/** Plays `count` frames in time: for each that is taken one is put. */
function play(ring: PlaybackRing, count: number, frame: () => Int16Array): void {
  for (let n = 0; n < count; n++) {
    ring.put(frame())
    ring.next()
  }
}

// [dashboard.softphone.5]
test('playing begins once 60 ms wait, and after each time the ring ran dry with 20 ms more, up to 200 ms', (t) => {
  const ring = new PlaybackRing()
  ring.put(spoken())
  ring.put(spoken())
  t.is(ring.next(), null)
  ring.put(spoken())
  t.not(ring.next(), null)
  t.is(ring.underruns, 0)
  const waited: number[] = []
  for (let time = 0; time < 9; time++) {
    while (ring.next() !== null);
    waited.push(0)
    while (ring.next() === null) {
      ring.put(spoken())
      waited[time] = (waited[time] ?? 0) + 20
    }
  }
  t.deepEqual(waited, [80, 100, 120, 140, 160, 180, 200, 200, 200])
  t.is(ring.underruns, 9)
})

// [dashboard.softphone.5]
test('delay that is not needed goes with silence, and never with speech', (t) => {
  const ring = new PlaybackRing()
  for (let n = 0; n < 15; n++) ring.put(spoken())
  play(ring, 1_500, spoken)
  t.is(ring.queuedMs, 300, 'somebody speaks all the time')
  t.is(ring.trimmedMs, 0)
  play(ring, 1_500, silent)
  t.true(ring.queuedMs <= 60, `${ring.queuedMs}`)
  t.is(ring.trimmedMs, 300 - ring.queuedMs)
  t.is(ring.underruns, 0)
})

test('what waits is bounded to 10 s, and the oldest goes first', (t) => {
  const ring = new PlaybackRing()
  for (let n = 0; n < 510; n++) ring.put(new Int16Array(FRAME_SAMPLES).fill(10_000 + n))
  t.is(ring.queuedMs, 10_000)
  t.is(ring.lostMs, 200)
  t.is(ring.next()?.[0], 10_010)
})

test('a device that runs at 44,100 Hz plays a tone of the socket whole, block after block', (t) => {
  const played = new PlayedFrames(44_100)
  const tone = toneSource(SOCKET_HZ, 440, 16_000)
  for (let n = 0; n < 3; n++) played.ring.put(tone(FRAME_SAMPLES))
  const out: Int16Array[] = []
  const block = new Float32Array(QUANTUM)
  for (let samples = 0; samples < 44_100; samples += QUANTUM) {
    while (played.ring.queuedMs < 60) played.ring.put(tone(FRAME_SAMPLES))
    played.write(block)
    out.push(Int16Array.from(block, (value) => Math.round(value * 32_768)))
  }
  const steady = joined(out).subarray(4_410)
  t.true(Math.abs(decibels(amplitudeAt(steady, 44_100, 440), 16_000)) < 0.1)
  t.true(Math.abs(decibels(rmsOf(steady) * Math.SQRT2, 16_000)) < 0.1)
})

// [dashboard.softphone.7]
test('a recording is a WAV file of 16-bit stereo at 48 kHz, mine left and theirs right, also over a part', async (t) => {
  const recording = new Recording()
  const mine = toneSource(SOCKET_HZ, 1_000, 8_000)
  const theirs = toneSource(SOCKET_HZ, 440, 8_000)
  // 12 s; the microphone is muted in the last two.
  for (let n = 0; n < 600; n++) {
    if (n < 500) recording.said(mine(FRAME_SAMPLES))
    recording.heard(theirs(FRAME_SAMPLES))
  }
  const wav = recording.wav()
  t.is(wav.type, 'audio/wav')
  const bytes = Buffer.from(await wav.arrayBuffer())
  t.is(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16), 'RIFFWAVEfmt ')
  t.deepEqual([bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34)], [2, 48_000, 16])
  t.is(bytes.readUInt32LE(4), bytes.length - 8)
  t.is(bytes.readUInt32LE(40), bytes.length - 44)
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length))
  t.is(samples.length, 600 * FRAME_SAMPLES * 2)
  const left = samples.filter((_, i) => i % 2 === 0)
  const right = samples.filter((_, i) => i % 2 === 1)
  t.is(dominantHz(left.subarray(0, 48_000), SOCKET_HZ), 1_000)
  t.is(dominantHz(right, SOCKET_HZ), 440)
  t.is(rmsOf(left.subarray(500 * FRAME_SAMPLES)), 0)
})

test('of a microphone that runs ahead of the call the newest second is kept', async (t) => {
  const recording = new Recording()
  for (let n = 0; n < 60; n++) recording.said(new Int16Array(FRAME_SAMPLES).fill(n))
  recording.heard(silent())
  const bytes = Buffer.from(await recording.wav().arrayBuffer())
  t.is(bytes.readInt16LE(44), 10)
})
