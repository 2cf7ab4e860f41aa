import type { FailureLimit } from '../../domain/user.ts'

/** A failure, noted before the login is known to fail. */
export interface NotedFailure {
  readonly bucket: string
  readonly at: Date
}

/** Failed logins, by what is counted; all nodes share them, and they survive each node. */
export interface LoginFailureStore {
  /**
   * Notes a failure beforehand, so that many logins at once cannot exceed the limits; null when any limit of the bucket
   * is reached, with the ms until none is. A bucket, which is any text and kept as a hash, has the same limits each
   * time.
   */
  note(
    bucket: string,
    limits: readonly FailureLimit[],
  ): Promise<{ readonly noted: NotedFailure } | { readonly noted: null; readonly retryAfterMs: number }>
  /** Takes a failure back after a login that succeeded. */
  takeBack(noted: NotedFailure): Promise<void>
  /** Deletes failures that no longer count; gives the number of buckets. */
  purge(): Promise<number>
}
