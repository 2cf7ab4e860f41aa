/**
 * The playout delay that the arrival times of a stream need. All times are samples at 48 kHz unless named otherwise.
 */

/** Our choice: the delay adapts from 40 to 120 ms. */
const MIN_TARGET = 40 * 48
const MAX_TARGET = 120 * 48
/** Our choice: steps of 10 ms, because finer ones would only make the depth restless. */
const STEP = 480
const MAX_JUMP = 2 * 48_000
const HISTORY = 128
const EVALUATE_EVERY = 8
/** Our choice: the 3 slowest of the last 128 packets are given up as lost and not waited for. */
const OUTLIERS = 3
/** Our choice: the target rises at once, and falls by one step for each 2.56 s of calm (with packets of 20 ms). */
const CALM_PACKETS = 128

/** Follows arrival times. The wanted delay grows at once and falls slowly. */
export class JitterTarget {
  readonly #transits = new Float64Array(HISTORY)
  /** The slowest of them, in order. */
  readonly #slowest = new Float64Array(OUTLIERS + 1)
  #count = 0
  #calm = 0
  #target = MIN_TARGET
  #lastTransit: number | null = null
  #jitter = 0

  /** The delay wanted between arrival and playout. */
  get samples(): number {
    return this.#target
  }

  /** Interarrival jitter in ms (RFC 3550 section 6.4.1). */
  get jitterMs(): number {
    return this.#jitter / 48
  }

  /** Notes a packet of `duration` samples stamped `timestamp` (unwrapped) that came at `arrivedMs`. */
  observe(timestamp: number, duration: number, arrivedMs: number): void {
    const transit = arrivedMs * 48 - timestamp
    // The sender's clock jumped, which says nothing of the network path.
    if (this.#lastTransit !== null && Math.abs(transit - this.#lastTransit) > MAX_JUMP) this.restart()
    if (this.#lastTransit !== null) this.#jitter += (Math.abs(transit - this.#lastTransit) - this.#jitter) / 16
    this.#lastTransit = transit
    this.#transits[this.#count % HISTORY] = transit
    this.#count++
    if (this.#count % EVALUATE_EVERY === 0) this.#evaluate(duration)
  }

  /** Forgets the arrivals of a stream that ended. The target stays, because the path is the same. */
  restart(): void {
    this.#count = 0
    this.#calm = 0
    this.#lastTransit = null
  }

  #evaluate(duration: number): void {
    const spread = this.#spread()
    const wanted = Math.ceil((spread + Math.max(960, duration)) / STEP) * STEP
    const bounded = Math.min(MAX_TARGET, Math.max(MIN_TARGET, wanted))
    this.#calm = bounded < this.#target ? this.#calm + EVALUATE_EVERY : 0
    if (bounded > this.#target) this.#target = bounded
    if (this.#calm < CALM_PACKETS) return
    this.#target -= STEP
    this.#calm = 0
  }

  /** The time between the fastest and the slowest packet that is waited for, found without sorting. */
  #spread(): number {
    const count = Math.min(this.#count, HISTORY)
    const kept = count > 4 * OUTLIERS ? OUTLIERS + 1 : 1
    const slowest = this.#slowest.fill(-Infinity, 0, kept)
    let fastest = Infinity
    for (let i = 0; i < count; i++) {
      const transit = this.#transits[i] ?? 0
      if (transit < fastest) fastest = transit
      if (transit > (slowest[0] ?? 0)) insert(slowest, kept, transit)
    }
    return (slowest[0] ?? 0) - fastest
  }
}

/** Puts `value` in its place among the first `count` of `sorted`, the least of which it pushes out. */
function insert(sorted: Float64Array, count: number, value: number): void {
  let at = 0
  for (; at + 1 < count && (sorted[at + 1] ?? 0) < value; at++) sorted[at] = sorted[at + 1] ?? 0
  sorted[at] = value
}
