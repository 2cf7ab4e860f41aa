import { randomInt } from 'node:crypto'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import type { OpusCodec } from '../audio/opus.ts'
import type { PeerSlot, SlotTap } from '../legs/call-leg.ts'
import { OggWriter } from './ogg-writer.ts'
import { joined, unitsOf } from './opus-frames.ts'
import type { OpusUnit } from './opus-frames.ts'
import { PeerUnits } from './peer-units.ts'
import { UnitCoder } from './unit-coder.ts'

/** A page a second: what a killed process loses at most ([voice.recordings.9]). */
const PAGE_PACKETS = 50
/** Our choice: longer than calls last that somebody listens to. At 24 kb/s a side, 4 hours take 90 MB. */
export const MAX_SLOTS = 4 * 3_600 * 50
/** Our choice: a peer that sends far more than speech needs fills the disk no further. */
export const MAX_BYTES = 268_435_456
/** The rate at which a peer is coded whose packets cannot be kept, unless listeners have another one already. */
const CODED_RATE_HZ: RateHz = 16_000
/** An Opus packet of 20 ms that every decoder takes for silence, if the codec had none: CELT, no bytes. */
const EMPTY: OpusUnit = { toc: 0xf8, frames: [new Uint8Array(0)] }

/** Where the bytes of a recording go. */
export interface RecordingSink {
  /** Takes bytes, in order. */
  write(bytes: Uint8Array): void
  /** False once bytes were lost: what follows would be of no use. */
  readonly isWhole: boolean
}

/**
 * Two mono streams in one Ogg file, the peer left and our side right: the packets of the call as they pass. Where a
 * side passes as samples it is coded here, once.
 */
export class CallRecorder implements SlotTap {
  readonly #sink: RecordingSink
  readonly #writer = new OggWriter(randomInt(0x7fff_ffff))
  readonly #peer: PeerUnits
  readonly #silence: OpusUnit
  readonly #peerCoder: UnitCoder
  readonly #ownCoder: UnitCoder
  #slots = 0
  #bytes = 0
  #isOver = false
  #isTooLong = false

  constructor(codec: OpusCodec, sink: RecordingSink) {
    this.#sink = sink
    this.#silence = unitsOf(codec.silence(CODED_RATE_HZ))?.[0] ?? EMPTY
    this.#peer = new PeerUnits(this.#silence)
    this.#peerCoder = new UnitCoder(codec, this.#silence)
    this.#ownCoder = new UnitCoder(codec, this.#silence)
    this.#write(this.#writer.headers())
  }

  /** True when a bound ended it before the call. */
  get isTooLong(): boolean {
    return this.#isTooLong
  }

  samplesAt(carriesOpus: boolean, rates: readonly RateHz[]): RateHz | null {
    if (this.#isOver || (carriesOpus && !this.#peer.isUncut)) return null
    return rates[0] ?? CODED_RATE_HZ
  }

  keep(own: OutgoingFrame, peer: PeerSlot | null): void {
    if (this.#isOver) return
    const left = this.#leftOf(peer)
    const full = this.#writer.add(joined(left, this.#ownCoder.code(own)))
    if (full) this.#write(full)
    this.#slots++
    this.#isTooLong = this.#slots >= MAX_SLOTS || this.#bytes >= MAX_BYTES
    if (this.#isTooLong) return this.end()
    if (this.#writer.waiting >= PAGE_PACKETS) this.#write(this.#writer.page(false))
    if (!this.#sink.isWhole) this.end()
  }

  /** Writes the last page. Idempotent. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ownCoder.close()
    this.#write(this.#writer.page(true))
  }

  #leftOf(peer: PeerSlot | null): OpusUnit {
    if (peer === null) return this.#silence
    return 'steps' in peer ? this.#peer.take(peer) : this.#peerCoder.codeSamples(peer.samples, peer.rateHz)
  }

  #write(page: Buffer): void {
    this.#bytes += page.length
    this.#sink.write(page)
  }
}
