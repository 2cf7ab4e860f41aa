import assert from 'node:assert/strict'
import type { JitterStep } from '../../../media-host/audio/jitter.ts'

/** All lengths are samples at 48 kHz. */
const SLOT = 960
/** What is too short to be concealed, and the longest hole that is filled. */
const [GRAIN, MAX_HOLE] = [120, 96_000]
/** The buffer waits for 40 ms at least and 120 ms at most, and holds a second. */
const [LEAST_DELAY, MOST_DELAY, MOST_WAITING] = [1_920, 5_760, 48_000]
/** Sound is made up for 60 ms, and to the end of the slot in which they are over, or of two when one of them is cut. */
const MOST_MADE_UP = 3 * SLOT + 2 * SLOT

const NO_FILLER = { all: 0, ofStream: 0, madeUp: 0, isStretched: false }

/** A row of packets whose numbers go on without a jump. */
export interface Line {
  readonly ssrc: number
  /** How its numbers follow those of the line before. */
  readonly begins: 'as a new source' | 'far off' | 'with earlier timestamps'
}

/** A packet with audio as it was sent. Its time and length are samples at 48 kHz. */
export interface Packet {
  /** Counts all packets with audio, in the order in which they were sent. */
  readonly id: number
  readonly line: Line
  /** The number and the time as the sender counts them, beyond their 16 and 32 bits. */
  readonly sequence: number
  readonly timestamp: number
  readonly samples: number
  readonly payload: Uint8Array
  readonly hasFec: boolean
}

/** A packet that came in time. It is due unless it may be passed over, as the oldest of too many. */
interface Waiting {
  readonly packet: Packet
  isDue: boolean
}

/** What the buffer says of a slot: whether it played before and after it, and whether it added to it. */
interface SlotFacts {
  readonly isPlaying: boolean
  readonly isPlayingNow: boolean
  readonly isStretched: boolean
}

/** What came in time, and what of it has to be played next. */
export class JitterModel {
  /** The packets that the buffer believes in; null before the first. */
  line: Line | null = null
  /** What came in time and was not played, in the order in which it was sent. */
  waiting: Waiting[] = []
  /** Packets that were made from a copy in the next one. */
  recovered = 0
  readonly #came = new Set<number>()
  readonly #played = new Set<number>()
  #last: Packet | null = null
  /** Numbers of packets without audio, and the highest number of all that came. */
  readonly #others = new Set<number>()
  #highest = -Infinity
  /** What stood in for sound since the last packet; of it what stood in for the time of the stream, and was made up. */
  #filler = { ...NO_FILLER }
  /** The place in the stream that playing has come to at most. */
  #reached = -Infinity
  /** The last packet was followed without a new start and without a cut. */
  #isUnbroken = false
  #awaitedSlots = 0
  /** The number of 16 bits that would make a jump believed. */
  #strange: number | null = null
  /** Late packets of a line that is not believed yet. */
  #lateOfNew = 0

  /** How much of the stream waits, in samples at 48 kHz, holes included. */
  get waitingSamples(): number {
    const [first] = this.waiting
    return first ? endOf(this.waiting.at(-1)) - first.packet.timestamp : 0
  }

  /** How much of the stream is ahead of the last packet that was played, in samples at 48 kHz. */
  get ahead(): number {
    return this.#last && this.waiting.length > 0 ? endOf(this.waiting.at(-1)) - this.#endOfLast() : 0
  }

  /** The number of the packet that was played last. */
  get lastId(): number | undefined {
    return this.#last?.id
  }

  hasCome({ id }: Packet): boolean {
    return this.#came.has(id)
  }

  /** A packet without audio came. */
  skip(sequence: number): void {
    this.#others.add(sequence)
    this.#highest = Math.max(this.#highest, sequence)
  }

  /** A packet far off came. True when the one before makes it believed (RFC 3550 appendix A.1: two in a row). */
  believesJump(sequence: number): boolean {
    const isBelieved = this.#strange === (sequence & 0xffff)
    this.#strange = (sequence + 1) & 0xffff
    return isBelieved
  }

