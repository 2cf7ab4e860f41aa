import { SILENCE } from '../audio/frame.ts'
import { samplesPerSlot } from '../audio/pcm.ts'
import { kindOfDescription } from '../../src/domain/call-media.ts'
import { thrownFields } from '../../src/domain/thrown.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { CATCH_UP_SLOTS } from '../clock.ts'
import type { MediaClock } from '../clock.ts'
import { mostShareOf } from './call-work.ts'
import type { CallWork } from './call-work.ts'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import type { HeardSlot } from '../audio/incoming-source.ts'
import { NOTHING_HEARD } from '../audio/packet-feed.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import type { Leg, LegKind, LegStats, LegTable } from './leg.ts'

/** What the legs of a host's calls share. */
export interface CallLegParts {
  readonly clock: Clock
  readonly mediaClock: MediaClock
  readonly legs: LegTable
  readonly log: Log
  /** Reports to the node that owns the call. */
  emit(event: MediaEvent): void
}

/** The source of the audio for the peer. */
export interface FrameSource {
  /** The frame of this slot. Digits that begin in the slot are handed to the leg within the call. */
  take(): OutgoingFrame
  /** Called when the leg has the frame, so that its events may be told. */
  sent(): void
}

/** The listeners to the peer. */
export interface PeerAudience {
  /** The rates that the listeners want, each once. */
  rates(): RateHz[]
  /** Takes the 20 ms of this slot at one of the rates. */
  hear(rateHz: RateHz, samples: Int16Array): void
  /** True when somebody takes the peer's packets as they are. */
  readonly wantsPackets: boolean
  /** Takes the packets of this slot. */
  hearPackets(packets: readonly HeardPacket[]): void
  digit(digit: string, durationMs: number): void
}

/** What the peer said in a slot: its packets, or samples. */
export type PeerSlot = HeardSlot | { readonly rateHz: RateHz; readonly samples: Int16Array }

/** Keeps what both sides say. */
export interface SlotTap {
  /** The rate at which it needs the peer's samples beside the `rates` wanted anyway; null when packets suffice. */
  samplesAt(carriesOpus: boolean, rates: readonly RateHz[]): RateHz | null
  /** Takes a slot of both sides: what was sent to the peer, and what came from it; null without a leg. */
  keep(own: OutgoingFrame, peer: PeerSlot | null): void
}

/** Our choice: after a longer stall than a minute, clients get no more than a minute of silence at once. */
const MAX_SLOTS = 3_000
/**
 * Our choice: playout begins when the peer's first packet shows that media passes, or at the latest this many ms after
 * packets can be sent (the peer ends its handshake a little before or after us). Without the wait the first words would
 * be lost while DTLS is not done, however long that takes on a busy machine.
 */
const MEDIA_WAIT_MS = 1_000
/**
 * Our choice: a peer that hangs up closes its media before its signalling says so. So a lost leg is reported after this
 * many ms, unless the call was closed meanwhile.
 */
const LOST_REPORT_MS = 1_500

/** Our choice: descriptions of a peer that are known again when they come late. */
const MOST_DESCRIBED = 8

const NO_STATS: LegStats = {
  rttMs: null,
  jitterMs: 0,
  lost: 0,
  concealedMs: 0,
  fecRecovered: 0,
  sentFrames: 0,
  receivedFrames: 0,
}

