import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import type { HeardSlot } from '../audio/incoming-source.ts'

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
  /**
   * Called for the first packet of the peer, or, when the peer said that it sends nothing, once packets can be sent to
   * it.
   */
  flowing(): void
  /** Called when a telephone event of the peer ended (RFC 4733). */
  digit(digit: string, durationMs: number): void
  /** Called once when the way to the peer failed or closed under a live call. */
  lost(reason: string): void
}

/**
 * The peer's description cannot lead to audio. `fault` says why, as a sentence that goes on after "the offer" or "the
 * answer".
 */
export class UnusableDescription extends Error {
  readonly fault: string

  constructor(fault: string, options?: ErrorOptions) {
    super(`the description ${fault}`, options)
    this.name = 'UnusableDescription'
    this.fault = fault
  }
}

/** What passes as Opus packets, for those who keep it as it is. */
export interface LegPackets {
  /** The packet that the last `send` sent; null when it sent no audio. */
  readonly sent: Uint8Array | null
  /** What the last `receive` took. */
  heard(): HeardSlot
}

/**
 * One leg to a provider. All calls but the three negotiations are synchronous and cheap. Descriptions are texts of
 * src/domain/call-media.ts: SDP, or that of raw audio. A description of the peer that cannot work rejects with
 * UnusableDescription.
 */
export interface Leg {
  offer(): Promise<string>
  answer(offer: string): Promise<string>
  connect(answer: string): Promise<void>
  /**
   * Goes on by a further description of the peer, once the first one is agreed: its addresses, payload numbers and
   * direction. Throws UnusableDescription when it cannot, and then goes on as before.
   */
  update(description: string): void
  /** True once packets can be sent, because negotiation and handshake are done. Earlier frames are lost. */
  readonly isOpen: boolean
  readonly isFlowing: boolean
  /** True while queued digits go out. Audio has to wait, so the queue is not asked for a frame. */
  readonly isSendingDigits: boolean
  /** Null where audio passes as samples. */
  readonly packets: LegPackets | null
  /** Sends the frame of this slot (or, while digits go out, the telephone event of this slot). */
  send(frame: OutgoingFrame): void
  /** Makes the peer's side drop audio that it holds and has not played, if it holds any. */
  clear(): void
  /** Moves the RTP timestamp over slots that a stalled process missed, without sending. */
  skip(slots: number): void
  /**
   * Takes 20 ms of the peer's audio at each rate, concealed and filled: always exactly rate/50 samples. `packets` gets
   * the Opus packets of that time; null when nobody wants them. With `mayCut` a delay is made up for in the midst of
   * speech, because packets are not cut by that, and nobody hears samples.
   */
  receive(ratesHz: readonly RateHz[], packets?: HeardPacket[] | null, mayCut?: boolean): Int16Array[]
  /**
   * Queues digits 0-9 * # A-D as RFC 4733 events of 100 ms with pauses of 60 ms. False when the peer did not negotiate
   * them, or the text is no digits.
   */
  sendDigits(digits: string): boolean
  stats(): LegStats
  /** Idempotent. */
  close(): void
}

/** Makes a leg. The rest of the host knows nothing else of what carries it. */
export type OpenLeg = (events: LegEvents, callId: CallId) => Leg

/** The kinds of leg. A new kind is a file in this folder, its name here and its row in `createLegs`. */
export type LegKind = CallMediaKind
export type LegTable = Readonly<Record<LegKind, OpenLeg>>
