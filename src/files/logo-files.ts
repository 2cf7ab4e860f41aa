import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageFormat } from '../../engines/media/protocol/converting.ts'
import { fail, refuse, succeed } from '../domain/errors.ts'
import type { Outcome, Refusal } from '../domain/errors.ts'
import { newSecretName } from '../domain/ids.ts'
import type { TenantId } from '../domain/ids.ts'
import { logoFileName, LOGO_PIXELS, LOGO_SIDE_PIXELS, LOGO_TYPES, SHOWN_SIDE_PIXELS } from '../domain/logo.ts'
import type { KeptLogo, LogoFiles, SentLogo } from '../ports/logo-files.ts'
import { HEAD_BYTES, typeOf } from './file-type.ts'
import type { MediaChildren, MediaOutcome } from './media-children.ts'

/** The decoder's names for the types of pictures. */
const FORMATS: Readonly<Record<string, ImageFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
}

const NO_LOGO: Refusal = refuse('UNSUPPORTED_MEDIA_TYPE', 'A logo is a PNG, JPEG or WebP picture, by its content')
const BROKEN: Refusal = refuse('IMAGE_INVALID', 'The picture cannot be read')
const TOO_LARGE: Refusal = refuse(
  'IMAGE_INVALID',
  `A logo has ${LOGO_SIDE_PIXELS} pixels a side and ${LOGO_PIXELS / 1_000_000} megapixels at most`,
)
const CROWDED: Refusal = refuse('BUSY', 'Too many pictures are being checked. Try again.')

/** Our choice: a request waits this long for its picture to be decoded, in ms; then the work is given up. */
const WORK_MS = 30_000

/** Keeps logos in a directory, which is made when missing; the media children alone read the untrusted bytes. */
export function createLogoFiles(directory: string, children: Pick<MediaChildren, 'work'>): LogoFiles {
  return {
    keep: (tenantId, sent) => keep(directory, children, tenantId, sent),
    pathOf: (key) => join(directory, key),
    remove: (key) => rm(join(directory, key), { force: true }),
  }
}

async function keep(
  directory: string,
  children: Pick<MediaChildren, 'work'>,
  tenantId: TenantId,
  sent: SentLogo,
): Promise<Outcome<KeptLogo>> {
  const mimeType = typeOf(await headOf(sent.path))
  const [format, extension] = [FORMATS[mimeType], LOGO_TYPES[mimeType]]
  if (!format || !extension) return fail(NO_LOGO)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const key = `${newSecretName()}.${extension}`
  const outPath = join(directory, `${key}.part`)
  try {
    const done = await children.work(
      tenantId,
      {
        task: 'logo',
        path: sent.path,
        format,
        outPath,
        maxSidePixels: LOGO_SIDE_PIXELS,
        maxPixels: LOGO_PIXELS,
        shownSidePixels: SHOWN_SIDE_PIXELS,
      },
      AbortSignal.timeout(WORK_MS),
    )
    if (!done.ok) return fail(refusalOf(done.fault))
    if (done.result.task !== 'logo') throw new Error('a media child answered another task')
    await settle(outPath, join(directory, key), directory)
    return succeed({ key, mimeType, fileName: logoFileName(sent.name, extension), sizeBytes: done.result.sizeBytes })
  } finally {
    await rm(outPath, { force: true })
  }
}

function refusalOf(fault: Extract<MediaOutcome, { ok: false }>['fault']): Refusal {
  if (fault === 'crowded' || fault === 'cancelled') return CROWDED
  return fault === 'dimensions' ? TOO_LARGE : BROKEN
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Moves a file to its place durably: file and directory survive a loss of power. */
async function settle(path: string, place: string, directory: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(path, place)
  const folder = await open(directory, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
