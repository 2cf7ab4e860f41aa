/**
 * Our choice, in ms: how often it is told that somebody writes, while they do. Upstream ends what it shows by itself,
 * after 25 s at most.
 */
const EVERY_MS = 5_000

/** Decides when the person of one conversation is told that somebody writes to them ([inbox.features.21]). */
export class TypingTeller {
  readonly #tell: (state: 'typing' | 'paused') => void
  #toldMs: number | null = null

  constructor(tell: (state: 'typing' | 'paused') => void) {
    this.#tell = tell
  }

  /** Something was written at `nowMs`: told at once, then at most every 5 s. */
  wrote(nowMs: number): void {
    if (this.#toldMs !== null && nowMs - this.#toldMs < EVERY_MS) return
    this.#toldMs = nowMs
    this.#tell('typing')
  }

  /** Nothing is written any more: the field is empty, or gone. Told only when writing was. */
  ended(): void {
    if (this.#toldMs === null) return
    this.#toldMs = null
    this.#tell('paused')
  }
}
