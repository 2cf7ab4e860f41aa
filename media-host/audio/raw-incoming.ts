import type { RateHz } from './frame.ts'
import { SLOT_MS } from './frame.ts'
import { PcmFifo, samplesPerSlot } from './pcm.ts'

/**
 * Our choice: after a break a stream plays once it holds so much, or a slot's wait later: a sender's timer is seldom
 * later than that.
 */
const START_SLOTS = 2
/**
 * Our choice: what stands in the queue through a whole second beyond this is delay alone, left by a stall, and is cut
 * to START_SLOTS.
 */
const DELAY_SLOTS = 4
const WATCHED_SLOTS = 50
/**
 * Our choice: as long as the longest message at the lowest rate (64 KiB at 8 kHz: 4.1 s); what comes on top pushes out
 * what is oldest.
 */
const MAX_HELD_SLOTS = 250

export interface RawIncomingStats {
  /** Slots that came, by their samples. */
  readonly receivedFrames: number
  /** Silence put where nothing was there, once the stream had begun. */
  readonly concealedMs: number
  /** Cut to keep up with a sender that is ahead. */
  readonly trimmedMs: number
  readonly heldMs: number
}

/** What a paced sender of raw samples says, cut into slots: any lengths in, exactly one slot out a call. */
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

  /** Takes samples; they belong to it from here. */
  push(samples: Int16Array): void {
    this.#receivedSamples += samples.length
    this.#fifo.push(samples)
    this.#trim(this.#fifo.length - MAX_HELD_SLOTS * this.#slotSamples)
  }

  /** The samples of this slot; what is missing is silence. */
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
