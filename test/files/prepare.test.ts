import test from 'ava'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import {
  ANIMATED_STICKER_BYTES,
  AUDIO_BYTES,
  DOCUMENT_BYTES,
  IMAGE_BYTES,
  STICKER_BYTES,
  VIDEO_BYTES,
} from '../../src/domain/limits.ts'
import { waveFile } from '../helpers/file-host.ts'
import { animatedWebp, film, gif, jpeg, padded, paddedMp4, paddedRiff, png, webp } from './make-media.ts'
import { codeOf, mediaOf, openFiles, prepare, serve } from './rig.ts'

const BOTH = ['OFFICIAL', 'UNOFFICIAL'] as const
const CODES = { OFFICIAL: 'OFFICIAL_MEDIA_TOO_LARGE', UNOFFICIAL: 'MEDIA_TOO_LARGE' }

/** Sends a body without a content length, so that the reader must count the bytes. */
const unannounced = (body: Uint8Array) => (_: unknown, response: ServerResponse) =>
  void response.write(body, () => response.end())

/** Files of one byte below the limit, of the limit and of one byte above, each with and without a content length. */
function around(make: (sizeBytes: number) => Buffer, ceiling: number) {
  return {
    '/under': make(ceiling - 1),
    '/at': unannounced(make(ceiling)),
    '/over': make(ceiling + 1),
    '/over-unannounced': unannounced(make(ceiling + 1)),
  }
}

// [media.ceilings.1]
test('pictures pass up to 5 MB to the byte', async (t) => {
  const [photo, drawing] = [await jpeg(), await png()]
  const rig = await openFiles(t)
  for (const picture of [photo, drawing]) {
    const host = await serve(
      t,
      around((size) => padded(picture, size), IMAGE_BYTES),
    )
    for (const provider of BOTH) {
      t.is(mediaOf(t, await prepare(rig, provider, 'image', `${host.origin}/under`)).sizeBytes, IMAGE_BYTES - 1)
      t.is(mediaOf(t, await prepare(rig, provider, 'image', `${host.origin}/at`)).sizeBytes, IMAGE_BYTES)
      const over = await prepare(rig, provider, 'image', `${host.origin}/over`)
      t.is(codeOf(over), CODES[provider])
      t.regex(over.ok ? '' : (over.failure.details ?? ''), /measures 5242881 bytes.*at most 5242880 bytes/)
      t.is(codeOf(await prepare(rig, provider, 'image', `${host.origin}/over-unannounced`)), CODES[provider])
    }
  }
})

// [media.ceilings.3]
test('videos pass up to 16 MB to the byte', async (t) => {
  const mp4 = await film({ container: 'mp4' })
  const host = await serve(
    t,
    around((size) => paddedMp4(mp4, size), VIDEO_BYTES),
  )
  const rig = await openFiles(t)
  for (const provider of BOTH) {
    t.is(mediaOf(t, await prepare(rig, provider, 'video', `${host.origin}/under`)).sizeBytes, VIDEO_BYTES - 1)
    t.like(mediaOf(t, await prepare(rig, provider, 'video', `${host.origin}/at`)), {
      sizeBytes: VIDEO_BYTES,
      mimeType: 'video/mp4',
    })
    const over = await prepare(rig, provider, 'video', `${host.origin}/over`)
    t.is(codeOf(over), CODES[provider])
    t.regex(over.ok ? '' : over.failure.message, /16777217 bytes/)
    t.is(codeOf(await prepare(rig, provider, 'video', `${host.origin}/over-unannounced`)), CODES[provider])
  }
})

// [media.ceilings.2]
test('sounds pass up to 16 MB to the byte, before they are converted', async (t) => {
  const tone = waveFile({ hz: 440, seconds: 0.5 })
  const host = await serve(
    t,
    around((size) => paddedRiff(tone, size), AUDIO_BYTES),
  )
  const rig = await openFiles(t)
  for (const provider of BOTH) {
    for (const kind of ['audio', 'voice'] as const) {
      for (const path of ['/under', '/at'])
        t.true(mediaOf(t, await prepare(rig, provider, kind, host.origin + path)).sizeBytes < 20_000)
      for (const path of ['/over', '/over-unannounced'])
        t.is(codeOf(await prepare(rig, provider, kind, host.origin + path)), CODES[provider])
    }
  }
})

// [media.ceilings.4]
test('documents pass up to 100 MB to the byte', async (t) => {
  const whole = padded(Buffer.from('%PDF-1.7\n'), DOCUMENT_BYTES + 1)
  const host = await serve(t, {
    '/under': whole.subarray(0, DOCUMENT_BYTES - 1),
    '/at': unannounced(whole.subarray(0, DOCUMENT_BYTES)),
    '/over': whole,
    '/over-unannounced': unannounced(whole),
  })
  const rig = await openFiles(t)
  for (const provider of BOTH) {
    t.is(mediaOf(t, await prepare(rig, provider, 'document', `${host.origin}/under`)).sizeBytes, DOCUMENT_BYTES - 1)
    t.is(mediaOf(t, await prepare(rig, provider, 'document', `${host.origin}/at`)).sizeBytes, DOCUMENT_BYTES)
    for (const path of ['/over', '/over-unannounced'])
      t.is(codeOf(await prepare(rig, provider, 'document', host.origin + path)), CODES[provider])
  }
})

