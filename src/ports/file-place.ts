/** When a file was made, and when it expires. */
export interface FileTimes {
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** How whoever follows a link reads a file, and what the answer says of it. */
export interface LinkOrder {
  readonly method: 'GET' | 'HEAD'
  /** `content-type` and `content-disposition` of the answer. */
  readonly type: string
  readonly disposition: string
}

/** A kept file, wherever its bytes are. */
export interface PlacedFile {
  /** Gives a path of this node with its bytes; null when they are gone. Throws StoreAway. */
  path(): Promise<string | null>
  /**
   * Gives an address of another host at which whoever has it may read the bytes for a short while: a secret. Null when
   * they are to be read from `path`.
   */
  link(order: LinkOrder): Promise<string | null>
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
  /** Makes a link that lasts for `lastsMs`, as PlacedFile has it; null when the file is to be read from `find`. */
  link(name: string, order: LinkOrder, lastsMs: number): Promise<string | null>
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
