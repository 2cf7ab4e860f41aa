import test from 'ava'
import { powerSpectrum } from '../../../bench/media/fourier.ts'
import { makeSpeech, seeded } from '../../../bench/media/speech.ts'
import { stoi, STOI_RATE_HZ } from '../../../bench/media/stoi.ts'

const chance = seeded(7)
const noise = (length: number) => Float64Array.from({ length }, () => chance() * 2 - 1)
const powerOf = (signal: Float64Array) => signal.reduce((sum, value) => sum + value * value, 0) / signal.length

/** Speech of some seconds, read at the rate of the measure: it is slower, and speech still. */
const SPEECH = Float64Array.from(makeSpeech(4).samples)

/** The speech with noise so many dB below it. */
function noisy(snrDb: number): Float64Array {
  const added = noise(SPEECH.length)
  const scale = Math.sqrt(powerOf(SPEECH) / powerOf(added) / 10 ** (snrDb / 10))
  return SPEECH.map((sample, i) => sample + (added[i] ?? 0) * scale)
}

test('speech that is heard as it was said is understood wholly, however loud', (t) => {
  for (const gain of [1, 0.01, -3]) {
    const found = stoi(
      SPEECH,
      SPEECH.map((sample) => sample * gain),
    )
    t.true(Math.abs((found ?? 0) - 1) < 1e-6, `${gain}: ${found}`)
  }
})

test('the more noise there is, the less is understood; of noise alone next to nothing', (t) => {
  const found = [30, 20, 10, 0, -10, -20].map((snrDb) => stoi(SPEECH, noisy(snrDb)) ?? NaN)
  t.true(
    found.every((value, at) => at === 0 || value < (found[at - 1] ?? 0)),
    `${found}`,
  )
  t.true((found[0] ?? 0) > 0.95 && (found.at(-1) ?? 1) < 0.4, `${found}`)
  const alone = stoi(SPEECH, noise(SPEECH.length)) ?? 1
  t.true(alone < 0.4, `${alone}`)
})

test('what is late by a syllable is not understood, and what is silent is not judged', (t) => {
  const late = new Float64Array(SPEECH.length)
  late.set(SPEECH.subarray(0, -STOI_RATE_HZ / 5), STOI_RATE_HZ / 5)
  t.true((stoi(SPEECH, late) ?? 1) < 0.5)
  const pauses = new Float64Array(SPEECH.length * 2)
  pauses.set(SPEECH)
  const hum = new Float64Array(pauses.length)
  hum.set(SPEECH)
  for (let i = SPEECH.length; i < hum.length; i++) hum[i] = 5_000 * Math.sin(i / 9)
  t.true((stoi(pauses, hum) ?? 0) > 0.99)
})

test('less than a segment of speech cannot be judged', (t) => {
  t.is(stoi(SPEECH.subarray(0, 3_000), SPEECH.subarray(0, 3_000)), null)
  t.is(stoi(new Float64Array(0), new Float64Array(0)), null)
})

test('the spectrum of a tone is in its bin, with the power that the tone has', (t) => {
  const spectrum = powerSpectrum(
    Float64Array.from({ length: 64 }, (_, i) => Math.cos((2 * Math.PI * 5 * i) / 64)),
    64,
  )
  for (const [bin, power] of spectrum.entries()) t.true(Math.abs(power - (bin === 5 ? 32 ** 2 : 0)) < 1e-9, `${bin}`)
})
