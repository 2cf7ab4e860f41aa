/** Where a datagram came from: address and port. */
export type Source = readonly [host: string, port: number]

/** What is used of the stack's socket. */
export interface StackSocket {
  readonly transport: { onData: (datagram: Buffer, from: Source) => void }
}

/** What is used of the stack's connection: its sockets, and the ways to the peer with how far their checks are. */
export interface CheckedConnection {
  readonly protocols: readonly StackSocket[]
  readonly checkList: readonly { readonly state: number; readonly remoteAddr: Source }[]
}

/** The stack's word for a way whose check was answered. */
const SUCCEEDED = 3
/** RFC 7983 section 7: first bytes of DTLS. What else comes proves itself. */
const DTLS = { first: 20, last: 63 }

/** Our choice: places of which the last early datagram is kept. */
const EARLY = 8

/**
 * Passes over a handshake that does not come from where a check of ours was answered: only the peer knows the password
 * that its description names, with which answers are signed (RFC 8445 section 7.2.5.2). Of anywhere else nobody knows
 * who it is. A peer may begin before its answer is here: the last datagram of its handshake is taken once it is, for
 * the peer would send it again after a second (RFC 6347 section 4.2.4.1).
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
      // The stack counts an answer to its check in the turn that it comes in.
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
