/** Alerts of DTLS, which the stack reads without care: it passes over those that end a handshake, and believes what anybody sends that looks like a farewell. */

/** RFC 6347 section 4.1: type, version, epoch, sequence number and length of a record. */
const HEADER_BYTES = 13
const ALERT = 21
/** Change of cipher, handshake, application data. The stack takes a record of any other type for a farewell. */
const OTHER_TYPES: readonly number[] = [20, 22, 23]
/** RFC 5246 section 7.2: level and description. */
const FATAL = 2
const CLOSE_NOTIFY = 0

interface DtlsRecord {
  readonly recordLayerHeader: { readonly contentType: number, readonly protocolVersion: { readonly major: number, readonly minor: number }, readonly epoch: number, readonly sequenceNumber: number }
  readonly fragment: Buffer
}

/** What is used of the stack's end of a handshake. */
export interface DtlsEnd {
  readonly transport: { readonly socket: { onData: (datagram: Buffer, from: readonly [address: string, port: number]) => void } }
  /** Throws at what is not of the peer. */
  readonly cipher: { decryptPacket(record: DtlsRecord): Buffer }
  readonly onError: { execute(error: Error): void }
  readonly onClose: { execute(): void }
}

/**
 * Has alerts mean what they say (RFC 5246 section 7.2): a fatal one ends the handshake at once, where the stack would go on for half a minute; that the peer
 * closes is believed, once there are keys, only of the peer. All else that is no record of a kind the stack knows is passed over.
 *
 * @param isConnected The handshake is done.
 */
export function mindAlerts(end: DtlsEnd, isConnected: () => boolean): void {
  const { socket } = end.transport
  const take = socket.onData
  socket.onData = (datagram, from) => {
    const others = recordsOf(datagram).filter((record) => {
      const type = record.readUInt8(0)
      if (type === ALERT) hear(end, record, isConnected())
      return OTHER_TYPES.includes(type)
    })
    if (others.length > 0) take(Buffer.concat(others), from)
  }
}

function recordsOf(datagram: Buffer): Buffer[] {
  const records: Buffer[] = []
  for (let at = 0; datagram.length >= at + HEADER_BYTES;) {
    const end = at + HEADER_BYTES + datagram.readUInt16BE(at + HEADER_BYTES - 2)
    if (datagram.length < end) break
    records.push(datagram.subarray(at, end))
    at = end
  }
  return records
}

function hear(end: DtlsEnd, record: Buffer, isConnected: boolean): void {
  const alert = alertOf(end, record, isConnected)
  if (alert === null) return
  const [level, description] = alert
  if (level === FATAL && !isConnected) end.onError.execute(new Error(`the peer ended the handshake with alert ${description}`))
  else if (level === FATAL || description === CLOSE_NOTIFY) end.onClose.execute()
}

/** Null: nobody can say whose it is. */
function alertOf({ cipher }: DtlsEnd, record: Buffer, isConnected: boolean): Buffer | null {
  const epoch = record.readUInt16BE(3)
  const fragment = record.subarray(HEADER_BYTES)
  if (epoch === 0) return isConnected || fragment.length !== 2 ? null : fragment
  try {
    return cipher.decryptPacket({
      recordLayerHeader: { contentType: ALERT, protocolVersion: { major: record.readUInt8(1), minor: record.readUInt8(2) }, epoch, sequenceNumber: record.readUIntBE(5, 6) },
      fragment,
    })
  } catch {
    return null
  }
}
