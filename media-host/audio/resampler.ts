import { polyphaseFilter, type PolyphaseFilter } from '../../src/domain/polyphase.ts'
import type { RateHz } from './frame.ts'

/**
 * Converts a continuous stream of mono samples from one rate to another by a polyphase low-pass, with an exact count
 * for every whole slot.
 */
export class Resampler {
  readonly #filter: PolyphaseFilter | null
  /** The last samples of the previous call, which still weigh on the next output. */
  #tail: Int16Array

  constructor(fromHz: RateHz, toHz: RateHz) {
    this.#filter = fromHz === toHz ? null : polyphaseFilter(fromHz, toHz)
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
