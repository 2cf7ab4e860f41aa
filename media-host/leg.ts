import type { Playable } from './playable.ts'

/** Length of one slot of the media clock; every leg sends and receives one frame a slot. */
export const SLOT_MS = 20

/** Rates Opus codes directly, so that no resampler stands in the live path (contract 7). */
export const RATES_HZ = [8_000, 16_000, 24_000, 48_000] as const
export type RateHz = (typeof RATES_HZ)[number]

/** What a leg sends in one slot. */
export type OutgoingFrame =
  /** 20 ms of mono samples at `rateHz`. */
  | { readonly kind: 'pcm', readonly samples: Int16Array, readonly rateHz: RateHz }
  /** One ready Opus packet of 20 ms, from a decoded file. */
  | { readonly kind: 'opus', readonly packet: Uint8Array }
  /** Nothing to say: keeps the stream and its timestamps going. */
  | { readonly kind: 'silence' }

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
  /** First RTP packet of the peer. */
  flowing(): void
  /** A telephone event of the peer ended (RFC 4733). */
  digit(digit: string, durationMs: number): void
  /** ICE or DTLS failed or closed under a live call. */
  lost(reason: string): void
}

/** One RTP leg towards a provider. All calls but the three negotiations are synchronous and cheap. */
export interface Leg {
  offer(): Promise<string>
  answer(sdpOffer: string): Promise<string>
  connect(sdpAnswer: string): Promise<void>
  readonly isFlowing: boolean
  /** True while queued digits go out; audio of that time must wait, so do not call `send`'s queue. */
  readonly isSendingDigits: boolean
  /** Sends the frame of this slot (or, while digits go out, the telephone event of this slot). */
  send(frame: OutgoingFrame): void
  /** Moves the RTP timestamp over slots that a stalled process missed, without sending. */
  skip(slots: number): void
  /** Takes 20 ms of what the peer said, once per rate wanted, concealed and filled: always exactly rate/50 samples. */
  receive(ratesHz: readonly RateHz[]): Int16Array[]
  /** Queues digits 0-9 * # A-D as RFC 4733 events of 100 ms with 60 ms pauses. False when the peer did not negotiate them or the text is bad. */
  sendDigits(digits: string): boolean
  stats(): LegStats
  /** Idempotent. */
  close(): void
}

/** Makes a leg; the only thing the rest of the host knows of the RTP stack. */
export type OpenLeg = (events: LegEvents) => Leg

export type { Playable }