/** The peer's side of a call. From the answer to the end it hands one frame a slot to the leg and to the listeners. */
export class CallLeg {
  readonly #callId: CallId
  readonly #source: FrameSource
  readonly #audience: PeerAudience
  readonly #parts: CallLegParts
  #leg: Leg | null = null
  #lastStats = NO_STATS
  #stopClock: (() => void) | null = null
  #lostReport: Timer | null = null
  /** Monotonic ms at which the leg could first send during the answered call; null before. */
  #openSinceMs: number | null = null
  #connected: { readonly leg: Leg; readonly answer: string; readonly done: Promise<void> } | null = null
  /** The latest descriptions of the peer. */
  #described: readonly string[] = []
  /** Settles when the answer to the peer is made, or its answer applied. */
  #negotiated: Promise<unknown> = Promise.resolve()
  #isReleased = false
  /** The frame that was sent last was one of silence. */
  #wasSilent = true
  /** True while the peer hears silence although the queue goes on. */
  isMuted = false
  /** Set while the call is recorded. */
  tap: SlotTap | null = null
  /** What was sent in the slots of this turn, for the tap. */
  #sent: OutgoingFrame[] = []

  constructor(callId: CallId, source: FrameSource, audience: PeerAudience, parts: CallLegParts) {
    this.#callId = callId
    this.#source = source
    this.#audience = audience
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#leg !== null
  }

  /** Opens a leg and makes an offer; an earlier leg is given up. */
  offer(kind: LegKind): Promise<string> {
    return this.#open(kind).offer()
  }

  /** Opens a leg of the kind that the offer names, and answers it. */
  answer(offer: string): Promise<string> {
    const answer = this.#open(kindOfDescription(offer)).answer(offer)
    this.#agree(offer, answer)
    return answer
  }

