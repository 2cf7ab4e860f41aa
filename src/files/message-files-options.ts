import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { FilePlace } from '../ports/file-place.ts'
import type { FileStore } from '../ports/stores/file-store.ts'
import type { TransferLimits } from './download.ts'
import type { MediaChildren, MediaChildrenOptions } from './media-children.ts'
import type { Ceilings } from './media-rules.ts'

export interface MessageFilesOptions {
  /** `DATA_DIR/media`; made when missing. */
  readonly directory: string
  /** Where files are kept; default: in the directory. */
  readonly place?: FilePlace
  /** Public address of the gateway, without a slash at its end: files are at `{baseUrl}/media/{fileId}/{fileName}`. */
  readonly baseUrl: string
  /** The caller that made it closes it, after this. */
  readonly fetch: GuardedFetch
  /** Fetches what engines received, whose own address may be private; default `fetch`. Closed likewise. */
  readonly engineFetch?: GuardedFetch
  /** Fetches what the official platform names, whose own address may be private; default `fetch`. Closed likewise. */
  readonly upstreamFetch?: GuardedFetch
  readonly files: FileStore
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly transfer?: Partial<TransferLimits>
  readonly children?: Omit<MediaChildrenOptions, 'clock'>
  /** Children that also work for others, in place of its own. The caller that made them closes them, after this. */
  readonly sharedChildren?: MediaChildren
  /** Ceilings in bytes ([media.ceilings.1] to [media.ceilings.5]); other values serve tests. */
  readonly ceilings?: Partial<Ceilings>
  /** How long the host of a document may delay a request, in ms. Default 3 s (our choice). */
  readonly inspectMs?: number
}
