import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageFormat } from '../../engines/media/protocol/converting.ts'
import { fail, refuse, succeed } from '../domain/errors.ts'
import type { Outcome, Refusal } from '../domain/errors.ts'
import { newSecretName } from '../domain/ids.ts'
import type { TenantId } from '../domain/ids.ts'
import { logoFileName, LOGO_PIXELS, LOGO_SIDE_PIXELS, LOGO_TYPES, SHOWN_SIDE_PIXELS } from '../domain/logo.ts'
import type { Clock } from '../ports/clock.ts'
import type { FilePlace } from '../ports/file-place.ts'
import type { KeptLogo, LogoFiles, SentLogo } from '../ports/logo-files.ts'
import { HEAD_BYTES, typeOf } from './file-type.ts'
import type { MediaChildren, MediaOutcome } from './media-children.ts'
import { openOnce } from './opening.ts'

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

/** A logo ends with its last reference, never by time alone: when it was made, and when it expires, say nothing. */
const LONG_AGO = new Date(0)
const NEVER = new Date(Date.UTC(2100, 0))
/** Our choice: a request waits this long for its picture to be decoded, in ms; then the work is given up. */
const WORK_MS = 30_000

export interface LogoParts {
  /** Where logos are kept. */
  readonly place: FilePlace
  /** Directory of this node for pictures on their way; made when missing. */
  readonly temp: string
  /** They alone read the untrusted bytes. */
  readonly children: Pick<MediaChildren, 'work'>
  readonly clock: Clock
}

/** Makes the keeper of logos. */
export function createLogoFiles(parts: LogoParts): LogoFiles {
  const { place } = parts
  const open = openOnce(() => place.open())
  return {
    keep: (tenantId, sent) => open().then(() => keep(parts, tenantId, sent)),
    find: (key) => open().then(() => place.find(key, LONG_AGO)),
    remove: (key) => open().then(() => place.delete([key])),
  }
}

async function keep(
  { place, temp, children, clock }: LogoParts,
  tenantId: TenantId,
  sent: SentLogo,
): Promise<Outcome<KeptLogo>> {
  const mimeType = typeOf(await headOf(sent.path))
  const [format, extension] = [FORMATS[mimeType], LOGO_TYPES[mimeType]]
  if (!format || !extension) return fail(NO_LOGO)
  await mkdir(temp, { recursive: true, mode: 0o700 })
  const key = `${newSecretName()}.${extension}`
  const outPath = join(temp, key)
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
    await place.put(key, outPath, { createdAt: new Date(clock.now()), expiresAt: NEVER })
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
