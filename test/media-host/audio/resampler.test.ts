import test from 'ava'
import { RATES_HZ } from '../../../media-host/audio/frame.ts'
import { Resampler } from '../../../media-host/audio/resampler.ts'
import { amplitudeAt, joined, rmsOf, toneSource } from '../../helpers/audio-signal.ts'

for (const fromHz of RATES_HZ) {
  for (const toHz of RATES_HZ) {
    test(`from ${fromHz} Hz to ${toHz} Hz a slot is a slot, and a tone keeps its frequency and level`, (t) => {
      const tone = toneSource(fromHz, 1_000)
      const resampler = new Resampler(fromHz, toHz)
      const slots = Array.from({ length: 50 }, () => resampler.run(tone(fromHz / 50)))
      t.true(slots.every((slot) => slot.length === toHz / 50))
      const steady = joined(slots.slice(5))
      t.true(Math.abs(amplitudeAt(steady, toHz, 1_000) - 8_000) < 40, `${amplitudeAt(steady, toHz, 1_000)}`)
      // The tone accounts for the whole level, so there is neither a seam between slots nor an aliased frequency.
      t.true(Math.abs(rmsOf(steady) - 8_000 / Math.SQRT2) < 30, `${rmsOf(steady)}`)
    })
  }
}

test('frequencies that a lower rate cannot carry are removed instead of aliased', (t) => {
  const tone = toneSource(48_000, 6_000)
  const resampler = new Resampler(48_000, 8_000)
  const slots = Array.from({ length: 50 }, () => resampler.run(tone(960)))
  t.true(rmsOf(joined(slots.slice(5))) < 8, `${rmsOf(joined(slots.slice(5)))}`)
})
