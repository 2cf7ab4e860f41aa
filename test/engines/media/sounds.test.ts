import test from 'ava'
import { bitsFor } from '../../../engines/media/bit-rates.ts'
import { waveformOf } from '../../../engines/media/waveform.ts'

test('a waveform has 64 points of 0 to 100 however short the sound, and silence is flat', (t) => {
  t.deepEqual(
    waveformOf([]),
    Array.from({ length: 64 }, () => 0),
  )
  t.deepEqual(
    waveformOf([0, 0]),
    Array.from({ length: 64 }, () => 0),
  )
  t.deepEqual(
    waveformOf([5, 10]),
    Array.from({ length: 64 }, (_, at) => (at < 32 ? 50 : 100)),
  )
  t.is(waveformOf(Array.from({ length: 10_000 }, (_, at) => at))[63], 100)
})

test('bit rates follow length and ceiling within their bounds', (t) => {
  const bounds = { most: 48_000, least: 12_000 }
  t.is(bitsFor(10, 16_000_000, bounds), 48_000)
  t.is(bitsFor(3_600, 16_000_000, bounds), 32_000)
  t.is(bitsFor(36_000, 16_000_000, bounds), 12_000)
  t.is(bitsFor(0, 16_000_000, bounds), 48_000)
})
