import type { MediaFormat } from '../../engines/media/protocol/converting.ts'
import { SNIFF_BYTES, sniff } from '../net/sniff.ts'

/** Bytes at a file's beginning that its type is told from. */
export const HEAD_BYTES = SNIFF_BYTES
/**
 * Bytes at a file's end that are read. Our choice: the directory at the end of a ZIP file names its entries, and this
 * much of it holds those of an office document.
 */
export const TAIL_BYTES = 16_384

interface TypeFacts {
  readonly extension: string
  readonly family: 'image' | 'audio' | 'video' | 'other'
  /** The demuxer that reads the type. */
  readonly format?: MediaFormat
}

/** The types that files can have, by their content. */
const FACTS = {
  'image/jpeg': { extension: 'jpg', family: 'image' },
  'image/png': { extension: 'png', family: 'image' },
  'image/webp': { extension: 'webp', family: 'image' },
  'image/gif': { extension: 'gif', family: 'image' },
  'audio/mpeg': { extension: 'mp3', family: 'audio', format: 'mp3' },
  'audio/wav': { extension: 'wav', family: 'audio', format: 'wav' },
  'audio/ogg': { extension: 'ogg', family: 'audio', format: 'ogg' },
  'audio/mp4': { extension: 'm4a', family: 'audio', format: 'mov' },
  'audio/aac': { extension: 'aac', family: 'audio', format: 'aac' },
  'audio/amr': { extension: 'amr', family: 'audio', format: 'amr' },
  'audio/flac': { extension: 'flac', family: 'audio', format: 'flac' },
  'video/mp4': { extension: 'mp4', family: 'video', format: 'mov' },
  'video/quicktime': { extension: 'mov', family: 'video', format: 'mov' },
  'video/3gpp': { extension: '3gp', family: 'video', format: 'mov' },
  'video/webm': { extension: 'webm', family: 'video', format: 'matroska' },
  'video/x-matroska': { extension: 'mkv', family: 'video', format: 'matroska' },
  'video/x-msvideo': { extension: 'avi', family: 'video', format: 'avi' },
  'application/pdf': { extension: 'pdf', family: 'other' },
  'application/zip': { extension: 'zip', family: 'other' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { extension: 'docx', family: 'other' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { extension: 'xlsx', family: 'other' },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { extension: 'pptx', family: 'other' },
  'application/vnd.oasis.opendocument.text': { extension: 'odt', family: 'other' },
  'application/vnd.oasis.opendocument.spreadsheet': { extension: 'ods', family: 'other' },
  'application/vnd.oasis.opendocument.presentation': { extension: 'odp', family: 'other' },
  'application/epub+zip': { extension: 'epub', family: 'other' },
  'application/x-cfb': { extension: 'bin', family: 'other' },
  'text/plain': { extension: 'txt', family: 'other' },
  'application/octet-stream': { extension: 'bin', family: 'other' },
} as const satisfies Record<string, TypeFacts>

export type FileType = keyof typeof FACTS

/** Gives extension, family and demuxer of a type. */
export function factsOf(type: FileType): TypeFacts {
  return FACTS[type]
}

/** True for a MIME type that can be told from content. */
export function isFileType(text: string): text is FileType {
  return Object.hasOwn(FACTS, text)
}

/**
 * Containers of video into which recorders, browsers among them, put sound alone (RFC 9559 27.3, RFC 4337, RFC 3839).
 */
const OF_SOUND_ALONE: Readonly<Partial<Record<FileType, string>>> = {
  'video/webm': 'audio/webm',
  'video/x-matroska': 'audio/x-matroska',
  'video/mp4': 'audio/mp4',
  'video/3gpp': 'audio/3gpp',
}

/** Gives the MIME type of a file that is a sound: its first bytes tell only the container. */
export function soundTypeOf(type: FileType): string {
  return OF_SOUND_ALONE[type] ?? type
}

/** One row for each type; the first that matches counts. */
const SIGNATURES: readonly { readonly type: FileType; readonly matches: (bytes: Uint8Array) => boolean }[] = [
  { type: 'image/jpeg', matches: (bytes) => ascii(bytes, 0, 3) === '\xff\xd8\xff' },
  { type: 'image/png', matches: (bytes) => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' },
  { type: 'image/webp', matches: (bytes) => isRiff(bytes, 'WEBP') },
  { type: 'image/gif', matches: (bytes) => ['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6)) },
  { type: 'video/x-msvideo', matches: (bytes) => isRiff(bytes, 'AVI ') },
  { type: 'audio/amr', matches: (bytes) => ascii(bytes, 0, 6) === '#!AMR\n' || ascii(bytes, 0, 9) === '#!AMR-WB\n' },
  { type: 'audio/flac', matches: (bytes) => ascii(bytes, 0, 4) === 'fLaC' },
  { type: 'audio/aac', matches: isAdts },
  { type: 'audio/mp4', matches: (bytes) => brandOf(bytes) === 'audio' },
  { type: 'video/mp4', matches: (bytes) => brandOf(bytes) === 'mp4' },
  { type: 'video/quicktime', matches: (bytes) => brandOf(bytes) === 'quicktime' || isOldQuickTime(bytes) },
  { type: 'video/3gpp', matches: (bytes) => brandOf(bytes) === '3gpp' },
  { type: 'video/webm', matches: (bytes) => docTypeOf(bytes) === 'webm' },
  { type: 'video/x-matroska', matches: (bytes) => docTypeOf(bytes) === 'matroska' },
  { type: 'application/pdf', matches: (bytes) => ascii(bytes, 0, 5) === '%PDF-' },
  { type: 'application/x-cfb', matches: (bytes) => ascii(bytes, 0, 8) === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  {
    type: 'application/zip',
    matches: (bytes) => ascii(bytes, 0, 4) === 'PK\x03\x04' || ascii(bytes, 0, 4) === 'PK\x05\x06',
  },
]

/** Bytes before the name of the first entry (APPNOTE 4.3.7). */
const ZIP_HEAD_BYTES = 30

/** Folders that only one kind of office document has (ECMA-376). */
const OFFICE: readonly { readonly folder: string; readonly type: FileType }[] = [
  { folder: 'word/', type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
  { folder: 'xl/', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  { folder: 'ppt/', type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation' },
]

/**
 * Tells a file's type by its content, never by a name or a header, which are the sender's words. Playlists, SVG and
 * HTML are text.
 *
 * @param head its first `HEAD_BYTES`, or all it has
 * @param tail its last `TAIL_BYTES` when at hand: they tell office documents from other ZIP files
 */
export function typeOf(head: Uint8Array, tail: Uint8Array = new Uint8Array()): FileType {
  const type = SIGNATURES.find(({ matches }) => matches(head))?.type ?? sniff(head)
  if (type === 'application/zip') return officeTypeOf(head, tail) ?? type
  return type ?? (isText(head) ? 'text/plain' : 'application/octet-stream')
}

function officeTypeOf(head: Uint8Array, tail: Uint8Array): FileType | null {
  // Open documents and e-books name their type in their first entry, which is not packed (ODF 1.3 part 2, 3.3).
  const named =
    /^mimetype(application\/(?:vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)|epub\+zip))/.exec(
      ascii(head, ZIP_HEAD_BYTES, 80),
    )?.[1]
  if (named !== undefined && isFileType(named)) return named
  const names = Buffer.from(head).toString('latin1') + Buffer.from(tail).toString('latin1')
  return names.includes('[Content_Types].xml')
    ? (OFFICE.find(({ folder }) => names.includes(folder))?.type ?? null)
    : null
}

function isRiff(bytes: Uint8Array, form: string): boolean {
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === form
}

/** True for two frame headers of one kind (ISO 13818-7 6.2): too many other files hold a single one. */
function isAdts(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0xff || ((bytes[1] ?? 0) & 0xf6) !== 0xf0) return false
  const length = (((bytes[3] ?? 0) & 3) << 11) | ((bytes[4] ?? 0) << 3) | ((bytes[5] ?? 0) >> 5)
  return length >= 7 && bytes[length] === 0xff && bytes[length + 1] === bytes[1]
}

const MP4_BRANDS = /^(isom|iso\d|iso[a-c]|mp4\d|avc\d|hvc1|dash|msdh|M4V|M4VH|M4VP|MSNV|f4v|mmp4|NDS[CHMPSX]|cmf[c2])$/

/**
 * Tells the kind of an ISO base media file by its major brand, else by a compatible one (ISO 14496-12 4.3). Still
 * pictures have brands of their own.
 */
function brandOf(bytes: Uint8Array): 'audio' | 'mp4' | 'quicktime' | '3gpp' | null {
  if (ascii(bytes, 4, 4) !== 'ftyp') return null
  const size = Math.min(Buffer.from(bytes.subarray(0, 4)).readUInt32BE(), 256, bytes.length)
  const major = ascii(bytes, 8, 4).trimEnd()
  if (major === 'qt') return 'quicktime'
  if (['M4A', 'M4B', 'M4P'].includes(major)) return 'audio'
  if (/^3g[2egprs]/.test(major)) return '3gpp'
  if (/^(hei[cmsx]|hev[cmsx]|mif1|msf1|avi[fs]|crx)$/.test(major)) return null
  const brands = [major]
  for (let at = 16; at + 4 <= size; at += 4) brands.push(ascii(bytes, at, 4).trimEnd())
  return brands.some((brand) => MP4_BRANDS.test(brand)) ? 'mp4' : null
}

/** True for files from before brands, which begin with the atom itself (QuickTime File Format, "moov" and "mdat"). */
function isOldQuickTime(bytes: Uint8Array): boolean {
  return bytes.length >= 16 && bytes[0] === 0 && ['moov', 'wide', 'mdat'].includes(ascii(bytes, 4, 4))
}

/** Reads the `DocType` of an EBML head (RFC 8794 11.2.7). */
function docTypeOf(bytes: Uint8Array): string | null {
  if (ascii(bytes, 0, 4) !== '\x1aE\xdf\xa3') return null
  const at = ascii(bytes, 0, 64).indexOf('\x42\x82')
  const length = (bytes[at + 2] ?? 0) & 0x7f
  return at < 0 ? null : ascii(bytes, at + 3, length)
}

/**
 * True when the bytes may be text in another encoding than UTF-8: one of a byte a character, or UTF-16, which begins
 * with its mark.
 */
export function isOtherText(bytes: Uint8Array): boolean {
  return bytes.length > 0 && (!hasControls(bytes) || ['\xff\xfe', '\xfe\xff'].includes(ascii(bytes, 0, 2)))
}

function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))
}

/** True for UTF-8 without control characters; the last character may be cut. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || hasControls(bytes)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
