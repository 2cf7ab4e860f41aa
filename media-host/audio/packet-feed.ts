import type { JitterStep } from './jitter.ts'
import { EMPTY_PACKET, isDtx } from './opus-packet.ts'

/** Samples at 48 kHz of a slot, which is what an empty packet lasts. */
const SLOT = 960

/** A packet of the peer for those who take packets as they are. */
export interface HeardPacket {
  readonly payload: Uint8Array
  /** Packets that were lost before it; each counts as long as this one. */
  readonly missing: number
  /** True when it has no sound: it came so, or stands for a slot in which the peer sent nothing. */
  readonly isDtx: boolean
}

/** A slot in which the peer sent nothing. */
export const NOTHING_HEARD: HeardPacket = { payload: EMPTY_PACKET, missing: 0, isDtx: true }

/**
 * The packets of one source in the order and at the time in which they are played, none left out and none twice. Where
 * the source pauses, empty packets fill the time, so that what is handed out lasts as long as the call, but for what
 * the clocks of both sides differ.
 */
export class PacketFeed {
  /** Samples that passed without a packet; below zero when more was handed out than passed. */
  #owed = 0

  /** Adds the packets of a slot to `packets`. */
  take(steps: readonly JitterStep[], packets: HeardPacket[]): void {
    for (const step of steps) {
      if (step.kind === 'packet') {
        this.#owed -= step.missing * step.samples
        packets.push({ payload: step.payload, missing: step.missing, isDtx: isDtx(step.payload) })
      } else this.#owed += step.kind === 'drop' ? -step.samples : step.samples
      if (step.kind === 'silence') this.#fill(packets)
    }
  }

  #fill(packets: HeardPacket[]): void {
    for (; this.#owed >= SLOT; this.#owed -= SLOT) packets.push(NOTHING_HEARD)
  }
}
