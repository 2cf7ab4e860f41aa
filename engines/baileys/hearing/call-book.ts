import type { LiveSession } from '../session/live-session.ts'

/** A call that rings at this number. */
export interface RingingCall {
  readonly callId: string
  /** The caller's address in the network's form, for a rejection. */
  readonly from: string
  /** Ends the ringing when the network says nothing more. */
  readonly timer: NodeJS.Timeout
}

/** our choice: most calls that ring at a number at a time; further ones are not reported. */
const MAX_RINGING = 100

const BOOKS = new WeakMap<LiveSession, CallBook>()

/** The calls that ring at one number. */
class CallBook {
  readonly #calls = new Map<string, RingingCall>()

  /** Adds a call. False when it is known, or too many ring. */
  add(call: RingingCall): boolean {
    if (this.#calls.has(call.callId) || this.#calls.size >= MAX_RINGING) return false
    this.#calls.set(call.callId, call)
    return true
  }

  find(callId: string): RingingCall | null {
    return this.#calls.get(callId) ?? null
  }

  /** Forgets a call. False when it is unknown. */
  remove(callId: string): boolean {
    clearTimeout(this.#calls.get(callId)?.timer)
    return this.#calls.delete(callId)
  }

  list(): readonly RingingCall[] {
    return [...this.#calls.values()]
  }
}

/** The call book of a session; it outlives the session's sockets. */
export function callsOf(live: LiveSession): CallBook {
  const book = BOOKS.get(live) ?? new CallBook()
  BOOKS.set(live, book)
  return book
}
