import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import { SILENCE } from '../audio/frame.ts'
import type { OpusCodec, OpusEncoder } from '../audio/opus.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import { RawIncoming } from '../audio/raw-incoming.ts'
import { RawOutgoing } from '../audio/raw-outgoing.ts'
import { Resampler } from '../audio/resampler.ts'
import type { LegStats } from './leg.ts'
import type { RawLine } from './raw-line.ts'
import { areDigits } from './raw-messages.ts'
import type { EngineStats } from './raw-messages.ts'

/** Our choice: the engine gets the leg's statistics every 5 s, as bots do by default. */
const STATS_SLOTS = 250
/** As over RTP (telephone-event.ts): 100 ms for a digit and 60 ms of pause after it. */
const DIGIT_SLOTS = 5
const PAUSE_SLOTS = 3
/** The length in ms that a digit is sent with. */
const DIGIT_MS = 100
/** Our choice, as over RTP: more digits than anybody dials. */
const MAX_WAITING = 1_000

/** Digits that wait to be sent, slot by slot, so that they keep their order with the audio around them. */
class RawDigits {
  #waiting: string[] = []
  #slot = 0

  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  /** Queues digits. False when the text is no digits, or too many wait. */
  queue(digits: string): boolean {
    if (!areDigits(digits) || this.#waiting.length + digits.length > MAX_WAITING) return false
    this.#waiting.push(...digits.toUpperCase())
    return true
  }

  /** The digit that begins in this slot; null during its rest, in its pause, and without a digit. */
  next(): string | null {
    const [digit] = this.#waiting
    if (digit === undefined) return null
    const isFirst = this.#slot++ === 0
    if (this.#slot === DIGIT_SLOTS + PAUSE_SLOTS) {
      this.#slot = 0
      this.#waiting.shift()
    }
    return isFirst ? digit : null
  }
}

/** The audio of a raw leg at its one rate, whatever socket carries it. */
export class RawStream {
  readonly rateHz: RateHz
  readonly digits = new RawDigits()
  readonly #incoming: RawIncoming
  readonly #outgoing: RawOutgoing
  readonly #resamplers = new Map<RateHz, Resampler>()
  readonly #opus: OpusCodec
  #encoder: OpusEncoder | null = null
  #told: EngineStats = {}
  #sentFrames = 0
  #slots = 0

  constructor(opus: OpusCodec, rateHz: RateHz) {
    this.rateHz = rateHz
    this.#opus = opus
    this.#incoming = new RawIncoming(rateHz)
    this.#outgoing = new RawOutgoing(opus, rateHz)
  }

  /** Sends the samples of this slot; while digits go out they are silent. */
  send(frame: OutgoingFrame, line: RawLine): void {
    const digit = this.digits.isBusy ? this.digits.next() : undefined
    if (typeof digit === 'string') line.sendMessage({ type: 'dtmf', digit, durationMs: DIGIT_MS })
    if (line.sendSamples(this.#outgoing.next(digit === undefined ? frame : SILENCE))) this.#sentFrames++
    if (++this.#slots % STATS_SLOTS === 0)
      line.sendMessage({ type: 'stats', sentFrames: this.#sentFrames, ...this.#incoming.stats() })
  }

  hear(samples: Int16Array): void {
    this.#incoming.push(samples)
  }

  /** The 20 ms of this slot at each rate; `packets` gets them encoded, because a raw leg has no packets. */
  receive(ratesHz: readonly RateHz[], packets: HeardPacket[] | null = null): Int16Array[] {
    const samples = this.#incoming.take()
    packets?.push({ payload: this.#encode(samples), missing: 0, isDtx: false })
    for (const rateHz of this.#resamplers.keys()) if (!ratesHz.includes(rateHz)) this.#resamplers.delete(rateHz)
    // Listeners may keep the samples, so each gets its own copy.
    return ratesHz.map((rateHz) => (rateHz === this.rateHz ? samples.slice() : this.#resamplerTo(rateHz).run(samples)))
  }

  note(told: EngineStats): void {
    this.#told = told
  }

  /** Statistics of the leg. Round trip, jitter and loss are the engine's, because the socket itself loses nothing. */
  stats(): LegStats {
    const { receivedFrames, concealedMs } = this.#incoming.stats()
    const { rttMs = null, jitterMs = 0, lost = 0 } = this.#told
    return { rttMs, jitterMs, lost, concealedMs, fecRecovered: 0, sentFrames: this.#sentFrames, receivedFrames }
  }

  /** Idempotent. */
  close(): void {
    this.#outgoing.close()
  }

  #encode(samples: Int16Array): Uint8Array {
    this.#encoder ??= this.#opus.openEncoder(this.rateHz)
    return this.#encoder.encode(samples)
  }

  #resamplerTo(rateHz: RateHz): Resampler {
    const known = this.#resamplers.get(rateHz)
    if (known) return known
    const made = new Resampler(this.rateHz, rateHz)
    this.#resamplers.set(rateHz, made)
    return made
  }
}
