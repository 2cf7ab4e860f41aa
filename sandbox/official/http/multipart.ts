import { invalid } from './graph-error.ts'

/** A form: its one part with a file name, and the text parts by name. */
export interface Multipart {
  readonly fields: Readonly<Record<string, string>>
  readonly file: { readonly bytes: Buffer; readonly mimeType: string; readonly fileName: string } | null
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Buffer
}

const CRLF = '\r\n'
const HEADERS_END = Buffer.from(CRLF + CRLF)

function parameterOf(header: string, name: string): string | null {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(header) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? null
}

function readPart(bytes: Buffer): Part {
  const end = bytes.indexOf(HEADERS_END)
  if (end < 0) throw invalid('A part of the form has no headers')
  const lines = bytes
    .toString('utf8', 0, end)
    .split(CRLF)
    .filter((line) => line !== '')
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { headers, bytes: bytes.subarray(end + HEADERS_END.length) }
}

/** Cuts a body at its delimiters (RFC 2046, 5.1.1). Text before the first and after the last delimiter is no part. */
function splitParts(body: Buffer, boundary: string): Part[] {
  const first = `--${boundary}`
  const delimiter = Buffer.from(CRLF + first)
  const parts: Part[] = []
  let from = body.indexOf(first)
  if (from < 0) throw invalid('The form does not begin with its boundary')
  from += first.length
  while (body.toString('latin1', from, from + 2) !== '--') {
    const to = body.indexOf(delimiter, from)
    if (to < 0) throw invalid('The form does not end with its boundary')
    parts.push(readPart(body.subarray(from + CRLF.length, to)))
    from = to + delimiter.length
  }
  return parts
}

/**
 * Reads a form of type multipart/form-data (RFC 7578). Refuses (100) anything else. Node's own reader (`formData()`)
 * cannot replace it: it refuses what clients send (names without quotes or with an escaped one, `filename*`, a text
 * before the first delimiter), and it takes a file without a type as text/plain, as the gateway's reader of uploads
 * does, which would leave no use for the field `type` that names such a file's type here.
 */
export function readMultipart(body: Buffer, contentType: string): Multipart {
  const boundary = parameterOf(contentType, 'boundary')
  if (boundary === null) throw invalid('The form names no boundary')
  const fields: Record<string, string> = {}
  let file: Multipart['file'] = null
  for (const { headers, bytes } of splitParts(body, boundary)) {
    const disposition = headers.get('content-disposition') ?? ''
    const [name, fileName] = [parameterOf(disposition, 'name'), parameterOf(disposition, 'filename')]
    if (fileName !== null && name === 'file')
      file = { bytes, fileName, mimeType: headers.get('content-type') ?? 'application/octet-stream' }
    else if (name !== null) fields[name] = bytes.toString()
  }
  return { fields, file }
}
