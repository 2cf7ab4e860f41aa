import test from 'ava'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { VIDEO_BYTES } from '../../src/domain/limits.ts'
import { waveFile } from '../helpers/file-host.ts'
import { film, jpeg, paddedMatroska, streamsOf } from './make-media.ts'
import { NUMBER, TENANT, codeOf, mediaOf, openFiles, prepare, serve } from './rig.ts'

// [media.sending.9]
test('on OFFICIAL numbers videos of other systems become MP4 with H.264 and AAC, told by content', async (t) => {
  const host = await serve(t, {
    '/a.mp4': await film({ container: 'mov' }),
    '/b.mp4': await film({ container: 'webm', video: 'vp8', audio: 'opus' }),
    '/c': await film({ container: 'matroska' }),
    '/d': await film({ container: 'avi', audio: null }),
    '/e.mp4': await film({ container: 'mp4', audio: 'opus', width: 1_600, height: 900, seconds: 0.2 }),
  })
  const rig = await openFiles(t)
  for (const path of ['/a.mp4', '/b.mp4', '/c', '/d', '/e.mp4']) {
    const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'video', host.origin + path))
    t.like(media, { mimeType: 'video/mp4', fileName: 'file.mp4' }, path)
    const [width, height] = path === '/e.mp4' ? [1_280, 720] : [160, 120]
    const sound = path === '/d' ? [] : [{ codec: 'aac', channels: 1 }]
    t.deepEqual(await streamsOf(media.path), [{ codec: 'h264', width, height, delay: 0 }, ...sound], path)
    // The index comes before the media data, so that a player can start at once.
    const bytes = await readFile(media.path)
    t.true(bytes.indexOf('moov') < bytes.indexOf('mdat'))
  }
})

test('a film from a phone held upright is turned upright, not marked as lying', async (t) => {
  const mov = await film({ container: 'mov' })
  // The matrix in the track header of the video: a quarter turn (ISO 14496-12 8.3.2).
  const at = mov.indexOf('tkhd') + 44
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0].entries()) mov.writeInt32BE(value, at + index * 4)
  const host = await serve(t, { '/a.mov': mov })
  const media = mediaOf(t, await prepare(await openFiles(t), 'OFFICIAL', 'video', `${host.origin}/a.mov`))
  t.like(await streamsOf(media.path), { 0: { width: 120, height: 160 } })
  const bytes = await readFile(media.path)
  t.is(bytes.readInt32BE(bytes.indexOf('tkhd') + 44), 0x10000)
})

test('a film of profile High with B-frames, which some phones do not play, is converted on OFFICIAL numbers', async (t) => {
  const high = await film({ container: 'mp4', isHigh: true })
  const host = await serve(t, { '/a.mp4': high })
  const rig = await openFiles(t)
  const asItCame = mediaOf(t, await prepare(rig, 'UNOFFICIAL', 'video', `${host.origin}/a.mp4`))
  t.like(await streamsOf(asItCame.path), { 0: { codec: 'h264', delay: 2 } })
  const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.mp4`))
  t.like(media, { mimeType: 'video/mp4', fileName: 'file.mp4' })
  t.like(await streamsOf(media.path), { 0: { codec: 'h264', delay: 0 } })
})

const RED = { create: { width: 64, height: 48, channels: 3, background: '#c81e1e' } } as const
const shown = async (path: string) => {
  const { format, space, depth, isPalette } = await sharp(path).metadata()
  const { dominant } = await sharp(path).stats()
  return { format, space, depth, isPalette, dominant }
}

test('a picture in CMYK, of 16 bits, of greys or with a palette is sent as 8-bit RGB on OFFICIAL numbers', async (t) => {
  const grey = { r: 136, g: 136, b: 136 }
  const odd: readonly (readonly [path: string, bytes: Buffer, format: string])[] = [
    ['/cmyk', await sharp(RED).toColourspace('cmyk').jpeg().toBuffer(), 'jpeg'],
    ['/16-bit', await sharp(RED).toColourspace('rgb16').png().toBuffer(), 'png'],
    [
      '/grey',
      await sharp({ create: { ...RED.create, background: grey } })
        .toColourspace('b-w')
        .jpeg()
        .toBuffer(),
      'jpeg',
    ],
    ['/palette', await sharp(RED).png({ palette: true, colours: 4 }).toBuffer(), 'png'],
  ]
  const plain = await jpeg()
  const host = await serve(t, { ...Object.fromEntries(odd), '/plain': plain })
  const rig = await openFiles(t)
  for (const [path, bytes, format] of odd) {
    const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', host.origin + path))
    const { dominant, ...kind } = await shown(media.path)
    t.deepEqual(kind, { format, space: 'srgb', depth: 'uchar', isPalette: false }, path)
    t.is(dominant.r > 100 && dominant.g < 100, path !== '/grey', path)
    t.is(media.mimeType, `image/${format}`)
    t.is(media.sizeBytes, (await readFile(media.path)).byteLength)
    t.deepEqual(
      await readFile(mediaOf(t, await prepare(rig, 'UNOFFICIAL', 'image', host.origin + path)).path),
      bytes,
      path,
    )
  }
  t.deepEqual(
    await readFile(mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/plain`)).path),
    plain,
    'as it came',
  )
})

