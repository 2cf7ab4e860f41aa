/** Bytes of one PCM16 sample. */
const SAMPLE_BYTES = 2

/**
 * Joins binary messages to whole samples: half a sample waits for its other half in the next message
 * ([realtime.audio.5]). Bytes are little-endian on the wire and in memory, on every machine that Node supports.
 */
export class SampleReader {
  #half: number | null = null

  /** Reads samples as a copy, because the bytes may be reused after the call. */
  read(bytes: Uint8Array): Int16Array {
    const carried = this.#half === null ? 0 : 1
    const samples = new Int16Array(Math.floor((bytes.length + carried) / SAMPLE_BYTES))
    const target = new Uint8Array(samples.buffer)
    if (this.#half !== null && target.length > 0) target[0] = this.#half
    const taken = target.length - (target.length > 0 ? carried : 0)
    target.set(bytes.subarray(0, taken), target.length > 0 ? carried : 0)
    const rest = bytes.length - taken
    if (rest > 0) this.#half = bytes[bytes.length - 1] ?? null
    else if (target.length > 0) this.#half = null
    return samples
  }
}

/** Cuts a continuous stream of samples into frames of one length. */
export class FrameCutter {
  readonly #frame: Int16Array
  #filled = 0

  /** @param frameSamples samples of each frame */
  constructor(frameSamples: number) {
    this.#frame = new Int16Array(frameSamples)
  }

  /** How many frames are complete after this many more samples. */
  framesWith(samples: number): number {
    return Math.floor((this.#filled + samples) / this.#frame.length)
  }

  /** Calls `emit` for each whole frame; its bytes are valid only inside the call. */
  push(samples: Int16Array, emit: (frame: Int16Array) => void): void {
    let offset = 0
    while (offset < samples.length) {
      const part = samples.subarray(offset, offset + this.#frame.length - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      offset += part.length
      if (this.#filled < this.#frame.length) return
      this.#filled = 0
      emit(this.#frame)
    }
  }
}
