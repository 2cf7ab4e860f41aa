/** The tone that the check plays in a call, and how it recognises it. Samples are PCM16 mono. */

/** our choice: 16 kHz, the rate at which engines of this kind carry voices. */
export const RATE_HZ = 16_000
/** Audio goes both ways in frames of 20 ms ([engines.pcm16.3]). */
export const FRAME_SAMPLES = 320
/** our choice: no multiple of what simulated peers play or of mains hum. */
const TONE_HZ = 620
/** A quarter of full scale, the level of loud speech. */
const TONE_LEVEL = 8_192
/** our choice: a window of 200 ms distinguishes tones 5 Hz apart. */
const WINDOW_SAMPLES = RATE_HZ / 5
/** our choice: 1 % of full scale, louder than the comfort noise of any codec. */
const AUDIBLE_RMS = 0.01
/** our choice: all energy of a pure tone is at its frequency, and codecs leave nine tenths of it there. */
const OURS_SHARE = 0.6

/** The n-th frame of an endless tone. */
export function toneFrame(index: number): Int16Array {
  return Int16Array.from({ length: FRAME_SAMPLES }, (_, i) =>
    Math.round(TONE_LEVEL * Math.sin((2 * Math.PI * TONE_HZ * (index * FRAME_SAMPLES + i)) / RATE_HZ)),
  )
}

/** Measures how much was heard, how much of it was audible, and how much of that was our own tone coming back. */
export class Ear {
  heardMs = 0
  audibleMs = 0
  oursMs = 0
  #window = new Int16Array(WINDOW_SAMPLES)
  #filled = 0

  hear(samples: Int16Array): void {
    this.heardMs += (samples.length * 1_000) / RATE_HZ
    for (const sample of samples) {
      this.#window[this.#filled++] = sample
      if (this.#filled === WINDOW_SAMPLES) this.#judge()
    }
  }

  #judge(): void {
    this.#filled = 0
    const windowMs = (WINDOW_SAMPLES * 1_000) / RATE_HZ
    const energy = this.#window.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0)
    if (Math.sqrt(energy / WINDOW_SAMPLES) < AUDIBLE_RMS) return
    this.audibleMs += windowMs
    if ((2 * powerAt(this.#window, TONE_HZ)) / (energy * WINDOW_SAMPLES) >= OURS_SHARE) this.oursMs += windowMs
  }
}

/** Power at one frequency (Goertzel), of samples of full scale 1. */
function powerAt(samples: Int16Array, frequencyHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequencyHz) / RATE_HZ)
  let [previous, beforePrevious] = [0, 0]
  for (const sample of samples)
    [previous, beforePrevious] = [sample / 32_768 + coefficient * previous - beforePrevious, previous]
  return previous ** 2 + beforePrevious ** 2 - coefficient * previous * beforePrevious
}
