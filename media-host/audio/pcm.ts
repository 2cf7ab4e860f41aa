import { SLOT_MS } from './frame.ts'

/** The greatest magnitude of a 16-bit sample. */
export const FULL_SCALE = 32_768

/** Samples of one 20 ms slot at `rateHz`. */
export function samplesPerSlot(rateHz: number): number {
  return (rateHz * SLOT_MS) / 1_000
}

/** Root mean square of samples, in units of the sample (0 to 32,768); 0 without samples. */
export function rms(samples: Int16Array): number {
  if (samples.length === 0) return 0
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / samples.length)
}

/** Scales samples in place, linearly from `fromGain` at the first to `toGain` after the last. */
export function ramp(samples: Int16Array, fromGain: number, toGain: number): void {
  const step = (toGain - fromGain) / Math.max(1, samples.length)
  let gain = fromGain
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (samples[i] ?? 0) * gain
    gain += step
  }
}

/**
 * Queues samples and cuts them anew. A chunk that fits a take passes through uncopied, which nearly every slot does:
 * one 20 ms packet in, one slot out.
 */
export class PcmFifo {
  #chunks: Int16Array[] = []
  #offset = 0
  #length = 0

  /** Samples waiting. */
  get length(): number {
    return this.#length
  }

  /** Appends a chunk; the fifo owns it from here. */
  push(chunk: Int16Array): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** Takes exactly `count` samples, filled with zeros where too few wait. */
  take(count: number): Int16Array {
    const first = this.#chunks[0]
    if (first && this.#offset === 0 && first.length === count) {
      this.#chunks.shift()
      this.#length -= count
      return first
    }
    const out = new Int16Array(count)
    this.#copy(out)
    return out
  }

  /** Throws away up to `count` samples from the front. */
  drop(count: number): void {
    this.take(Math.min(count, this.#length))
  }

  #copy(out: Int16Array): void {
    let at = 0
    for (let chunk = this.#chunks[0]; chunk && at < out.length; chunk = this.#chunks[0]) {
      const part = chunk.subarray(this.#offset, this.#offset + out.length - at)
      out.set(part, at)
      at += part.length
      this.#offset += part.length
      if (this.#offset >= chunk.length) {
        this.#chunks.shift()
        this.#offset = 0
      }
    }
    this.#length -= at
  }
}
