import { JitterTarget } from './jitter-target.ts'
import { hasFec, opusFrameSamples, opusPacketSamples } from './opus-packet.ts'
import { SeenNumbers } from './seen-numbers.ts'

/** Samples at 48 kHz of one 20 ms slot. */
const SLOT = 960
/** The shortest stretch that a decoder conceals: 2.5 ms. */
const GRAIN = 120
/** After 60 ms of concealment its continuation sounds robotic, so it fades to silence. */
const MAX_CONCEALED = 3 * SLOT
/** Our choice: a hole of over 2 s means that the sender's clock started anew; it is not played as silence. */
const MAX_HOLE = 2 * 48_000
/** RFC 3550 appendix A.1: MAX_DROPOUT; a larger jump needs two packets in a row to be believed. */
const MAX_SEQUENCE_JUMP = 3_000
/** RFC 3550 appendix A.1: a packet up to so many numbers back came late or again; the sender did not start anew. */
const MAX_MISORDER = 100
/** Our choice: this many late packets in a row mean that the sender's timestamps moved back. */
const LATE_RESTART = 10
/** Our choice: with over 1 s of packets waiting, the oldest is dropped. */
const MAX_QUEUED = 48_000
/** The depth is judged over 1 s of slots. */
const DEPTH_WINDOW = 50
/** Our choice: after a late packet the depth is judged over 200 ms, so that few more are lost. */
const URGENT_WINDOW = 10
/** Our choice: a depth this far above the target is cut even during speech. */
const MAX_SURPLUS = 80 * 48

export interface RtpAudio {
  readonly ssrc: number
  readonly sequence: number
  readonly timestamp: number
  readonly payload: Uint8Array
  /** Monotonic ms. */
  readonly arrivedMs: number
}

/**
 * One thing to do for a slot, in order. Durations are samples at 48 kHz. `drop` discards that much of what was decoded
 * before it.
 */
export type JitterStep =
  /** `missing`: packets that were lost before it. */
  | { readonly kind: 'packet'; readonly payload: Uint8Array; readonly samples: number; readonly missing: number }
  | { readonly kind: 'fec'; readonly payload: Uint8Array; readonly samples: number }
  | { readonly kind: 'conceal' | 'silence' | 'drop'; readonly samples: number }

export interface JitterStats {
  readonly received: number
  readonly lost: number
  readonly late: number
  readonly jitterMs: number
  readonly concealedMs: number
  readonly fecRecovered: number
  /** Slots added to or cut from silence to follow the sender's clock. */
  readonly adjusted: number
}

interface Entry {
  readonly sequence: number
  readonly timestamp: number
  readonly samples: number
  readonly payload: Uint8Array
}

/**
 * Adaptive jitter buffer of one Opus stream. Each `next` answers the steps for exactly one slot of 20 ms, whatever
 * arrived: packets of any duration, reordered, doubled or missing. While no packet is there, the playout position
 * stands still and sound is concealed; later packets are counted against that sound.
 */
export class JitterBuffer {
  readonly #target = new JitterTarget()
  readonly #seen = new SeenNumbers()
  #queue: Entry[] = []
  #ssrc: number | null = null
  #isPlaying = false
  /** Next sample of the stream to hand out (unwrapped timestamp). */
  #cursor = 0
  /** Samples decoded beyond the slots asked for. */
  #lead = 0
  /** Samples concealed since the queue ran dry. */
  #owed = 0
  #concealedRun = 0
  #waited = 0
  #highest: { sequence: number; timestamp: number } | null = null
  #lastPlayed = -Infinity
  #others: number[] = []
  #strange: number | null = null
  #lateRun = 0
  #maxDepth = 0
  #isUrgent = false
  #slotsSeen = 0
  #adjustment = 0
  #base = 0
  readonly #counts = { received: 0, expectedBefore: 0, receivedBefore: 0, late: 0, concealed: 0, fec: 0, adjusted: 0 }

