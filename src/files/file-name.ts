import { factsOf, isOtherText } from './file-type.ts'
import type { FileType } from './file-type.ts'

/** Our choice: long enough for any name a person gave a file. */
const MAX_CHARACTERS = 120

/** Types whose content tells only a family: the extension tells the member. */
const MEMBERS: Readonly<Partial<Record<FileType, Readonly<Record<string, string>>>>> = {
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
  },
  'text/plain': { csv: 'text/csv', txt: 'text/plain' },
}

/** Extensions of text files, which may be in any encoding: content alone tells only UTF-8. The list is our choice. */
const TEXTS: ReadonlySet<string> = new Set([
  'csv',
  'htm',
  'html',
  'ics',
  'ini',
  'json',
  'log',
  'md',
  'rtf',
  'sql',
  'srt',
  'tsv',
  'txt',
  'vcf',
  'xml',
  'yaml',
  'yml',
])

/**
 * Gives the type of a document by its content. Text in another encoding than UTF-8 counts as text when its name says
 * so.
 */
export function documentType(type: FileType, head: Uint8Array, fileName: string | null): FileType {
  const isNamedText = type === 'application/octet-stream' && TEXTS.has(extensionOf(fileName ?? ''))
  return isNamedText && isOtherText(head) ? 'text/plain' : type
}

/**
 * Gives the MIME type that a file is sent under. The family comes from its content; where content does not tell the
 * member (old office documents, tables in text), the extension of the name decides.
 */
export function mimeTypeOf(type: FileType, fileName: string | null): string {
  const members = MEMBERS[type]
  if (!members) return type
  return members[extensionOf(fileName ?? '')] ?? (type === 'application/x-cfb' ? 'application/octet-stream' : type)
}

/** Types whose files have many extensions: the name keeps its own. */
const OWN_EXTENSION: ReadonlySet<FileType> = new Set([
  'application/octet-stream',
  'application/x-cfb',
  'application/zip',
  'text/plain',
])
/** Other extensions of the same content. Phones open a workbook with macros, or a template, only under its own. */
const OTHER_EXTENSIONS: Readonly<Partial<Record<FileType, readonly string[]>>> = {
  'image/jpeg': ['jpeg', 'jpe', 'jfif'],
  'audio/ogg': ['oga', 'opus'],
  'audio/mp4': ['mp4', 'm4b', 'm4r'],
  'video/mp4': ['m4v'],
  'video/quicktime': ['qt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docm', 'dotx', 'dotm'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsm', 'xlsb', 'xltx', 'xltm', 'xlam'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': [
    'pptm',
    'ppsx',
    'ppsm',
    'potx',
    'potm',
    'ppam',
  ],
  'application/vnd.oasis.opendocument.text': ['ott'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ots'],
  'application/vnd.oasis.opendocument.presentation': ['otp'],
}

/** Makes a name that is safe in an address, a header and on a disk, with the extension of the type. */
export function safeName(fileName: string | null, type: FileType): string {
  // Separators, control characters and marks that turn the direction of writing are dropped.
  const clean = [...(fileName ?? '').replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}]/gu, '').replace(/^[.\s]+/, '')]
    .slice(-MAX_CHARACTERS)
    .join('')
    .trim()
  const own = extensionOf(clean)
  const stem = own === '' ? clean : clean.slice(0, -own.length - 1)
  const isRight = own !== '' && (OWN_EXTENSION.has(type) || OTHER_EXTENSIONS[type]?.includes(own))
  const extension = isRight ? own : factsOf(type).extension
  return `${stem === '' ? 'file' : stem}.${extension}`
}

/** Gives the name at the end of an address; null when there is none. */
export function nameInUrl(url: string): string | null {
  const last = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : ''
  try {
    return decodeURIComponent(last) || null
  } catch {
    return last
  }
}

/**
 * Gives the extension without dot, in lower case; empty when there is none. Digits alone belong to the name (`v1.2`).
 */
function extensionOf(fileName: string): string {
  return /\.(?!\d+$)([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
}
