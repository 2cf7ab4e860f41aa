import type { Clock } from '../../src/ports/clock.ts'

type Time = Pick<Clock, 'monotonicMs'>

interface Allowance {
  /** µs of a core that come in each ms. */
  readonly perMs: number
  /** µs that can be saved up; as many can be owed. */
  readonly most: number
}

/**
 * Our choice: 2 % of a core, sixty times what a client costs that speaks all the time (measured), and 10 ms of it at
 * once: a minute of audio.
 */
const OF_A_CALL: Allowance = { perMs: 20, most: 10_000 }
/** Our choice: what a call has whatever others spend, six times what a client costs that speaks all the time. */
const SURE_OF_A_CALL: Allowance = { perMs: 2, most: 5_000 }
/** Our choice: a fifth of a core for all clients of a host together; the rest is for the audio itself. */
const OF_A_HOST: Allowance = { perMs: 200, most: 10_000 }

/** measured, µs on one core, sockets included: what each message costs, and each of its bytes. */
const BINARY = { message: 2, byte: 0.002 }
const TEXT = { message: 10, byte: 0.004 }
/** measured: what parsing adds to each byte of a text that may be parsed whole. */
const PARSED_BYTE = 0.016
/** measured: a ping is answered, a pong is looked at. */
export const CONTROL_FRAME_US = 3

/**
 * What reading a message costs at most, µs of a core; counted by its size, so that it is the same on every machine.
 * `parsedBytes`: of it, those that may be parsed.
 */
export function costOf(bytes: number, isBinary: boolean, parsedBytes: number): number {
  const { message, byte } = isBinary ? BINARY : TEXT
  return message + bytes * byte + (isBinary ? 0 : Math.min(bytes, parsedBytes) * PARSED_BYTE)
}

/** What comes in at a steady pace and is spent. */
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
 * Our choice, in bytes: what came although it may not be read yet is held, because the socket library hands over all
 * that the kernel has of a connection before it stops reading it: some MB of a client nearby that sends a file at once.
 * So much of a call whatever others have, so much while all calls of the host have less than that together.
 */
const SURE_HELD = 2_097_152
const MOST_HELD = 33_554_432
const MOST_HELD_OF_HOST = 134_217_728

/** What reading the clients of one host may cost, so that the audio of no call waits for the messages of another. */
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

/** What reading the sockets of one call may cost, all of them together. */
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

  /** Notes what was spent, µs. */
  charge(us: number): void {
    this.#own.spend(us)
    this.#sure.spend(us)
    this.#shared.spend(us)
  }

  /**
   * Takes note of bytes that are held until they may be read; false where that is too much, and they are not counted.
   */
  hold(bytes: number): boolean {
    const held = this.#heldBytes + bytes
    if (held > SURE_HELD && (held > MOST_HELD || this.#ofHost.bytes + bytes > MOST_HELD_OF_HOST)) return false
    this.#heldBytes = held
    this.#ofHost.bytes += bytes
    return true
  }

  /** Bytes that were held are read, or dropped. */
  release(bytes: number): void {
    this.#heldBytes -= bytes
    this.#ofHost.bytes -= bytes
  }

  /** True while more may be read. A call that spent little of late does not depend on what others spend. */
  get hasRoom(): boolean {
    return this.#own.left > 0 && (this.#sure.left > 0 || this.#shared.left > 0)
  }
}
