import test from 'ava'
import { crc32, deflateSync } from 'node:zlib'
import { readdir } from 'node:fs/promises'
import { until } from '../helpers/until.ts'
import { waveFile } from '../helpers/file-host.ts'
import { film, jpeg, packedPng, png, statedPng } from './make-media.ts'
import { codeOf, mediaOf, openFiles, prepare, serve } from './rig.ts'

test('a picture of 30,000 x 30,000 pixels is refused by its header', async (t) => {
  const host = await serve(t, { '/a.png': statedPng(30_000, 30_000, Buffer.alloc(1_000)) })
  const rig = await openFiles(t)
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const prepared = await prepare(rig, provider, 'image', `${host.origin}/a.png`)
    t.is(codeOf(prepared), 'MEDIA_UNSUPPORTED')
    t.regex(prepared.ok ? '' : prepared.failure.message, /too many pixels/)
  }
  t.deepEqual(await rig.onDisk(), [])
})

test('sides and pixels have bounds of their own', async (t) => {
  const host = await serve(t, {
    '/side.png': statedPng(16_385, 10, Buffer.alloc(16_385 * 31)),
    '/pixels.png': statedPng(8_000, 6_251, Buffer.alloc(1_000)),
    '/fits.png': statedPng(16_384, 10, Buffer.alloc((16_384 * 3 + 1) * 10)),
  })
  const rig = await openFiles(t)
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/side.png`)), 'MEDIA_UNSUPPORTED')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/pixels.png`)), 'MEDIA_UNSUPPORTED')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/fits.png`)), 'ok')
})

test('compressed bombs in the clothes of a picture harm nothing', async (t) => {
  const bomb = Buffer.alloc(100_000_000)
  const packed = deflateSync(bomb)
  // The same stream in a gzip frame instead of a zlib one (RFC 1950 2.2, RFC 1952 2.3).
  const gzip = Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), packed.subarray(2, -4), Buffer.alloc(8)])
  gzip.writeUInt32LE(crc32(bomb), gzip.byteLength - 8)
  gzip.writeUInt32LE(bomb.byteLength, gzip.byteLength - 4)
  const rig = await openFiles(t, { children: {} })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const host = await serve(t, {
    '/zip.png': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), packed]),
    '/gzip.png': gzip,
    '/signed.png': Buffer.concat([signature, packed]),
    '/inflates.png': packedPng(100, 100, packed),
    '/good.png': await png(),
  })
  for (const name of ['zip', 'gzip', 'signed'])
    t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/${name}.png`)), 'MEDIA_UNSUPPORTED', name)
  // The header states the real size of the picture. What follows the picture is never inflated.
  t.not(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/inflates.png`)), 'MEDIA_DOWNLOAD_FAILED')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/good.png`)), 'ok')
  t.is(rig.files.stats().childrenStarted, 1)
})

test('pictures cut in the header or in the middle are refused', async (t) => {
  const [whole, photo] = [await png(300, 300), await jpeg(600, 400)]
  const host = await serve(t, {
    '/head.png': whole.subarray(0, 20),
    '/half.png': whole.subarray(0, whole.length / 2),
    '/head.jpg': photo.subarray(0, 30),
    '/empty.png': Buffer.alloc(0),
  })
  const rig = await openFiles(t)
  for (const path of ['/head.png', '/half.png', '/head.jpg', '/empty.png'])
    t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', host.origin + path)), 'MEDIA_UNSUPPORTED', path)
})

test('a playlist or a page under the name of a video is never opened as one', async (t) => {
  const secret = await serve(t, {})
  const playlist = Buffer.from(
    `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${secret.origin}/secret.ts\nfile:///etc/passwd\n`,
  )
  const host = await serve(t, {
    '/list.mp4': playlist,
    '/page.mp4': Buffer.from('<!doctype html><title>sign in</title>'),
    '/drawing.png': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    // A playlist behind the file type box of an MP4.
    '/brand.mp4': Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), playlist]),
  })
  const rig = await openFiles(t)
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    for (const path of ['/list.mp4', '/page.mp4', '/brand.mp4']) {
      for (const kind of ['video', 'audio', 'voice'] as const)
        t.is(codeOf(await prepare(rig, provider, kind, host.origin + path)), 'MEDIA_UNSUPPORTED', `${kind} ${path}`)
    }
    t.is(codeOf(await prepare(rig, provider, 'image', `${host.origin}/drawing.png`)), 'MEDIA_UNSUPPORTED')
  }
  t.is(secret.requests.length, 0)
  t.is(mediaOf(t, await prepare(rig, 'OFFICIAL', 'document', `${host.origin}/list.mp4`)).mimeType, 'text/plain')
})

