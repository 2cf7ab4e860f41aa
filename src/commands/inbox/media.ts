import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { FileId, TenantId } from '../../domain/ids.ts'
import { fileIdIn } from '../../domain/file-address.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { InboxMessage } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'
import { readMedia } from '../official/read-media.ts'

type OpenFile = NonNullable<Awaited<ReturnType<MessageFiles['open']>>>

const GONE = fail(refuse('MEDIA_GONE', 'The file of the message is not kept any more'))

/**
 * The file of a message, of either kind of number and either direction ([embeds.inbox-routes.9]). Refusals: NOT_FOUND,
 * MEDIA_GONE, and those of upstream.
 */
export async function readInboxMedia(
  ports: InboxPorts,
  tenantId: TenantId,
  message: InboxMessage,
): Promise<Outcome<OpenFile>> {
  const media = message.content?.media ?? null
  if (!media) return message.isRedacted ? GONE : fail(refuse('NOT_FOUND', 'The message has no file'))
  // Media of devices, and media whose bytes came with a send, are files of ours, named by their address or by the
  // message.
  const fileId = media.fileId ?? fileIdIn(media.url ?? '')
  const file = fileId === null ? null : await ports.files.open(fileId)
  if (file && fileId) tellUnheard(ports, message, fileId, media.sizeBytes === undefined ? file.sizeBytes : null)
  if (file)
    return succeed({ ...file, fileName: media.fileName ?? file.fileName, mimeType: media.mimeType ?? file.mimeType })
  return media.id === null ? GONE : await fetchMedia(ports, tenantId, message, media.id)
}

/** Keeps what upstream still has for a while, so that ranges of it can be asked for. */
async function fetchMedia(
  ports: InboxPorts,
  tenantId: TenantId,
  message: InboxMessage,
  mediaId: string,
): Promise<Outcome<OpenFile>> {
  const number = await ports.numbers.find(tenantId, message.numberId)
  if (!number?.official) return GONE
  const read = await readMedia(ports, { number, phoneId: number.official.phoneId, mediaId })
  if (!read.ok) return read.error.code === 'NOT_FOUND' ? GONE : read
  const { bytes, mimeType } = read.value
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const kept = await ports.files.keep(tenantId, number.id, `data:application/octet-stream;base64,${text}`)
  const file = kept.ok ? await ports.files.open(kept.file.fileId) : null
  if (kept.ok && file) tellUnheard(ports, message, kept.file.fileId, file.sizeBytes)
  return file ? succeed({ ...file, fileName: message.content?.media?.fileName ?? read.value.fileName, mimeType }) : GONE
}

/**
 * A sound that was not measured when it came is measured when it is first read. `sizeBytes`: given when the message
 * names no file or no size, else null.
 */
function tellUnheard(
  { mediaKnown }: InboxPorts,
  { id: messageId, numberId, type, content }: InboxMessage,
  fileId: FileId,
  sizeBytes: number | null,
): void {
  const isUnheard = type === 'audio' && content?.media?.waveform === undefined
  if (isUnheard || sizeBytes !== null) mediaKnown({ numberId, messageId, fileId, sizeBytes, sound: null, isUnheard })
}
