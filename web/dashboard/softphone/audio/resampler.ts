import { polyphaseFilter, type PolyphaseFilter } from '../../../../src/domain/polyphase.ts'

/**
 * Converts a continuous stream of mono samples between any two rates, in blocks of any length. After n input samples it
 * has made n times `toHz / fromHz` output samples, rounded up, so it never drifts.
 */
export class StreamResampler {
  readonly #filter: PolyphaseFilter | null
  /** The newest `taps` samples, each written twice, so that they always lie in one piece from `#at` on. */
  readonly #window: Float32Array
  #at = 0
  /** How far after the newest input the next output lies, in steps of 1 / `up` of an input sample. */
  #ahead = 0

  constructor(fromHz: number, toHz: number) {
    this.#filter = fromHz === toHz ? null : polyphaseFilter(fromHz, toHz)
    this.#window = new Float32Array(this.#filter ? 2 * this.#filter.taps : 0)
  }

  /** Takes input samples from -1 to 1 and hands on each output sample as it is due. */
  run(samples: Float32Array, take: (sample: number) => void): void {
    if (!this.#filter) return samples.forEach(take)
    const { up, down, taps, phases } = this.#filter
    const window = this.#window
    // What the loop changes is local to it, which takes a quarter off the time of a frame (measured).
    let at = this.#at
    let ahead = this.#ahead
    for (const sample of samples) {
      window[at] = sample
      window[at + taps] = sample
      at = at + 1 === taps ? 0 : at + 1
      for (; ahead < up; ahead += down) {
        const weights = phases[ahead]
        if (weights) take(weighed(window, at, weights))
      }
      ahead -= up
    }
    this.#at = at
    this.#ahead = ahead
  }
}

/** The sum of the samples from `at` on, each with its weight. */
function weighed(window: Float32Array, at: number, weights: Float32Array): number {
  let sum = 0
  for (let tap = 0; tap < weights.length; tap++) sum += (window[at + tap] ?? 0) * (weights[tap] ?? 0)
  return sum
}
