import type { MediaEvent } from '../../src/ports/media.ts'

/** Our choice: far more files than may wait in a queue (20); beyond it the oldest is forgotten. */
const MAX_WORDS = 100

/**
 * What was last told of a call: of each file its last progress, of everything else the last time. An owner may be gone
 * with what it heard and did not store, so whoever adopts the call is told all of it; saying a thing twice does
 * nothing.
 */
export class CallWords {
  readonly #words = new Map<string, MediaEvent>()

  add(event: MediaEvent): void {
    const key = event.type === 'playback' ? event.playbackId : event.type
    // Deleted first, so that the latest stands last.
    this.#words.delete(key)
    this.#words.set(key, event)
    for (const oldest of this.#words.keys()) {
      if (this.#words.size <= MAX_WORDS) return
      this.#words.delete(oldest)
    }
  }

  /** In the order they were said. */
  all(): MediaEvent[] {
    return [...this.#words.values()]
  }
}
