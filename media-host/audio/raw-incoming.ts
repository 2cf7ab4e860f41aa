import type { RateHz } from './frame.ts'
import { SLOT_MS } from './frame.ts'
import { PcmFifo, samplesPerSlot } from './pcm.ts'

/**
 * Our choice: after a break a stream plays once it holds this much, or after a wait of one slot, because a sender's
 * timer is seldom later than that.
 */
const START_SLOTS = 2
/**
 * Our choice: what waits in the queue above this through a whole second is mere delay after a stall. It is cut to
 * START_SLOTS.
 */
const DELAY_SLOTS = 4
const WATCHED_SLOTS = 50
/**
 * Our choice: as long as the longest message at the lowest rate (64 KiB at 8 kHz: 4.1 s). Beyond it the oldest samples
 * are dropped.
 */
const MAX_HELD_SLOTS = 250

export interface RawIncomingStats {
  /** Slots received, counted by their samples. */
  readonly receivedFrames: number
  /** Silence inserted where nothing was there, once the stream had begun. */
  readonly concealedMs: number
  /** Audio cut to keep up with a sender that runs ahead. */
  readonly trimmedMs: number
  readonly heldMs: number
}

/** The raw samples of a paced sender, cut into slots: any lengths in, and exactly one slot out for each `take`. */
export class RawIncoming {
  readonly #slotSamples: number
  readonly #fifo = new PcmFifo()
  #isPlaying = false
  #hasBegun = false
  #waitedSlots = 0
  #watch = { slots: 0, leastSamples: Infinity }
  #receivedSamples = 0
  #concealedSamples = 0
  #trimmedSamples = 0

  constructor(rateHz: RateHz) {
    this.#slotSamples = samplesPerSlot(rateHz)
  }

  /** Takes samples and owns them from here. */
  push(samples: Int16Array): void {
    this.#receivedSamples += samples.length
    this.#fifo.push(samples)
    this.#trim(this.#fifo.length - MAX_HELD_SLOTS * this.#slotSamples)
  }

  /** The samples of this slot, with silence for what is missing. */
  take(): Int16Array {
    if (!this.#isPlaying) this.#isPlaying = this.#mayPlay()
    if (!this.#isPlaying) {
      if (this.#hasBegun) this.#concealedSamples += this.#slotSamples
      return new Int16Array(this.#slotSamples)
    }
    this.#hasBegun = true
    const missing = this.#slotSamples - this.#fifo.length
    if (missing > 0) {
      this.#concealedSamples += missing
      this.#isPlaying = false
      this.#waitedSlots = 0
    }
    const samples = this.#fifo.take(this.#slotSamples)
    this.#watchDelay()
    return samples
  }

  stats(): RawIncomingStats {
    return {
      receivedFrames: Math.floor(this.#receivedSamples / this.#slotSamples),
      concealedMs: this.#ms(this.#concealedSamples),
      trimmedMs: this.#ms(this.#trimmedSamples),
      heldMs: this.#ms(this.#fifo.length),
    }
  }

  #mayPlay(): boolean {
    if (this.#fifo.length === 0) return false
    return this.#fifo.length >= START_SLOTS * this.#slotSamples || this.#waitedSlots++ > 0
  }

  #watchDelay(): void {
    this.#watch.leastSamples = Math.min(this.#watch.leastSamples, this.#fifo.length)
    if (++this.#watch.slots < WATCHED_SLOTS) return
    const { leastSamples } = this.#watch
    this.#watch = { slots: 0, leastSamples: Infinity }
    if (leastSamples > DELAY_SLOTS * this.#slotSamples) this.#trim(leastSamples - START_SLOTS * this.#slotSamples)
  }

  #trim(samples: number): void {
    if (samples <= 0) return
    this.#fifo.drop(samples)
    this.#trimmedSamples += samples
  }

  #ms(samples: number): number {
    return Math.round((samples / this.#slotSamples) * SLOT_MS)
  }
}
