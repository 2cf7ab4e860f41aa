import { own, type Fields } from '../../../src/domain/json-fields.ts'
import { refusal } from './template-error.ts'

const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF'] as const
export type MediaFormat = (typeof MEDIA_FORMATS)[number]

/** Refuses a handle that did not come from an upload of the app, or whose file does not fit the header. */
export type HandleCheck = (handle: string, format: MediaFormat) => void

export function isMediaFormat(format: string): format is MediaFormat {
  return (MEDIA_FORMATS as readonly string[]).includes(format)
}

/** Checks the sample of a header: the handle of an upload, never an address. */
export function checkMediaHeader(format: MediaFormat, example: Fields = {}, checkHandle: HandleCheck): void {
  const handles = own(example, 'header_handle')
  const [handle, ...rest] = Array.isArray(handles) ? (handles as unknown[]) : []
  if (typeof handle !== 'string' || handle === '' || rest.length > 0)
    throw refusal('sample', 'Sample missing', `A header of format ${format} needs one sample in header_handle.`)
  checkHandle(handle, format)
}
