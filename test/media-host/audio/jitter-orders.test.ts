import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import { JitterBuffer } from '../../../media-host/audio/jitter.ts'
import { ordersOf } from '../../helpers/orders.ts'
import { counted } from '../../helpers/size.ts'
import { JitterModel, type Line, type Packet } from './jitter-model.ts'
import { playSlot, TOC, type PacketMs } from './jitter-slots.ts'

/** The flag of SILK packets of one frame that the packet before is in them, too (RFC 6716 section 4.2.3). */
const FEC = { 10: 0x40, 20: 0x40, 40: 0x20, 60: 0x10 } as const
const SLOT_MS = 20
/** Slots in which the delay returns: a second too much is cut by a slot a second, and 10 ms of the target in 2.56 s. */
const MOST_CALMING = 5_000
/** Ms ahead behind a slot when 40 are wanted before it: 10 less, or a packet and 10 more, are left as they are. */
const [LEAST_AHEAD_MS, MOST_AHEAD_MS] = [10, 50]

/** After how many slots a packet comes, each time that it comes; never when it is lost. */
type Fate = readonly number[]

/** A sender, the network, the buffer, and what is promised of it. */
class World {
  readonly buffer = new JitterBuffer()
  readonly model = new JitterModel()
  /** What the sender sends next. */
  #line: Line = { ssrc: 1, begins: 'as a new source' }
  #sequence: number
  #timestamp: number
  #sent: Packet[] = []
  #ms: PacketMs = 20
  #hasFec = false
  #isQuiet = false
  /** What is under way, by the slot in which it comes. */
  readonly #air = new Map<number, (() => void)[]>()
  #slots = 0
  #leftMs = 0
  #ids = 0
  #received = 0

  constructor(sequence: number, timestamp: number) {
    this.#sequence = sequence
    this.#timestamp = timestamp
  }

  /** The next packets have this length and may carry a copy of the one before. */
  becomes(ms: PacketMs, hasFec: boolean, isQuiet: boolean): void {
    this.#ms = ms
    this.#hasFec = hasFec
    this.#isQuiet = isQuiet
  }