  /** Takes a packet. Empty and malformed ones count as received but have no sound. */
  push(packet: RtpAudio): void {
    const place = this.#place(packet)
    if (!place) return
    const samples = opusPacketSamples(packet.payload)
    if (samples === 0) return this.#noteOther(place.sequence)
    if (!this.#seen.note(place.sequence)) return
    this.#target.observe(place.timestamp, samples, packet.arrivedMs)
    if (this.#isPlaying ? place.timestamp < this.#cursor : place.sequence <= this.#lastPlayed)
      return this.#tooLate(packet, place.sequence)
    this.#lateRun = 0
    this.#insert({ ...place, samples, payload: packet.payload })
    this.#cutBacklog()
  }

  /** Notes a packet of the stream without audio (telephone event, comfort noise), so that it does not count as lost. */
  skip(ssrc: number, sequence: number): void {
    if (ssrc !== this.#ssrc || !this.#highest) return
    this.#counts.received++
    this.#noteOther(this.#unwrapSequence(sequence))
  }

  /** The steps for the next slot. `isQuiet` allows the buffer to add or cut 20 ms now, `mayCut` to cut them. */
  next(isQuiet: boolean, mayCut = isQuiet): readonly JitterStep[] {
    const steps: JitterStep[] = []
    if (!this.#isPlaying) this.#tryStart()
    if (this.#isPlaying) this.#adjust(steps, isQuiet, mayCut)
    while (this.#lead < SLOT) this.#step(steps, SLOT - this.#lead)
    this.#lead -= SLOT
    return steps
  }

  /** Samples at 48 kHz that are decoded and not yet handed out; a decoder that joins now must start with them. */
  get lead(): number {
    return this.#lead
  }

  /** True while packets are played, false while they are awaited. */
  get isPlaying(): boolean {
    return this.#isPlaying
  }

  stats(): JitterStats {
    const counts = this.#counts
    const expected = counts.expectedBefore + (this.#highest ? this.#highest.sequence - this.#base + 1 : 0)
    return {
      received: counts.received,
      lost: Math.max(0, expected - counts.received),
      late: counts.late,
      jitterMs: this.#target.jitterMs,
      concealedMs: counts.concealed / 48,
      fecRecovered: counts.fec,
      adjusted: counts.adjusted,
    }
  }

  /** The packet's unwrapped numbers; null when the packet must be ignored. */
  #place(packet: RtpAudio): { sequence: number; timestamp: number } | null {
    if (packet.ssrc !== this.#ssrc || !this.#highest) this.#restart(packet)
    const highest = this.#highest
    if (!highest) return null
    const sequence = this.#unwrapSequence(packet.sequence)
    if (Math.abs(sequence - highest.sequence) > MAX_SEQUENCE_JUMP) {
      if (this.#strange !== packet.sequence) {
        this.#strange = (packet.sequence + 1) & 0xffff
        return null
      }
      this.#restart(packet)
      this.#counts.received++
      return { sequence: packet.sequence, timestamp: packet.timestamp }
    }
    const timestamp = highest.timestamp + ((packet.timestamp - highest.timestamp) | 0)
    if (sequence > highest.sequence) this.#highest = { sequence, timestamp }
    this.#counts.received++
    return { sequence, timestamp }
  }

  #unwrapSequence(sequence: number): number {
    const highest = this.#highest?.sequence ?? sequence
    return highest + (((sequence - highest) << 16) >> 16)
  }

  #restart(packet: RtpAudio): void {
    if (this.#highest) {
      this.#counts.expectedBefore += this.#highest.sequence - this.#base + 1
    }
    this.#ssrc = packet.ssrc
    this.#highest = { sequence: packet.sequence, timestamp: packet.timestamp }
    this.#base = packet.sequence
    this.#queue = []
    this.#others = []
    this.#strange = null
    this.#lateRun = 0
    this.#lastPlayed = -Infinity
    this.#seen.forget()
    this.#isPlaying = false
    this.#waited = 0
    this.#target.restart()
  }

  #noteOther(sequence: number): void {
    if (this.#highest && sequence > this.#highest.sequence) this.#highest = { ...this.#highest, sequence }
    this.#others.push(sequence)
    if (this.#others.length > 64) this.#others.shift()
  }

  #tooLate(packet: RtpAudio, sequence: number): void {
    this.#counts.late++
    this.#isUrgent = true
    const isOld = sequence <= this.#lastPlayed && sequence > this.#lastPlayed - MAX_MISORDER
    if (isOld || ++this.#lateRun < LATE_RESTART) return
    this.#restart(packet)
    // The packet was counted on arrival, and `push` counts it again.
    this.#counts.received--
    this.push(packet)
  }

  #insert(entry: Entry): void {
    let at = this.#queue.length
    while (at > 0 && (this.#queue[at - 1]?.timestamp ?? 0) > entry.timestamp) at--
    if (this.#queue[at - 1]?.timestamp === entry.timestamp) return
    if (at === this.#queue.length) this.#queue.push(entry)
    else this.#queue.splice(at, 0, entry)
  }

  #cutBacklog(): void {
    while (this.#queue.length > 1 && this.#queuedSamples() > MAX_QUEUED) {
      this.#queue.shift()
      const first = this.#queue[0]
      if (!first || !this.#isPlaying) continue
      this.#cursor = first.timestamp
      this.#lastPlayed = first.sequence - 1
    }
  }

  #queuedSamples(): number {
    const last = this.#queue.at(-1)
    return last ? last.timestamp + last.samples - (this.#queue[0]?.timestamp ?? 0) : 0
  }

  #tryStart(): void {
    const first = this.#queue[0]
    if (!first) return
    // Playback starts with one packet more than it plays, because the next packet recovers a lost one.
    const wanted = Math.max(this.#target.samples, first.samples + SLOT)
    const isFilled = this.#queuedSamples() >= wanted
    if (!isFilled && this.#waited < wanted) {
      this.#waited += SLOT
      return
    }
    this.#isPlaying = true
    const begin = this.#skipOverdue(first, wanted)
    this.#cursor = begin.timestamp
    this.#lastPlayed = begin.sequence - 1
    this.#owed = 0
    this.#waited = 0
    this.#concealedRun = 0
    this.#forgetDepth()
  }

  /**
   * Skips the beginning of a burst after a stall. Its time passed in silence, and playing it would turn the stall into
   * a lasting delay.
   */
  #skipOverdue(first: Entry, wanted: number): Entry {
    let begin = first
    while (this.#queue.length > 1 && this.#queuedSamples() - begin.samples > wanted) {
      this.#queue.shift()
      begin = this.#queue[0] ?? begin
    }
    return begin
  }

  /**
   * Follows the sender's clock and the target. It cuts or adds only in silence, unless packets come too late or too
   * many wait. The greatest depth within a second is the wait of the fastest packets.
   */
  #adjust(steps: JitterStep[], isQuiet: boolean, mayCut: boolean): void {
    const last = this.#queue.at(-1)
    const depth = this.#lead - this.#owed + (last ? last.timestamp + last.samples - this.#cursor : 0)
    this.#maxDepth = Math.max(this.#maxDepth, depth)
    if (++this.#slotsSeen >= (this.#isUrgent ? URGENT_WINDOW : DEPTH_WINDOW)) {
      const surplus = this.#maxDepth - this.#target.samples
      this.#adjustment = surplus > (last?.samples ?? SLOT) + SLOT / 2 || surplus < -SLOT / 2 ? surplus : 0
      this.#maxDepth = 0
      this.#slotsSeen = 0
    }
    if (this.#adjustment > 0 && (mayCut || this.#adjustment > MAX_SURPLUS)) this.#cut(steps)
    else if (this.#adjustment < 0 && (isQuiet || this.#isUrgent)) this.#stretch(steps, isQuiet)
  }

  #cut(steps: JitterStep[]): void {
    while (this.#lead < 2 * SLOT) this.#step(steps, 2 * SLOT - this.#lead)
    steps.push({ kind: 'drop', samples: SLOT })
    this.#lead -= SLOT
    this.#noteAdjusted()
  }

  #stretch(steps: JitterStep[], isQuiet: boolean): void {
    const slots = isQuiet ? 1 : Math.min(MAX_CONCEALED, Math.ceil(-this.#adjustment / SLOT) * SLOT) / SLOT
    for (let i = 0; i < slots; i++) this.#give(steps, isQuiet ? 'silence' : 'conceal', SLOT)
    if (!isQuiet) this.#counts.concealed += slots * SLOT
    this.#noteAdjusted()
  }

  #noteAdjusted(): void {
    this.#counts.adjusted++
    this.#forgetDepth()
  }

  #forgetDepth(): void {
    this.#adjustment = 0
    this.#maxDepth = 0
    this.#slotsSeen = 0
    this.#isUrgent = false
  }

  /** Adds one step of about `wanted` samples. */
  #step(steps: JitterStep[], wanted: number): void {
    const head = this.#queue[0]
    if (!this.#isPlaying) return this.#give(steps, 'silence', wanted)
    if (!head) return this.#runDry(steps, wanted)
    const made = Math.min(this.#owed, Math.max(0, head.timestamp - this.#cursor))
    this.#cursor += made
    this.#owed = 0
    const gap = head.timestamp - this.#cursor
    if (gap >= GRAIN && gap <= MAX_HOLE) return this.#fillHole(steps, head, gap)
    this.#queue.shift()
    this.#cursor = head.timestamp + head.samples
    const missing = this.#missingBefore(head)
    this.#lastPlayed = head.sequence
    this.#concealedRun = 0
    if (this.#others.length > 0) this.#others = this.#others.filter((sequence) => sequence > head.sequence)
    steps.push({ kind: 'packet', payload: head.payload, samples: head.samples, missing })
    this.#lead += head.samples
  }

  /** Fills up to one slot of the hole before `head`. */
  #fillHole(steps: JitterStep[], head: Entry, gap: number): void {
    if (this.#missingBefore(head) === 0) {
      const pause = grains(Math.min(gap, SLOT))
      this.#cursor += pause
      return this.#give(steps, 'silence', pause)
    }
    const frame = opusFrameSamples(head.payload)
    const isRecoverable = hasFec(head.payload)
    if (isRecoverable && gap === frame) {
      this.#counts.fec++
      this.#cursor += gap
      steps.push({ kind: 'fec', payload: head.payload, samples: gap })
      this.#lead += gap
      return
    }
    const samples = grains(Math.min(isRecoverable && gap > frame ? gap - frame : gap, SLOT))
    this.#cursor += samples
    this.#makeUp(steps, samples)
  }

  #runDry(steps: JitterStep[], wanted: number): void {
    if (this.#concealedRun >= MAX_CONCEALED) {
      this.#isPlaying = false
      this.#waited = 0
      return this.#give(steps, 'silence', wanted)
    }
    const samples = grains(wanted + GRAIN - 1)
    this.#owed += samples
    if (!this.#isPaused()) return this.#makeUp(steps, samples)
    this.#concealedRun += samples
    this.#give(steps, 'silence', samples)
  }

  #makeUp(steps: JitterStep[], samples: number): void {
    this.#counts.concealed += samples
    const isFresh = this.#concealedRun < MAX_CONCEALED
    this.#concealedRun += samples
    this.#give(steps, isFresh ? 'conceal' : 'silence', samples)
  }

  #give(steps: JitterStep[], kind: 'conceal' | 'silence', samples: number): void {
    steps.push({ kind, samples })
    this.#lead += samples
  }

  /** True when the newest packet of the stream has no audio: the peer sends an event, and nothing is missing. */
  #isPaused(): boolean {
    return this.#highest !== null && this.#others.at(-1) === this.#highest.sequence
  }

  /** Packets that are missing between the last one played and `head`; 0 when the sender just paused. */
  #missingBefore(head: Entry): number {
    const missing = head.sequence - this.#lastPlayed - 1
    if (missing <= 0) return 0
    const others = this.#others.filter((sequence) => sequence > this.#lastPlayed && sequence < head.sequence)
    return Math.max(0, missing - others.length)
  }
}

function grains(samples: number): number {
  return Math.max(GRAIN, Math.floor(samples / GRAIN) * GRAIN)
}
