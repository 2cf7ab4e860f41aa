import { rm } from 'node:fs/promises'
import { DOCUMENT_BYTES } from '../domain/limits.ts'
import type { NumberId, TenantId } from '../domain/ids.ts'
import { transfer } from './download.ts'
import { documentType, mimeTypeOf, safeName } from './file-name.ts'
import { factsOf, isFileType, typeOf } from './file-type.ts'
import type { FileType } from './file-type.ts'
import { endsOf } from './preparation.ts'
import type { PreparationParts } from './preparation.ts'

/** A media that a device received, as its engine names it. */
export interface ReceivedMedia {
  readonly url: string
  readonly mimeType: string
  readonly fileName: string | null
}

/** Our choice: a type as engines name it, at most with its codecs; any other text is not passed on. */
const MIME_TYPE = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,126}(; ?codecs="?[a-z0-9.,-]{1,64}"?)?$/i
/** Our choice: upstream's own ceiling for what users send. */
const MOST_BYTES = DOCUMENT_BYTES

/**
 * Fetches what a device received and keeps it under an address of the service; null when it cannot be fetched. Rejects
 * when the disk or the database fails.
 */
export async function rehostMedia(
  parts: PreparationParts,
  tenantId: TenantId,
  numberId: NumberId,
  media: ReceivedMedia,
): Promise<(ReceivedMedia & { readonly sizeBytes: number }) | null> {
  const tempPath = await parts.shelf.tempPath()
  try {
    const got = await fetchUnbroken(parts, media.url, tempPath)
    if (got.kind !== 'saved') return null
    const { head, tail } = await endsOf(tempPath)
    const type = documentType(typeOf(head, tail), head, media.fileName)
    const mimeType = receivedType(type, media.mimeType, media.fileName)
    const fileName = media.fileName === null ? null : safeName(media.fileName, type)
    const row = await parts.shelf.keep({
      tempPath,
      tenantId,
      numberId,
      mimeType,
      sizeBytes: got.sizeBytes,
      fileName,
      keepMs: parts.keepMs,
    })
    return (
      row && {
        url: parts.urlOf(row.id, fileName ?? safeName(null, type)),
        mimeType,
        fileName,
        sizeBytes: got.sizeBytes,
      }
    )
  } finally {
    await rm(tempPath, { force: true })
  }
}

/** Fetches once more what broke off: its engine may have died, and another one has it. */
async function fetchUnbroken(parts: PreparationParts, url: string, path: string): ReturnType<typeof transfer> {
  const got = await fetchInto(parts, url, path)
  if (got.kind !== 'failed' || got.isBroken !== true) return got
  await rm(path, { force: true })
  return fetchInto(parts, url, path)
}

function fetchInto({ fetch, clock, transferLimits }: PreparationParts, url: string, path: string) {
  return transfer({
    fetch,
    clock,
    url,
    path,
    signal: new AbortController().signal,
    limits: transferLimits,
    mostBytes: MOST_BYTES,
    judge: () => ({ maxBytes: MOST_BYTES }),
  })
}

/** Decides the type: by the content, and by the engine's word where the content says nothing or less. */
export function receivedType(found: FileType, claimed: string, fileName: string | null): string {
  if (!MIME_TYPE.test(claimed)) return mimeTypeOf(found, fileName)
  const bare = claimed.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // The engine may name the codecs of the same type, or say that a container of video holds sound alone.
  const saysMore =
    bare === found
    || (isFileType(bare)
      && factsOf(bare).family === 'audio'
      && factsOf(found).format !== undefined
      && factsOf(bare).format === factsOf(found).format)
  const isUnknown =
    found === 'application/octet-stream'
    || found === 'text/plain'
    || found === 'application/zip'
    || found === 'application/x-cfb'
  return saysMore || (isUnknown && !isFileType(bare)) ? claimed : mimeTypeOf(found, fileName)
}
