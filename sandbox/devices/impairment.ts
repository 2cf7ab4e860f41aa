/** What a bad network does to the packets of a phone, in each direction by itself. */
export interface NetworkFaults {
  /** Share of packets that are lost, 0 to 100. */
  readonly lossPercent: number
  /** Packets that are lost in a row each time. */
  readonly burst: number
  /** A packet is late by 0 to this many ms; packets stay in order. */
  readonly jitterMs: number
  /** Share of packets that come behind the two after them, 0 to 100. */
  readonly reorderPercent: number
  /** Share of packets that come twice, 0 to 100. */
  readonly duplicatePercent: number
}

export const GOOD_NETWORK: NetworkFaults = {
  lossPercent: 0,
  burst: 1,
  jitterMs: 0,
  reorderPercent: 0,
  duplicatePercent: 0,
}

/** A packet that overtook two others is this many ms behind: a packet lasts 20 ms. */
const BEHIND_MS = 50

export interface ImpairmentParts {
  /** Gives 0 to 1; Math.random when absent. */
  readonly random?: () => number
  /** The present, in ms of a clock that only runs forward. */
  readonly nowMs?: () => number
  readonly after?: (ms: number, run: () => void) => void
}

/** The network in one direction: it loses, delays, reorders and repeats packets as it is told. */
export class Impairment {
  readonly #random: () => number
  readonly #nowMs: () => number
  readonly #after: (ms: number, run: () => void) => void
  #faults = GOOD_NETWORK
  /** Packets that are still to be lost of the present burst. */
  #losing = 0
  /** When the last packet that kept its place came, or will come. */
  #lastDueMs = 0

  constructor({ random, nowMs, after }: ImpairmentParts = {}) {
    this.#random = random ?? Math.random
    this.#nowMs = nowMs ?? (() => performance.now())
    this.#after = after ?? ((ms, run) => void setTimeout(run, ms).unref())
  }

  set(faults: NetworkFaults): void {
    this.#faults = faults
  }

  /** Takes a packet; `deliver` hands it over, at once or later, once, twice or never. */
  pass(deliver: () => void): void {
    if (this.#faults === GOOD_NETWORK) return deliver()
    if (this.#isLost()) return
    const times = this.#happens(this.#faults.duplicatePercent) ? 2 : 1
    const lateMs = this.#lateMs()
    for (let time = 0; time < times; time++) {
      if (lateMs <= 0) deliver()
      else this.#after(lateMs, deliver)
    }
  }

  /** Bursts begin as often as makes the share of lost packets right. */
  #isLost(): boolean {
    const { lossPercent, burst } = this.#faults
    if (this.#losing > 0) {
      this.#losing -= 1
      return true
    }
    // Of `burst + kept` packets `burst` are lost, where `kept` is what comes between two bursts on average.
    const kept = (burst * (100 - lossPercent)) / Math.max(lossPercent, Number.MIN_VALUE)
    if (lossPercent === 0 || this.#random() >= 1 / (1 + kept)) return false
    this.#losing = burst - 1
    return true
  }

  #lateMs(): number {
    const { jitterMs, reorderPercent } = this.#faults
    if (this.#happens(reorderPercent)) return jitterMs + BEHIND_MS
    const nowMs = this.#nowMs()
    this.#lastDueMs = Math.max(this.#lastDueMs, nowMs + this.#random() * jitterMs)
    return this.#lastDueMs - nowMs
  }

  #happens(percent: number): boolean {
    return percent > 0 && this.#random() * 100 < percent
  }
}