test('an MP4 that upstream plays, and any video on UNOFFICIAL, goes as it came', async (t) => {
  const [mp4, mov, webm, phone] = [
    await film({ container: 'mp4' }),
    await film({ container: 'mov' }),
    await film({ container: 'webm', video: 'vp8', audio: 'opus' }),
    await film({ container: '3gp' }),
  ]
  const host = await serve(t, { '/a': mp4, '/b': mov, '/c': webm, '/d': phone })
  const rig = await openFiles(t)
  t.deepEqual(await readFile(mediaOf(t, await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a`)).path), mp4)
  t.like(mediaOf(t, await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/d`)), {
    mimeType: 'video/3gpp',
    sizeBytes: phone.byteLength,
  })
  for (const [path, bytes, mimeType] of [
    ['/a', mp4, 'video/mp4'],
    ['/b', mov, 'video/quicktime'],
    ['/c', webm, 'video/webm'],
  ] as const) {
    const media = mediaOf(t, await prepare(rig, 'UNOFFICIAL', 'video', host.origin + path))
    t.is(media.mimeType, mimeType)
    t.deepEqual(await readFile(media.path), bytes)
  }
})

test('a WebM of more than 16 MB that fits once converted is sent on OFFICIAL and too large on UNOFFICIAL', async (t) => {
  const webm = await film({ container: 'webm', video: 'vp8', audio: 'opus' })
  const host = await serve(t, { '/a.webm': paddedMatroska(webm, VIDEO_BYTES + 1) })
  const rig = await openFiles(t)
  const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.webm`))
  t.true(media.sizeBytes < webm.byteLength * 10)
  t.is(codeOf(await prepare(rig, 'UNOFFICIAL', 'video', `${host.origin}/a.webm`)), 'MEDIA_TOO_LARGE')
})

test('a picture of chance, which no encoder makes small, fits once it is converted at a lower bit rate', async (t) => {
  const ceiling = 1_500_000
  const webm = await film({
    container: 'webm',
    video: 'vp8',
    audio: 'opus',
    seconds: 2,
    width: 320,
    height: 240,
    bitrate: 60_000_000,
    isNoise: true,
  })
  t.true(webm.byteLength > 2 * ceiling, String(webm.byteLength))
  const host = await serve(t, { '/a.webm': webm })
  const media = mediaOf(
    t,
    await prepare(await openFiles(t, { ceilings: { video: ceiling } }), 'OFFICIAL', 'video', `${host.origin}/a.webm`),
  )
  t.true(media.sizeBytes < ceiling, String(media.sizeBytes))
})

// [media.sending.10]
test('a video that stays too large when converted fails with the size measured', async (t) => {
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
  })
  const rig = await openFiles(t, { ceilings: { video: 10_000 } })
  const refused = await prepare(rig, 'OFFICIAL', 'video', `${host.origin}/a.webm`)
  t.is(codeOf(refused), 'OFFICIAL_MEDIA_TOO_LARGE')
  t.regex(refused.ok ? '' : (refused.failure.details ?? ''), /measures \d{5,} bytes .* at most 10000 bytes/)
})

// [media.sending.2] [media.sending.3]
test('sounds of any kind become OGG/Opus mono, voice with a waveform', async (t) => {
  const host = await serve(t, {
    '/wav': waveFile({ hz: 440, seconds: 1, channels: 2 }),
    '/m4a': await film({ container: 'mp4', video: null, channels: 2 }),
    '/webm': await film({ container: 'webm', video: null, audio: 'opus' }),
    '/mp3': await readFile(new URL('../fixtures/tone-1000hz.mp3', import.meta.url)),
    '/vorbis': await readFile(new URL('../fixtures/tone-800hz.ogg', import.meta.url)),
  })
  const rig = await openFiles(t)
  for (const path of ['/wav', '/m4a', '/webm', '/mp3', '/vorbis']) {
    const audio = mediaOf(t, await prepare(rig, 'OFFICIAL', 'audio', host.origin + path))
    t.like(audio, { mimeType: 'audio/ogg; codecs=opus', fileName: 'file.ogg', waveform: null }, path)
    t.deepEqual(await streamsOf(audio.path), [{ codec: 'opus', channels: 1 }], path)
    const voice = mediaOf(t, await prepare(rig, 'UNOFFICIAL', 'voice', host.origin + path))
    t.is(voice.mimeType, 'audio/ogg; codecs=opus', 'phones play no other')
    t.is(voice.waveform?.length, 64)
    t.deepEqual(voice.sound?.waveform, voice.waveform)
    t.deepEqual(audio.sound, voice.sound)
  }
})

test('the waveform of a kept sound is read from the file as it is; a file that is no sound, or is gone, has none', async (t) => {
  const rig = await openFiles(t)
  const keep = async (bytes: Uint8Array) => {
    const kept = await rig.files.keep(
      TENANT,
      NUMBER,
      `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`,
    )
    return kept.ok ? kept.file.fileId : (t.fail(kept.refusal.message) as never)
  }
  const id = await keep(waveFile({ hz: 440, seconds: 2 }))
  const sound = await rig.files.hear(NUMBER, id)
  t.true(Math.abs((sound?.durationMs ?? 0) - 2_000) <= 50, String(sound?.durationMs))
  t.is(sound?.waveform.length, 64)
  t.is(Math.max(...(sound?.waveform ?? [])), 100)
  t.is(await rig.files.hear(NUMBER, await keep(await jpeg())), null)
  t.is(await rig.files.hear(NUMBER, await keep(await film({ container: 'mp4' }))), null)
  await rig.files.release([id])
  t.is(await rig.files.hear(NUMBER, id), null)
})

test('OGG/Opus mono goes as it came', async (t) => {
  const rig = await openFiles(t)
  const first = await serve(t, { '/wav': waveFile({ hz: 440, seconds: 1 }) })
  const opus = await readFile(mediaOf(t, await prepare(rig, 'OFFICIAL', 'audio', `${first.origin}/wav`)).path)
  const second = await serve(t, { '/a.ogg': opus })
  t.deepEqual(await readFile(mediaOf(t, await prepare(rig, 'OFFICIAL', 'voice', `${second.origin}/a.ogg`)).path), opus)
})

test('the waveform shows loud and quiet parts where they are', async (t) => {
  const loud = waveFile({ hz: 440, seconds: 2, rateHz: 48_000 })
  // The sound is loud for a second, then at a quarter of the level, then silent.
  for (let at = 48_000; at < 96_000; at++)
    loud.writeInt16LE(at < 72_000 ? Math.round(loud.readInt16LE(44 + at * 2) / 4) : 0, 44 + at * 2)
  const host = await serve(t, { '/a.wav': loud })
  const rig = await openFiles(t)
  const waveform = mediaOf(t, await prepare(rig, 'OFFICIAL', 'voice', `${host.origin}/a.wav`)).waveform ?? []
  t.true(
    waveform.slice(1, 31).every((point) => point >= 95),
    waveform.join(' '),
  )
  t.true(
    waveform.slice(34, 46).every((point) => Math.abs(point - 25) <= 4),
    waveform.join(' '),
  )
  t.true(
    waveform.slice(50).every((point) => point <= 2),
    waveform.join(' '),
  )
})
