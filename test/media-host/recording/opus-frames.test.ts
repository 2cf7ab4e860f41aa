import test from 'ava'
import { joined, lostAfter, unitsOf } from '../../../media-host/recording/opus-frames.ts'
import { opusTone } from '../../helpers/ogg-files.ts'

/** A first byte of CELT frames (RFC 6716 section 3.1): 0 is 2.5 ms, 3 is 20 ms; and of SILK frames of 60 ms. */
const celt = (size: number, code: number) => ((28 + size) << 3) | code
const SILK_60_MS = 3 << 3

const bytes = (...values: number[]) => Uint8Array.from(values)
const framesOf = (packet: Uint8Array) => unitsOf(packet)?.map(({ frames }) => frames.map((frame) => [...frame])) ?? null

test('packets of every form are cut into 20 ms', (t) => {
  const [ms20, ms10, ms2] = [3, 2, 0]
  t.deepEqual(framesOf(bytes(celt(ms20, 0), 7, 8)), [[[7, 8]]])
  t.deepEqual(framesOf(bytes(celt(ms20, 0))), [[[]]])
  t.deepEqual(framesOf(bytes(celt(ms20, 1), 7, 8)), [[[7]], [[8]]])
  t.deepEqual(framesOf(bytes(celt(ms10, 1), 7, 8)), [[[7], [8]]])
  t.deepEqual(framesOf(bytes(celt(ms10, 2), 1, 7, 8, 9)), [[[7], [8, 9]]])
  t.deepEqual(framesOf(bytes(celt(ms20, 3), 0x80 | 3, 1, 0, 7, 9)), [[[7]], [[]], [[9]]])
  t.deepEqual(framesOf(bytes(celt(ms20, 3), 2, 7, 8)), [[[7]], [[8]]])
  t.deepEqual(framesOf(bytes(celt(ms20, 3), 0x40 | 2, 2, 7, 8, 0, 0)), [[[7]], [[8]]])
  t.deepEqual(framesOf(bytes(celt(ms2, 3), 8, 1, 2, 3, 4, 5, 6, 7, 8))?.[0]?.length, 8)
  const long = new Uint8Array(300).fill(5)
  t.deepEqual(framesOf(bytes(celt(ms10, 2), 252 + (300 & 3), (300 - 252 - (300 & 3)) / 4, ...long, 9)), [
    [[...long], [9]],
  ])
})

test('a packet that is malformed, or has frames that last longer, is not cut', (t) => {
  const odd = [
    bytes(),
    bytes(celt(3, 1), 7, 8, 9),
    bytes(celt(3, 2)),
    bytes(celt(3, 2), 252),
    bytes(celt(3, 2), 9, 1),
    bytes(celt(3, 3)),
    bytes(celt(3, 3), 0),
    bytes(celt(3, 3), 3, 1, 2),
    bytes(celt(3, 3), 0x40 | 2, 200, 1),
    bytes(celt(3, 3), 0x40 | 2, 255),
    bytes(celt(2, 0), 1),
    bytes(celt(3, 3), 7, 1, 2, 3, 4, 5, 6, 7),
    bytes(celt(3, 0), ...new Uint8Array(1_276)),
    bytes(SILK_60_MS, 1, 2, 3),
  ]
  t.deepEqual(
    odd.map(unitsOf),
    odd.map(() => null),
  )
})

test('of two joined units the first states its length, of a length of any size', (t) => {
  const one = (length: number) => ({ toc: celt(3, 0), frames: [new Uint8Array(length).fill(1)] })
  t.deepEqual([...joined(one(2), one(1))], [celt(3, 0), 2, 1, 1, celt(3, 0), 1])
  for (const length of [251, 252, 255, 256, 1_275]) {
    const packet = joined(one(length), one(0))
    const first = packet[1] ?? 0
    t.is(first < 252 ? first : first + 4 * (packet[2] ?? 0), length)
    t.is(packet.length, 1 + (length < 252 ? 1 : 2) + length + 1)
  }
  const two = { toc: celt(2, 0), frames: [bytes(7), bytes(8, 9)] }
  t.deepEqual([...joined(two, two)], [celt(2, 3), 0x82, 1, 2, 7, 8, 9, celt(2, 3), 0x82, 1, 7, 8, 9])
  t.deepEqual(
    lostAfter(two).frames.map(({ length }) => length),
    [0, 0],
  )
})

test('what an encoder made is cut and kept byte by byte', (t) => {
  for (const packet of opusTone({ hz: 300, seconds: 0.2, packetMs: 20 })) {
    const [unit] = unitsOf(packet) ?? []
    t.deepEqual(unit && [unit.toc, ...(unit.frames[0] ?? [])], [...packet])
  }
})
