/** Something that reads what strangers send. */
export interface Target {
  readonly name: string
  /** Inputs that are right, or nearly so: the others are made of them. */
  readonly starts: readonly (string | Uint8Array)[]
  /** Pieces that mean something to the reader. */
  readonly words: readonly string[]
  /**
   * Reads an input, and returns in a few words what it found; two inputs with the same words went the same way. Throws,
   * or rejects, when the reader breaks its promise.
   */
  readonly take: (bytes: Buffer) => string | Promise<string>
}
