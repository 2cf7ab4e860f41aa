/** The part of a connectivity check that is used here. */
export interface StackCheck {
  getAttributeValue(name: 'USERNAME'): unknown
}

/**
 * Keeps a leg to the peer whose description it was given. An offer may reach several phones, which all know our ICE
 * credentials and send checks, while the network names only one of them. The second half of a check's username says who
 * made it (RFC 8445 section 7.2.2). Once the peer is known, checks of others are not answered. They cannot answer our
 * checks either, so nothing they send reaches the handshake.
 */
export class NamedPeer {
  #ufrag: string | null = null

  /** Whether a check is answered. All are while the peer is unknown, because any may come from it. */
  takes(check: StackCheck): boolean {
    const ufrag = ufragOf(check)
    return ufrag === null || this.#ufrag === null || ufrag === this.#ufrag
  }

  /** Names the peer by the ufrag of its description. */
  name(ufrag: string): void {
    this.#ufrag = ufrag
  }
}

function ufragOf(check: StackCheck): string | null {
  const username = check.getAttributeValue('USERNAME')
  return typeof username === 'string' ? (username.split(':')[1] ?? null) : null
}
