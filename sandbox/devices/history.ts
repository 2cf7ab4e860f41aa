import type { PeerMessage } from './message-record.ts'
import type { DeviceSession } from './session.ts'

/** our choice: most past messages that wait for a number. */
const MAX_WAITING = 10_000

/** Messages from before a number was linked: phones hand them over once, to engines that import history. */
export class History {
  readonly #deliver: (session: DeviceSession, message: PeerMessage) => void
  /** Waiting messages by phone number. */
  readonly #waiting = new Map<string, PeerMessage[]>()

  constructor(deliver: (session: DeviceSession, message: PeerMessage) => void) {
    this.#deliver = deliver
  }

  /**
   * Puts messages into the past of a number. A linked session that imports history gets them at once. Answers how many
   * went out.
   */
  add(number: string, messages: readonly PeerMessage[], linked: DeviceSession | null): number {
    this.#waiting.set(number, [...(this.#waiting.get(number) ?? []), ...messages].slice(-MAX_WAITING))
    return linked ? this.burst(linked) : 0
  }

  /** Hands past messages to a session that was paired. Answers how many it got. */
  burst(session: DeviceSession): number {
    const messages = this.#waiting.get(session.number) ?? []
    if (!session.isHistoryWanted || messages.length === 0) return 0
    this.#waiting.delete(session.number)
    for (const message of messages) this.#deliver(session, { ...message, historical: true })
    return messages.length
  }

  clear(): void {
    this.#waiting.clear()
  }
}
