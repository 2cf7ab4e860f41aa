import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { FileId } from '../../domain/ids.ts'
import { isDataUri } from '../../domain/media-text.ts'
import type { MediaSource } from '../../domain/message.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { ContentMedia } from '../../domain/outgoing.ts'
import type { MessagePorts } from './ports.ts'

/** A file of a send, named by http(s) URL or data URI. */
interface WantedMedia extends ContentMedia<string> {
  /** The place in the order, dotted, for refusals. */
  readonly path: string
}

export interface Attachment {
  readonly source: MediaSource
  /** Both are known of a data URI only; null of a URL. */
  readonly mimeType: string | null
  readonly sizeBytes: number | null
}

export interface Attachments {
  readonly items: readonly Attachment[]
  /** Releases the files that were kept for a send that is not accepted. */
  readonly release: () => Promise<void>
}

type Attached = { readonly attachment: Attachment | null; readonly refusal: Refusal | null }

const NONE: Attachments = { items: [], release: async () => {} }

/**
 * Keeps the bytes that came with the order and checks all media before anything is queued. A refusal leaves nothing
 * kept; when there are several, the first in the order's order is answered.
 */
export async function attach(
  ports: MessagePorts,
  number: NumberRef,
  wanted: readonly WantedMedia[],
): Promise<Outcome<Attachments>> {
  if (wanted.length === 0) return succeed(NONE)
  const attached = await Promise.all(wanted.map((one) => attachOne(ports, number, one)))
  const items = attached.flatMap(({ attachment }) => (attachment ? [attachment] : []))
  const kept = items.flatMap(({ source }): FileId[] => ('fileId' in source ? [source.fileId] : []))
  const release = async () => {
    if (kept.length > 0) await ports.files.release(kept)
  }
  const refusal = attached.find((one) => one.refusal !== null)?.refusal
  if (!refusal) return succeed({ items, release })
  await release()
  return fail(refusal)
}

async function attachOne({ files }: MessagePorts, number: NumberRef, wanted: WantedMedia): Promise<Attached> {
  const { tenantId, id: numberId, provider } = number
  const { source: text, kind, fileName, path } = wanted
  const kept = isDataUri(text) ? await files.keep(tenantId, numberId, text, kind) : null
  if (kept && !kept.ok) return { attachment: null, refusal: located(kept.refusal, path) }
  const source: MediaSource = kept ? { fileId: kept.file.fileId } : { url: text }
  const refusal = await files.inspect({ tenantId, numberId, provider, kind, source, fileName })
  return {
    attachment: { source, mimeType: kept?.file.mimeType ?? null, sizeBytes: kept?.file.sizeBytes ?? null },
    refusal: refusal && located(refusal, path),
  }
}

/**
 * Names the field of the order in the refusal, because the check of the media does not know it. Details of another form
 * stay.
 */
function located(refusal: Refusal, path: string): Refusal {
  const isOpen = refusal.details === undefined || Array.isArray(refusal.details)
  return isOpen ? { ...refusal, details: [{ path, message: refusal.message }] } : refusal
}