  /**
   * A packet came, which the buffer takes or finds late. Answers whether it has to count as received. Throws when it
   * came in time and is found late.
   */
  arrive(packet: Packet, isLate: boolean, isPlaying: boolean): boolean {
    // What came before may be left alone when it comes again.
    const isDue = !this.#came.has(packet.id)
    this.#came.add(packet.id)
    if (packet.line !== this.line) {
      const { begins } = packet.line
      if (this.line && begins === 'far off' && !this.believesJump(packet.sequence)) return false
      if (begins === 'with earlier timestamps' && isLate) {
        assert.ok(++this.#lateOfNew < 10, 'timestamps that moved back are not believed')
        this.#highest = Math.max(this.#highest, packet.sequence)
        return true
      }
      this.#begin(packet.line)
    }
    this.#highest = Math.max(this.#highest, packet.sequence)
    if (this.#last && packet.id <= this.#last.id) return true
    if (this.waiting.some((one) => one.packet.id === packet.id)) return true
    const isInTime = !isPlaying || packet.timestamp >= this.#reached
    assert.ok(!isLate || !isInTime, `packet ${packet.id} came in time and counts as late`)
    if (isLate) return true
    const at = this.waiting.findIndex((one) => one.packet.id > packet.id)
    this.waiting.splice(at === -1 ? this.waiting.length : at, 0, { packet, isDue })
    this.#passOver((p, end) => end - p.timestamp, MOST_WAITING, MOST_WAITING)
    return true
  }

  /** A slot passed with these steps. Throws when they break a promise. */
  slot(steps: readonly JitterStep[], was: SlotFacts): void {
    if (!was.isPlaying && was.isPlayingNow) this.#start()
    for (const step of steps) {
      if (step.kind === 'packet') this.#play(step)
      else if (step.kind === 'fec') this.#recover(step)
      else if (step.kind !== 'drop') this.#fill(step.kind, step.samples, was)
    }
    const isAwaiting = !was.isPlayingNow && this.waiting.some(({ isDue }) => isDue)
    this.#awaitedSlots = isAwaiting ? this.#awaitedSlots + 1 : 0
    assert.ok(this.#awaitedSlots * SLOT <= MOST_DELAY, 'what waits is never begun')
    assert.ok(was.isPlayingNow || !was.isPlaying || !isAwaiting, 'playing stops before something that came in time')
  }

  #begin(line: Line): void {
    this.line = line
    this.waiting = []
    this.#last = null
    this.#strange = null
    this.#lateOfNew = 0
    this.#awaitedSlots = 0
    this.#others.clear()
    this.#highest = -Infinity
    this.#isUnbroken = false
    this.#reached = -Infinity
  }

  /** Playing begins. Of a burst that is longer than the delay wanted, the beginning is left out. */
  #start(): void {
    const lengths = this.waiting.map(({ packet }) => packet.samples + SLOT)
    const [least, most] = [Math.max(LEAST_DELAY, Math.min(...lengths)), Math.max(MOST_DELAY, ...lengths)]
    this.#passOver((p, end) => end - p.timestamp - p.samples, least, most)
    this.#isUnbroken = false
    this.#reached = this.waiting.find(({ isDue }) => isDue)?.packet.timestamp ?? -Infinity
  }

  /** Over `least` the oldest may be passed over, and over `most` they are: then they are forgotten. */
  #passOver(measure: (packet: Packet, end: number) => number, least: number, most: number): void {
    const end = endOf(this.waiting.at(-1))
    const endOfDue = endOf(this.waiting.findLast(({ isDue }) => isDue))
    const [first, last] = [this.waiting[0], this.waiting.at(-1)]
    for (const one of this.waiting) if (one !== last && measure(one.packet, end) > least) one.isDue = false
    this.waiting = this.waiting.filter((one) => one === last || measure(one.packet, endOfDue) <= most)
    const due = this.waiting.find(({ isDue }) => isDue)
    if (!due || due === first) return
    this.#isUnbroken = false
    this.#reached = Math.max(this.#reached, due.packet.timestamp)
  }

