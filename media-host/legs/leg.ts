import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'

export interface LegStats {
  readonly rttMs: number | null
  readonly jitterMs: number
  readonly lost: number
  readonly concealedMs: number
  readonly fecRecovered: number
  readonly sentFrames: number
  readonly receivedFrames: number
}

export interface LegEvents {
  /** First packet of the peer; of one that said it sends nothing, that the way to it is open. */
  flowing(): void
  /** A telephone event of the peer ended (RFC 4733). */
  digit(digit: string, durationMs: number): void
  /** The way to the peer failed or closed under a live call; told once. */
  lost(reason: string): void
}

/**
 * No audio can come of what the peer describes; `fault` says why, and goes on where "the offer" or "the answer" left
 * off.
 */
export class UnusableDescription extends Error {
  readonly fault: string

  constructor(fault: string, options?: ErrorOptions) {
    super(`the description ${fault}`, options)
    this.name = 'UnusableDescription'
    this.fault = fault
  }
}

/**
 * One leg towards a provider. All calls but the three negotiations are synchronous and cheap. Descriptions are texts of
 * src/domain/call-media.ts: SDP, or that of raw audio. One of the peer that cannot work is refused as
 * UnusableDescription.
 */
export interface Leg {
  offer(): Promise<string>
  answer(offer: string): Promise<string>
  connect(answer: string): Promise<void>
  /** True once packets can be sent: the negotiation and the handshake are done. What is sent before is lost. */
  readonly isOpen: boolean
  readonly isFlowing: boolean
  /** True while queued digits go out; audio of that time must wait, so do not call `send`'s queue. */
  readonly isSendingDigits: boolean
  /** Sends the frame of this slot (or, while digits go out, the telephone event of this slot). */
  send(frame: OutgoingFrame): void
  /** Has the peer's side drop what it holds and has not played, where it holds anything. */
  clear(): void
  /** Moves the RTP timestamp over slots that a stalled process missed, without sending. */
  skip(slots: number): void
  /** Takes 20 ms of what the peer said, once per rate wanted, concealed and filled: always exactly rate/50 samples. */
  receive(ratesHz: readonly RateHz[]): Int16Array[]
  /**
   * Queues digits 0-9 * # A-D as RFC 4733 events of 100 ms with 60 ms pauses. False when the peer did not negotiate
   * them or the text is bad.
   */
  sendDigits(digits: string): boolean
  stats(): LegStats
  /** Idempotent. */
  close(): void
}

/** Makes a leg; the only thing the rest of the host knows of what carries it. */
export type OpenLeg = (events: LegEvents, callId: CallId) => Leg

/** The kinds of leg. A new one is a file of this folder, its word here and its row where the host starts. */
export type LegKind = CallMediaKind
export type LegTable = Readonly<Record<LegKind, OpenLeg>>
