import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import type { MadePicture, MediaResult, MediaTask } from './protocol/converting.ts'
import { Unfit } from './unfit.ts'

/** The tasks about pictures. This file holds the only import of sharp. */

type PictureTask = Extract<MediaTask, { task: 'image' | 'picture' | 'logo' }>

/** Our choice: a quality whose losses are invisible to the eye. */
const JPEG_QUALITY = 90
const WHITE = '#ffffff'

sharp.cache(false)
sharp.concurrency(1)
// Only the loaders of the picture types that can be sent are allowed.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'] })
const sharpOptions = ({ maxPixels }: PictureTask) =>
  ({ failOn: 'truncated', limitInputPixels: maxPixels, sequentialRead: true }) as const

/** Reads only the header: nothing is decoded, so the dimensions that it states cost nothing yet. Throws Unfit. */
async function headerOf(work: PictureTask) {
  const header = await sharp(work.path, { ...sharpOptions(work), limitInputPixels: false }).metadata()
  const { format, width, height } = header
  if (format !== work.format) throw new Unfit('unreadable')
  if (Math.max(width, height) > work.maxSidePixels || width * height > work.maxPixels) throw new Unfit('dimensions')
  return header
}

/** Reads the header, then decodes the picture once. */
export async function checkPicture(work: Extract<MediaTask, { task: 'image' }>): Promise<MediaResult> {
  const header = await headerOf(work)
  const { width, height, pages = 1 } = header
  const looked = { task: 'image', widthPixels: width, heightPixels: height, frames: pages } as const
  if (work.outPath !== null && !isRgb(header)) return { ...looked, made: await inRgb(work, work.outPath) }
  await sharp(work.path, sharpOptions(work)).resize(8, 8, { fit: 'fill' }).raw().toBuffer()
  return { ...looked, made: null }
}

/**
 * Whether the pixels are red, green and blue with 8 bits each, with or without alpha: the upstream documents that it
 * accepts nothing else.
 */
function isRgb({ space, depth, isPalette }: Metadata): boolean {
  return space === 'srgb' && depth === 'uchar' && isPalette !== true
}

/** Writes the same picture upright in 8-bit RGB. */
async function inRgb(work: Extract<MediaTask, { task: 'image' }>, outPath: string): Promise<MadePicture> {
  const picture = () => sharp(work.path, sharpOptions(work)).autoOrient().toColourspace('srgb')
  return await writePicture(work.format === 'png', picture, { outPath, maxBytes: work.maxBytes })
}

/**
 * Writes a picture with transparency as PNG, unless that is larger than `maxBytes`; otherwise writes JPEG. An animation
 * becomes its first frame, upright.
 */
export async function makePicture(work: Extract<MediaTask, { task: 'picture' }>): Promise<MediaResult> {
  const { hasAlpha } = await headerOf(work)
  return {
    task: 'picture',
    ...(await writePicture(hasAlpha, () => sharp(work.path, sharpOptions(work)).autoOrient(), work)),
  }
}

/** Writes PNG when that is wanted and fits, otherwise JPEG. */
async function writePicture(
  isPng: boolean,
  picture: () => Sharp,
  { outPath, maxBytes }: { readonly outPath: string; readonly maxBytes: number },
): Promise<MadePicture> {
  if (isPng) {
    await picture().png().toFile(outPath)
    const { size } = await stat(outPath)
    if (size <= maxBytes) return { type: 'image/png', sizeBytes: size }
  }
  await picture().flatten({ background: WHITE }).jpeg({ quality: JPEG_QUALITY }).toFile(outPath)
  const { size } = await stat(outPath)
  return { type: 'image/jpeg', sizeBytes: size }
}

/** Decodes the first frame and encodes it again in its own type, which drops everything but its pixels. */
export async function makeLogo(work: Extract<MediaTask, { task: 'logo' }>): Promise<MediaResult> {
  await headerOf(work)
  const { shownSidePixels: side, format, outPath } = work
  const picture = sharp(work.path, sharpOptions(work))
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
  await picture.toFormat(format, format === 'png' ? {} : { quality: JPEG_QUALITY }).toFile(outPath)
  const { size } = await stat(outPath)
  return { task: 'logo', sizeBytes: size }
}
