import type { NetworkFaults } from './impairment.ts'
import type { HeardDigit } from './phone-dtmf.ts'

export interface PhoneLegEvents {
  /** An Opus packet; `timestamp` is the RTP timestamp at 48 kHz. */
  audio(payload: Uint8Array, timestamp: number): void
  /** A telephone event packet (RFC 4733), with the clock its duration counts by. */
  event(payload: Uint8Array, timestamp: number, clockHz: number): void
  /** A digit that comes whole, where the leg carries no packets of events. */
  digit(digit: HeardDigit): void
  /** The connection failed for good, or the far end closed. Called at most once. */
  lost(): void
}

/** A phone's end of a call's audio. Descriptions are texts of src/domain/call-media.ts. */
export interface PhoneLeg {
  offer(): Promise<string>
  answer(offer: string): Promise<string>
  connect(answer: string): Promise<void>
  readonly isConnected: boolean
  /** Clock of telephone events as negotiated; null when the far end accepts none. */
  readonly eventClockHz: number | null
  /** Sends audio. Timestamps are 32-bit at 48 kHz. Nothing is sent before the connection is up. */
  sendAudio(payload: Uint8Array, timestamp: number, isMarked: boolean): void
  sendEvent(payload: Uint8Array, timestamp: number, isMarked: boolean): void
  /** Notes that a slot of digits, which had no audio, has passed. */
  passSlot(): void
  /**
   * Cuts the connection as a failing network does; it is tried again after `awayMs`. False when there is none, or none
   * that can come back.
   */
  drop(awayMs: number): boolean
  /** Makes the network bad, or good again, both ways. False when the leg has no packets that could be lost. */
  impair(faults: NetworkFaults): boolean
  /**
   * Goes on from another port, as a phone does whose network changes; keys and credentials stay. False when the leg has
   * no packets.
   */
  changeAddress(): Promise<boolean>
  /**
   * Numbers its Opus packets anew from now on, both ways, and gives its description with that number; with null it
   * gives the description that it has. Null when the leg has no packets, or no description yet.
   */
  renumber(opusType: number | null): string | null
  /** Closes the leg. Idempotent. */
  close(): void
}
