/**
 * Records of DTLS, which the stack reads without care: it passes over alerts that end a handshake, and believes what
 * anybody sends that looks like a farewell, or like the end of a handshake.
 */

/** RFC 6347 section 4.1: type, version, epoch, sequence number and length of a record. */
const HEADER_BYTES = 13
const ALERT = 21
const HANDSHAKE = 22
/**
 * Change of cipher, handshake, application data. The stack takes a record of any other type for the end of the
 * connection.
 */
const OTHER_TYPES: readonly number[] = [20, HANDSHAKE, 23]
/** RFC 5246 section 7.2: level and description. */
const FATAL = 2
const CLOSE_NOTIFY = 0
/**
 * RFC 6347 section 4.2.2: header of a handshake message: type, length, sequence number, fragment offset, and in the
 * last three bytes the fragment length.
 */
const MESSAGE_HEADER_BYTES = 12
/** RFC 5246 section 7.4: the first message that is encrypted. */
const FINISHED = 20

interface DtlsRecord {
  readonly recordLayerHeader: {
    readonly contentType: number
    readonly protocolVersion: { readonly major: number; readonly minor: number }
    readonly epoch: number
    readonly sequenceNumber: number
  }
  readonly fragment: Buffer
}

/** The part of the stack's DTLS end that is used here. */
export interface DtlsEnd {
  readonly transport: {
    readonly socket: { onData: (datagram: Buffer, from: readonly [address: string, port: number]) => void }
  }
  /** Throws for a record that the peer did not encrypt. */
  readonly cipher: { decryptPacket(record: DtlsRecord): Buffer }
  readonly onClose: { execute(): void }
}

/** The state of a handshake, and what alerts do to it. */
export interface HandshakeEars {
  /** True once the handshake is done. */
  isConnected(): boolean
  /** Called when somebody, who may be the peer or not, refuses the handshake or says that it closes. */
  doubt(alert: number): void
  /** Called when the peer, which holds the keys, refuses the handshake. */
  refuse(alert: number): void
}

/**
 * Makes the stack treat records as the standards say (RFC 5246 section 7.2, RFC 6347 section 4.1.2.7). A plain alert is
 * a doubt until there are keys, and means nothing afterwards; an alert that the peer encrypted counts at once. It drops
 * a plain Finished, plain handshake messages after the handshake is done (the stack would begin anew), and records of
 * types that the stack does not know.
 */
export function mindRecords(end: DtlsEnd, ears: HandshakeEars): void {
  const { socket } = end.transport
  const take = socket.onData
  socket.onData = (datagram, from) => {
    const others = recordsOf(datagram).filter((record) => {
      const type = record.readUInt8(0)
      if (type === ALERT) hear(end, record, ears)
      return (
        OTHER_TYPES.includes(type)
        && !(type === HANDSHAKE && epochOf(record) === 0 && (ears.isConnected() || hasFinished(record)))
      )
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

/** The epoch of a record; 0 while nothing is encrypted. */
function epochOf(record: Buffer): number {
  return record.readUInt16BE(3)
}

function hasFinished(record: Buffer): boolean {
  for (
    let at = HEADER_BYTES;
    record.length >= at + MESSAGE_HEADER_BYTES;
    at += MESSAGE_HEADER_BYTES + record.readUIntBE(at + MESSAGE_HEADER_BYTES - 3, 3)
  ) {
    if (record.readUInt8(at) === FINISHED) return true
  }
  return false
}

function hear(end: DtlsEnd, record: Buffer, ears: HandshakeEars): void {
  const isPlain = epochOf(record) === 0
  const alert = isPlain ? record.subarray(HEADER_BYTES) : decrypted(end, record)
  if (alert?.length !== 2) return
  const [level, description = 0] = alert
  if (level !== FATAL && description !== CLOSE_NOTIFY) return
  if (isPlain) {
    if (!ears.isConnected()) ears.doubt(description)
  } else if (ears.isConnected()) {
    end.onClose.execute()
  } else {
    ears.refuse(description)
  }
}

/** The clear bytes of a record; null when the peer did not encrypt it. */
function decrypted({ cipher }: DtlsEnd, record: Buffer): Buffer | null {
  try {
    return cipher.decryptPacket({
      recordLayerHeader: {
        contentType: ALERT,
        protocolVersion: { major: record.readUInt8(1), minor: record.readUInt8(2) },
        epoch: epochOf(record),
        sequenceNumber: record.readUIntBE(5, 6),
      },
      fragment: record.subarray(HEADER_BYTES),
    })
  } catch {
    return null
  }
}
