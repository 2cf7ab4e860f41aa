import { RefusalError, refuse } from './errors.ts'

/**
 * Why nothing can be read or stored now. `gone`: no connection. `late`: a connection that does not answer. `slow`: a
 * statement that took too long and was ended. `crowded`: no connection is free. `full`: its disk is.
 */
export type AwayKind = 'gone' | 'late' | 'slow' | 'crowded' | 'full'

/** Our choice: a database that restarts takes about that long. */
export const AWAY_RETRY_SECONDS = 5

const MESSAGES: Readonly<Record<AwayKind, string>> = {
  gone: 'The database cannot be reached now. Try again.',
  late: 'The database does not answer now. Try again.',
  slow: 'The database took too long. Try again.',
  crowded: 'The database has no connection free. Try again.',
  full: 'The disk is full. Try again later.',
}

/**
 * What every store throws while its database or disk is away: UNAVAILABLE, 503 with `retry-after`. Whether a write
 * under way was done is not known.
 */
export class StoreAway extends RefusalError {
  readonly kind: AwayKind

  constructor(kind: AwayKind) {
    super(refuse('UNAVAILABLE', MESSAGES[kind], undefined, AWAY_RETRY_SECONDS))
    this.name = 'StoreAway'
    this.kind = kind
  }
}

/** errno(3): no space, a quota used up. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

/** True for what a file system says that has no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_FULL.has(String(error.code))
}

/**
 * Runs `tell` for every fault but a store that is away: that is told of once by who notices, not by all who come round
 * meanwhile.
 */
export function unlessAway(error: unknown, tell: () => void): void {
  if (!(error instanceof StoreAway)) tell()
}
