import type { Clock } from '../../src/ports/clock.ts'

type Time = Pick<Clock, 'monotonicMs'>

interface Allowance {
  /** µs of a core that are granted in each ms. */
  readonly perMs: number
  /** Most µs that can be saved up, and most that can be owed. */
  readonly most: number
}

/**
 * Our choice: 2 % of a core, sixty times the cost of a client that speaks all the time (measured), and 10 ms of it at
 * once: a minute of audio.
 */
const OF_A_CALL: Allowance = { perMs: 20, most: 10_000 }
/**
 * Our choice: the part of a call that does not depend on others, six times the cost of a client that speaks all the
 * time.
 */
const SURE_OF_A_CALL: Allowance = { perMs: 2, most: 5_000 }
/** Our choice: a fifth of a core for all clients of a host; the rest is for the audio itself. */
const OF_A_HOST: Allowance = { perMs: 200, most: 10_000 }

/** measured, in µs on one core with the socket's part: the cost of each message and of each of its bytes. */
const BINARY = { message: 2, byte: 0.002 }
const TEXT = { message: 10, byte: 0.004 }
/** measured, in µs: the further cost of each byte of a text that may be parsed. */
const PARSED_BYTE = 0.016
/** measured: the cost of answering a ping or reading a pong. */
export const CONTROL_FRAME_US = 3

/**
 * The greatest cost of reading a message, in µs of a core. It is computed from its size, so that it is the same on
 * every machine. `parsedBytes` are those of it that may be parsed.
 */
export function costOf(bytes: number, isBinary: boolean, parsedBytes: number): number {
  const { message, byte } = isBinary ? BINARY : TEXT
  return message + bytes * byte + (isBinary ? 0 : Math.min(bytes, parsedBytes) * PARSED_BYTE)
}

/** Accumulates an allowance at a steady rate, and is spent. */
class Purse {
  readonly #time: Time
  readonly #allowance: Allowance
  #left: number
  #atMs: number

  constructor(time: Time, allowance: Allowance) {
    this.#time = time
    this.#allowance = allowance
    this.#left = allowance.most
    this.#atMs = time.monotonicMs()
  }

  get left(): number {
    const nowMs = this.#time.monotonicMs()
    this.#left = Math.min(this.#allowance.most, this.#left + (nowMs - this.#atMs) * this.#allowance.perMs)
    this.#atMs = nowMs
    return this.#left
  }

  spend(us: number): void {
    this.#left = Math.max(-this.#allowance.most, this.left - us)
  }
}

/**
 * Our choice, in bytes: most data of clients that is held until it may be read. It must be held, because the socket
 * library hands over all that the kernel has of a connection before it stops reading: some MB from a near client that
 * sends a file at once. SURE_HELD belongs to each call; up to MOST_HELD is allowed while all calls of the host hold
 * less than MOST_HELD_OF_HOST.
 */
const SURE_HELD = 2_097_152
const MOST_HELD = 33_554_432
const MOST_HELD_OF_HOST = 134_217_728

/** Budgets for reading the clients of one host, so that no call's audio waits for the messages of another. */
export class ReadBudgets {
  readonly #time: Time
  readonly #ofHost: Purse
  readonly #held = { bytes: 0 }

  constructor(time: Time) {
    this.#time = time
    this.#ofHost = new Purse(time, OF_A_HOST)
  }

  /** The budget of one more call. */
  open(): ReadBudget {
    return new ReadBudget(
      new Purse(this.#time, OF_A_CALL),
      new Purse(this.#time, SURE_OF_A_CALL),
      this.#ofHost,
      this.#held,
    )
  }
}

/** The budget for reading all sockets of one call. */
export class ReadBudget {
  readonly #own: Purse
  readonly #sure: Purse
  readonly #shared: Purse
  readonly #ofHost: { bytes: number }
  #heldBytes = 0

  constructor(own: Purse, sure: Purse, shared: Purse, ofHost: { bytes: number }) {
    this.#ofHost = ofHost
    this.#own = own
    this.#sure = sure
    this.#shared = shared
  }

  /** Charges what was spent, in µs. */
  charge(us: number): void {
    this.#own.spend(us)
    this.#sure.spend(us)
    this.#shared.spend(us)
  }

  /** Counts bytes that are held until they may be read. False, and not counted, when that would be too much. */
  hold(bytes: number): boolean {
    const held = this.#heldBytes + bytes
    if (held > SURE_HELD && (held > MOST_HELD || this.#ofHost.bytes + bytes > MOST_HELD_OF_HOST)) return false
    this.#heldBytes = held
    this.#ofHost.bytes += bytes
    return true
  }

  /** Gives back held bytes that were read or dropped. */
  release(bytes: number): void {
    this.#heldBytes -= bytes
    this.#ofHost.bytes -= bytes
  }

  /** True while more may be read. A call that spent little lately does not depend on what others spend. */
  get hasRoom(): boolean {
    return this.#own.left > 0 && (this.#sure.left > 0 || this.#shared.left > 0)
  }
}
