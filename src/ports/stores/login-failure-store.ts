/** A failure noted before it is known to be one. */
export interface NotedFailure {
  readonly bucket: string
  readonly at: Date
}

/** Failed logins of the last LOGIN_WINDOW_MS, by what is counted; shared by all nodes, whatever happens to any of them. */
export interface LoginFailureStore {
  /**
   * Notes one, so that many at once are not more than may be; null where there are `most` of the bucket already, with the ms until one less.
   * `bucket` is any text, kept as a hash.
   */
  note(bucket: string, most: number): Promise<{ readonly noted: NotedFailure } | { readonly noted: null, readonly retryAfterMs: number }>
  /** Takes one back that was none. */
  takeBack(noted: NotedFailure): Promise<void>
  /** Deletes what counts no more; answers how many buckets. */
  purge(): Promise<number>
}
