import type { MediaResult, MediaTask } from '../../engines/media/protocol/converting.ts'
import type { NumberId } from '../domain/ids.ts'
import type { SampleProblem } from '../ports/template-files.ts'
import type { FileType } from './file-type.ts'
import { workFailure } from './media-rules.ts'
import { MOST_PIXELS, MOST_SIDE_PIXELS, VIDEO_SECONDS } from './preparation.ts'
import type { PreparationParts } from './preparation.ts'
import { SAMPLES, tooLarge, unreachable } from './template-samples.ts'
import type { SampleKind } from './template-samples.ts'

/** Bytes on disk that may be a sample. */
export interface Raw {
  readonly path: string
  readonly sizeBytes: number
  readonly type: FileType
}

export type Step<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: SampleProblem }

type ShownKind = Exclude<SampleKind, 'DOCUMENT'>

/**
 * Converts a sample to what upstream and every phone take, as for messages: pictures in 8-bit RGB, films without
 * B-frames. It is decoded in the media children, outside of the gateway.
 */
export async function convert(
  { children }: Pick<PreparationParts, 'children'>,
  numberId: NumberId,
  kind: ShownKind,
  raw: Raw,
  outPath: string,
): Promise<Step<Raw>> {
  const { maxBytes } = SAMPLES[kind]
  const outcome = await children.work(numberId, taskOf(kind, raw, outPath), new AbortController().signal)
  if (!outcome.ok) {
    const { fault } = outcome
    if (fault === 'crowded' || fault === 'cancelled')
      return { ok: false, problem: unreachable('Too many files are being prepared. Try again.') }
    return {
      ok: false,
      problem: { problem: 'UNSUPPORTED', message: workFailure(kind === 'VIDEO' ? 'video' : 'image', fault).message },
    }
  }
  const made = madeOf(outcome.result)
  if (made === null) return { ok: true, value: raw }
  return made.sizeBytes > maxBytes
    ? { ok: false, problem: tooLarge(made.sizeBytes, maxBytes) }
    : { ok: true, value: { path: outPath, ...made } }
}

/** The task is that of a message of an OFFICIAL number; a webp becomes a picture that upstream takes. */
function taskOf(kind: ShownKind, { path, type }: Raw, outPath: string): MediaTask {
  const { maxBytes } = SAMPLES[kind]
  if (kind === 'VIDEO')
    return { task: 'video', path, format: 'mov', outPath, convert: 'unless-fit', maxSeconds: VIDEO_SECONDS, maxBytes }
  const bounds = { path, outPath, maxSidePixels: MOST_SIDE_PIXELS, maxPixels: MOST_PIXELS, maxBytes }
  return type === 'image/webp'
    ? { task: 'picture', format: 'webp', ...bounds }
    : { task: 'image', format: type === 'image/png' ? 'png' : 'jpeg', ...bounds }
}

/** Reads what was made; null when the sample may go as it is. */
function madeOf(result: MediaResult): Pick<Raw, 'type' | 'sizeBytes'> | null {
  switch (result.task) {
    case 'image':
      return result.made
    case 'picture':
      return { type: result.type, sizeBytes: result.sizeBytes }
    case 'video':
      return result.sizeBytes === null ? null : { type: 'video/mp4', sizeBytes: result.sizeBytes }
    default:
      throw new TypeError(`no sample is made by ${result.task}`)
  }
}
