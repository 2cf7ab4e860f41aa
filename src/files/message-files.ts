import { refuse } from '../domain/errors.ts'
import type { MessageFiles } from '../ports/message-media.ts'
import type { RecordingFiles } from '../ports/recordings.ts'
import type { TemplateFiles } from '../ports/template-files.ts'
import { Arrivals } from './arrivals.ts'
import { TRANSFER_LIMITS } from './download.ts'
import { Hearing } from './hearing.ts'
import { inspectMedia } from './inspection.ts'
import { copyKept, KEPT_MS, keepDataUri } from './keeping.ts'
import { createMediaChildren } from './media-children.ts'
import type { MediaChildren, MediaChildrenStats } from './media-children.ts'
import { CEILINGS } from './media-rules.ts'
import type { MessageFilesOptions } from './message-files-options.ts'
import { endsOf } from './preparation.ts'
import type { PreparationParts } from './preparation.ts'
import { Preparing } from './preparing.ts'
import { createRecordingFiles } from './recording-files.ts'
import { rehostMedia } from './rehosting.ts'
import { Shelf } from './shelf.ts'
import { errorCodeOf, orAway } from './storing.ts'
import { createTemplateFiles } from './template-files.ts'

const INSPECT_MS = 3_000

/** The files of messages of one node. */
export interface NodeMessageFiles extends MessageFiles {
  /** Samples of templates, on the same shelf. */
  readonly templates: TemplateFiles
  /** Recordings of calls, on the same shelf. */
  readonly recordings: RecordingFiles
  stats(): MediaChildrenStats
  /** Ends its own child processes and gives up their work. Idempotent. */
  close(): Promise<void>
}

/**
 * Makes the files of messages. What cannot be stored is logged and answered as a failure; nothing throws but StoreAway.
 */
export function createMessageFiles(options: MessageFilesOptions): NodeMessageFiles {
  const { fetch, log } = options
  const { shelf, arrivals, children, parts } = partsOf(options)
  const hearing = new Hearing(parts)
  const preparing = new Preparing(parts, log, options.metrics)
  const logged =
    <T>(message: string, instead: T) =>
    (error: unknown): T => {
      log.error({ error: errorCodeOf(error) }, message)
      return instead
    }
  shelf.open().catch(logged('directory of message files cannot be used', undefined))
  return {
    templates: createTemplateFiles({
      ...parts,
      arrivals,
      baseUrl: options.baseUrl,
      upstreamFetch: options.upstreamFetch ?? fetch,
      log,
    }),
    recordings: createRecordingFiles(shelf),
    inspect: (order) => inspectMedia(fetch, shelf, order, options.inspectMs ?? INSPECT_MS),
    arrive: (beginning) => arrivals.begin(beginning),
    adopt: async (path, sizeBytes) => arrivals.adopt({ path, sizeBytes, head: (await endsOf(path)).head }),
    copy: (fileId) => copyKept(shelf, arrivals, fileId).catch(orAway(logged('message file not copied', null))),
    keep: (tenantId, numberId, dataUri, kind) =>
      keepDataUri({ shelf, arrivals }, { tenantId, numberId, dataUri, kind: kind ?? null }).catch(
        orAway(
          logged('message file not stored', {
            ok: false,
            refusal: refuse('INTERNAL', 'The file could not be stored. Try again.'),
          }),
        ),
      ),
    prepare: (order, signal) => preparing.prepare(order, signal),
    hear: (numberId, fileId) => hearing.hear(numberId, fileId).catch(logged('sound not listened to', null)),
    rehost: (tenantId, numberId, media) =>
      rehostMedia({ ...parts, fetch: options.engineFetch ?? fetch }, tenantId, numberId, media).catch(
        orAway(logged('received file not stored', null)),
      ),
    open: (fileId) => openFile(parts, fileId).catch(orAway(logged('message file not looked up', null))),
    locate: (fileId) => locateFile(parts, fileId).catch(orAway(logged('message file not looked up', null))),
    release: (fileIds) => shelf.remove(fileIds).catch(logged('message files not released', undefined)),
    purge: () => shelf.purge().catch(logged('expired message files not removed', 0)),
    stats: () => children.stats(),
    close: () => (options.sharedChildren ? Promise.resolve() : children.close()),
  }
}

/** The parts that all work on files of a node shares. */
interface FileParts {
  readonly shelf: Shelf
  readonly arrivals: Arrivals
  readonly children: MediaChildren
  readonly parts: PreparationParts
}

function partsOf(options: MessageFilesOptions): FileParts {
  const { clock, fetch } = options
  const { directory, place } = options
  const shelf = new Shelf({ directory, rows: options.files, clock, ...(place ? { place } : {}) })
  const children = options.sharedChildren ?? createMediaChildren({ ...options.children, clock })
  const parts: PreparationParts = {
    shelf,
    fetch,
    children,
    clock,
    keepMs: KEPT_MS,
    transferLimits: { ...TRANSFER_LIMITS, ...options.transfer },
    ceilings: { ...CEILINGS, ...options.ceilings },
    urlOf: (fileId, fileName) => `${options.baseUrl}/media/${fileId}/${encodeURIComponent(fileName)}`,
  }
  return { shelf, arrivals: new Arrivals(shelf), children, parts }
}

async function openFile({ shelf }: Pick<PreparationParts, 'shelf'>, fileId: string): ReturnType<MessageFiles['open']> {
  const found = await shelf.find(fileId)
  return (
    found && {
      path: found.path,
      mimeType: found.row.mimeType,
      sizeBytes: found.row.sizeBytes,
      fileName: found.row.fileName,
    }
  )
}

async function locateFile(
  { shelf }: Pick<PreparationParts, 'shelf'>,
  fileId: string,
): ReturnType<MessageFiles['locate']> {
  const located = await shelf.locate(fileId)
  if (!located) return null
  const { row, path, link } = located
  return { path, link, mimeType: row.mimeType, fileName: row.fileName }
}
