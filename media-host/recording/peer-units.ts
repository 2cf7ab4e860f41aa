import { opusFrameSamples } from '../audio/opus-packet.ts'
import type { HeardSlot } from '../audio/incoming-source.ts'
import type { JitterStep } from '../audio/jitter.ts'
import { lostAfter, UNIT_SAMPLES, unitsOf } from './opus-frames.ts'
import type { OpusUnit } from './opus-frames.ts'

/**
 * The peer's packets as units of 20 ms, one for each slot, in step with what listeners hear. What their decoder made up
 * is concealed by whoever plays the recording.
 */
export class PeerUnits {
  readonly #silence: OpusUnit
  #source: object | null = null
  #queue: OpusUnit[] = []
  /** The unit that was given last, or is to be. */
  #last: OpusUnit
  /** Samples at 48 kHz that passed without a packet and are not yet a unit. */
  #owed = 0
  #isUncut = false

  constructor(silence: OpusUnit) {
    this.#silence = silence
    this.#last = silence
  }

  /** True once the peer sent frames longer than 20 ms, which only coding anew can cut. */
  get isUncut(): boolean {
    return this.#isUncut
  }

  take(slot: HeardSlot): OpusUnit {
    if (slot.source !== this.#source) {
      this.#source = slot.source
      this.#queue = []
      this.#owed = slot.leadBefore
    }
    for (const step of slot.steps) this.#apply(step)
    return this.#queue.shift() ?? this.#silence
  }

  #apply(step: JitterStep): void {
    switch (step.kind) {
      case 'packet':
        return this.#addPacket(step.payload, step.samples)
      case 'fec':
      case 'conceal':
        return this.#owe(step.samples, lostAfter(this.#last))
      case 'silence':
        return this.#owe(step.samples, this.#silence)
      case 'drop':
        if (!this.#queue.pop()) this.#owed -= step.samples
        return
      default:
        step satisfies never
    }
  }

  #addPacket(payload: Uint8Array, samples: number): void {
    const units = unitsOf(payload)
    if (units === null) {
      this.#isUncut ||= opusFrameSamples(payload) > UNIT_SAMPLES || samples % UNIT_SAMPLES !== 0
      return this.#owe(samples, lostAfter(this.#last))
    }
    this.#queue.push(...units)
    this.#last = units.at(-1) ?? this.#last
  }

  #owe(samples: number, filler: OpusUnit): void {
    this.#owed += samples
    while (this.#owed >= UNIT_SAMPLES) {
      this.#queue.push(filler)
      this.#owed -= UNIT_SAMPLES
    }
  }
}
