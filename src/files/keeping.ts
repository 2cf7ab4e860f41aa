import { copyFile, rm, writeFile } from 'node:fs/promises'
import { refuse } from '../domain/errors.ts'
import type { Refusal } from '../domain/errors.ts'
import type { NumberId, TenantId } from '../domain/ids.ts'
import { BODY_MEDIA_BYTES } from '../domain/limits.ts'
import type { MediaKind } from '../domain/message.ts'
import type { KeptFile } from '../ports/message-media.ts'
import type { ArrivedFile, Arrivals } from './arrivals.ts'
import { parseDataUri } from './data-uri.ts'
import { HEAD_BYTES, soundTypeOf, typeOf } from './file-type.ts'
import { endsOf } from './preparation.ts'
import type { Shelf } from './shelf.ts'

/**
 * How long sent media is kept, in ms: as long as received media ([embeds.inbox-routes.9]). Our choice: as long as
 * upstream keeps uploads, and longer than a message may wait, which is 7 days ([messages.failures.11]).
 */
export const KEPT_MS = 30 * 24 * 3_600_000

export type Keeping = { readonly ok: true; readonly file: KeptFile } | { readonly ok: false; readonly refusal: Refusal }

interface ToKeep {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly dataUri: string
  /** The kind that it is to be sent as; null when unknown. */
  readonly kind: MediaKind | null
}

/**
 * Keeps the bytes of a data URI, at most 25 MB ([rest.errors.7]); durable once it resolves. Rejects when the disk or
 * the database fails.
 */
export async function keepDataUri(
  { shelf, arrivals }: { readonly shelf: Shelf; readonly arrivals: Arrivals },
  wanted: ToKeep,
): Promise<Keeping> {
  const { dataUri } = wanted
  const arrival = arrivals.find(dataUri)
  if (arrival) {
    const arrived = arrival.result()
    return arrived.ok ? keepFile(shelf, wanted, arrived.file) : { ok: false, refusal: refusalOf(arrived.reason, 0) }
  }
  const parsed = parseDataUri(dataUri, BODY_MEDIA_BYTES)
  if (!parsed.ok) return { ok: false, refusal: refusalOf(parsed.reason, parsed.sizeBytes) }
  const { bytes } = parsed
  const tempPath = await shelf.tempPath()
  try {
    await writeFile(tempPath, bytes, { flag: 'wx', mode: 0o600 })
    return await keepFile(shelf, wanted, {
      path: tempPath,
      sizeBytes: bytes.byteLength,
      head: bytes.subarray(0, HEAD_BYTES),
    })
  } finally {
    await rm(tempPath, { force: true })
  }
}

/**
 * Copies a kept file, to be kept again with a life of its own; null when the file is gone. Rejects when the disk or the
 * database fails.
 */
export async function copyKept(
  shelf: Shelf,
  arrivals: Arrivals,
  fileId: string,
): Promise<{ readonly standIn: string; readonly fileName: string | null; drop(): Promise<void> } | null> {
  const found = await shelf.find(fileId)
  if (!found) return null
  const path = await shelf.tempPath()
  const remove = () => rm(path, { force: true }).catch(() => {})
  try {
    await copyFile(found.path, path)
    const adopted = arrivals.adopt({ path, sizeBytes: found.row.sizeBytes, head: (await endsOf(path)).head })
    return {
      standIn: adopted.standIn,
      fileName: found.row.fileName,
      async drop() {
        adopted.drop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function keepFile(
  shelf: Shelf,
  { tenantId, numberId, kind }: ToKeep,
  { path, sizeBytes, head }: ArrivedFile,
): Promise<Keeping> {
  const type = typeOf(head)
  const mimeType = kind === 'audio' || kind === 'voice' ? soundTypeOf(type) : type
  const row = await shelf.keep({
    tempPath: path,
    tenantId,
    numberId,
    mimeType,
    sizeBytes,
    fileName: null,
    keepMs: KEPT_MS,
  })
  return row
    ? { ok: true, file: { fileId: row.id, mimeType, sizeBytes } }
    : { ok: false, refusal: refuse('NUMBER_NOT_FOUND', 'The number was removed.') }
}

function refusalOf(reason: 'malformed' | 'empty' | 'too-large', sizeBytes: number): Refusal {
  if (reason === 'too-large')
    return refuse(
      'MEDIA_TOO_LARGE',
      `The file measures ${sizeBytes} bytes; at most ${BODY_MEDIA_BYTES} bytes can come as data URI. Send an address instead.`,
    )
  const message =
    reason === 'empty' ? 'The data URI is empty.' : 'Give an http or https address, or a data URI in base64.'
  return refuse('VALIDATION', message, [{ path: 'media', message }])
}
