import { IMAGE_BYTES, TEMPLATE_DOCUMENT_BYTES, VIDEO_BYTES } from '../domain/limits.ts'
import type { MediaHeader } from '../domain/template.ts'
import type { SampleProblem } from '../ports/template-files.ts'
import type { Transferred } from './download.ts'
import type { FileType } from './file-type.ts'

/** What a sample is for. */
export type SampleKind = MediaHeader | 'CARD'

interface SampleFacts {
  readonly maxBytes: number
  readonly types: readonly FileType[]
  readonly advice: string
}

/**
 * The types are told by content ([templates.files.2], [templates.files.4]). Upstream takes no webp, so that of a card
 * is converted ([templates.files.5]).
 */
export const SAMPLES: Readonly<Record<SampleKind, SampleFacts>> = {
  IMAGE: { maxBytes: IMAGE_BYTES, types: ['image/jpeg', 'image/png'], advice: 'Give JPEG or PNG.' },
  VIDEO: { maxBytes: VIDEO_BYTES, types: ['video/mp4'], advice: 'Give MP4.' },
  DOCUMENT: { maxBytes: TEMPLATE_DOCUMENT_BYTES, types: ['application/pdf'], advice: 'Give PDF.' },
  CARD: { maxBytes: IMAGE_BYTES, types: ['image/jpeg', 'image/png', 'image/webp'], advice: 'Give JPEG, PNG or WebP.' },
}

/** True when a file of a type can be a sample. */
export function isSampleType(kind: SampleKind, type: FileType): boolean {
  return SAMPLES[kind].types.includes(type)
}

export function unsupported(kind: SampleKind, type: FileType): SampleProblem {
  return { problem: 'UNSUPPORTED', message: `The file is ${type}. ${SAMPLES[kind].advice}` }
}

/**
 * Makes the problem of a file that is too large.
 *
 * @param measured in bytes; those that had come when the transfer was cut off
 */
export function tooLarge(measured: number, max: number): SampleProblem {
  return {
    problem: 'TOO_LARGE',
    message: `The file measures ${measured} bytes or more; at most ${max} bytes are taken.`,
    measured,
    max,
  }
}

export function unreachable(message: string): SampleProblem {
  return { problem: 'UNREACHABLE', message }
}

/** Says why a transfer brought no sample. */
export function transferProblem(
  kind: SampleKind,
  got: Exclude<Transferred, { kind: 'saved' }>,
  typeOf: (head: Uint8Array) => FileType,
): SampleProblem {
  switch (got.kind) {
    case 'stopped':
      return unsupported(kind, typeOf(got.head))
    case 'too-large':
      return tooLarge(got.sizeBytes ?? got.seenBytes, got.maxBytes)
    case 'failed':
      return got.isForbidden ? { problem: 'FORBIDDEN', message: got.reason } : unreachable(got.reason)
  }
}

/** Says what is wrong with a data URI that cannot be read. */
export function dataUriProblem(
  kind: SampleKind,
  reason: 'malformed' | 'empty' | 'too-large',
  sizeBytes: number,
): SampleProblem {
  if (reason === 'too-large') return tooLarge(sizeBytes, SAMPLES[kind].maxBytes)
  return {
    problem: 'UNSUPPORTED',
    message: reason === 'empty' ? 'The data URI is empty.' : `This is no data URI in base64. ${SAMPLES[kind].advice}`,
  }
}
