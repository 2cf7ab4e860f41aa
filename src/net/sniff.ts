/** Content types told by the first bytes, never by a name or a header, which are the sender's words. */
export type SniffedType = 'audio/mpeg' | 'audio/wav' | 'audio/ogg'

/** Bytes worth waiting for: more than two of the longest MP3 frames (2,881 bytes each at most, 320 kb/s, 32 kHz). */
export const SNIFF_BYTES = 4_096

/** One row for each type. */
const SIGNATURES: readonly { readonly type: SniffedType; readonly matches: (bytes: Uint8Array) => boolean }[] = [
  { type: 'audio/wav', matches: isWave },
  { type: 'audio/ogg', matches: isOggAudio },
  { type: 'audio/mpeg', matches: (bytes) => isId3(bytes) || isMpegAudio(bytes) },
]

/** Tells a file's type by its first bytes (`SNIFF_BYTES` of them, or all it has); null for an unknown one. */
export function sniff(bytes: Uint8Array): SniffedType | null {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.type ?? null
}

/**
 * True for MP3 behind something else: an APE tag, or unknown bytes (cut streams, tags of old players). It serves a
 * player, which drops a file that turns out to hold no audio; it is too weak to tell a file's type.
 */
export function isMpegBehindJunk(bytes: Uint8Array): boolean {
  return isApe(bytes) || bytes.some((byte, at) => byte === 0xff && areFrames(bytes, at))
}

/**
 * True for an APE tag, version 1 or 2 (its specification at hydrogenaudio, "APE Tags Header"), in front of its file.
 */
function isApe(bytes: Uint8Array): boolean {
  const [low, high] = [bytes[8], bytes[9]]
  return ascii(bytes, 0, 8) === 'APETAGEX' && ((low === 0xe8 && high === 3) || (low === 0xd0 && high === 7))
}

/** True for three frames of one kind in a row. Two stand by chance in one of some 10,000 files of 4,096 other bytes. */
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
 * True for RIFF, its forms for big files (RF64: EBU Tech 3306) and its big-endian form. AVI and WebP are RIFF as well,
 * so bytes 8-11 are read.
 */
function isWave(bytes: Uint8Array): boolean {
  return ['RIFF', 'RIFX', 'RF64', 'BW64'].includes(ascii(bytes, 0, 4)) && ascii(bytes, 8, 4) === 'WAVE'
}

/** True for an Ogg page (RFC 3533 6) whose first packet is the head of an audio codec; video comes in Ogg as well. */
function isOggAudio(bytes: Uint8Array): boolean {
  if (ascii(bytes, 0, 4) !== 'OggS' || bytes[4] !== 0) return false
  const packet = 27 + (bytes[26] ?? 0)
  return (
    ascii(bytes, packet, 8) === 'OpusHead'
    || ascii(bytes, packet, 7) === '\x01vorbis'
    || ascii(bytes, packet, 5) === '\x7fFLAC'
  )
}

/** True for an ID3v2 tag (id3.org, ID3v2.4 3.1): the audio may start beyond the bytes at hand, so the tag must do. */
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

/** True for a frame header with another one of the same kind behind it: too many other files hold two such bytes. */
function isMpegAudio(bytes: Uint8Array): boolean {
  // Some encoders write zeros in front.
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

/** Measures the layer III frame whose header is at `at`; null when there is none (free-format files included). */
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