/** Changes the duration in the movie header, to 10 hours instead of a second or to zero. */
function lying(mp4: Buffer, duration: number): Buffer {
  const copy = Buffer.from(mp4)
  for (const [box, at] of [
    ['mvhd', 20],
    ['tkhd', 24],
    ['mdhd', 20],
  ] as const) {
    for (let found = copy.indexOf(box); found >= 0; found = copy.indexOf(box, found + 4))
      copy.writeUInt32BE(duration, found + at)
  }
  return copy
}

test('the length of a file is counted, not believed', async (t) => {
  const short = await film({ container: 'mp4', seconds: 1 })
  // A WAV file that claims one second and holds more than an hour, at 8 bits and 1 kHz.
  const long = Buffer.concat([
    waveFile({ hz: 100, seconds: 0, rateHz: 1_000 }, 3_700 * 2_000),
    Buffer.alloc(3_700 * 2_000),
  ])
  const host = await serve(t, {
    '/long.mp4': lying(short, 36_000_000),
    '/none.mp4': lying(short, 0),
    '/long.wav': long,
    '/says-long.wav': waveFile({ hz: 440, seconds: 1 }, 0xfffffff0),
  })
  const rig = await openFiles(t)
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/long.mp4`)), 'ok')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/none.mp4`)), 'ok')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'voice', `${host.origin}/says-long.wav`)), 'ok')
  const refused = await prepare(rig, 'OFFICIAL', 'audio', `${host.origin}/long.wav`)
  t.is(codeOf(refused), 'MEDIA_UNSUPPORTED')
  t.regex(refused.ok ? '' : refused.failure.message, /too long/)
})

test('a file that makes its child eat memory is ended, and others go on', async (t) => {
  // The conversion of this film takes longer than a busy machine needs to check the child's memory.
  const host = await serve(t, {
    '/a.webm': await film({
      container: 'webm',
      video: 'vp8',
      audio: null,
      seconds: 2,
      width: 320,
      height: 240,
      isNoise: true,
    }),
    '/b.jpg': await jpeg(),
  })
  const rig = await openFiles(t, { children: { long: { maxRssBytes: 1_000_000 }, memoryCheckMs: 5 } })
  const [eater, other] = await Promise.all([
    prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.webm`),
    prepare(rig, 'OFFICIAL', 'image', `${host.origin}/b.jpg`),
  ])
  t.is(codeOf(eater), 'MEDIA_UNSUPPORTED')
  t.regex(eater.ok ? '' : eater.failure.message, /too much memory/)
  t.is(codeOf(other), 'ok')
})

test('a child that does not come back is ended, and others go on', async (t) => {
  const host = await serve(t, {
    '/a.webm': await film({ container: 'webm', video: 'vp8', audio: null }),
    '/b.jpg': await jpeg(),
  })
  const rig = await openFiles(t, { children: { long: { wallMs: 1 } } })
  const [hanging, other] = await Promise.all([
    prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.webm`),
    prepare(rig, 'OFFICIAL', 'image', `${host.origin}/b.jpg`),
  ])
  t.is(codeOf(hanging), 'MEDIA_UNSUPPORTED')
  t.regex(hanging.ok ? '' : hanging.failure.message, /too long to check/)
  t.is(codeOf(other), 'ok')
  t.deepEqual(await readdir(`${rig.directory}/temp`), [])
})

test('a child killed in the middle of a file fails that file alone', async (t) => {
  const host = await serve(t, { '/a.webm': await film({ container: 'webm', video: 'vp8', audio: null }) })
  const rig = await openFiles(t, { children: {} })
  const doomed = prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.webm`)
  const pid = await until('a child is at work', () => rig.files.stats().children[0])
  process.kill(pid, 'SIGKILL')
  t.is(codeOf(await doomed), 'MEDIA_UNSUPPORTED')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.webm`)), 'ok')
})
