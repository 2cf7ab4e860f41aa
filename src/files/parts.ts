import { Arrivals } from './arrivals.ts'
import { TRANSFER_LIMITS } from './download.ts'
import { createMediaChildren } from './media-children.ts'
import type { MediaChildren } from './media-children.ts'
import { CEILINGS } from './media-rules.ts'
import type { MessageFilesOptions } from './message-files-options.ts'
import type { PreparationParts } from './preparation.ts'
import { Shelf } from './shelf.ts'

/** Our choice: outlives the tries of a message and an engine that fetches late. */
const PREPARED_MS = 24 * 3_600_000

/** What all work on files of a node shares. */
interface FileParts {
  readonly shelf: Shelf
  readonly arrivals: Arrivals
  readonly children: MediaChildren
  readonly parts: PreparationParts
}

export function partsOf(options: MessageFilesOptions): FileParts {
  const { clock, fetch } = options
  const shelf = new Shelf(options.directory, options.files, clock)
  const children = options.sharedChildren ?? createMediaChildren({ ...options.children, clock })
  const parts: PreparationParts = {
    shelf, fetch, children, clock, keepMs: PREPARED_MS,
    transferLimits: { ...TRANSFER_LIMITS, ...options.transfer },
    ceilings: { ...CEILINGS, ...options.ceilings },
    urlOf: (fileId, fileName) => `${options.baseUrl}/media/${fileId}/${encodeURIComponent(fileName)}`,
  }
  return { shelf, arrivals: new Arrivals(shelf), children, parts }
}
