import test from 'ava'
import { judgeSticker, mostBytes, planOf, tooLarge, workFailure } from '../../src/files/media-rules.ts'
import { MEDIA_KINDS } from '../../src/domain/message.ts'
import type { FileType } from '../../src/files/file-type.ts'
import type { MediaKind } from '../../src/domain/message.ts'
import type { ProviderKind } from '../../src/domain/number.ts'

const MB = 1_048_576
const TYPES: readonly FileType[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/mp4',
  'audio/aac',
  'audio/amr',
  'audio/flac',
  'video/mp4',
  'video/quicktime',
  'video/3gpp',
  'video/webm',
  'video/x-matroska',
  'video/x-msvideo',
  'application/pdf',
  'application/zip',
  'text/plain',
  'application/octet-stream',
]
const AUDIBLE = TYPES.slice(4, 17)

function accepted(provider: ProviderKind, kind: MediaKind): FileType[] {
  return TYPES.filter((type) => !('code' in planOf(provider, kind, type)))
}

// [media.sending.1]
test('each kind takes its own types, by provider', (t) => {
  t.deepEqual(accepted('OFFICIAL', 'image'), ['image/jpeg', 'image/png'])
  t.deepEqual(accepted('UNOFFICIAL', 'image'), ['image/jpeg', 'image/png', 'image/webp'])
  t.deepEqual(accepted('OFFICIAL', 'video'), [
    'video/mp4',
    'video/quicktime',
    'video/3gpp',
    'video/webm',
    'video/x-matroska',
    'video/x-msvideo',
  ])
  t.deepEqual(accepted('UNOFFICIAL', 'video'), ['video/mp4', 'video/quicktime', 'video/3gpp', 'video/webm'])
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    for (const kind of ['audio', 'voice'] as const) t.deepEqual(accepted(provider, kind), AUDIBLE)
    t.deepEqual(accepted(provider, 'sticker'), ['image/webp'])
  }
  t.deepEqual(accepted('UNOFFICIAL', 'document'), TYPES)
  t.deepEqual(
    accepted('OFFICIAL', 'document'),
    TYPES.filter((type) => !type.startsWith('video/')),
  )
})

test("a wrong type is told by name, and for stickers in upstream's words", (t) => {
  t.like(planOf('OFFICIAL', 'image', 'image/gif'), {
    code: 'MEDIA_UNSUPPORTED',
    details: 'found image/gif',
    upstreamCode: null,
  })
  t.like(planOf('UNOFFICIAL', 'sticker', 'image/png'), {
    code: 'OFFICIAL_MEDIA_UPLOAD_ERROR',
    upstreamCode: 131_053,
    details: 'A sticker must be image/webp; the file is image/png.',
  })
})

test('on OFFICIAL numbers videos of other systems are converted and may be larger before, MP4 goes as it is', (t) => {
  t.deepEqual(planOf('OFFICIAL', 'video', 'video/quicktime'), {
    work: 'video',
    inputBytes: 100 * MB,
    convert: 'always',
  })
  t.deepEqual(planOf('OFFICIAL', 'video', 'video/webm'), { work: 'video', inputBytes: 100 * MB, convert: 'always' })
  t.deepEqual(planOf('OFFICIAL', 'video', 'video/mp4'), { work: 'video', inputBytes: 16 * MB, convert: 'unless-fit' })
  t.deepEqual(planOf('UNOFFICIAL', 'video', 'video/quicktime'), {
    work: 'video',
    inputBytes: 16 * MB,
    convert: 'never',
  })
})

// [media.ceilings.1] [media.ceilings.2] [media.ceilings.3] [media.ceilings.4] [media.ceilings.5]
test('ceilings are those of the limits table', (t) => {
  const most = (provider: ProviderKind) =>
    Object.fromEntries(MEDIA_KINDS.map((kind) => [kind, mostBytes(provider, kind)]))
  const others = { image: 5 * MB, document: 100 * MB, audio: 16 * MB, voice: 16 * MB, sticker: 500 * 1_024 }
  t.deepEqual(most('UNOFFICIAL'), { ...others, video: 16 * MB })
  t.deepEqual(most('OFFICIAL'), { ...others, video: 100 * MB })
})

test('a file that is too large is refused with its size and its ceiling, under the code of its kind of number', (t) => {
  t.like(tooLarge('OFFICIAL', 'video', 17 * MB, 16 * MB), {
    code: 'OFFICIAL_MEDIA_TOO_LARGE',
    details: 'The video measures 17825792 bytes (17.00 MB); at most 16777216 bytes (16.00 MB) can be sent.',
  })
  t.like(tooLarge('UNOFFICIAL', 'image', 6 * MB, 5 * MB), { code: 'MEDIA_TOO_LARGE' })
  t.regex(tooLarge('UNOFFICIAL', 'image', null, 5 * MB).message, /more than 5242880 bytes/)
  t.like(tooLarge('UNOFFICIAL', 'sticker', 600_000, 512_000), {
    code: 'OFFICIAL_MEDIA_UPLOAD_ERROR',
    upstreamCode: 131_053,
  })
})

// [media.ceilings.5] [media.sending.6]
test('a static sticker has a ceiling of its own, and every sticker its sides', (t) => {
  t.is(judgeSticker(102_400, 512, 512, false), null)
  t.like(judgeSticker(102_401, 512, 512, false), { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 131_053 })
  t.is(judgeSticker(512_000, 512, 512, true), null)
  t.regex(judgeSticker(1_000, 511, 512, true)?.details ?? '', /511x512/)
  t.is(workFailure('sticker', 'unreadable').code, 'OFFICIAL_MEDIA_UPLOAD_ERROR')
  t.is(workFailure('video', 'memory').code, 'MEDIA_UNSUPPORTED')
})
