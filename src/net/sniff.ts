/** Content types told from the first bytes. Never from a name or a header: both are the sender's words. */
export type SniffedType = 'audio/mpeg' | 'audio/wav' | 'audio/ogg'

/** Bytes worth waiting for: two of the longest MP3 frames (2,881 bytes each at most 320 kb/s, 32 kHz) and more. */
export const SNIFF_BYTES = 4_096

/** One row per type; a further type is a further row. */
const SIGNATURES: readonly { readonly type: SniffedType; readonly matches: (bytes: Uint8Array) => boolean }[] = [
  { type: 'audio/wav', matches: isWave },
  { type: 'audio/ogg', matches: isOggAudio },
  { type: 'audio/mpeg', matches: (bytes) => isId3(bytes) || isMpegAudio(bytes) },
]

/** Tells what a file is by its first bytes (`SNIFF_BYTES` of them, or all it has); null for anything unknown. */
export function sniff(bytes: Uint8Array): SniffedType | null {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.type ?? null
}

/**
 * True of MP3 behind something else: an APE tag, or bytes nobody knows (cut streams, tags of old players). For who
 * plays a file, and lets go of one that turns out to hold none; it says too little to name a file by.
 */
export function isMpegBehindJunk(bytes: Uint8Array): boolean {
  return isApe(bytes) || bytes.some((byte, at) => byte === 0xff && areFrames(bytes, at))
}

/** APE tag, version 1 or 2 (its specification at hydrogenaudio, "APE Tags Header"), in front of what it tells of. */
function isApe(bytes: Uint8Array): boolean {
  const [low, high] = [bytes[8], bytes[9]]
  return ascii(bytes, 0, 8) === 'APETAGEX' && ((low === 0xe8 && high === 3) || (low === 0xd0 && high === 7))
}

/** Three frames of one kind in a row: among 4,096 bytes of anything two stand by chance once in some 10,000 files. */
function areFrames(bytes: Uint8Array, start: number): boolean {
  let at = start
  for (let count = 0; count < 3; count++) {
    const length = frameBytes(bytes, at)
    if (length === null || bytes[at + 1] !== bytes[start + 1]) return false
    at += length
  }
  return true
}

/**
 * RIFF and its kin for big files (RF64: EBU Tech 3306) and big-endian ones; AVI and WebP are RIFF too, hence bytes
 * 8-11.
 */
function isWave(bytes: Uint8Array): boolean {
  return ['RIFF', 'RIFX', 'RF64', 'BW64'].includes(ascii(bytes, 0, 4)) && ascii(bytes, 8, 4) === 'WAVE'
}

/** An Ogg page (RFC 3533 6) whose first packet is the head of an audio codec; video comes in Ogg as well. */
function isOggAudio(bytes: Uint8Array): boolean {
  if (ascii(bytes, 0, 4) !== 'OggS' || bytes[4] !== 0) return false
  const packet = 27 + (bytes[26] ?? 0)
  return (
    ascii(bytes, packet, 8) === 'OpusHead'
    || ascii(bytes, packet, 7) === '\x01vorbis'
    || ascii(bytes, packet, 5) === '\x7fFLAC'
  )
}

/** ID3v2 tag (id3.org, ID3v2.4 3.1): the audio behind it may start beyond the bytes at hand, so the tag has to do. */
function isId3(bytes: Uint8Array): boolean {
  const size = bytes.subarray(6, 10)
  return (
    ascii(bytes, 0, 3) === 'ID3'
    && (bytes[3] ?? 0xff) < 0x10
    && bytes[4] !== 0xff
    && size.length === 4
    && size.every((byte) => byte < 0x80)
  )
}

/** A frame header and, behind it, another one of the same kind: two bytes alone are met by too many other files. */
function isMpegAudio(bytes: Uint8Array): boolean {
  // Some encoders leave zeros in front.
  const start = bytes.findIndex((byte) => byte !== 0)
  const length = frameBytes(bytes, start)
  if (start < 0 || length === null) return false
  const next = start + length
  return frameBytes(bytes, next) !== null && bytes[next + 1] === bytes[start + 1]
}

/** kb/s by index, for MPEG-1 layer III and for MPEG-2 and 2.5 layer III (ISO 11172-3 2.4.2.3, ISO 13818-3). */
const KBPS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES_HZ_MPEG1 = [44_100, 48_000, 32_000]

/** Length of the layer III frame whose header stands at `at`; null when there is none (free-format files included). */
function frameBytes(bytes: Uint8Array, at: number): number | null {
  const [sync, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (sync !== 0xff || second === undefined || third === undefined || (second & 0xe6) !== 0xe2) return null
  const version = (second >> 3) & 3
  if (version === 1) return null
  const kbps = (version === 3 ? KBPS_MPEG1 : KBPS_MPEG2)[third >> 4] ?? 0
  const baseHz = RATES_HZ_MPEG1[(third >> 2) & 3]
  if (kbps === 0 || baseHz === undefined) return null
  const rateHz = version === 3 ? baseHz : version === 2 ? baseHz / 2 : baseHz / 4
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbps) / rateHz) + ((third >> 1) & 1)
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
