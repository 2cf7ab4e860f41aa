import type { Log } from '../ports/log.ts'

/** The way in which everything is closed. */
export interface Farewell {
  /** True when other programs get time to notice first. */
  readonly isGentle: boolean
}

/** The opened parts that are to be closed, last opened first. */
export interface Closing {
  /** Adds a part. `close` is called once, after the parts that were opened later are closed. */
  add(part: string, close: (farewell: Farewell) => Promise<void> | void): void
  /** Closes everything; a part that fails does not keep the others open. Not gentle by default. Idempotent. */
  run(farewell?: Farewell): Promise<void>
}

/** Makes an empty list of parts. */
export function createClosing(log: Log): Closing {
  const steps: { readonly part: string; readonly close: (farewell: Farewell) => Promise<void> | void }[] = []
  return {
    add: (part, close) => void steps.push({ part, close }),
    async run(farewell = { isGentle: false }) {
      for (const { part, close } of steps.splice(0).toReversed()) {
        try {
          await close(farewell)
        } catch (error) {
          log.error({ part, error: String(error) }, 'a part of the gateway did not close')
        }
      }
    },
  }
}
