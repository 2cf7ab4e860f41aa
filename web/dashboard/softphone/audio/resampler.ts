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
    const filter = this.#filter
    if (!filter) return samples.forEach(take)
    for (const sample of samples) {
      this.#keep(sample, filter.taps)
      while (this.#ahead < filter.up) {
        take(this.#weighed(filter.phases[this.#ahead], filter.taps))
        this.#ahead += filter.down
      }
      this.#ahead -= filter.up
    }
  }

  #keep(sample: number, taps: number): void {
    this.#window[this.#at] = sample
    this.#window[this.#at + taps] = sample
    this.#at = (this.#at + 1) % taps
  }

  #weighed(weights: Float32Array | undefined, taps: number): number {
    let sum = 0
    for (let tap = 0; tap < taps; tap++) sum += (this.#window[this.#at + tap] ?? 0) * (weights?.[tap] ?? 0)
    return sum
  }
}
