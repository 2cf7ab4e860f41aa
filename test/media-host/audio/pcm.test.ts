import test from 'ava'
import * as fc from 'fast-check'
import { ComfortNoise } from '../../../media-host/audio/comfort-noise.ts'
import { PcmFifo, ramp, rms, samplesPerSlot } from '../../../media-host/audio/pcm.ts'
import { joined, rmsOf } from '../../helpers/audio-signal.ts'

test('a slot is rate/50 samples', (t) => {
  t.deepEqual([8_000, 16_000, 24_000, 48_000].map(samplesPerSlot), [160, 320, 480, 960])
})

test('the fifo gives back the same samples in the same order, however they are cut', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }),
      (sizes, takes) => {
        const fifo = new PcmFifo()
        let next = 1
        for (const size of sizes) fifo.push(Int16Array.from({ length: size }, () => next++))
        const total = next - 1
        const out = joined(takes.map((count) => fifo.take(count)))
        return (
          out.every((sample, i) => sample === (i < total ? i + 1 : 0))
          && fifo.length === Math.max(0, total - out.length)
        )
      },
    ),
  )
  t.pass()
})

test('dropping skips samples and stops at the end', (t) => {
  const fifo = new PcmFifo()
  fifo.push(Int16Array.of(1, 2, 3, 4))
  fifo.drop(3)
  t.deepEqual([...fifo.take(1)], [4])
  fifo.drop(10)
  t.is(fifo.length, 0)
})

test('a ramp fades without a step', (t) => {
  const samples = new Int16Array(100).fill(10_000)
  ramp(samples, 1, 0)
  t.is(samples[0], 10_000)
  t.true((samples[99] ?? 0) <= 100)
  t.true(samples.every((sample, i) => i === 0 || Math.abs(sample - (samples[i - 1] ?? 0)) <= 101))
})

test('comfort noise has the level of the quietest frame, and none for a digitally silent peer', (t) => {
  const noise = new ComfortNoise()
  for (let i = 0; i < 75; i++) noise.observe(new Int16Array(320).fill(i % 2 ? 20 : 4_000))
  const gap = new Int16Array(3_200)
  noise.addTo(gap)
  t.true(Math.abs(rmsOf(gap) - 20) < 3, `${rms(gap)}`)

  const mute = new ComfortNoise()
  for (let i = 0; i < 75; i++) mute.observe(new Int16Array(320))
  const silence = new Int16Array(320)
  mute.addTo(silence)
  t.is(rms(silence), 0)
})

test('comfort noise is never louder than -60 dBFS', (t) => {
  const noise = new ComfortNoise()
  for (let i = 0; i < 75; i++) noise.observe(new Int16Array(320).fill(5_000))
  const gap = new Int16Array(3_200)
  noise.addTo(gap)
  t.true(rms(gap) < 33)
})
