import type { RtpOut } from '../audio/outgoing-audio.ts'

/** RFC 3550 section 5.1: bytes of a header without sources and extension, of a source, of an extension's begin. */
export const RTP_HEADER_BYTES = 12
const SOURCE_BYTES = 4
const EXTENSION_BYTES = 4
const WORD_BYTES = 4
const VERSION = 2
/** RFC 5761 section 4: second bytes that are packet types of RTCP. */
const RTCP = { first: 192, last: 223 }

/** The parts of a header that a leg needs. */
export interface ReadRtpHeader {
  readonly payloadType: number
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly isPadded: boolean
  /** Bytes before the payload, sources and extension among them. */
  readonly bytes: number
}

/** Whether a datagram on a shared port is RTP (RFC 7983 section 7, RFC 5761 section 4). */
export function isRtp(datagram: Uint8Array): boolean {
  const [first = 0, second = 0] = datagram
  return datagram.length >= RTP_HEADER_BYTES && first >> 6 === VERSION && (second < RTCP.first || second > RTCP.last)
}

/** Reads the header of a packet whose header and payload end before `end`; null when they do not fit. */
export function rtpHeader(packet: Buffer, end: number): ReadRtpHeader | null {
  const [first = 0, second = 0] = packet
  let bytes = RTP_HEADER_BYTES + (first & 0x0f) * SOURCE_BYTES
  const isExtended = (first & 0x10) !== 0
  if (first >> 6 !== VERSION || bytes + (isExtended ? EXTENSION_BYTES : 0) > end) return null
  if (isExtended) bytes += EXTENSION_BYTES + packet.readUInt16BE(bytes + 2) * WORD_BYTES
  if (bytes > end) return null
  return {
    payloadType: second & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    isPadded: (first & 0x20) !== 0,
    bytes,
  }
}

/** Writes a header without sources and extension to the begin of `target`. */
export function writeRtpHeader(target: Buffer, packet: RtpOut, ssrc: number): void {
  target[0] = VERSION << 6
  target[1] = (packet.marker ? 0x80 : 0) | packet.payloadType
  target.writeUInt16BE(packet.sequence, 2)
  target.writeUInt32BE(packet.timestamp, 4)
  target.writeUInt32BE(ssrc, 8)
}
