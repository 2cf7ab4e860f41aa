import { opusPacketSamples } from '../audio/opus-packet.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'

/** [realtime.opus.1]: flags, a byte of zero and a sequence of 16 bits, before each packet. */
const HEADER_BYTES = 4
const SEQUENCE_AT = 2
const LOST_BEFORE = 1
const DTX = 2
/** Most bytes of a packet: one frame of RFC 6716 section 3.4, R2, which fits into a datagram (our choice). */
export const MAX_PACKET_BYTES = 1_275
const SLOT_SAMPLES = 960

/** The messages of one call to those who take Opus as it is. Lost packets have numbers too. */
export class OpusMessages {
  #sequence = 0

  next({ payload, missing, isDtx }: HeardPacket): Uint8Array {
    this.#sequence = (this.#sequence + missing) & 0xffff
    const message = new Uint8Array(HEADER_BYTES + payload.length)
    message[0] = (missing > 0 ? LOST_BEFORE : 0) | (isDtx ? DTX : 0)
    message[SEQUENCE_AT] = this.#sequence >> 8
    message[SEQUENCE_AT + 1] = this.#sequence
    message.set(payload, HEADER_BYTES)
    this.#sequence = (this.#sequence + 1) & 0xffff
    return message
  }
}

export type OpusMessageRead =
  | { readonly ok: true; readonly packet: Uint8Array; readonly slots: number }
  /** `problem` is a sentence for the client. */
  | { readonly ok: false; readonly problem: string }

/**
 * Reads a message of a client. Its header says nothing that the socket and the packet do not: neither gets lost on the
 * way. The packet is a view of `bytes`.
 */
export function readOpusMessage(bytes: Uint8Array): OpusMessageRead {
  const packet = bytes.subarray(HEADER_BYTES)
  const samples = opusPacketSamples(packet)
  const slots = samples / SLOT_SAMPLES
  if (samples === 0) return { ok: false, problem: `a message must hold an Opus packet behind ${HEADER_BYTES} bytes` }
  if (![1, 2, 3].includes(slots))
    return { ok: false, problem: `an Opus packet must last 20, 40 or 60 ms, and not ${samples / 48}` }
  if (packet.length > MAX_PACKET_BYTES)
    return { ok: false, problem: `an Opus packet may have at most ${MAX_PACKET_BYTES} bytes` }
  return { ok: true, packet, slots }
}