  #play({ payload, samples, missing }: JitterStep & { kind: 'packet' }): void {
    const packet = this.#take(idOf(payload))
    assert.equal(samples, packet.samples)
    const lost = this.#missingBefore(packet)
    if (this.#isUnbroken) {
      assert.equal(missing, lost, `what is missing before packet ${packet.id}`)
      const gap = packet.timestamp - this.#endOfLast()
      assert.ok(gap > MAX_HOLE || this.#filler.all > gap - GRAIN, `the time before packet ${packet.id} is left out`)
    } else assert.ok(missing <= lost, `more is missing before packet ${packet.id} than was sent`)
    this.#played.add(packet.id)
    this.#last = packet
    this.#isUnbroken = true
    this.#filler = { ...NO_FILLER }
    this.#reached = this.#endOfLast()
  }

  /** The packet that has to be the next one: in its order, once, and without leaving out what came in time. */
  #take(id: number): Packet {
    assert.ok(!this.#played.has(id), `packet ${id} is played twice`)
    const at = this.waiting.findIndex(({ packet }) => packet.id === id)
    const one = this.waiting[at]
    if (!one) throw new Error(`packet ${id} did not come in time, or after a later one was played`)
    const passedOver = this.waiting.slice(0, at).find(({ isDue }) => isDue)
    assert.equal(passedOver?.packet.id, undefined, `a packet that came in time is passed over for ${id}`)
    this.waiting.splice(0, at + 1)
    return one.packet
  }

  #recover({ payload, samples }: JitterStep & { kind: 'fec' }): void {
    const next = this.waiting.find(({ packet }) => packet.id === idOf(payload))?.packet
    const due = this.waiting.find(({ isDue }) => isDue)?.packet
    assert.ok(next && (!due || due.id >= next.id), 'a copy is taken from the next packet')
    assert.ok(next.hasFec && samples === next.samples, `packet ${next.id} has no such copy`)
    assert.ok(this.#last && this.#last.sequence < next.sequence - 1, 'nothing is missing that has to be recovered')
    assert.ok(this.#filler.ofStream + samples <= next.timestamp - this.#endOfLast(), 'the copy is longer than its hole')
    this.recovered++
    this.#advance(samples, false)
  }

  /** Sound is made up, or silence stands in for it: never while a packet is there whose time has come. */
  #fill(kind: 'conceal' | 'silence', samples: number, was: SlotFacts): void {
    const [next] = this.waiting
    if (was.isPlayingNow && !was.isStretched && this.#isUnbroken && next?.isDue) {
      const hole = next.packet.timestamp - this.#endOfLast() - this.#filler.ofStream
      assert.ok(hole >= GRAIN, `packet ${next.packet.id} is there and not played`)
      const isRecoverable = next.packet.hasFec && hole === next.packet.samples && this.#missingBefore(next.packet) > 0
      assert.ok(!isRecoverable || this.#filler.isStretched, `the copy in packet ${next.packet.id} is not used`)
    }
    const isPaused = this.#others.has(this.#highest) && this.waiting.length === 0
    assert.ok(kind !== 'conceal' || was.isStretched || !isPaused, 'sound is made up while the sender has none')
    if (kind === 'conceal' && !was.isStretched) this.#filler.madeUp += samples
    assert.ok(this.#filler.madeUp < MOST_MADE_UP, 'sound is made up for too long')
    this.#advance(samples, was.isStretched)
  }

  #advance(samples: number, isStretched: boolean): void {
    this.#filler.all += samples
    this.#filler.isStretched ||= isStretched
    if (!isStretched) this.#filler.ofStream += samples
    this.#reached += samples
  }

  /** How many packets with audio never came between the last one played and this one. */
  #missingBefore({ sequence }: Packet): number {
    const last = this.#last?.sequence ?? -Infinity
    return sequence - last - 1 - [...this.#others].filter((n) => n > last && n < sequence).length
  }

  #endOfLast(): number {
    return this.#last ? this.#last.timestamp + this.#last.samples : -Infinity
  }
}

/** A packet carries its number behind the bytes that Opus looks at. */
export function idOf(payload: Uint8Array): number {
  return ((payload[2] ?? 0) << 8) | (payload[3] ?? 0)
}

function endOf(one: Waiting | undefined): number {
  return one ? one.packet.timestamp + one.packet.samples : -Infinity
}
