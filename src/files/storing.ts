import { isDiskFull, StoreAway } from '../domain/store-away.ts'

/** Turns a full disk into StoreAway, and passes StoreAway on: a file that cannot be looked up now is not gone. */
export function orAway<T>(handle: (error: unknown) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof StoreAway) throw error
    if (isDiskFull(error)) throw new StoreAway('full')
    return handle(error)
  }
}

/** Gives `ENOSPC` and the like for the log; messages of errors may name paths. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
