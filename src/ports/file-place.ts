/** When a file was made, and when it expires. */
export interface FileTimes {
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Where the bytes of files are, by their names. Names are made here and have neither slash nor dot at their start. */
export interface FilePlace {
  /** Makes what is missing. Called once, before all others. */
  open(): Promise<void>
  /** Moves a closed file of this node to its place, durably: what was answered survives a kill and a loss of power. */
  put(name: string, path: string, times: FileTimes): Promise<void>
  /**
   * Gives a path of this node with the bytes of a file that was made at `madeAt`; null when there are none. Throws
   * StoreAway while they cannot be had.
   */
  find(name: string, madeAt: Date): Promise<string | null>
  /** Deletes files. Idempotent; what cannot be deleted now is found by `overdue`. */
  delete(names: readonly string[]): Promise<void>
  /**
   * Names files that expired more than `ageMs` ago, or are that old where expiry is not known to the place. It may name
   * a part of them, and the others in later calls.
   */
  overdue(ageMs: number): AsyncIterable<string>
  /** Keeps `overdue` from naming a file again before another `ageMs`, where it can. */
  seen(name: string): Promise<void>
}
