import type { RtpAudio } from '../audio/jitter.ts'
import type { PayloadTypes, RtpOut } from '../audio/outgoing-audio.ts'

/** What both sides of a leg agreed on. */
export interface AgreedTypes extends PayloadTypes {
  /** Clock rates of the telephone events the peer may send, by payload type. */
  readonly eventClocks: ReadonlyMap<number, number>
  /** The peer said that it hears us and sends nothing (`a=recvonly`). */
  readonly isPeerSilent: boolean
}

/** A packet of the peer, audio or not. */
export interface RtpIn extends RtpAudio {
  readonly payloadType: number
}

/** What a sender report says of our stream (RFC 3550 section 6.4.1). */
export interface SenderReport {
  readonly ntp: bigint
  readonly rtpTimestamp: number
  readonly packets: number
  readonly octets: number
}

/** What a report of the peer says of our stream; the first two as it echoes them. */
export interface PeerReport {
  /** Middle 32 bits of the time of our last report; 0: it had none. */
  readonly lastReport: number
  /** From our report to this one, in 1/65,536 s. */
  readonly delay: number
  /** Share of our packets that did not arrive, 0 to 1. */
  readonly lost: number
}

/** What a transport tells the leg it carries. */
export interface TransportEvents {
  /** The negotiation came to a result; before any packet. */
  agreed(types: AgreedTypes): void
  packet(packet: RtpIn): void
  report(report: PeerReport): void
  /** The way to the peer is gone. May be told more than once, and after `close`. */
  lost(reason: string): void
}

/** How one kind of leg comes about and carries packets; it knows nothing of what is in them. */
export interface LegTransport {
  offer(): Promise<string>
  answer(sdpOffer: string): Promise<string>
  /** The first answer stands: a peer that answers again changes nothing. */
  connect(sdpAnswer: string): Promise<void>
  /** True while packets reach the peer. */
  readonly isOpen: boolean
  /** Called while open only; the packet has been read when the call returns. */
  send(packet: RtpOut): void
  report(report: SenderReport): void
  /** Negotiations under way reject. */
  close(): void
}

export type OpenTransport = (events: TransportEvents) => LegTransport
