import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { Cipher } from 'node:crypto'
import type { RtpOut } from '../audio/outgoing-audio.ts'
import { rtpHeader, writeRtpHeader, RTP_HEADER_BYTES } from './rtp-header.ts'
import type { RtpIn } from './transport.ts'

/** Bytes of the tag behind a packet: RFC 7714 section 12.2 and RFC 3711 section 5.2. */
const GCM_TAG_BYTES = 16
const HMAC_TAG_BYTES = 10
const BLOCK_BYTES = 16
/** RFC 7714 section 8.1: the bytes of an initialization vector, of which the first two are zero before the salt. */
const IV_BYTES = 12

/** The stack's count of a source: how often its sequence numbers began anew. */
interface SourceState {
  readonly ssrc: number
  rolloverCounter: number
  lastSequenceNumber: number
  rolloverHasProcessed?: boolean
}

/** The stack's keys and counts of one direction. `authTag` keys HMAC-SHA1; it is unused under AES-GCM. */
export interface SrtpContext {
  /** The protection profile (RFC 5764 section 4.1.2, RFC 7714 section 14.2). */
  readonly profile: number
  readonly srtpSessionKey: Buffer
  readonly srtpSessionSalt: Buffer
  readonly srtpSessionAuthTag: Buffer
  readonly srtpSSRCStates: Record<number, SourceState>
  getSrtpSsrcState(ssrc: number): SourceState
  updateRolloverCount(sequence: number, state: SourceState): void
}

/** RFC 7714 section 14.2: SRTP_AEAD_AES_128_GCM. The stack agrees on it or on AES_CM_128_HMAC_SHA1_80. */
const AEAD_AES_128_GCM = 7

/** The numbers of a packet that its key stream depends on. */
interface PacketIndex {
  readonly ssrc: number
  readonly rollover: number
  readonly sequence: number
}

/** Encrypts and authenticates under one profile. */
interface Protection {
  readonly tagBytes: number
  /** Writes payload and tag behind the first `headerBytes` of `packet`, which are the header. */
  seal(packet: Buffer, headerBytes: number, payload: Uint8Array, index: PacketIndex): void
  /** The payload; null when the packet is not authentic. */
  open(packet: Buffer, headerBytes: number, index: PacketIndex): Buffer | null
}

/** Seals the packets of one stream with the stack's keys, each in one buffer (RFC 3711 section 3.3). */
export class SrtpSealer {
  readonly #context: SrtpContext
  readonly #protection: Protection

  constructor(context: SrtpContext) {
    this.#context = context
    this.#protection = protectionOf(context)
  }

  seal(packet: RtpOut, ssrc: number): Buffer {
    const state = this.#context.getSrtpSsrcState(ssrc)
    this.#context.updateRolloverCount(packet.sequence, state)
    const index = { ssrc, rollover: state.rolloverCounter, sequence: packet.sequence }
    const { payload } = packet
    const sealed = Buffer.allocUnsafe(RTP_HEADER_BYTES + payload.length + this.#protection.tagBytes)
    writeRtpHeader(sealed, packet, ssrc)
    this.#protection.seal(sealed, RTP_HEADER_BYTES, payload, index)
    return sealed
  }
}

/** Opens packets of a peer with the stack's keys. */
export class SrtpOpener {
  readonly #context: SrtpContext
  readonly #protection: Protection

  constructor(context: SrtpContext) {
    this.#context = context
    this.#protection = protectionOf(context)
  }

  /** The packet in a datagram that came at `arrivedMs`; null when it is malformed or not authentic. */
  open(datagram: Buffer, arrivedMs: number): RtpIn | null {
    const { tagBytes } = this.#protection
    const header = rtpHeader(datagram, datagram.length - tagBytes)
    if (!header) return null
    const { ssrc, sequence, payloadType, timestamp } = header
    const states = this.#context.srtpSSRCStates
    const known = states[ssrc]
    // Only an authentic packet may change what is known of a source.
    const next: SourceState = known ? { ...known } : { ssrc, rolloverCounter: 0, lastSequenceNumber: 0 }
    this.#context.updateRolloverCount(sequence, next)
    const index = { ssrc, rollover: next.rolloverCounter, sequence }
    const padded = this.#protection.open(datagram, header.bytes, index)
    const payload = padded && header.isPadded ? unpadded(padded) : padded
    if (!payload) return null
    states[ssrc] = next
    return { ssrc, payloadType, sequence, timestamp, payload, arrivedMs }
  }
}

/** RFC 3550 section 5.1: the last byte counts the bytes of padding, itself among them. */
function unpadded(padded: Buffer): Buffer | null {
  const padding = padded[padded.length - 1] ?? 0
  return padding > 0 && padding <= padded.length ? padded.subarray(0, padded.length - padding) : null
}

function protectionOf(context: SrtpContext): Protection {
  return context.profile === AEAD_AES_128_GCM ? new AesGcm(context) : new AesCounter(context)
}

/** RFC 7714. Node has no way to give a cipher another vector, so each packet has its own. */
class AesGcm implements Protection {
  readonly tagBytes = GCM_TAG_BYTES
  readonly #key: Buffer
  readonly #iv = Buffer.alloc(IV_BYTES)
  readonly #salt: { readonly ssrc: number; readonly rollover: number; readonly sequence: number }

