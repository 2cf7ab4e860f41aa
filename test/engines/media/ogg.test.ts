import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import * as fc from 'fast-check'
import { takeApart } from '../../../engines/media/ogg.ts'
import { albumArt, oggOpus, oggPage, oggPages, opusTone, sealed } from '../../helpers/ogg-files.ts'
import type { OggOptions } from '../../helpers/ogg-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'ogg-'))
test.after.always(() => rmSync(directory, { recursive: true, force: true }))
let count = 0

const tone = opusTone({ hz: 600, seconds: 2 })
const stereo = opusTone({ hz: 600, seconds: 2, channels: 2 })
/** Packets of 10 ms. Two of the same length fit into one packet of 20 ms with code 1 (RFC 6716 section 3.2.3). */
const short = opusTone({ hz: 600, seconds: 1, packetMs: 10 })

/** The packets of a file that can be played as it is; otherwise the reason, as a text. */
async function apart(content: Uint8Array, maxPackets = 30_000): Promise<Buffer[] | string> {
  const path = join(directory, String(++count))
  await writeFile(path, content)
  const packets = await takeApart(path, maxPackets)
  return typeof packets === 'string' ? packets : packets.map((packet) => Buffer.from(packet))
}

const plain = (packets: readonly Uint8Array[]) => packets.map((packet) => Buffer.from(packet))

/** A file in which `change` has changed the page at index `at`, with a correct checksum. */
function withPage(at: number, change: (page: Buffer) => void, options: OggOptions = {}): Buffer {
  return Buffer.concat(
    oggPages(tone, options).map((page, index) => {
      if (index !== at) return page
      change(page)
      return sealed(page)
    }),
  )
}

const AS_THEY_ARE: Readonly<Record<string, OggOptions>> = {
  'with the delay of an encoder': {},
  'with nothing to skip': { preSkip: 0 },
  'that was recorded at 16 kHz': { inputRateHz: 16_000 },
  'that was recorded at no rate': { inputRateHz: 0 },
  'that says nothing of its end': { hasNoEnd: true },
  'with one page a packet': { packetsPerPage: 1 },
  'with full pages': { packetsPerPage: 120 },
  'that begins in the middle of a broadcast': { startGranule: 48_000_000 },
  'with a small picture': { comments: ['TITLE=Tone', albumArt(20_000)] },
}

for (const [what, options] of Object.entries(AS_THEY_ARE)) {
  test(`a file ${what} goes out byte for byte`, async (t) => {
    t.deepEqual(await apart(oggOpus(tone, options)), plain(tone))
  })
}

test('packets of any bandwidth, of constant length, padded, of two frames and of silence go out byte for byte', async (t) => {
  const padded = tone.map((packet) => Uint8Array.from([(packet[0] ?? 0) | 3, 0x41, 3, ...packet.subarray(1), 0, 0, 0]))
  const silent = tone.map((packet, at) => (at % 2 === 0 ? packet : packet.subarray(0, 1)))
  const two = short.flatMap((packet, at) =>
    at % 2 === 0
      ? [
          Uint8Array.from([
            (packet[0] ?? 0) | 3,
            2,
            ...packet.subarray(1, 21),
            ...(short[at + 1] ?? packet).subarray(1, 21),
          ]),
        ]
      : [],
  )
  for (const packets of [
    padded,
    silent,
    two,
    opusTone({ hz: 600, seconds: 1, bitrate: 8_000 }),
    opusTone({ hz: 600, seconds: 1, bitrate: 256_000 }),
  ]) {
    t.deepEqual(await apart(oggOpus(packets, { packetsPerPage: 20 })), plain(packets))
  }
})

test('a file of another encoder goes out as it is', async (t) => {
  const packets = await apart(await readFile(new URL('../../fixtures/tone-600hz.opus', import.meta.url)))
  t.is(packets.length, 101)
})

