import { powerSpectrum } from './fourier.ts'

/**
 * Short-time objective intelligibility: Taal, Hendriks, Heusdens and Jensen, "An Algorithm for Intelligibility
 * Prediction of Time-Frequency Weighted Noisy Speech", IEEE Transactions on Audio, Speech and Language Processing 19
 * (7), 2011. All numbers here are theirs.
 */

/** Rate of the signals, in Hz. */
export const STOI_RATE_HZ = 10_000
/** Frames of 25.6 ms that overlap by half, padded to 512 samples. */
const FRAME = 256
const HOP = FRAME / 2
const SPECTRUM = 512
/** Frames this many dB below the loudest of the clean signal are silent and left out. */
const SILENT_DB = 40
/** 15 bands of a third of an octave, the lowest around 150 Hz. */
const BANDS = 15
const LOWEST_HZ = 150
/** Segments of 30 frames: 384 ms. */
const SEGMENT = 30
/** Lower bound of the signal to distortion ratio, in dB. */
const BOUND_DB = -15

/** Amplitudes by band, then by frame. */
type Bands = readonly Float64Array[]

/**
 * How intelligible `heard` is, given the same speech as it was said: about 0 to 1. Both are samples at 10 kHz, aligned.
 * Null when there are less than 384 ms of speech.
 */
export function stoi(said: Float64Array, heard: Float64Array): number | null {
  const speech = speechFrames(said)
  const [clean, processed] = [bandsOf(overlapped(said, speech)), bandsOf(overlapped(heard, speech))]
  const frames = clean[0]?.length ?? 0
  let sum = 0
  let count = 0
  for (let end = SEGMENT; end <= frames; end++) {
    for (const [band, x] of clean.entries()) {
      const y = processed[band]
      if (!y) continue
      sum += likeness(x.subarray(end - SEGMENT, end), y.subarray(end - SEGMENT, end))
      count++
    }
  }
  return count === 0 ? null : sum / count
}

/** A Hann window without its zeros. */
const WINDOW = Float64Array.from(
  { length: FRAME },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (FRAME + 1)),
)

function windowed(signal: Float64Array, at: number): Float64Array {
  return WINDOW.map((weight, i) => weight * (signal[at + i] ?? 0))
}

/** Where the frames begin that are not silent. */
function speechFrames(said: Float64Array): number[] {
  const starts = Array.from({ length: Math.max(0, Math.ceil((said.length - FRAME) / HOP)) }, (_, i) => i * HOP)
  const levels = starts.map((at) => 10 * Math.log10(energy(windowed(said, at)) + Number.EPSILON))
  const loudest = levels.reduce((most, level) => Math.max(most, level), -Infinity)
  return starts.filter((_, i) => (levels[i] ?? -Infinity) > loudest - SILENT_DB)
}

/** The frames one after another, each half over the one before. */
function overlapped(signal: Float64Array, starts: readonly number[]): Float64Array {
  const joined = new Float64Array(starts.length === 0 ? 0 : (starts.length - 1) * HOP + FRAME)
  for (const [index, at] of starts.entries()) {
    for (const [i, sample] of windowed(signal, at).entries())
      joined[index * HOP + i] = (joined[index * HOP + i] ?? 0) + sample
  }
  return joined
}

/** First bin of each band, and the one behind its last. */
const EDGES = Array.from({ length: BANDS }, (_, band) => [edge(2 * band - 1), edge(2 * band + 1)] as const)

function edge(sixths: number): number {
  return Math.round((LOWEST_HZ * 2 ** (sixths / 6) * SPECTRUM) / STOI_RATE_HZ)
}

function bandsOf(signal: Float64Array): Bands {
  const frames = Math.max(0, Math.ceil((signal.length - FRAME) / HOP))
  const bands = Array.from({ length: BANDS }, () => new Float64Array(frames))
  for (let frame = 0; frame < frames; frame++) {
    const power = powerSpectrum(windowed(signal, frame * HOP), SPECTRUM)
    for (const [band, [from, to]] of EDGES.entries()) {
      const values = bands[band]
      if (values) values[frame] = Math.sqrt(power.subarray(from, to).reduce((sum, value) => sum + value, 0))
    }
  }
  return bands
}

/** The correlation of a band in a segment, once the heard one has the same energy and is clipped at the bound. */
function likeness(x: Float64Array, y: Float64Array): number {
  const scale = Math.sqrt(energy(x) / (energy(y) + Number.EPSILON))
  const bound = 1 + 10 ** (-BOUND_DB / 20)
  return correlation(
    x,
    y.map((value, i) => Math.min(value * scale, (x[i] ?? 0) * bound)),
  )
}

function correlation(x: Float64Array, y: Float64Array): number {
  const [a, b] = [centred(x), centred(y)]
  const product = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
  return product / (Math.sqrt(energy(a) * energy(b)) + Number.EPSILON)
}

function centred(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}

function energy(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0)
}