test('stickers pass up to 100 KB static and 500 KB animated, of 512 x 512 pixels, or fail as upstream says it', async (t) => {
  const [still, moving] = [await webp(), await animatedWebp()]
  const rig = await openFiles(t)
  const host = await serve(t, {
    '/still-at': paddedRiff(still, STICKER_BYTES),
    '/still-over': paddedRiff(still, STICKER_BYTES + 2),
    '/moving-at': paddedRiff(moving, ANIMATED_STICKER_BYTES),
    '/moving-over': paddedRiff(moving, ANIMATED_STICKER_BYTES + 2),
    '/small': await webp(511, 512),
    '/png': await png(512, 512),
    '/broken': still.subarray(0, 40),
  })
  for (const provider of BOTH) {
    t.like(mediaOf(t, await prepare(rig, provider, 'sticker', `${host.origin}/still-at`)), {
      sizeBytes: STICKER_BYTES,
      isAnimated: false,
      mimeType: 'image/webp',
    })
    t.like(mediaOf(t, await prepare(rig, provider, 'sticker', `${host.origin}/moving-at`)), {
      sizeBytes: ANIMATED_STICKER_BYTES,
      isAnimated: true,
    })
    for (const path of ['/still-over', '/moving-over', '/small', '/png', '/broken']) {
      const refused = await prepare(rig, provider, 'sticker', host.origin + path)
      t.like(refused.ok ? {} : refused.failure, { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 131_053 }, path)
      t.truthy(!refused.ok && refused.failure.details)
    }
    t.is(codeOf(await prepare(rig, provider, 'sticker', `${host.origin}/gone`)), 'MEDIA_DOWNLOAD_FAILED')
  }
})

test('a file of another type than its kind fails, whatever its name says', async (t) => {
  const host = await serve(t, {
    '/picture.mp4': await jpeg(),
    '/sound.jpg': waveFile({ hz: 440, seconds: 0.2 }),
    '/film.mp3': await film({ container: 'mp4' }),
    '/tone.mp4': await film({ container: 'mp4', video: null }),
    '/a.gif': await gif(),
    '/a.webp': await webp(),
  })
  const rig = await openFiles(t)
  for (const provider of BOTH) {
    t.is(codeOf(await prepare(rig, provider, 'video', `${host.origin}/picture.mp4`)), 'MEDIA_UNSUPPORTED')
    t.is(codeOf(await prepare(rig, provider, 'image', `${host.origin}/sound.jpg`)), 'MEDIA_UNSUPPORTED')
    t.is(codeOf(await prepare(rig, provider, 'audio', `${host.origin}/film.mp3`)), 'MEDIA_UNSUPPORTED')
    t.is(codeOf(await prepare(rig, provider, 'video', `${host.origin}/tone.mp4`)), 'MEDIA_UNSUPPORTED')
    t.is(codeOf(await prepare(rig, provider, 'image', `${host.origin}/a.gif`)), 'MEDIA_UNSUPPORTED')
  }
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.webp`)), 'MEDIA_UNSUPPORTED')
  t.is(codeOf(await prepare(rig, 'UNOFFICIAL', 'image', `${host.origin}/a.webp`)), 'ok')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'document', `${host.origin}/film.mp3`)), 'MEDIA_UNSUPPORTED')
  t.is(codeOf(await prepare(rig, 'UNOFFICIAL', 'document', `${host.origin}/film.mp3`)), 'ok')
})

test('a document of text in another encoding is text when its name says so, and an open document has its own type', async (t) => {
  const latin = Buffer.from('precos.csv: pre\xe7o;1', 'latin1')
  const openDocument = Buffer.concat([
    Buffer.from('PK\x03\x04'),
    Buffer.alloc(26),
    Buffer.from('mimetypeapplication/vnd.oasis.opendocument.text'),
  ])
  const host = await serve(t, {
    '/latin': latin,
    '/utf-16': Buffer.from('\ufeffa;b', 'utf16le'),
    '/binary': Buffer.from([0, 1, 2, 0xff]),
    '/odt': openDocument,
    '/zip': Buffer.from('PK\x03\x04more'),
  })
  const rig = await openFiles(t)
  const typeOf = async (path: string, fileName: string) => {
    const { mimeType, fileName: name } = mediaOf(
      t,
      await prepare(rig, 'OFFICIAL', 'document', host.origin + path, { fileName }),
    )
    return [mimeType, name]
  }
  t.deepEqual(await typeOf('/latin', 'precos.csv'), ['text/csv', 'precos.csv'])
  t.deepEqual(await typeOf('/latin', 'precos.json'), ['text/plain', 'precos.json'])
  t.deepEqual(await typeOf('/latin', 'precos.dat'), ['application/octet-stream', 'precos.dat'])
  t.deepEqual(await typeOf('/utf-16', 'a.csv'), ['text/csv', 'a.csv'])
  t.deepEqual(await typeOf('/binary', 'a.csv'), ['application/octet-stream', 'a.csv'])
  t.deepEqual(await typeOf('/odt', 'x.odt'), ['application/vnd.oasis.opendocument.text', 'x.odt'])
  t.deepEqual(await typeOf('/zip', 'x.zip'), ['application/zip', 'x.zip'])
})

test('a document keeps its bytes and gets a name with its extension and an address', async (t) => {
  const pdf = Buffer.from('%PDF-1.7\nhello')
  const host = await serve(t, { '/files/Report%202026.exe': pdf, '/table': Buffer.from('a;b\n1;2\n') })
  const rig = await openFiles(t)
  const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'document', `${host.origin}/files/Report%202026.exe?sig=1`))
  t.like(media, {
    mimeType: 'application/pdf',
    fileName: 'Report 2026.pdf',
    url: `https://gateway.test/media/${media.fileId}/Report%202026.pdf?redirect=off`,
    waveform: null,
  })
  t.deepEqual(await readFile(media.path), pdf)
  t.like(
    mediaOf(t, await prepare(rig, 'OFFICIAL', 'document', `${host.origin}/table`, { fileName: '../../data.csv' })),
    { mimeType: 'text/csv', fileName: 'data.csv' },
  )
})
