/** Where a datagram came from: address and port. */
export type Source = readonly [host: string, port: number]

/** The part of the stack's socket that is used here. */
export interface StackSocket {
  readonly transport: { onData: (datagram: Buffer, from: Source) => void }
}

/**
 * The part of the stack's connection that is used here: its sockets, and the candidate pairs with the state of their
 * checks.
 */
export interface CheckedConnection {
  readonly protocols: readonly StackSocket[]
  readonly checkList: readonly { readonly state: number; readonly remoteAddr: Source }[]
}

/** The stack's number for a candidate pair whose check was answered. */
const SUCCEEDED = 3
/** RFC 7983 section 7: first bytes of DTLS. Other datagrams are authenticated by themselves. */
const DTLS = { first: 20, last: 63 }

/** Our choice: most addresses of which the last early datagram is kept. */
const EARLY = 8

/**
 * Drops handshakes that do not come from an address where one of our checks was answered. Answers are signed with the
 * password in the peer's description (RFC 8445 section 7.2.5.2), so only the peer can send them; whoever writes from
 * another address is unknown. A peer may begin its handshake before its answer arrives: the last early datagram is kept
 * and taken then, because the peer would repeat it only after a second (RFC 6347 section 4.2.4.1).
 */
export function keepToChecked(connection: CheckedConnection): void {
  for (const { transport } of connection.protocols) {
    const take = transport.onData
    const early = new Map<string, Buffer>()
    transport.onData = (datagram, from) => {
      const [first = 0] = datagram
      const isHandshake = first >= DTLS.first && first <= DTLS.last
      if (!isHandshake || isChecked(connection, from)) take(datagram, from)
      else keepEarly(early, datagram, from)
      // The stack counts the answer to its check in the same turn, so the look follows that turn.
      if (early.size > 0 && !isHandshake && early.has(String(from))) setImmediate(() => takeEarly(from))
    }
    const takeEarly = (from: Source): void => {
      const datagram = early.get(String(from))
      if (datagram === undefined || !isChecked(connection, from)) return
      early.delete(String(from))
      take(datagram, from)
    }
  }
}

function keepEarly(early: Map<string, Buffer>, datagram: Buffer, from: Source): void {
  if (early.has(String(from)) || early.size < EARLY) early.set(String(from), datagram)
}

function isChecked({ checkList }: CheckedConnection, [host, port]: Source): boolean {
  return checkList.some(
    ({ state, remoteAddr }) => state === SUCCEEDED && remoteAddr[0] === host && remoteAddr[1] === port,
  )
}
