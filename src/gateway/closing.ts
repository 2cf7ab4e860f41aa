import type { Log } from '../ports/log.ts'

/** What was opened and is to be closed, last opened first. */
export interface Closing {
  /** `close` is called once, when the parts opened after this one are closed. */
  add(part: string, close: () => Promise<void> | void): void
  /** Closes everything; one part that fails does not keep the others open. Idempotent. */
  run(): Promise<void>
}

/** Makes an empty list of what is to be closed. */
export function createClosing(log: Log): Closing {
  const steps: { readonly part: string, readonly close: () => Promise<void> | void }[] = []
  return {
    add: (part, close) => void steps.push({ part, close }),
    async run() {
      for (const { part, close } of steps.splice(0).toReversed()) {
        try {
          await close()
        } catch (error) {
          log.error({ part, error: String(error) }, 'part did not close')
        }
      }
    },
  }
}
