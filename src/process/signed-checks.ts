import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Source } from './checked-sources.ts'

/** RFC 8489 section 5: bytes of a message's header. */
const HEADER_BYTES = 20
/** RFC 8489 section 5: the type of a binding request. */
const BINDING_REQUEST = 0x0001
/** RFC 8489 section 14.5: the attribute that signs a message, and its bytes with and without its own header. */
const MESSAGE_INTEGRITY = { type: 0x0008, bytes: 24, signature: 20 }

/** The part of the stack's connection that is used here. `ensureProtocol` is called for each socket before it opens. */
export interface CheckTaker {
  readonly localPassword: string
  ensureProtocol(socket: CheckSocket): void
}

/** The part of the stack's socket that is used here. */
export interface CheckSocket {
  datagramReceived(datagram: Buffer, from: Source): void
}

/** Drops connectivity checks that are not signed with our password (RFC 8445 section 7.3); the stack takes any. */
export function keepToSigned(connection: CheckTaker): void {
  const ensure = connection.ensureProtocol.bind(connection)
  connection.ensureProtocol = (socket) => {
    const take = socket.datagramReceived.bind(socket)
    socket.datagramReceived = (datagram, from) => {
      if (!isCheck(datagram) || isSigned(datagram, connection.localPassword)) take(datagram, from)
    }
    ensure(socket)
  }
}

function isCheck(datagram: Buffer): boolean {
  return datagram.length >= HEADER_BYTES && datagram.readUInt16BE(0) === BINDING_REQUEST
}

/**
 * Whether a message carries a signature by this password (RFC 8489 section 14.5). The signature is made over all that
 * stands before it, with a length that ends behind it.
 */
export function isSigned(message: Buffer, password: string): boolean {
  const at = signatureAt(message)
  if (at === null) return false
  const signed = Buffer.from(message.subarray(0, at))
  signed.writeUInt16BE(at + MESSAGE_INTEGRITY.bytes - HEADER_BYTES, 2)
  const signature = createHmac('sha1', password).update(signed).digest()
  return timingSafeEqual(signature, message.subarray(at + 4, at + MESSAGE_INTEGRITY.bytes))
}

/** Where the attribute of the signature begins; null when there is none that is whole. */
function signatureAt(message: Buffer): number | null {
  for (let at = HEADER_BYTES; at + 4 <= message.length;) {
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)]
    if (type === MESSAGE_INTEGRITY.type) {
      return length === MESSAGE_INTEGRITY.signature && at + MESSAGE_INTEGRITY.bytes <= message.length ? at : null
    }
    // Attributes are padded to four bytes.
    at += 4 + Math.ceil(length / 4) * 4
  }
  return null
}
