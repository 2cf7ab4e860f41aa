import { rms } from './pcm.ts'

/** Our choice: noise never rises over -61 dBFS, whatever the peer's room sounds like. */
const MAX_LEVEL = 30
/** The quietest frame of about 1.5 s counts as the peer's background. */
const WINDOW_FRAMES = 75

/**
 * Fills gaps with noise like the peer's own quiet, so that the line does not sound dead. The gaps of a digitally silent
 * peer stay silent.
 */
export class ComfortNoise {
  #level = 0
  #quietest = Infinity
  #frames = 0
  #seed = 0x2f6e2b1

  /** Learns from a decoded frame and answers its level. */
  observe(frame: Int16Array): number {
    const level = rms(frame)
    this.#quietest = Math.min(this.#quietest, level)
    if (++this.#frames >= WINDOW_FRAMES) {
      this.#level = Math.min(MAX_LEVEL, this.#quietest)
      this.#quietest = Infinity
      this.#frames = 0
    }
    return level
  }

  /** Adds noise of the learned level to samples, in place. */
  addTo(samples: Int16Array): void {
    if (this.#level < 1) return
    // Uniform noise of amplitude a has an rms of a / sqrt(3).
    const scale = (this.#level * Math.sqrt(3)) / 0x8000_0000
    for (let i = 0; i < samples.length; i++) {
      this.#seed ^= this.#seed << 13
      this.#seed ^= this.#seed >>> 17
      this.#seed ^= this.#seed << 5
      samples[i] = (samples[i] ?? 0) + Math.round(this.#seed * scale)
    }
  }
}
