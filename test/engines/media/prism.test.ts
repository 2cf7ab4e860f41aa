/**
 * What the Ogg demuxer of prism-media does with files that nobody checked. This is why `ogg.ts` checks a file before
 * the demuxer gets it, and the packets after.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import test from 'ava'
import prism from 'prism-media'
import { albumArt, oggOpus, oggPage, oggPages, opusTone } from '../../helpers/ogg-files.ts'

const tone = opusTone({ hz: 600, seconds: 2 })

async function demuxed(chunks: readonly Buffer[]): Promise<Uint8Array[]> {
  const packets: Uint8Array[] = []
  await pipeline(Readable.from(chunks), new prism.opus.OggDemuxer(), async (source: AsyncIterable<Uint8Array>) => {
    for await (const packet of source) packets.push(packet)
  })
  return packets
}

test('the demuxer hands on packets as they stand, however the file comes in pieces', async (t) => {
  const file = oggOpus(tone)
  const pieces = Array.from({ length: Math.ceil(file.length / 700) }, (_, at) =>
    file.subarray(at * 700, at * 700 + 700),
  )
  for (const chunks of [[file], pieces, oggPages(tone)])
    t.deepEqual(
      (await demuxed(chunks)).map((packet) => Buffer.from(packet)),
      tone.map((packet) => Buffer.from(packet)),
    )
})

test('the demuxer looks at no checksum', async (t) => {
  const file = oggOpus(tone)
  file.writeUInt8(file.readUInt8(file.length - 1) ^ 1, file.length - 1)
  t.is((await demuxed([file])).length, tone.length)
})

test('the demuxer knows no positions: a hole, trimmed samples, packets of no sound and a page out of turn are nothing to it', async (t) => {
  t.is((await demuxed([oggOpus(tone, { gap: { fromPage: 1, samples: 96_000 }, trimmed: 20_000 })])).length, tone.length)
  const [head, tags, one, two] = oggPages([...tone, new Uint8Array()])
  if (!head || !tags || !one || !two) return t.fail()
  t.is((await demuxed([head, tags, two, one])).length, tone.length)
  t.is((await demuxed([head, tags, oggPage({ packets: [new Uint8Array()], granule: 0n, sequence: 2 })])).length, 1)
})

test('the demuxer says nothing of a file that ends within a page', async (t) => {
  const file = oggOpus(tone)
  t.is((await demuxed([file.subarray(0, file.length - 1)])).length, 50)
})

test('the demuxer waits for ever for a packet that goes on in the next page, holding all that follows', async (t) => {
  t.deepEqual(await demuxed([oggOpus(tone, { comments: [albumArt(100_000)] })]), [])
})

test('the demuxer plays a chained stream of the same serial, and leaves out one of another', async (t) => {
  // The demuxer takes the second stream's header for a packet of audio.
  t.is((await demuxed([oggOpus(tone), oggOpus(tone)])).length, 2 * tone.length + 1)
  t.is((await demuxed([oggOpus(tone), oggOpus(tone, { serial: 8 })])).length, tone.length)
})

test('the demuxer fails at what is no page', async (t) => {
  await t.throwsAsync(demuxed([oggOpus(tone), Buffer.alloc(100)]), { message: /capture_pattern/ })
})

test('the encoder of prism-media wants a package of its own choice, and takes no other', (t) => {
  t.throws(() => new prism.opus.Encoder({ rate: 48_000, channels: 1, frameSize: 960 }), {
    message: /@discordjs\/opus[^]*node-opus[^]*opusscript/,
  })
})
