import type { LiveSession } from '../session/live-session.ts'

/** A call that rings at this number. */
export interface RingingCall {
  readonly callId: string
  /** The caller's address, as the network wants it in a rejection. */
  readonly from: string
  /** Ends the ringing by itself, for a network that says nothing more. */
  readonly timer: NodeJS.Timeout
}

/** our choice: calls that ring at a number at a time; more are not told. */
const MAX_RINGING = 100

const BOOKS = new WeakMap<LiveSession, CallBook>()

/** The calls that ring at one number. */
class CallBook {
  readonly #calls = new Map<string, RingingCall>()

  /** False when the call is known, or too many ring. */
  add(call: RingingCall): boolean {
    if (this.#calls.has(call.callId) || this.#calls.size >= MAX_RINGING) return false
    this.#calls.set(call.callId, call)
    return true
  }

  find(callId: string): RingingCall | null {
    return this.#calls.get(callId) ?? null
  }

  /** Forgets a call; false when it is none of these. */
  remove(callId: string): boolean {
    clearTimeout(this.#calls.get(callId)?.timer)
    return this.#calls.delete(callId)
  }

  list(): readonly RingingCall[] {
    return [...this.#calls.values()]
  }
}

/** The book of a session; it outlives its sockets. */
export function callsOf(live: LiveSession): CallBook {
  const book = BOOKS.get(live) ?? new CallBook()
  BOOKS.set(live, book)
  return book
}
