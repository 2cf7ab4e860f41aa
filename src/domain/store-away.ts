import { RefusalError, refuse } from './errors.ts'

/**
 * Why nothing can be read or stored now. `gone`: no connection. `late`: a connection that does not answer. `slow`: a
 * statement that took too long and was ended. `crowded`: no connection is free. `full`: the disk has no room.
 * `files`: the storage of files cannot be reached, or refuses.
 */
export type AwayKind = 'gone' | 'late' | 'slow' | 'crowded' | 'full' | 'files'

/** Our choice: a database that restarts takes about that long. */
export const AWAY_RETRY_SECONDS = 5

const MESSAGES: Readonly<Record<AwayKind, string>> = {
  gone: 'The database cannot be reached now. Try again.',
  late: 'The database does not answer now. Try again.',
  slow: 'The database took too long. Try again.',
  crowded: 'The database has no connection free. Try again.',
  full: 'The disk is full. Try again later.',
  files: 'The file cannot be read from its storage now. Try again.',
}

/**
 * What every store throws while its database or disk is away: UNAVAILABLE, 503 with `retry-after` ([rest.bounds.3]).
 * Whether a write under way took effect is unknown.
 */
export class StoreAway extends RefusalError {
  readonly kind: AwayKind

  constructor(kind: AwayKind) {
    super(refuse('UNAVAILABLE', MESSAGES[kind], undefined, AWAY_RETRY_SECONDS))
    this.name = 'StoreAway'
    this.kind = kind
  }
}

/** errno(3): no space left, or a quota used up. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

/** True for the error of a file system without room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_FULL.has(String(error.code))
}

/**
 * Runs `tell` for every fault but a store that is away: the code that notices the outage tells of it once, so others
 * that meet it meanwhile stay silent.
 */
export function unlessAway(error: unknown, tell: () => void): void {
  if (!(error instanceof StoreAway)) tell()
}
