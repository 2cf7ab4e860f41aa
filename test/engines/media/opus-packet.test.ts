import test from 'ava'
import * as fc from 'fast-check'
import { createDecoder } from 'libopus-wasm'
import { readPacket } from '../../../engines/media/opus-packet.ts'
import { opusTone } from '../../helpers/ogg-files.ts'

/** Frame sizes by configuration, in samples at 48 kHz (RFC 6716 section 3.1, table 2). */
const FRAME_SAMPLES = [
  480, 960, 1_920, 2_880, 480, 960, 1_920, 2_880, 480, 960, 1_920, 2_880, 480, 960, 480, 960, 120, 240, 480, 960, 120,
  240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960,
]

test('a packet is as long as its configuration and its frames say, and says whether it is stereo', (t) => {
  for (const [config, samples] of FRAME_SAMPLES.entries()) {
    for (const stereo of [0, 4]) {
      const toc = (config << 3) | stereo
      t.deepEqual(readPacket(Uint8Array.of(toc, 1, 2)), { samples, isStereo: stereo === 4 })
      t.is(readPacket(Uint8Array.of(toc | 1, 1, 2))?.samples, 2 * samples)
      t.is(readPacket(Uint8Array.of(toc | 2, 1, 1, 2, 3))?.samples, 2 * samples)
      t.is(readPacket(Uint8Array.of(toc | 3, 2, 1, 2))?.samples, 2 * samples)
    }
  }
})

test('packets of an encoder are told by what it was asked for', (t) => {
  for (const [packetMs, channels] of [
    [2.5, 1],
    [10, 1],
    [20, 1],
    [20, 2],
    [40, 1],
    [60, 2],
  ] as const) {
    for (const packet of opusTone({ hz: 600, seconds: 1.2, packetMs, channels }))
      t.deepEqual(readPacket(packet), { samples: packetMs * 48, isStereo: channels === 2 })
  }
})

test('a packet is refused, or has a length, exactly as libopus has it', async (t) => {
  const decoder = await createDecoder({ channels: 1, sampleRate: 48_000, maxFrameSize: 5_760 })
  t.teardown(() => decoder.free())
  const decoded = (packet: Uint8Array): number | null => {
    try {
      return decoder.decode(packet).length
    } catch {
      return null
    }
  }
  const beginning = fc.tuple(
    fc.nat(255),
    fc.oneof(fc.nat(255), fc.constantFrom(1, 2, 3, 0x41, 0x42, 0x81, 0x82, 0xc1, 0xc2)),
    fc.oneof(fc.nat(8), fc.constantFrom(251, 252, 253, 254, 255)),
  )
  const bytes = fc
    .tuple(beginning, fc.uint8Array({ maxLength: 600 }), fc.nat(600))
    .map(([first, rest, keep]) => Uint8Array.from([...first, ...rest].slice(0, 1 + keep)))
  fc.assert(
    fc.property(bytes, (packet) => (readPacket(packet)?.samples ?? null) === decoded(packet)),
    { numRuns: 2_000, seed: 6_716 },
  )
  for (const packet of [
    Uint8Array.of(3),
    Uint8Array.of(3, 0),
    Uint8Array.of(3, 63, 1),
    Uint8Array.of(1, 1),
    Uint8Array.of(2, 252),
    new Uint8Array(1_277),
  ]) {
    t.is(readPacket(packet), null)
    t.is(decoded(packet), null)
  }
  t.is(readPacket(new Uint8Array()), null)
})
