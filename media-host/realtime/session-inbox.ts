import { SLOT_MS } from '../audio/frame.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Connection } from './connection.ts'

export interface InboxParts {
  readonly connection: Connection
  readonly clock: Clock
  /** False when the call has spent its budget of reading for now. */
  mayRead(): boolean
  /** Counts held bytes, which `release` gives back. False when no more may be held. */
  hold(bytes: number): boolean
  release(bytes: number): void
  /** False when there is no room for what the next message says. */
  hasRoom(): boolean
  /** `bytes` are valid only inside the call. */
  read(bytes: Uint8Array, isBinary: boolean): void
  /** Called when more is held than a connection should have handed over. */
  overflow(): void
}

/** measured: bytes that a held message takes beside its content; 32 MiB in messages of two bytes were 6 GB. */
export const HELD_MESSAGE_BYTES = 400

/**
 * The messages of one client, in order. While none may be read, those that came are held and the connection is told to
 * stop reading, so that a client that sends too fast has to wait. The inbox looks again every slot.
 */
export class SessionInbox {
  readonly #parts: InboxParts
  #held: { readonly bytes: Uint8Array; readonly isBinary: boolean }[] = []
  #heldBytes = 0
  #timer: Timer | null = null
  #isClosed = false

  constructor(parts: InboxParts) {
    this.#parts = parts
  }

  /** True while the connection is not being read. */
  get isHolding(): boolean {
    return this.#timer !== null
  }

  take(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#isClosed) return
    if (!this.isHolding) {
      this.#parts.read(bytes, isBinary)
      return this.holdIfDue()
    }
    const heldBytes = heldBy(bytes)
    if (!this.#parts.hold(heldBytes)) return this.#parts.overflow()
    this.#held.push({ bytes: bytes.slice(), isBinary })
    this.#heldBytes += heldBytes
  }

  /** Stops reading when no more may be read. */
  holdIfDue(): void {
    if (this.#isClosed || this.isHolding || this.#isOpen()) return
    this.#parts.connection.pause()
    this.#wait()
  }

  /** Reads the held messages that have room, whatever they cost, because nothing comes after them. */
  finish(): void {
    while (this.#held.length > 0 && this.#parts.hasRoom()) this.#readNext()
    this.close()
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true
    this.#held = []
    this.#parts.release(this.#heldBytes)
    this.#heldBytes = 0
    this.#timer?.cancel()
    this.#timer = null
  }

  #isOpen(): boolean {
    return this.#parts.mayRead() && this.#parts.hasRoom()
  }

  #wait(): void {
    this.#timer = this.#parts.clock.after(SLOT_MS, () => this.#goOn())
  }

  #goOn(): void {
    while (this.#held.length > 0 && this.#isOpen()) this.#readNext()
    if (this.#isClosed) return
    if (this.#held.length > 0 || !this.#isOpen()) return this.#wait()
    this.#timer = null
    this.#parts.connection.resume()
  }

  #readNext(): void {
    const next = this.#held.shift()
    if (!next) return
    const heldBytes = heldBy(next.bytes)
    this.#heldBytes -= heldBytes
    this.#parts.release(heldBytes)
    this.#parts.read(next.bytes, next.isBinary)
  }
}

function heldBy(bytes: Uint8Array): number {
  return bytes.byteLength + HELD_MESSAGE_BYTES
}
