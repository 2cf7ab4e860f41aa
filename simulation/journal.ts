import { createHash } from 'node:crypto'
import type { Timeline } from './timeline.ts'

/** The log of a run: one line for everything that crosses between its parts, and a hash over all of them. */
export class Journal {
  readonly lines: string[] = []
  readonly #timeline: Timeline
  readonly #hash = createHash('sha256')

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  note(who: string, what: string): void {
    const line = `${String(Math.round(this.#timeline.nowMs)).padStart(8)} ${who.padEnd(10)} ${what}`
    this.lines.push(line)
    this.#hash.update(`${line}\n`)
  }

  /** The hash of all lines so far, in hex. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
