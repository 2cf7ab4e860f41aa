/** Samples a second on the socket: the softphone asks for this rate ([dashboard.softphone.2]). */
export const SOCKET_HZ = 48_000
/** Length of a frame on the socket and of each message to and from the audio thread, in ms. */
export const FRAME_MS = 20
/** Samples of one frame. */
export const FRAME_SAMPLES = (SOCKET_HZ * FRAME_MS) / 1_000

/** The 16-bit sample of a value from -1 to 1; louder values are limited. */
export function sampleOf(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)))
}

/** Gathers a stream of values from -1 to 1 into frames of 16-bit samples. */
export class Framer {
  readonly #full: (frame: Int16Array<ArrayBuffer>) => void
  #frame = new Int16Array(FRAME_SAMPLES)
  #filled = 0

  /** `full` gets each frame as its own array, which it may transfer. */
  constructor(full: (frame: Int16Array<ArrayBuffer>) => void) {
    this.#full = full
  }

  take(value: number): void {
    this.#frame[this.#filled++] = sampleOf(value)
    if (this.#filled < FRAME_SAMPLES) return
    const frame = this.#frame
    this.#frame = new Int16Array(FRAME_SAMPLES)
    this.#filled = 0
    this.#full(frame)
  }
}