test('packets behind the one in which the trimmed sound ends are left out', async (t) => {
  for (const [trimmed, kept] of [
    [1, 100],
    [959, 100],
    [960, 99],
    [961, 99],
    [20_000, 80],
    [48_000, 50],
  ] as const) {
    t.deepEqual(await apart(oggOpus(tone, { trimmed })), plain(tone.slice(0, kept)), String(trimmed))
  }
  t.deepEqual(await apart(oggOpus(tone.slice(0, 50), { trimmed: 5_000 })), plain(tone.slice(0, 45)))
})

test('streams one behind the other go out byte for byte, each to its own end', async (t) => {
  const other = opusTone({ hz: 900, seconds: 1 })
  for (const serial of [7, 8]) {
    const chain = Buffer.concat([
      oggOpus(tone, { trimmed: 1_920 }),
      oggOpus(other, { serial, trimmed: 4_800, preSkip: 0 }),
      oggOpus(tone, { serial: 9 }),
    ])
    t.deepEqual(await apart(chain), plain([...tone.slice(0, 98), ...other.slice(0, 45), ...tone]))
    t.is(await apart(chain, 200), 'too-long')
  }
})

test('a stream may end in a page of its own that holds nothing', async (t) => {
  const end = oggPage({ packets: [], granule: 96_000n, sequence: 4, flags: 4 })
  t.deepEqual(await apart(Buffer.concat([...oggPages(tone, { hasNoEnd: true }), end])), plain(tone))
})

const file = oggOpus(tone)
/** Pages 0 and 1 are headers; pages 2 and 3 hold one second each. */
const LEFT_TO_A_DECODER: Readonly<Record<string, Buffer>> = {
  'with a picture over several pages': oggOpus(tone, { comments: [albumArt(100_000)] }),
  'of two streams, the second of two channels': Buffer.concat([file, oggOpus(stereo, { channels: 2, serial: 8 })]),
  'of two streams, the first without an end': Buffer.concat([oggOpus(tone, { hasNoEnd: true }), file]),
  'of two streams at once': Buffer.concat(
    oggPages(tone).flatMap((page, at) => [page, oggPages(tone, { serial: 8 })[at] ?? page]),
  ),
  'of which more than a packet is to be skipped': oggOpus(tone, { preSkip: 3_840 }),
  'that is to be played louder': oggOpus(tone, { gain: 256 }),
  'of two channels': oggOpus(stereo, { channels: 2 }),
  'of two channels in packets of one': oggOpus(tone, { channels: 2 }),
  'of one channel in packets of two': oggOpus(stereo),
  'of packets of 60 ms': oggOpus(opusTone({ hz: 600, seconds: 3, packetMs: 60 }), { packetSamples: 2_880 }),
  'of packets of 60 ms that count as 20': oggOpus(opusTone({ hz: 600, seconds: 3, packetMs: 60 })),
  'of packets of 10 ms': oggOpus(short, { packetSamples: 480 }),
  'with one packet of 10 ms': oggOpus([...tone.slice(0, 70), short[9] ?? new Uint8Array(), ...tone.slice(71)]),
  'with a packet of nothing': oggOpus([...tone.slice(0, 70), new Uint8Array(), ...tone.slice(71)]),
  'with a packet that breaks the rules': oggOpus([...tone.slice(0, 70), Uint8Array.of(0xfb, 0), ...tone.slice(71)]),
  'with a packet that no network carries whole': oggOpus([
    ...tone.slice(0, 70),
    Uint8Array.from({ length: 1_201 }, (_, at) => (at === 0 ? 0xf8 : 1)),
    ...tone.slice(71),
  ]),
  'with a hole': oggOpus(tone, { gap: { fromPage: 1, samples: 96_000 } }),
  'with a hole in the middle': oggOpus(tone, { packetsPerPage: 25, gap: { fromPage: 1, samples: 960 } }),
  'of which a page in the middle takes samples away': oggOpus(tone, {
    packetsPerPage: 25,
    gap: { fromPage: 1, samples: -960 },
  }),
  'with a page less': Buffer.concat(oggPages(tone, { packetsPerPage: 25 }).filter((_, at) => at !== 3)),
  'cut within the last page': file.subarray(0, file.length - 1),
  'cut within the header of the last page': Buffer.concat([...oggPages(tone).slice(0, 3), Buffer.from('OggS')]),
  'with something behind it': Buffer.concat([file, Buffer.from('TAG')]),
  'whose last page says that the sound is an hour longer': oggOpus(tone, { trimmed: -48_000 * 3_600 }),
  'whose last page takes away more than it holds': oggOpus(tone, { trimmed: 48_001 }),
  'with damage to its sound': withBit(file, file.length - 5),
  'with damage to the head': withBit(file, 40),
  'whose head is of a later version': withPage(0, (page) => void page.writeUInt8(16, 28 + 8)),
  'whose head names a mapping of channels': withPage(0, (page) => void page.writeUInt8(1, 28 + 18)),
  'whose head is of another codec': withPage(0, (page) => void page.write('Speex   ', 28)),
  'without a page that begins the stream': withPage(0, (page) => void page.writeUInt8(0, 5)),
  'that begins twice': withPage(2, (page) => void page.writeUInt8(2, 5)),
  'with a header that ends the stream': withPage(1, (page) => void page.writeUInt8(4, 5)),
  'without tags': withPage(1, (page) => void page.write('NotaTags', 28)),
  'with pages of another version': withPage(2, (page) => void page.writeUInt8(1, 4)),
  'with a page that goes on from one before': withPage(3, (page) => void page.writeUInt8(1, 5)),
  'with a position before the beginning': withPage(2, (page) => void page.writeBigInt64LE(-1n, 6)),
  'without sound': Buffer.concat(oggPages(tone).slice(0, 2)),
  'of which all is trimmed away': oggOpus(tone.slice(0, 50), { trimmed: 48_000 }),
  'with nothing in it': Buffer.alloc(0),
}

