/** Why a handshake with a peer failed. */
export type HandshakeFault = 'HANDSHAKE_REFUSED' | 'HANDSHAKE_FAILED' | 'HANDSHAKE_TIMEOUT'

/** The part of the stack's end of a handshake that is used here. */
export interface GoingHandshake {
  /** Rises as flights of the peer arrive complete (RFC 6347 section 4.2.4). */
  readonly dtls: { readonly flight: number }
  readonly onError: { execute(error: Error): void }
}

/**
 * Our choice: six transmissions of the stack (after 0.5, 1.5, 3, 5, 7.5 and 10.5 s) fit in, and it is less than the 20
 * s in which the first audio must come ([calls.states.13]), so that the call's record shows what was missing. The stack
 * alone would go on for 33 s.
 */
const LIMIT_MS = 12_000
/**
 * Our choice: three transmissions of either side. A peer that meant its alert sends nothing else any more; a peer that
 * did not send it goes on within this time.
 */
const DOUBT_MS = 3_000

/**
 * Ends a handshake that does not end by itself. None of it is encrypted, so anybody who can forge the peer's address
 * can say that it is over (RFC 6347 section 4.1.2.7). Such a word is only a doubt, and the next flight of the peer
 * clears it.
 */
export class HandshakeEnd {
  readonly #handshake: GoingHandshake
  readonly #isGoing: () => boolean
  readonly #told: (fault: HandshakeFault, alert: number | null) => void
  readonly #timers = new Set<NodeJS.Timeout>()
  #doubtedFlight: number | null = null

  /** @param isGoing True while the handshake has begun and neither succeeded nor failed. */
  constructor(
    handshake: GoingHandshake,
    isGoing: () => boolean,
    told: (fault: HandshakeFault, alert: number | null) => void,
  ) {
    this.#handshake = handshake
    this.#isGoing = isGoing
    this.#told = told
    this.#later(LIMIT_MS, () => this.end('HANDSHAKE_TIMEOUT'))
  }

  /**
   * Notes that somebody, maybe the peer, says that the handshake is over. It ends when the peer sends no other flight.
   */
  doubt(fault: HandshakeFault, alert: number | null = null): void {
    const { flight } = this.#handshake.dtls
    if (this.#doubtedFlight === flight) return
    this.#doubtedFlight = flight
    this.#later(DOUBT_MS, () => {
      if (this.#handshake.dtls.flight === flight) this.end(fault, alert)
    })
  }

  end(fault: HandshakeFault, alert: number | null = null): void {
    if (!this.#isGoing()) return
    this.#told(fault, alert)
    this.#handshake.onError.execute(new Error(fault))
  }

  /** Cancels the timers, however the handshake ended. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #later(ms: number, work: () => void): void {
    this.#timers.add(setTimeout(work, ms))
  }
}
