import { SLOT_MS } from './leg.ts'
import type { CallId } from '../src/domain/ids.ts'
import type { Clock, Timer } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import type { MediaEvent } from '../src/ports/media.ts'
import type { CallSockets } from './call-sockets.ts'
import type { MediaClock } from './clock.ts'
import type { Leg, LegStats, OpenLeg, OutgoingFrame } from './leg.ts'
import type { PlayableSource } from './playable.ts'
import type { PlayoutEvent } from './playout-items.ts'
import type { PlayoutQueue } from './playout-queue.ts'

/** What the calls of a host share. */
export interface CallParts {
  readonly clock: Clock
  readonly mediaClock: MediaClock
  readonly openLeg: OpenLeg
  readonly playables: PlayableSource
  readonly log: Log
  /** Reports to the node that owns the call. */
  emit(event: MediaEvent): void
}

export interface CallLegEvents {
  /** Something of the playout queue came to pass; its frame has been handed to the leg. */
  played(event: PlayoutEvent): void
  digit(digit: string, durationMs: number): void
}

const SILENCE: OutgoingFrame = { kind: 'silence' }
/** measured: a gap of up to 100 ms is caught up frame by frame; after a longer one the RTP time jumps instead of a burst. */
const CATCH_UP_SLOTS = 5
/** Our choice: a process that slept longer does not send its clients more than a minute of silence at once. */
const MAX_SLOTS = 3_000
/**
 * Our choice: playout begins when the peer's first packet shows that media passes, or this long
 * after the answer at the latest. Without it the first words go out before DTLS is done.
 */
const MEDIA_WAIT_MS = 1_000
/**
 * Our choice: a peer that hangs up closes its media before its signalling tells of it, so a lost leg is
 * reported only when the call was not closed meanwhile.
 */
const LOST_REPORT_MS = 1_500

const NO_STATS: LegStats = { rttMs: null, jitterMs: 0, lost: 0, concealedMs: 0, fecRecovered: 0, sentFrames: 0, receivedFrames: 0 }

/** The RTP side of a call: hands a frame a slot to the leg and to the sockets, from the answer to the end. */
export class CallLeg {
  readonly #callId: CallId
  readonly #queue: PlayoutQueue
  readonly #sockets: CallSockets
  readonly #parts: CallParts
  readonly #events: CallLegEvents
  #leg: Leg | null = null
  #lastStats = NO_STATS
  #stopClock: (() => void) | null = null
  #lostReport: Timer | null = null
  #begunAtMs = 0
  #isReleased = false
  /** The peer hears silence while the queue goes on. */
  isMuted = false

  constructor(callId: CallId, queue: PlayoutQueue, sockets: CallSockets, parts: CallParts, events: CallLegEvents) {
    this.#callId = callId
    this.#queue = queue
    this.#sockets = sockets
    this.#parts = parts
    this.#events = events
  }

  get isOpen(): boolean {
    return this.#leg !== null
  }

  /** Opens a leg and offers; a leg that was open before is given up. */
  offer(): Promise<string> {
    return this.#open().offer()
  }

  answer(sdpOffer: string): Promise<string> {
    return this.#open().answer(sdpOffer)
  }

  async connect(sdpAnswer: string): Promise<boolean> {
    if (!this.#leg) return false
    await this.#leg.connect(sdpAnswer)
    return true
  }

  /** The call is answered: from now on exactly one frame a slot goes each way. */
  begin(): void {
    if (this.#stopClock) return
    this.#begunAtMs = this.#parts.clock.monotonicMs()
    this.#stopClock = this.#parts.mediaClock.add((slots) => this.#onSlots(slots))
  }

  sendDigits(digits: string): boolean {
    return this.#leg?.sendDigits(digits) ?? false
  }

  stats(): LegStats {
    return this.#leg?.stats() ?? this.#lastStats
  }

  close(): void {
    this.#stopClock?.()
    this.#stopClock = null
    this.#lostReport?.cancel()
    this.#dropLeg()
  }

  #open(): Leg {
    this.#dropLeg()
    const { emit, openLeg } = this.#parts
    const callId = this.#callId
    const leg = openLeg({
      flowing: () => emit({ type: 'flowing', callId }),
      digit: (digit, durationMs) => this.#events.digit(digit, durationMs),
      lost: (reason) => {
        // A leg that was given up, or closed by us, is not lost.
        if (this.#leg !== leg) return
        this.#lose(reason, LOST_REPORT_MS)
      },
    })
    this.#leg = leg
    return leg
  }

  #dropLeg(): void {
    const leg = this.#leg
    if (!leg) return
    this.#lastStats = leg.stats()
    this.#leg = null
    leg.close()
  }

  #lose(reason: string, reportAfterMs: number): void {
    this.#dropLeg()
    this.#lostReport?.cancel()
    this.#lostReport = this.#parts.clock.after(reportAfterMs, () => this.#parts.emit({ type: 'lost', callId: this.#callId, reason }))
  }

  #onSlots(slots: number): void {
    const passed = Math.min(slots, MAX_SLOTS)
    try {
      this.#send(passed)
      for (let slot = 0; slot < passed; slot++) this.#hear()
    } catch (error) {
      const { name, stack } = error instanceof Error ? error : { name: 'unknown', stack: undefined }
      this.#parts.log.error({ callId: this.#callId, name, stack }, 'the audio of a call failed')
      this.#lose('INTERNAL', 0)
    }
  }

  #send(slots: number): void {
    const leg = this.#leg
    if (!leg) return
    let due = slots
    if (slots > CATCH_UP_SLOTS) {
      leg.skip(slots - 1)
      due = 1
    }
    for (let slot = 0; slot < due && this.#leg === leg; slot++) this.#sendSlot(leg)
  }

  #sendSlot(leg: Leg): void {
    if (leg.isSendingDigits || this.#isHolding(leg)) return leg.send(SILENCE)
    const events: PlayoutEvent[] = []
    const frame = this.#queue.take(events)
    // Digits start in this slot; everything else is told when its frame is out.
    for (const event of events) if (event.kind === 'digits') this.#events.played(event)
    leg.send(this.isMuted ? SILENCE : frame)
    for (const event of events) if (event.kind !== 'digits') this.#events.played(event)
  }

  #isHolding(leg: Leg): boolean {
    this.#isReleased ||= leg.isFlowing || this.#parts.clock.monotonicMs() - this.#begunAtMs >= MEDIA_WAIT_MS
    return !this.#isReleased
  }

  /** Gives every socket the 20 ms of this slot; without a leg they are silent, so that the timeline stays exact. */
  #hear(): void {
    const rates = this.#sockets.rates()
    const heard = this.#leg?.receive(rates)
    for (const [index, rateHz] of rates.entries()) {
      this.#sockets.hear(rateHz, heard?.[index] ?? new Int16Array(rateHz * SLOT_MS / 1_000))
    }
  }
}
