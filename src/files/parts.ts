import { Arrivals } from './arrivals.ts'
import { TRANSFER_LIMITS } from './download.ts'
import { KEPT_MS } from './keeping.ts'
import { createMediaChildren } from './media-children.ts'
import type { MediaChildren } from './media-children.ts'
import { CEILINGS } from './media-rules.ts'
import type { MessageFilesOptions } from './message-files-options.ts'
import type { PreparationParts } from './preparation.ts'
import { Shelf } from './shelf.ts'

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
