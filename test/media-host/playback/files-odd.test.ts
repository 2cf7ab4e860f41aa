import test from 'ava'
import { readFileSync } from 'node:fs'
import { amplitudeAt, rmsOf } from '../../helpers/audio-signal.ts'
import { hear, startFileHost, waveFile } from '../../helpers/file-host.ts'
import { oddWave } from '../../helpers/odd-waves.ts'
import type { OddWave } from '../../helpers/odd-waves.ts'
import { codeOf, isHeard, mp3, open, settled, wav, withEtag } from './playable-files.ts'

const opus = readFileSync(new URL('../../fixtures/tone-600hz.opus', import.meta.url))

test('MP3, WAV and Opus files are told by their bytes, whatever name and type they come under', async (t) => {
  const host = await startFileHost(t, ({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(url === '/a.txt' ? mp3 : url === '/b.mp3' ? wav : opus)
  })
  const { source, files } = await open(t)
  await isHeard(t, await source.open(`${host.origin}/a.txt`), 1_000)
  await isHeard(t, await source.open(`${host.origin}/b.mp3`), 440)
  await isHeard(t, await source.open(`${host.origin}/c`), 600)
  t.deepEqual(await files(), [])
})

test('a file that is not audio is refused, even under the name and type of audio', async (t) => {
  const bodies: Record<string, string | Buffer> = {
    '/html.mp3': '<!doctype html><title>Sign in</title>',
    '/playlist.mp3': '#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret.mp3\n',
    '/avi.wav': Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'),
    '/empty.mp3': '',
  }
  const host = await startFileHost(t, ({ url }, response) => {
    response.setHeader('content-type', 'audio/mpeg')
    response.end(bodies[url ?? ''])
  })
  const { source, files } = await open(t)
  for (const path of Object.keys(bodies)) t.is(codeOf(await source.open(host.origin + path)), 'MEDIA_UNSUPPORTED', path)
  t.deepEqual(await files(), [])
})

// [calls.play.5]
test('a file longer than the decoder allows fails with a reason', async (t) => {
  const host = await startFileHost(
    t,
    (_, response) => void response.end(waveFile({ hz: 440, seconds: 7, rateHz: 8_000 })),
  )
  const { source } = await open(t)
  const playable = await settled(t, await source.open(host.origin))
  t.is(playable.state, 'failed')
  t.regex(playable.error ?? '', /10 minutes/)
})

/** Valid but rare WAV files of a second of 600 Hz. */
const ODD_WAVES: Readonly<Record<string, OddWave>> = {
  'rifx-600hz': { isBig: true },
  'big-endian of 24 bits': { isBig: true, bits: 24 },
  'big-endian of floats': { isBig: true, tag: 3, bits: 32 },
  extensible: { isExtensible: true },
  'of 24 bits in 32': { bits: 24, containerBits: 32 },
  'extensible, of 24 bits in 32': { isExtensible: true, bits: 24, containerBits: 32, channels: 2 },
  'of 20 bits in 24': { bits: 20, containerBits: 24 },
  'with a list of odd length': { between: [['LIST', Buffer.alloc(7, 0x41)]] },
  'with one that is not padded': { between: [['LIST', Buffer.alloc(7, 0x41)]], isUnpadded: true },
}

for (const [what, wave] of Object.entries(ODD_WAVES)) {
  test(`a WAV ${what} plays, and nothing but its tone is heard`, async (t) => {
    const host = await startFileHost(t, (_, response) => void response.end(oddWave(600, wave)))
    const { source, files } = await open(t)
    const playable = await settled(t, await source.open(host.origin))
    t.deepEqual([playable.state, playable.error], ['complete', null])
    const middle = (await hear(playable.packets)).subarray(9_600, 38_400)
    t.true(amplitudeAt(middle, 48_000, 600) > 0.9 * Math.SQRT2 * rmsOf(middle))
    t.true(rmsOf(middle) > 7_000)
    t.deepEqual(await files(), [])
  })
}

test('a big-endian WAV of something else than PCM fails in words', async (t) => {
  const host = await startFileHost(
    t,
    (_, response) => void response.end(oddWave(600, { isBig: true, tag: 7, bits: 8 })),
  )
  const { source } = await open(t)
  const playable = await settled(t, await source.open(host.origin))
  t.deepEqual(
    [playable.state, playable.error],
    ['failed', 'The WAV file could not be read. Its samples are big-endian and no PCM.'],
  )
})

const junk = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7_919 + (at >> 3)) & 0x7f))

/** An APE tag of version 2: a header and a footer around `bytes` bytes of items. */
function apeTag(bytes: number): Buffer {
  const header = Buffer.alloc(32)
  header.write('APETAGEX')
  header.writeUInt32LE(2_000, 8)
  header.writeUInt32LE(bytes + 32, 12)
  const footer = Buffer.from(header)
  header.writeUInt32LE(0xa000_0000, 20)
  footer.writeUInt32LE(0x8000_0000, 20)
  return Buffer.concat([header, junk(bytes), footer])
}

const id3Tag = (bytes: number) =>
  Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, (bytes >> 21) & 127, (bytes >> 14) & 127, (bytes >> 7) & 127, bytes & 127]),
    junk(bytes),
  ])

for (const [what, before] of [
  ['junk', junk(700)],
  ['an APE tag', apeTag(300)],
  ['an APE tag with a picture', apeTag(100_000)],
  ['an ID3 tag with a picture', id3Tag(100_000)],
  ['two ID3 tags', Buffer.concat([id3Tag(1_000), id3Tag(50)])],
  ['an ID3 tag and an APE tag', Buffer.concat([id3Tag(1_000), apeTag(100)])],
] as const) {
  test(`an MP3 behind ${what} plays`, async (t) => {
    const host = await startFileHost(t, (_, response) => void response.end(Buffer.concat([before, mp3])))
    const { source } = await open(t)
    await isHeard(t, await source.open(host.origin), 1_000)
  })
}

test('a tag of MP3 in front of something else is never played as noise', async (t) => {
  const { source } = await open(t)
  for (const [at, content] of [wav, opus, junk(200_000)].entries()) {
    const host = await startFileHost(
      t,
      (_, response) => void response.end(Buffer.concat([at % 2 === 0 ? id3Tag(500) : apeTag(500), content])),
    )
    const playable = await settled(t, await source.open(host.origin))
    t.is(playable.state, 'failed')
    t.regex(playable.error ?? '', /could not be decoded/)
  }
})

test('a file that only begins like audio fails later, and is not kept', async (t) => {
  const host = await startFileHost(
    t,
    withEtag(Buffer.concat([wav.subarray(0, 20), Buffer.alloc(5_000, 0x41)]), '"broken"'),
  )
  const { source, files } = await open(t)
  for (const round of [1, 2]) {
    const playable = await settled(t, await source.open(host.origin))
    t.is(playable.state, 'failed')
    t.regex(playable.error ?? '', /could not be decoded/)
    t.is(playable.packets.length, 0)
    t.is(source.stats().requested, round)
  }
  t.deepEqual(await files(), [])
})
