import type { RateHz } from './frame.ts'

/**
 * Input samples on either side of an output sample, before widening for a lower rate. Our choice: -80 dB outside of the
 * band, 1 ms of delay at 16 kHz.
 */
const HALF_TAPS = 16
/**
 * Our choice: the band ends a little below the lower of both Nyquist frequencies, so that the filter's slope lies
 * inside it.
 */
const BAND = 0.92

/** The filter of one pair of rates: `up` phases with `taps` weights each. It is read-only and shared by all streams. */
interface Filter {
  readonly up: number
  readonly down: number
  readonly taps: number
  readonly phases: readonly Float32Array[]
}

const filters = new Map<string, Filter>()

/**
 * Converts a continuous stream of mono samples from one rate to another by a polyphase low-pass, with an exact count
 * for every whole slot.
 */
export class Resampler {
  readonly #filter: Filter | null
  /** The last samples of the previous call, which still weigh on the next output. */
  #tail: Int16Array

  constructor(fromHz: RateHz, toHz: RateHz) {
    this.#filter = fromHz === toHz ? null : filterOf(fromHz, toHz)
    this.#tail = new Int16Array(this.#filter ? this.#filter.taps - 1 : 0)
  }

  /** Samples at the other rate, or the given ones when both rates are equal. `samples` must be whole slots of 20 ms. */
  run(samples: Int16Array): Int16Array {
    const filter = this.#filter
    if (!filter) return samples
    const { up, down, taps, phases } = filter
    const input = new Int16Array(this.#tail.length + samples.length)
    input.set(this.#tail)
    input.set(samples, this.#tail.length)
    this.#tail = input.slice(input.length - this.#tail.length)
    const out = new Int16Array((samples.length * up) / down)
    for (let index = 0; index < out.length; index++) {
      const position = index * down
      const weights = phases[position % up]
      if (weights) out[index] = weighed(input, Math.floor(position / up), weights, taps)
    }
    return out
  }
}

function weighed(input: Int16Array, from: number, weights: Float32Array, taps: number): number {
  let sum = 0
  for (let tap = 0; tap < taps; tap++) sum += (input[from + tap] ?? 0) * (weights[tap] ?? 0)
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)))
}

function filterOf(fromHz: RateHz, toHz: RateHz): Filter {
  const key = `${fromHz}-${toHz}`
  const known = filters.get(key)
  if (known) return known
  const divisor = divisorOf(fromHz, toHz)
  const [up, down] = [toHz / divisor, fromHz / divisor]
  const half = Math.ceil(HALF_TAPS * Math.max(1, down / up))
  const cutoff = BAND * Math.min(1, up / down)
  const filter = {
    up,
    down,
    taps: 2 * half,
    phases: Array.from({ length: up }, (_, phase) => phaseOf(phase / up, half, cutoff)),
  }
  filters.set(key, filter)
  return filter
}

/**
 * The weights for an output that lies `offset` of an input sample after one. They add up to 1, so that the level stays.
 */
function phaseOf(offset: number, half: number, cutoff: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * half }, (_, tap) => {
    const time = tap - half + 1 - offset
    return cutoff * sinc(cutoff * time) * blackman(time / half)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

/** The Blackman window from -1 to 1; 0 outside. */
function blackman(x: number): number {
  return Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b)
}