function withBit(content: Buffer, at: number): Buffer {
  const out = Buffer.from(content)
  out.writeUInt8(out.readUInt8(at) ^ 1, at)
  return out
}

for (const [what, content] of Object.entries(LEFT_TO_A_DECODER)) {
  test(`a file ${what} is left to a decoder`, async (t) => {
    t.is(await apart(content), 'other')
  })
}

test('a file that is not there, or is an address, is left to a decoder, which says so', async (t) => {
  for (const path of [join(directory, 'none'), directory, 'http://127.0.0.1/a.ogg'])
    t.is(await takeApart(path, 100), 'other')
})

test('more packets than are wanted are too long, however many more there are', async (t) => {
  t.is(await apart(file, 99), 'too-long')
  t.is(await apart(file.subarray(0, file.length - 1), 40), 'too-long')
  t.deepEqual(await apart(file, 100), plain(tone))
})

test('a changed file gives either the original packets or none', async (t) => {
  const change = fc.record({
    at: fc.nat(file.length - 1),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
    isSealed: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ at, bytes, isSealed }) => {
      const changed = Buffer.from(file)
      changed.set(bytes.subarray(0, file.length - at), at)
      const out = await apart(isSealed ? resealed(changed) : changed)
      if (out === 'other') return true
      return (
        typeof out !== 'string'
        && out.length > 0
        && out.every((packet) => packet.length <= 1_200 && changed.includes(packet))
      )
    }),
    { numRuns: 300, seed: 3_533 },
  )
  t.pass()
})

/** The changed bytes, cut into the original pages, each with a new correct checksum. */
function resealed(changed: Buffer): Buffer {
  let at = 0
  return Buffer.concat(oggPages(tone).map((page) => sealed(changed.subarray(at, (at += page.length)))))
}
