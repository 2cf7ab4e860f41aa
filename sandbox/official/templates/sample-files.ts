import { managed } from '../http/graph-error.ts'
import type { Upload } from '../media/upload-shelf.ts'
import type { MediaFormat } from './header-files.ts'
import { refusal } from './template-error.ts'

const MB = 1024 * 1024

interface FileRule {
  readonly types: readonly string[]
  readonly maxBytes: number
}

/** Upstream's rules for files of headers. */
const RULES: Readonly<Record<MediaFormat, FileRule>> = {
  IMAGE: { types: ['image/jpeg', 'image/png'], maxBytes: 5 * MB },
  VIDEO: { types: ['video/mp4'], maxBytes: 16 * MB },
  GIF: { types: ['video/mp4'], maxBytes: 16 * MB },
  DOCUMENT: { types: ['application/pdf'], maxBytes: 100 * MB },
}

/**
 * Refuses a sample that the app did not upload, or that does not fit the header. Its type is the one that the upload
 * named.
 */
export function checkSampleFile(upload: Upload | null, appId: string, format: MediaFormat): void {
  if (upload?.appId !== appId)
    throw refusal('sample', 'Sample missing', 'A sample is given by the handle of an upload of this app.')
  const { types, maxBytes } = RULES[format]
  if (!types.includes(upload.mimeType))
    throw managed(
      131003,
      'Header file is of a wrong type',
      `A header of format ${format} takes ${types.join(', ')}, not ${upload.mimeType}.`,
    )
  if (upload.lengthBytes > maxBytes)
    throw managed(131002, 'Header file is too large', `A header of format ${format} takes ${maxBytes} bytes at most.`)
}