  /** Packets are sent in real time. */
  talk(fates: readonly Fate[]): void {
    for (const fate of fates) {
      this.#send(fate)
      for (this.#leftMs += this.#ms; this.#leftMs >= SLOT_MS; this.#leftMs -= SLOT_MS) this.slot()
    }
  }

  /**
   * Packets are sent at once: the sender's clock is ahead. What is under way comes before them, so that nothing comes
   * over 100 numbers late, which would be a sender that began anew (RFC 3550 appendix A.1, MAX_MISORDER).
   */
  rush(count: number): void {
    this.#land(Infinity)
    for (let n = 0; n < count; n++) this.#send([0])
    this.#land(Infinity)
  }

  /** The network holds what is sent for so many slots. */
  stall(slots: number): void {
    const count = Math.floor((slots * SLOT_MS) / this.#ms)
    this.talk(Array.from({ length: count }, (_, n) => [slots - Math.floor((n * this.#ms) / SLOT_MS)]))
  }

  /** The sender sends nothing for a while, as in discontinuous transmission, or only says so. */
  pause(slots: number, isPassing: boolean): void {
    this.#timestamp += slots * 960
    for (let slot = isPassing ? 0 : slots; slot < slots; slot++) this.slot()
  }

  /** The sender sends packets without audio. */
  sendOthers(count: number, isEvent: boolean): void {
    for (let n = 0; n < count; n++) {
      const { ssrc } = this.#line
      const [sequence, timestamp] = [this.#sequence++, this.#timestamp]
      if (this.#line === this.model.line) {
        if (isEvent) this.buffer.skip(ssrc, sequence & 0xffff)
        else this.#push(ssrc, sequence, timestamp, new Uint8Array(0))
        this.#received++
        this.model.skip(sequence)
      }
      this.#timestamp += 960
      this.slot()
    }
  }

  /** Packets of before come now, again or for the first time. */
  again(back: number, count: number): void {
    const from = Math.max(0, this.#sent.length - back)
    for (const packet of this.#sent.slice(from, from + count)) this.#arrive(packet)
  }

  /** A packet comes that has nothing to do with the stream. */
  stray(distance: number): void {
    const sequence = this.#sequence + distance
    if (this.#line !== this.model.line || this.model.believesJump(sequence)) return
    const payload = Uint8Array.of(TOC[20], 0, 0xff, 0xff)
    this.#push(this.#line.ssrc, sequence, this.#timestamp + 7_000_000, payload)
  }

  /** The sender's numbers begin anew. What is under way of before is lost. */
  begin(begins: Line['begins']): void {
    if (this.#line !== this.model.line) return
    this.#air.clear()
    // What still waits would come after what is new, as its time says.
    if (begins === 'with earlier timestamps') this.drain()
    this.#line = { ssrc: this.#line.ssrc + (begins === 'as a new source' ? 1 : 0), begins }
    if (begins === 'far off') this.#sequence += 20_000
    if (begins !== 'with earlier timestamps') this.#timestamp += 1_000_000_007
    else this.#timestamp -= 60 * 48_000
    this.#sent = []
  }

  slot(): void {
    this.#land(++this.#slots)
    const isPlaying = this.buffer.isPlaying
    const { adjusted } = this.buffer.stats()
    const steps = playSlot(this.buffer, this.#isQuiet)
    const isStretched = this.buffer.stats().adjusted > adjusted && steps.every(({ kind }) => kind !== 'drop')
    this.model.slot(steps, { isPlaying, isPlayingNow: this.buffer.isPlaying, isStretched })
    assert.ok(this.buffer.lead <= 5_760)
  }

  /** So many slots pass as play what waits: a second of packets behind a hole of two. */
  drain(): void {
    for (let slots = 160; slots > 0 && (this.#air.size > 0 || this.model.waiting.length > 0); slots--) this.slot()
    assert.deepEqual(
      this.model.waiting.filter(({ isDue }) => isDue).map(({ packet }) => packet.id),
      [],
      'what came in time is never played',
    )
    this.model.waiting = []
  }

  /** What is ahead of what is heard, in ms. */
  get delayMs(): number {
    return (this.buffer.lead + this.model.ahead) / 48
  }

  /** The sender goes on without a fault, and all of it is heard. */
  finish(): void {
    this.drain()
    this.becomes(20, false, true)
    this.talk(Array.from({ length: 60 }, () => [0]))
    this.drain()
    assert.equal(this.model.lastId, this.#ids - 1, 'what is sent last is never played')
  }

  /** The sender goes on without a fault until for a second no more waits than what the delay asks for. */
  calm(): void {
    this.becomes(20, false, true)
    let calmSlots = 0
    for (let slots = 0; calmSlots < 55; slots++) {
      assert.ok(slots < MOST_CALMING, `a delay of ${this.delayMs} ms stays`)
      this.talk([[0]])
      calmSlots = this.delayMs >= LEAST_AHEAD_MS && this.delayMs <= MOST_AHEAD_MS ? calmSlots + 1 : 0
    }
  }

  assertHolds(): void {
    const { received, fecRecovered } = this.buffer.stats()
    assert.deepEqual([received, fecRecovered], [this.#received, this.model.recovered])
    assert.ok(this.model.waitingSamples <= 48_000 || this.model.waiting.length === 1)
  }

  #send(fate: Fate): void {
    const id = this.#ids++
    const samples = this.#ms * 48
    const payload = Uint8Array.of(TOC[this.#ms], this.#hasFec ? FEC[this.#ms] : 0, id >> 8, id & 0xff)
    const [sequence, timestamp] = [this.#sequence++, this.#timestamp]
    const packet = { id, line: this.#line, sequence, timestamp, samples, payload, hasFec: this.#hasFec }
    this.#timestamp += samples
    this.#sent.push(packet)
    for (const delay of fate) {
      const slot = this.#slots + 1 + delay
      this.#air.set(slot, [...(this.#air.get(slot) ?? []), () => this.#arrive(packet)])
    }
  }

  /** What comes up to this slot comes now. */
  #land(upTo: number): void {
    for (const [slot, arrivals] of this.#air) {
      if (slot > upTo) continue
      this.#air.delete(slot)
      for (const arrive of arrivals) arrive()
    }
  }

  #arrive(packet: Packet): void {
    // Before a line is believed, its packets are judged as they come first.
    if (packet.line !== this.model.line && this.model.hasCome(packet)) return
    const { late } = this.buffer.stats()
    const { isPlaying } = this.buffer
    this.#push(packet.line.ssrc, packet.sequence, packet.timestamp, packet.payload.slice())
    // The tenth late packet in a row counts as late and is taken, because the buffer starts again with it.
    const isRestarted = isPlaying && !this.buffer.isPlaying
    const isLate = this.buffer.stats().late > late && !isRestarted
    if (this.model.arrive(packet, isLate, isPlaying)) this.#received++
  }

  #push(ssrc: number, sequence: number, timestamp: number, payload: Uint8Array): void {
    const arrivedMs = this.#slots * SLOT_MS
    this.buffer.push({ ssrc, sequence: sequence & 0xffff, timestamp: timestamp >>> 0, payload, arrivedMs })
  }
}

const command = ordersOf<World>((world) => world.assertHolds())

const fate = fc.oneof(
  { weight: 7, arbitrary: fc.constant<Fate>([0]) },
  { weight: 1, arbitrary: fc.constant<Fate>([]) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }).map((delay): Fate => [delay]) },
  { weight: 1, arbitrary: fc.nat(30).map((delay): Fate => [0, delay]) },
)
const talking = fc
  .array(fate, { minLength: 1, maxLength: 30, size: 'max' })
  .map((fates) => command(`packets come after ${JSON.stringify(fates)}`, (world) => world.talk(fates)))
const becoming = fc
  .tuple(fc.constantFrom<PacketMs>(20, 20, 10, 40, 60), fc.boolean(), fc.boolean())
  .map(([ms, hasFec, isQuiet]) =>
    command(`${ms} ms${hasFec ? ', with FEC' : ''}${isQuiet ? ', quiet' : ''}`, (world) =>
      world.becomes(ms, hasFec, isQuiet),
    ),
  )
const few = fc.integer({ min: 1, max: 12 })
/** What happens more often than anything else. */
const OFTEN = [talking, talking, talking, talking]
const commands = fc.commands(
  [
    ...OFTEN,
    becoming,
    few.map((count) => command(`${count} packets at once`, (world) => world.rush(count))),
    fc.integer({ min: 30, max: 70 }).map((count) => command(`${count} packets at once`, (world) => world.rush(count))),
    fc.integer({ min: 2, max: 30 }).map((slots) => command(`a stall of ${slots} slots`, (world) => world.stall(slots))),
    fc
      .tuple(fc.integer({ min: 1, max: 120 }), fc.boolean())
      .map(([slots, isPassing]) =>
        command(`a pause of ${slots} slots${isPassing ? '' : ' at once'}`, (world) => world.pause(slots, isPassing)),
      ),
    fc
      .tuple(few, fc.boolean())
      .map(([count, isEvent]) =>
        command(`${count} ${isEvent ? 'events' : 'empty packets'}`, (world) => world.sendOthers(count, isEvent)),
      ),
    fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 14 }))
      .map(([back, count]) =>
        command(`${count} packets from ${back} back come again`, (world) => world.again(back, count)),
      ),
    fc.integer({ min: 4_000, max: 30_000 }).map((far) => command(`one ${far} off`, (world) => world.stray(far))),
    fc
      .constantFrom<Line['begins']>('as a new source', 'far off', 'with earlier timestamps')
      .map((begins) => command(`the sender begins ${begins}`, (world) => world.begin(begins))),
  ],
  { maxCommands: 30, size: 'max' },
)
/** Numbers that begin low, and some that soon wrap around. */
const first = fc.tuple(fc.constantFrom(0, 65_516), fc.constantFrom(0, 2 ** 32 - 20 * 960))

/** Whatever happens, and then `end`. */
function assertOrders(end: (world: World) => void, numRuns: number): void {
  fc.assert(
    fc.property(first, commands, ([sequence, timestamp], all) => {
      const world = new World(sequence, timestamp)
      fc.modelRun(() => ({ model: world, real: world }), all)
      end(world)
    }),
    { numRuns, includeErrorInReport: true },
  )
}

// [realtime.audio.3] [realtime.opus.2]
test('in whatever order packets come, each slot is 20 ms, and what came in time is played once and in order', (t) => {
  assertOrders((world) => world.finish(), counted(3_000, 300))
  t.pass()
})

test('whatever the network did, the delay returns to 40 ms once packets come evenly', (t) => {
  assertOrders((world) => world.calm(), counted(400, 40))
  t.pass()
})
