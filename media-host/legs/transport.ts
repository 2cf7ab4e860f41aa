import type { RtpAudio } from '../audio/jitter.ts'
import type { PayloadTypes, RtpOut } from '../audio/outgoing-audio.ts'

/** The result of a negotiation. */
export interface AgreedTypes extends PayloadTypes {
  /** Clock rates of the peer's telephone events, by payload type. */
  readonly eventClocks: ReadonlyMap<number, number>
  /** True when the peer said that it only hears (`a=recvonly`). */
  readonly isPeerSilent: boolean
}

/** A packet of the peer, audio or not. */
export interface RtpIn extends RtpAudio {
  readonly payloadType: number
}

/** The facts of our stream in a sender report (RFC 3550 section 6.4.1). */
export interface SenderReport {
  readonly ntp: bigint
  readonly rtpTimestamp: number
  readonly packets: number
  readonly octets: number
}

/** The facts of our stream in a report of the peer; it echoes the first two. */
export interface PeerReport {
  /** Middle 32 bits of the time of our last report; 0 when it had none. */
  readonly lastReport: number
  /** From our report to this one, in units of 1/65,536 s. */
  readonly delay: number
  /** Share of our packets that were lost, 0 to 1. */
  readonly lost: number
}

/** Called by a transport for the leg it carries. */
export interface TransportEvents {
  /** Called when the negotiation succeeded, before any packet, and when the peer changes what was agreed. */
  agreed(types: AgreedTypes): void
  packet(packet: RtpIn): void
  report(report: PeerReport): void
  /** Called when the way to the peer is gone; possibly more than once, and after `close`. */
  lost(reason: string): void
}

/** Sets up one kind of leg and carries its packets, without knowing what they contain. */
export interface LegTransport {
  offer(): Promise<string>
  answer(sdpOffer: string): Promise<string>
  /** Takes the peer's answer. The first one holds: a further answer changes nothing. */
  connect(sdpAnswer: string): Promise<void>
  /** Goes on by a further description of the peer. Throws UnusableDescription when it cannot (legs/leg.ts). */
  update(description: string): void
  /** True while packets reach the peer. */
  readonly isOpen: boolean
  /** Sends a packet; called only while open. The packet has been read when it returns. */
  send(packet: RtpOut): void
  report(report: SenderReport): void
  /** Closes the transport; negotiations under way reject. */
  close(): void
}

export type OpenTransport = (events: TransportEvents) => LegTransport
