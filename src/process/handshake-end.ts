/** Why a handshake with a peer came to nothing. */
export type HandshakeFault = 'HANDSHAKE_REFUSED' | 'HANDSHAKE_FAILED' | 'HANDSHAKE_TIMEOUT'

/** What is used of the stack's end of a handshake. */
export interface GoingHandshake {
  /** Counts up as flights of the peer come in whole (RFC 6347 section 4.2.4). */
  readonly dtls: { readonly flight: number }
  readonly onError: { execute(error: Error): void }
}

/**
 * Our choice: six sendings of the stack (after 0.5, 1.5, 3, 5, 7.5 and 10.5 s), and less than the 20 s in which the
 * first audio must come (contract 6), so that whoever reads of the call learns what was missing. The stack goes on for
 * 33 s.
 */
const LIMIT_MS = 12_000
/**
 * Our choice: three sendings of either side. A peer that means its alert sends nothing else any more, one that knows
 * nothing of it goes on within that.
 */
const DOUBT_MS = 3_000

/**
 * Ends a handshake that does not come to its end by itself. Nothing of it is encrypted, so whoever can forge the
 * address of the peer can say that it is over (RFC 6347 section 4.1.2.7): that is a doubt, which a flight of the peer
 * clears.
 */
export class HandshakeEnd {
  readonly #handshake: GoingHandshake
  readonly #isGoing: () => boolean
  readonly #told: (fault: HandshakeFault, alert: number | null) => void
  readonly #timers = new Set<NodeJS.Timeout>()
  #doubtedFlight: number | null = null

  /** @param isGoing It was begun, and neither succeeded nor failed. */
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

  /** Somebody, maybe the peer, says that it is over. It is when the peer says nothing else. */
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

  /** It is over, however it ended: what is remembered of it is let go. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #later(ms: number, work: () => void): void {
    this.#timers.add(setTimeout(work, ms))
  }
}