  constructor({ srtpSessionKey, srtpSessionSalt: salt }: SrtpContext) {
    this.#key = srtpSessionKey
    // The first two bytes are those of the salt in every vector.
    this.#iv.set(salt.subarray(0, 2))
    this.#salt = { ssrc: salt.readInt32BE(2), rollover: salt.readInt32BE(6), sequence: salt.readUInt16BE(10) }
  }

  seal(packet: Buffer, headerBytes: number, payload: Uint8Array, index: PacketIndex): void {
    const cipher = createCipheriv('aes-128-gcm', this.#key, this.#vector(index))
    cipher.setAAD(packet.subarray(0, headerBytes))
    packet.set(cipher.update(payload), headerBytes)
    cipher.final()
    packet.set(cipher.getAuthTag(), headerBytes + payload.length)
  }

  open(packet: Buffer, headerBytes: number, index: PacketIndex): Buffer | null {
    const tagAt = packet.length - GCM_TAG_BYTES
    const decipher = createDecipheriv('aes-128-gcm', this.#key, this.#vector(index), { authTagLength: GCM_TAG_BYTES })
    decipher.setAAD(packet.subarray(0, headerBytes))
    decipher.setAuthTag(packet.subarray(tagAt))
    const payload = decipher.update(packet.subarray(headerBytes, tagAt))
    try {
      decipher.final()
    } catch {
      return null
    }
    return payload
  }

  /** RFC 7714 section 8.1. The cipher copies it, so that one buffer serves all packets. */
  #vector({ ssrc, rollover, sequence }: PacketIndex): Buffer {
    const iv = this.#iv
    iv.writeInt32BE(ssrc ^ this.#salt.ssrc, 2)
    iv.writeInt32BE(rollover ^ this.#salt.rollover, 6)
    iv.writeUInt16BE(sequence ^ this.#salt.sequence, 10)
    return iv
  }
}

/**
 * AES in counter mode with HMAC-SHA1 (RFC 3711 sections 4.1.1 and 4.2.1). The key stream is made of counter blocks that
 * one cipher encrypts for as long as the call lasts, because a cipher for each packet costs more than its work.
 */
class AesCounter implements Protection {
  readonly tagBytes = HMAC_TAG_BYTES
  readonly #cipher: Cipher
  /** The salt as words, the last one filled with the zeros that the count of blocks takes. */
  readonly #salt: readonly [number, number, number, number]
  readonly #authKey: Buffer
  readonly #rollover = Buffer.alloc(4)
  #blocks = Buffer.alloc(0)

  constructor({ srtpSessionKey, srtpSessionSalt: salt, srtpSessionAuthTag }: SrtpContext) {
    this.#cipher = createCipheriv('aes-128-ecb', srtpSessionKey, null).setAutoPadding(false)
    this.#salt = [salt.readInt32BE(0), salt.readInt32BE(4), salt.readInt32BE(8), salt.readUInt16BE(12) << 16]
    this.#authKey = srtpSessionAuthTag
  }

  seal(packet: Buffer, headerBytes: number, payload: Uint8Array, index: PacketIndex): void {
    packet.set(payload, headerBytes)
    const tagAt = headerBytes + payload.length
    mix(packet.subarray(headerBytes, tagAt), this.#keyStream(payload.length, index), payload.length)
    packet.set(this.#tag(packet.subarray(0, tagAt), index), tagAt)
  }

  open(packet: Buffer, headerBytes: number, index: PacketIndex): Buffer | null {
    const tagAt = packet.length - HMAC_TAG_BYTES
    if (!timingSafeEqual(packet.subarray(tagAt), this.#tag(packet.subarray(0, tagAt), index))) return null
    const payload = Buffer.from(packet.subarray(headerBytes, tagAt))
    mix(payload, this.#keyStream(payload.length, index), payload.length)
    return payload
  }

  #keyStream(bytes: number, { ssrc, rollover, sequence }: PacketIndex): Buffer {
    const count = Math.ceil(bytes / BLOCK_BYTES)
    if (this.#blocks.length < count * BLOCK_BYTES) this.#blocks = Buffer.alloc(count * BLOCK_BYTES)
    const blocks = this.#blocks.subarray(0, count * BLOCK_BYTES)
    const [first, second, third, last] = this.#salt
    for (let block = 0; block < count; block++) {
      const at = block * BLOCK_BYTES
      blocks.writeInt32BE(first, at)
      blocks.writeInt32BE(ssrc ^ second, at + 4)
      blocks.writeInt32BE(rollover ^ third, at + 8)
      blocks.writeInt32BE(((sequence << 16) | block) ^ last, at + 12)
    }
    return this.#cipher.update(blocks)
  }

  #tag(authenticated: Buffer, { rollover }: PacketIndex): Buffer {
    this.#rollover.writeUInt32BE(rollover >>> 0)
    const hmac = createHmac('sha1', this.#authKey).update(authenticated).update(this.#rollover)
    return hmac.digest().subarray(0, HMAC_TAG_BYTES)
  }
}

/** Adds `other` to the first `bytes` of `target`, bit by bit. */
function mix(target: Buffer, other: Buffer, bytes: number): void {
  for (let i = 0; i < bytes; i++) target[i] = (target[i] ?? 0) ^ (other[i] ?? 0)
}
