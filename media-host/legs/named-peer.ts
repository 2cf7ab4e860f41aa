/** Where a datagram came from: address and port. */
export type Source = readonly [host: string, port: number]

/** What is used of the stack's socket. */
export interface StackSocket {
  readonly transport: { onData: (data: Buffer, from: Source) => void }
}

/** What is used of a check of connectivity. */
export interface StackCheck {
  getAttributeValue(name: 'USERNAME'): unknown
}

/** Our choice: sources that are remembered before the answer; a phone has a few, and nobody else knows our credentials. */
const SOURCES = 64
/** RFC 7983 section 7: first bytes of DTLS. What else comes is of a handshake that was, and proves itself. */
const DTLS = { first: 20, last: 63 }

/**
 * Keeps a leg with the peer whose description it was given. An offer may reach several phones, all of which know our ICE credentials then, check
 * the way to us and begin a handshake, and only one is named by the network. A check says by whom it is made: RFC 8445 section 7.2.2, the second half of its
 * username. Those of others are not answered once the peer is known, and nothing they send reaches the handshake.
 */
export class NamedPeer {
  #ufrag: string | null = null
  /** Who checks from where. */
  readonly #sources = new Map<string, string>()
  readonly #guarded = new WeakSet<StackSocket>()

  /** True of a check to be answered: any while the peer is not known, for it may be the one. */
  takes(check: StackCheck, from: Source, socket: StackSocket): boolean {
    const ufrag = ufragOf(check)
    if (ufrag === null) return true
    this.#note(String(from), ufrag)
    this.#guard(socket)
    return !this.#isOther(ufrag)
  }

  /** True of a check that was answered early, and is of the peer. */
  made(check: StackCheck): boolean {
    return !this.#isOther(ufragOf(check))
  }

  /** `ufrag`: of the peer's description. */
  name(ufrag: string): void {
    this.#ufrag = ufrag
  }

  /** Where the peer once checked from stays its own: a check is not yet proof of who sent it. */
  #note(source: string, ufrag: string): void {
    const known = this.#sources.get(source)
    if (known === undefined ? this.#sources.size < SOURCES : known !== this.#ufrag) this.#sources.set(source, ufrag)
  }

  #isOther(ufrag: string | null): boolean {
    return ufrag !== null && this.#ufrag !== null && ufrag !== this.#ufrag
  }

  #guard(socket: StackSocket): void {
    if (this.#guarded.has(socket)) return
    this.#guarded.add(socket)
    const { transport } = socket
    const take = transport.onData
    transport.onData = (data, from) => {
      const [first = 0] = data
      const isHandshake = first >= DTLS.first && first <= DTLS.last
      if (!isHandshake || !this.#isOther(this.#sources.get(String(from)) ?? null)) take(data, from)
    }
  }
}

function ufragOf(check: StackCheck): string | null {
  const username = check.getAttributeValue('USERNAME')
  return typeof username === 'string' ? username.split(':')[1] ?? null : null
}
