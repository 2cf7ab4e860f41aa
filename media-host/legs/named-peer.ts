/** What is used of a check of connectivity. */
export interface StackCheck {
  getAttributeValue(name: 'USERNAME'): unknown
}

/**
 * Keeps a leg with the peer whose description it was given. An offer may reach several phones, all of which know our
 * ICE credentials then and check the way to us, and only one is named by the network. A check says by whom it is made:
 * RFC 8445 section 7.2.2, the second half of its username. Those of others are not answered once the peer is known;
 * checks of ours they cannot answer, and so nothing they send reaches the handshake.
 */
export class NamedPeer {
  #ufrag: string | null = null

  /** True of a check to be answered: any while the peer is not known, for it may be the one. */
  takes(check: StackCheck): boolean {
    const ufrag = ufragOf(check)
    return ufrag === null || this.#ufrag === null || ufrag === this.#ufrag
  }

  /** `ufrag`: of the peer's description. */
  name(ufrag: string): void {
    this.#ufrag = ufrag
  }
}

function ufragOf(check: StackCheck): string | null {
  const username = check.getAttributeValue('USERNAME')
  return typeof username === 'string' ? (username.split(':')[1] ?? null) : null
}
