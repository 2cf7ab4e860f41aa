import type { FailureLimit } from '../../domain/user.ts'

/** A failure noted before it is known to be one. */
export interface NotedFailure {
  readonly bucket: string
  readonly at: Date
}

/** Failed logins, by what is counted; shared by all nodes, whatever happens to any of them. */
export interface LoginFailureStore {
  /**
   * Notes one, so that many at once are not more than may be; null where the bucket is full by any of the limits, with
   * the ms until it is by none. A bucket, which is any text and kept as a hash, has the same limits each time.
   */
  note(
    bucket: string,
    limits: readonly FailureLimit[],
  ): Promise<{ readonly noted: NotedFailure } | { readonly noted: null; readonly retryAfterMs: number }>
  /** Takes one back that was none. */
  takeBack(noted: NotedFailure): Promise<void>
  /** Deletes what counts no more; answers how many buckets. */
  purge(): Promise<number>
}