  /** Takes the peer's answer. The same answer again comes from a new owner that does not know of the first. */
  async connect(answer: string): Promise<boolean> {
    if (!this.#leg) return false
    if (this.#connected?.leg !== this.#leg || this.#connected.answer !== answer) {
      this.#connected = { leg: this.#leg, answer, done: this.#leg.connect(answer) }
      this.#agree(answer, this.#connected.done)
    }
    await this.#connected.done
    return true
  }

  /**
   * Goes on by a further description of the peer; one that was there before is a repetition that came late. False
   * without a leg. Rejects with UnusableDescription, and then goes on as before.
   */
  async update(description: string): Promise<boolean> {
    const leg = this.#leg
    await this.#negotiated.catch(() => {})
    if (!leg || this.#leg !== leg) return false
    if (this.#described.includes(description)) return true
    leg.update(description)
    this.#described = [description, ...this.#described].slice(0, MOST_DESCRIBED)
    return true
  }

  /** Starts the clock because the call is answered: from now on exactly one frame a slot goes each way. */
  begin(): void {
    if (this.#stopClock) return
    this.#stopClock = this.#parts.mediaClock.add(
      (slots) => this.#onSlots(slots),
      () => mostShareOf(this.work),
    )
  }

  /** What is done with the audio, by what the leg carries and what is wanted of it at present. */
  get work(): CallWork {
    if (!this.#leg) return 'unknown'
    if (this.#audience.rates().length > 0 || this.tap || !this.#leg.packets) return 'coded'
    return this.#audience.wantsPackets ? 'packets' : 'unknown'
  }

  sendDigits(digits: string): boolean {
    return this.#leg?.sendDigits(digits) ?? false
  }

  /** Makes the peer's side drop the audio that it holds. */
  clear(): void {
    this.#leg?.clear()
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

  #agree(description: string, negotiated: Promise<unknown>): void {
    this.#described = [description]
    this.#negotiated = negotiated
  }

  #open(kind: LegKind): Leg {
    this.#dropLeg()
    const { emit, legs } = this.#parts
    const callId = this.#callId
    const leg = legs[kind](
      {
        flowing: () => emit({ type: 'flowing', callId }),
        digit: (digit, durationMs) => this.#audience.digit(digit, durationMs),
        lost: (reason) => {
          // A leg that was given up or closed here is not lost.
          if (this.#leg !== leg) return
          this.#lose(reason, LOST_REPORT_MS)
        },
      },
      callId,
    )
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
    this.#lostReport = this.#parts.clock.after(reportAfterMs, () =>
      this.#parts.emit({ type: 'lost', callId: this.#callId, reason }),
    )
  }

  #onSlots(slots: number): void {
    const passed = Math.min(slots, MAX_SLOTS)
    try {
      this.#sent = []
      this.#send(passed)
      // Slots that a stalled process missed come before those that were sent.
      const missed = passed - this.#sent.length
      for (let slot = 0; slot < passed; slot++) this.#hear(this.#sent[slot - missed] ?? SILENCE)
    } catch (error) {
      this.#parts.log.error({ callId: this.#callId, ...thrownFields(error) }, 'the audio of a call failed')
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
    if (leg.isSendingDigits || this.#isHolding(leg)) return this.#give(leg, SILENCE)
    const frame = this.#source.take()
    this.#give(leg, this.#isSilenced(frame) ? SILENCE : frame)
    this.#source.sent()
  }

  /** A packet that was sent is over when it is over; of one that was muted nothing is left. */
  #isSilenced(frame: OutgoingFrame): boolean {
    if (frame.kind !== 'held') this.#wasSilent = this.isMuted || frame.kind === 'silence'
    return this.#wasSilent
  }

  #give(leg: Leg, frame: OutgoingFrame): void {
    leg.send(frame)
    if (this.tap) this.#sent.push(sentFrame(leg, frame))
  }

  #isHolding(leg: Leg): boolean {
    if (this.#isReleased) return false
    const nowMs = this.#parts.clock.monotonicMs()
    if (leg.isOpen) this.#openSinceMs ??= nowMs
    this.#isReleased = leg.isFlowing || (this.#openSinceMs !== null && nowMs - this.#openSinceMs >= MEDIA_WAIT_MS)
    return !this.#isReleased
  }

  /** Gives the 20 ms of this slot to all listeners. Without a leg they are silent, so that the timeline stays exact. */
  #hear(own: OutgoingFrame): void {
    const rates = this.#audience.rates()
    const leg = this.#leg
    const packets: HeardPacket[] | null = this.#audience.wantsPackets ? [] : null
    const tapped = leg && this.tap ? this.tap.samplesAt(leg.packets !== null, rates) : null
    const wanted = tapped === null || rates.includes(tapped) ? rates : [...rates, tapped]
    const heard = leg?.receive(wanted, packets, packets !== null && wanted.length === 0 && !this.tap)
    if (packets) this.#audience.hearPackets(leg ? packets : [NOTHING_HEARD])
    for (const [index, rateHz] of rates.entries()) {
      this.#audience.hear(rateHz, heard?.[index] ?? new Int16Array(samplesPerSlot(rateHz)))
    }
    this.#keep(own, peerSlotOf(leg, tapped, heard?.[tapped === null ? -1 : indexOf(rates, tapped)]))
  }

  /** A tap that fails is left out from then on; the call goes on. */
  #keep(own: OutgoingFrame, peer: PeerSlot | null): void {
    try {
      this.tap?.keep(own, peer)
    } catch (error) {
      this.tap = null
      this.#parts.log.error({ callId: this.#callId, ...thrownFields(error) }, 'the recording of a call failed')
    }
  }
}

/** What the peer gets of a frame: the packet that it was sent as, if packets are sent. */
function sentFrame({ packets }: Leg, frame: OutgoingFrame): OutgoingFrame {
  if (packets === null || frame.kind === 'held') return frame
  return packets.sent === null ? SILENCE : { kind: 'opus', packet: packets.sent }
}

/** Where the samples at a rate stand in what a leg gave: behind those wanted by others when these have another rate. */
function indexOf(rates: readonly RateHz[], rateHz: RateHz): number {
  const at = rates.indexOf(rateHz)
  return at < 0 ? rates.length : at
}

function peerSlotOf(leg: Leg | null, rateHz: RateHz | null, samples: Int16Array | undefined): PeerSlot | null {
  if (rateHz !== null && samples) return { rateHz, samples }
  return leg?.packets?.heard() ?? null
}
