import type { Log } from '../ports/log.ts'

/** How everything is closed. */
export interface Farewell {
  /** Others are given time to notice first. */
  readonly isGentle: boolean
}

/** What was opened and is to be closed, last opened first. */
export interface Closing {
  /** `close` is called once, when the parts opened after this one are closed. */
  add(part: string, close: (farewell: Farewell) => Promise<void> | void): void
  /** Closes everything; one part that fails does not keep the others open. Not gentle unless it is said. Idempotent. */
  run(farewell?: Farewell): Promise<void>
}

/** Makes an empty list of what is to be closed. */
export function createClosing(log: Log): Closing {
  const steps: { readonly part: string; readonly close: (farewell: Farewell) => Promise<void> | void }[] = []
  return {
    add: (part, close) => void steps.push({ part, close }),
    async run(farewell = { isGentle: false }) {
      for (const { part, close } of steps.splice(0).toReversed()) {
        try {
          await close(farewell)
        } catch (error) {
          log.error({ part, error: String(error) }, 'part did not close')
        }
      }
    },
  }
}
