/** Where a datagram came from: address and port. */
export type Source = readonly [host: string, port: number]

/**
 * Our choice: a check that names no pair moves nothing while the peer was heard from where it is within so many ms. A
 * phone has several addresses and checks them all; silent phones send a packet every 400 ms (DTX of Opus).
 */
const QUIET_MS = 1_000
/** Our choice: most addresses that are asked at the same time. */
const MOST_ASKED = 4

/**
 * Decides where a peer is. A peer whose network changes goes on from another address, with the same keys. An address is
 * asked before anything is sent to it (RFC 7675 section 5.1): a packet can be caught and sent again from elsewhere, but
 * only the peer can sign an answer.
 */
export class PeerAddress {
  readonly #asked = new Set<string>()
  #at: Source
  /** Where the peer was last seen to be. */
  #seen: Source
  #heardMs: number
  /** Addresses that the peer says it is at, while it no longer names where it was. */
  #announced: ReadonlySet<string> = new Set()

  constructor(at: Source, nowMs: number) {
    this.#at = at
    this.#seen = at
    this.#heardMs = nowMs
  }

  /** Notes audio that the peer encrypted. True when its source is to be asked. */
  audio(from: Source, nowMs: number): boolean {
    this.#seen = from
    if (isSame(from, this.#at)) {
      this.#heardMs = nowMs
      return false
    }
    if (this.#asked.has(String(from)) || this.#asked.size >= MOST_ASKED) return false
    this.#asked.add(String(from))
    return true
  }

  /** Notes a check that the peer signed; `isChoice` when it chooses the pair. True when its source is to be asked. */
  check(from: Source, isChoice: boolean, nowMs: number): boolean {
    const isOther = !isSame(from, this.#at) && !isChoice && nowMs - this.#heardMs < QUIET_MS
    return !isOther && this.audio(from, nowMs)
  }

  /**
   * Notes the addresses that the peer's description names now, and those of them that are new. Gives those to be asked:
   * none while the peer is still where it says it is.
   */
  announced(all: readonly Source[], added: readonly Source[]): readonly Source[] {
    if (all.some((source) => isSame(source, this.#at))) return []
    const asked = added.slice(0, MOST_ASKED)
    this.#announced = new Set(asked.map(String))
    return asked
  }

  /**
   * Notes the peer's answer. True when it is to be sent to from now on: it was seen nowhere else meanwhile, or says
   * that it is there.
   */
  answered(from: Source, nowMs: number): boolean {
    this.#asked.delete(String(from))
    const isThere = isSame(from, this.#seen) || this.#announced.has(String(from))
    if (!isThere || isSame(from, this.#at)) return false
    this.#announced = new Set()
    this.#at = from
    this.#heardMs = nowMs
    return true
  }

  /** Notes that an address gave no answer. */
  unanswered(from: Source): void {
    this.#asked.delete(String(from))
  }
}

function isSame(one: Source, other: Source): boolean {
  return one[1] === other[1] && one[0] === other[0]
}
