import { refuse } from '../domain/errors.ts'
import { isDiskFull, StoreAway } from '../domain/store-away.ts'
import type { MessageFiles } from '../ports/message-media.ts'
import { Arrivals } from './arrivals.ts'
import { TRANSFER_LIMITS } from './download.ts'
import { inspectMedia } from './inspection.ts'
import { keepDataUri } from './keeping.ts'
import { createMediaChildren } from './media-children.ts'
import type { MediaChildrenStats } from './media-children.ts'
import { CEILINGS } from './media-rules.ts'
import type { MessageFilesOptions } from './message-files-options.ts'
import type { PreparationParts } from './preparation.ts'
import { Preparing } from './preparing.ts'
import { rehostMedia } from './rehosting.ts'
import { Shelf } from './shelf.ts'

const HOUR_MS = 3_600_000
/** Our choice: outlives the tries of a message and an engine that fetches late. */
const PREPARED_MS = 24 * HOUR_MS
/** Our choice: as long as upstream keeps what is uploaded to it. */
const RECEIVED_MS = 30 * 24 * HOUR_MS
const INSPECT_MS = 3_000

/** The files of messages of one node. */
export interface NodeMessageFiles extends MessageFiles {
  stats(): MediaChildrenStats
  /** Ends the child processes of its own; what was under way is given up. Idempotent. */
  close(): Promise<void>
}

/** Makes the files of messages. What cannot be stored is logged and answered as a failure; nothing throws. */
export function createMessageFiles(options: MessageFilesOptions): NodeMessageFiles {
  const { clock, fetch, log } = options
  const shelf = new Shelf(options.directory, options.files, clock)
  const arrivals = new Arrivals(shelf)
  const children = options.sharedChildren ?? createMediaChildren({ ...options.children, clock })
  const parts: PreparationParts = {
    shelf, fetch, children, clock, keepMs: PREPARED_MS,
    transferLimits: { ...TRANSFER_LIMITS, ...options.transfer },
    ceilings: { ...CEILINGS, ...options.ceilings },
    urlOf: (fileId, fileName) => `${options.baseUrl}/media/${fileId}/${encodeURIComponent(fileName)}`,
  }
  const preparing = new Preparing(parts, log, options.metrics)
  const logged = <T>(message: string, instead: T) => (error: unknown): T => {
    log.error({ error: codeOf(error) }, message)
    return instead
  }
  shelf.open().catch(logged('directory of message files cannot be used', undefined))
  return {
    inspect: (order) => inspectMedia(fetch, shelf, order, options.inspectMs ?? INSPECT_MS),
    arrive: (beginning) => arrivals.begin(beginning),
    keep: (tenantId, numberId, dataUri) => keepDataUri(shelf, arrivals, tenantId, numberId, dataUri)
      .catch(orAway(logged('message file not stored', { ok: false, refusal: refuse('INTERNAL', 'The file could not be stored. Try again.') }))),
    prepare: (order, signal) => preparing.prepare(order, signal),
    rehost: (tenantId, numberId, media) => rehostMedia({ ...parts, fetch: options.engineFetch ?? fetch, keepMs: RECEIVED_MS }, tenantId, numberId, media).catch(orAway(logged('received file not stored', null))),
    open: (fileId) => openFile(shelf, fileId).catch(orAway(logged('message file not looked up', null))),
    release: (fileIds) => shelf.remove(fileIds).catch(logged('message files not released', undefined)),
    purge: () => shelf.purge().catch(logged('expired message files not removed', 0)),
    stats: () => children.stats(),
    close: () => options.sharedChildren ? Promise.resolve() : children.close(),
  }
}

async function openFile(shelf: Shelf, fileId: string): ReturnType<MessageFiles['open']> {
  const found = await shelf.find(fileId)
  return found && { path: found.path, mimeType: found.row.mimeType, sizeBytes: found.row.sizeBytes, fileName: found.row.fileName }
}

/** A disk or a database that is away is told as that: a file that cannot be looked up now is not one that is gone. */
function orAway<T>(handle: (error: unknown) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof StoreAway) throw error
    if (isDiskFull(error)) throw new StoreAway('full')
    return handle(error)
  }
}

/** `ENOSPC` and its kin; messages of errors may name paths. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
