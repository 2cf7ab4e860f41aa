/** The types that upstream's upload accepts; its refusal lists them (code 100). */
const UPLOADS: ReadonlySet<string> = new Set([
  'audio/aac',
  'audio/mp4',
  'audio/mpeg',
  'audio/amr',
  'audio/opus',
  'video/mp4',
  'video/3gpp',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
])

/**
 * The type that a file is uploaded as: its own, or `text/plain` for other text types; null when upstream's upload
 * accepts no such file.
 */
export function uploadType(mimeType: string): string | null {
  const bare = mimeType.split(';', 1)[0]?.trim() ?? ''
  // Upstream accepts Ogg with its codec named, which has to be Opus, and any other Ogg only as a document.
  if (UPLOADS.has(bare) || mimeType === 'audio/ogg; codecs=opus') return mimeType
  return bare.startsWith('text/') ? 'text/plain' : null
}
