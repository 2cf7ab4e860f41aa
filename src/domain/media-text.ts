import { URL_LENGTH } from './send-body.ts'

/**
 * The head of a data URI (RFC 2397) in base64. Its type is the sender's word and is not read, so any parameters may
 * stand there as programs write them: with spaces, in quotes, with commas (`codecs=vp8,opus`).
 */
const DATA_HEAD = /^\s*data:[^\p{Cc}]*?;\s*base64\s*,/iu
/** Our choice, in characters: heads are short, and only the beginning of a long text is searched for one. */
const HEAD_LENGTH = 1_024

export function isDataUri(text: string): boolean {
  return /^\s*data:/i.test(text)
}

/** Measures the head of a data URI; 0 when the text does not begin as one in base64. */
export function dataUriHead(text: string): number {
  return DATA_HEAD.exec(text.slice(0, HEAD_LENGTH))?.[0].length ?? 0
}

/** Strips base64 of the line breaks and spaces that programs fold it with (RFC 2045 6.8). */
export function unfolded(base64: string): string {
  return /\s/.test(base64) ? base64.replaceAll(/[\t\n\f\r ]+/g, '') : base64
}

/** Texts about WAV files that are refused before any decoder reads them. */
export const WAVE_FAULTS = {
  'wave-chunks': 'The WAV file could not be read. Its chunks cannot be read.',
  'wave-samples': 'The WAV file could not be read. Its samples are big-endian and no PCM.',
} as const

/** True for an address on the web. Whether it may be reached is the guard's decision. */
export function isWebUrl(text: string): boolean {
  return text.length <= URL_LENGTH && /^https?:\/\//i.test(text) && URL.canParse(text)
}

/**
 * True for a place that media may come from ([messages.modes.2]). The bytes of a data URI are checked when they are
 * kept.
 */
export function isMediaSource(text: string): boolean {
  return isDataUri(text) ? dataUriHead(text) > 0 : isWebUrl(text)
}
