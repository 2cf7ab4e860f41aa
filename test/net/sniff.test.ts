import test from 'ava'
import { isMpegBehindJunk, sniff } from '../../src/net/sniff.ts'
import { waveFile } from '../helpers/file-host.ts'

/** MPEG-1 layer III frames at 128 kb/s and 44.1 kHz, of 417 bytes each. */
function mpegFrames(count: number, header = [0xff, 0xfb, 0x90, 0x64], bytes = 417): Buffer {
  const frame = Buffer.alloc(bytes)
  Buffer.from(header).copy(frame)
  return Buffer.concat(Array.from({ length: count }, () => frame))
}

function oggPage(packet: string): Buffer {
  return Buffer.concat([
    Buffer.from('OggS'),
    Buffer.alloc(22),
    Buffer.from([1, packet.length]),
    Buffer.from(packet, 'latin1'),
  ])
}

test('a WAV file is told by its chunk, whatever its rate', (t) => {
  t.is(sniff(waveFile({ hz: 440, seconds: 0.1, rateHz: 8_000 })), 'audio/wav')
  t.is(sniff(Buffer.from('RF64\xff\xff\xff\xffWAVEds64', 'latin1')), 'audio/wav')
})

test('Ogg is audio when its first packet is the head of an audio codec', (t) => {
  t.is(sniff(oggPage('OpusHead\x01\x01')), 'audio/ogg')
  t.is(sniff(oggPage('\x01vorbis')), 'audio/ogg')
  t.is(sniff(oggPage('\x7fFLAC')), 'audio/ogg')
  t.is(sniff(oggPage('\x80theora')), null)
  t.is(sniff(Buffer.from('OggS')), null)
})

test('MP3 is told with a tag, without one, and behind padding', (t) => {
  t.is(sniff(Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0x20, 0]), Buffer.alloc(100)])), 'audio/mpeg')
  t.is(sniff(mpegFrames(3)), 'audio/mpeg')
  t.is(sniff(Buffer.concat([Buffer.alloc(500), mpegFrames(3)])), 'audio/mpeg')
  t.is(sniff(mpegFrames(3, [0xff, 0xf3, 0x40, 0xc4], Math.floor((72_000 * 32) / 22_050))), 'audio/mpeg')
})

test('MP3 behind an APE tag or behind bytes nobody knows is told by three of its frames', (t) => {
  const junk = Buffer.from('old player\xff\xfb'.repeat(40), 'latin1')
  const ape = Buffer.from('APETAGEX\xd0\x07\0\0\x20\0\0\0'.padEnd(32, '\0'), 'latin1')
  for (const bytes of [Buffer.concat([junk, mpegFrames(4)]), Buffer.concat([ape, Buffer.alloc(5_000, 1)])]) {
    t.true(isMpegBehindJunk(bytes))
    t.is(sniff(bytes), null, 'no file is named by it')
  }
  t.false(isMpegBehindJunk(Buffer.concat([junk, mpegFrames(2)])))
})

test('a file that only resembles audio is not recognised as audio', (t) => {
  const others: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    zeros: Buffer.alloc(4_096),
    'a lone frame header': mpegFrames(1),
    'UTF-16 text': Buffer.from('\ufeffhello, this is text'.repeat(200), 'utf16le'),
    'a playlist': Buffer.from('#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret\n'),
    html: Buffer.from('<!doctype html><title>audio.mp3</title>'),
    zip: Buffer.from('PK\x03\x04'.padEnd(100, '\0'), 'latin1'),
    avi: Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'),
    webp: Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'),
    jpeg: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_000)]),
    aac: mpegFrames(3, [0xff, 0xf1, 0x50, 0x80]),
    mp4: Buffer.from('\0\0\0\x18ftypM4A ', 'latin1'),
    'a tag with an impossible size': Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0xff, 0xff, 0xff, 0xff]),
  }
  for (const [name, bytes] of Object.entries(others)) {
    t.is(sniff(bytes), null, name)
    t.false(isMpegBehindJunk(bytes), name)
  }
})
