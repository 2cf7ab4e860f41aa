import test from 'ava'
import * as fc from 'fast-check'
import { createDecoder } from 'libopus-wasm'
import { JitterBuffer } from '../../../media-host/audio/jitter.ts'
import { EMPTY_PACKET, opusPacketSamples } from '../../../media-host/audio/opus-packet.ts'
import { PacketFeed } from '../../../media-host/audio/packet-feed.ts'
import type { HeardPacket } from '../../../media-host/audio/packet-feed.ts'

/** A stream of 20 ms packets through the jitter buffer, whose packets are taken as they are. */
class Line {
  readonly heard: HeardPacket[] = []
  readonly #buffer = new JitterBuffer()
  readonly #feed = new PacketFeed()
  readonly #mayCut: boolean
  #nowMs = 0

  constructor(mayCut = true) {
    this.#mayCut = mayCut
  }

  /** Packet `n` arrives now; its timestamp is `pause` slots later than its number says. */
  arrive(n: number, pause = 0): void {
    this.#buffer.push({
      ssrc: 1,
      sequence: n & 0xffff,
      timestamp: ((n + pause) * 960) >>> 0,
      payload: Uint8Array.of(72, 0, n >> 8, n & 0xff),
      arrivedMs: this.#nowMs,
    })
  }

  slots(count: number): void {
    for (let slot = 0; slot < count; slot++) {
      this.#nowMs += 20
      this.#feed.take(this.#buffer.next(false, this.#mayCut), this.heard)
    }
  }

  /** Numbers of the packets that came from the peer. */
  get numbers(): number[] {
    return this.heard.filter(({ isDtx }) => !isDtx).map(({ payload }) => ((payload[2] ?? 0) << 8) | (payload[3] ?? 0))
  }

  /** What was heard lasts this many slots, lost packets included. */
  get lasts(): number {
    return this.heard.reduce((sum, { payload, missing }) => sum + ((missing + 1) * opusPacketSamples(payload)) / 960, 0)
  }
}

// [realtime.opus.2]
test('packets leave in order, once each, and the one behind a hole says how many were lost', (t) => {
  const line = new Line()
  for (const n of [0, 1, 3, 2, 4, 4, 5, 8, 9, 10, 11, 12]) {
    line.arrive(n)
    line.slots(1)
  }
  line.slots(3)
  t.deepEqual(line.numbers, [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12])
  t.deepEqual(
    line.heard.filter(({ missing }) => missing > 0).map(({ payload, missing }) => [payload[3], missing]),
    [[8, 2]],
  )
})

// [realtime.opus.3]
test('where the peer pauses, empty packets fill the time, and none of them counts as lost', (t) => {
  const line = new Line()
  for (let n = 0; n < 50; n++) {
    line.arrive(n)
    line.slots(1)
  }
  line.slots(100)
  for (let n = 50; n < 100; n++) {
    line.arrive(n, 100)
    line.slots(1)
  }
  t.is(
    line.heard.reduce((sum, { missing }) => sum + missing, 0),
    0,
  )
  t.true(Math.abs(line.lasts - 200) <= 4, String(line.lasts))
})

// [realtime.opus.2] [realtime.opus.3]
test('whatever is lost or comes late, numbers rise and what is heard lasts as long as the call', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 100, maxLength: 300 }), (delays) => {
      const line = new Line()
      for (const slot of delays.keys()) {
        for (let late = 4; late >= 0; late--) if (delays[slot - late] === late) line.arrive(slot - late)
        line.slots(1)
      }
      const { numbers, lasts } = line
      t.true(numbers.every((n, at) => at === 0 || n > (numbers[at - 1] ?? 0)))
      // The buffer holds up to its target back, and catches up with up to 80 ms.
      t.true(Math.abs(lasts - delays.length) <= 20, `${lasts} of ${delays.length}`)
    }),
    { numRuns: 60 },
  )
})

test('after a stall packets catch up within speech where nothing is cut by that, and wait for a pause otherwise', (t) => {
  const waiting = (mayCut: boolean) => {
    const line = new Line(mayCut)
    for (let n = 0; n < 300; n++) {
      // Packets 100 to 102 come with packet 103.
      if (n === 103) for (const late of [100, 101, 102]) line.arrive(late)
      if (n < 100 || n > 102) line.arrive(n)
      line.slots(1)
    }
    return 300 - line.numbers.length
  }
  t.true(waiting(true) <= 3, String(waiting(true)))
  t.true(waiting(false) > waiting(true), String(waiting(false)))
})

test('a decoder takes an empty packet for 20 ms without sound', async (t) => {
  const decoder = await createDecoder({ channels: 1, sampleRate: 48_000, maxFrameSize: 5_760 })
  const samples = decoder.decode(EMPTY_PACKET)
  t.is(samples.length, 960)
  t.true(samples.every((sample) => sample === 0))
  decoder.free()
})
