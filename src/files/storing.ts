import { isDiskFull, StoreAway } from '../domain/store-away.ts'

/** A disk or a database that is away is told as that: a file that cannot be looked up now is not one that is gone. */
export function orAway<T>(handle: (error: unknown) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof StoreAway) throw error
    if (isDiskFull(error)) throw new StoreAway('full')
    return handle(error)
  }
}

/** `ENOSPC` and its kin, for the log; messages of errors may name paths. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
