import test from 'ava'
import { createEncoder } from 'libopus-wasm'
import { Ear } from '../../../sandbox/devices/phone-ear.ts'
import { encodeSounds, packetSamples } from '../../../sandbox/devices/phone-opus.ts'

const SOUNDS = await encodeSounds()
const TONE = SOUNDS.tone[0] ?? new Uint8Array()
const FRAME = 960
const START_MS = 1_000_000

/** Feeds an ear on an exact clock. Packets come on time unless the test says otherwise. */
class Feed {
  readonly ear: Ear
  #atMs = 0
  #timestamp = 0xffffff00
  #index = 0

  constructor(ear: Ear) {
    this.ear = ear
  }

  /** Packets of another encoder, with a tone of 1,000 Hz. */
  other(packets: readonly Uint8Array[]): this {
    for (const payload of packets) this.packet(payload)
    return this
  }

  tone(packets: number): this {
    for (let i = 0; i < packets; i++) this.packet(SOUNDS.tone[this.#index++ % SOUNDS.tone.length] ?? TONE)
    return this
  }

  silence(packets: number): this {
    for (let i = 0; i < packets; i++) this.packet(SOUNDS.silence)
    return this
  }

  /** The sender stops, but its timestamps go on. */
  skip(ms: number): this {
    this.#timestamp = (this.#timestamp + ms * 48) >>> 0
    return this.stall(ms)
  }

  /** The sender stops together with its timestamps. */
  stall(ms: number): this {
    this.#atMs += ms
    return this
  }

  packet(payload: Uint8Array): this {
    this.ear.hear({ payload, timestamp: this.#timestamp, nowMs: START_MS + this.#atMs, monotonicMs: this.#atMs })
    this.#timestamp = (this.#timestamp + FRAME) >>> 0
    this.#atMs += 20
    return this
  }
}

async function feed(): Promise<Feed> {
  return new Feed(await Ear.open())
}

test('an unbroken stream has no gaps, over a wrap of the timestamp too', async (t) => {
  const { ear } = (await feed()).tone(100)
  t.deepEqual(ear.heard().gaps, [])
  t.is(ear.heard().ms, 2_000)
})

test('packets that are missing while time goes on are a gap where they lack', async (t) => {
  const { ear } = (await feed()).tone(50).skip(200).tone(50)
  t.deepEqual(ear.heard().gaps, [{ atMs: 1_000, ms: 200, kind: 'packets' }])
})

test('a sender that pauses without moving its timestamps leaves a gap once the phone has played what it held', async (t) => {
  const { ear } = (await feed()).tone(50).stall(300).tone(50)
  t.deepEqual(ear.heard().gaps, [{ atMs: 1_000, ms: 180, kind: 'packets' }])
})

test('jitter that a phone rides out is no gap', async (t) => {
  const { ear } = (await feed()).tone(50).stall(100).tone(50)
  t.deepEqual(ear.heard().gaps, [])
})

test('silence inside sound is a gap, silence around it is not', async (t) => {
  t.deepEqual((await feed()).silence(20).tone(50).silence(50).ear.heard().gaps, [])
  t.deepEqual((await feed()).tone(50).silence(60).tone(50).ear.heard().gaps, [])
  const [gap] = (await feed()).tone(50).silence(10).tone(50).ear.heard().gaps
  t.is(gap?.kind, 'silence')
  // The codec fades over one frame, so the hole may sound a little shorter or longer.
  t.true(Math.abs((gap?.ms ?? 0) - 200) <= 40)
})

test('packets missing next to digits are no gap', async (t) => {
  const stream = (await feed()).tone(50)
  stream.ear.passDigit()
  t.deepEqual(stream.skip(160).tone(50).ear.heard().gaps, [])
})

test('the level counts what sounded, not the silence around it', async (t) => {
  const { rms, dominantHz } = (await feed()).silence(100).tone(200).silence(100).ear.heard()
  t.true(Math.abs(rms - 0.177) < 0.01, `measured ${rms}`)
  t.true(Math.abs((dominantHz ?? 0) - 440) < 2, `measured ${dominantHz}`)
  t.like((await feed()).silence(10).ear.heard(), { rms: 0, dominantHz: null, lastSoundAt: null })
})

test('the times of the first and the last sound are those of arrival', async (t) => {
  const { ear } = (await feed()).silence(10).tone(10).silence(10)
  const { firstPacketAt, firstSoundAt, lastPacketAt, lastSoundAt } = ear.heard()
  t.is(firstPacketAt, START_MS)
  t.true(Math.abs((firstSoundAt ?? 0) - START_MS - 200) <= 20)
  t.true(Math.abs((lastSoundAt ?? 0) - START_MS - 380) <= 40)
  t.is(lastPacketAt, START_MS + 580)
})

test('a window measures only what arrived in it', async (t) => {
  const { ear } = (await feed()).tone(50).silence(50)
  t.like(await ear.measureSince(START_MS + 1_500), { ms: 500, rms: 0, dominantHz: null })
  t.true((await ear.measureSince(START_MS + 500)).rms > 0.1)
  t.deepEqual(await ear.measureSince(START_MS + 9_000), { ms: 0, rms: 0, dominantHz: null })
})

test('the frequency of a call is that of its last second of sound', async (t) => {
  const encoder = await createEncoder({ channels: 1, sampleRate: 48_000 })
  const other = Array.from({ length: 60 }, (_, index) =>
    encoder.encode(
      Int16Array.from(
        { length: FRAME },
        (__, i) => 4_000 * Math.sin((2 * Math.PI * 1_000 * (index * FRAME + i)) / 48_000),
      ),
    ),
  )
  encoder.free()
  const { ear } = (await feed()).tone(300).other(other).silence(100)
  t.true(Math.abs((ear.heard().dominantHz ?? 0) - 1_000) < 2)
  t.true(Math.abs(((await ear.measureSince(START_MS)).dominantHz ?? 0) - 440) < 2)
})

test('a repeated or older packet is not heard again, nor one that is no Opus', async (t) => {
  const ear = await Ear.open()
  const arrival = { payload: TONE, timestamp: 4_800, nowMs: START_MS, monotonicMs: 0 }
  t.is(ear.hear(arrival), false)
  t.is(ear.hear(arrival), null)
  t.is(ear.hear({ ...arrival, timestamp: 960 }), null)
  t.is(ear.hear({ ...arrival, timestamp: 5_760, payload: new Uint8Array() }), null)
  t.is(ear.heard().packets, 1)
})

test('the recording holds gaps as silence', async (t) => {
  const wav = await (await feed()).tone(50).skip(500).tone(50).ear.recording()
  const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, (wav.length - 44) / 2)
  t.is(samples.length, 2_500 * 48)
  t.true(samples.subarray(1_010 * 48, 1_490 * 48).every((sample) => sample === 0))
  t.true(samples.subarray(1_600 * 48, 1_700 * 48).some((sample) => Math.abs(sample) > 7_000))
})

test('the length of a packet is read from its first bytes', (t) => {
  t.is(packetSamples(TONE), 960)
  t.is(packetSamples(Uint8Array.of((3 << 3) | 0)), 2_880)
  t.is(packetSamples(Uint8Array.of((1 << 3) | 1)), 1_920)
  t.is(packetSamples(Uint8Array.of((16 << 3) | 3, 4)), 480)
  t.is(packetSamples(new Uint8Array()), 0)
})
