/** An answer, and what happens once the gateway has it. */
export interface Acted {
  readonly body: object
  readonly after?: () => void
}

/** Upstream's answer when there is nothing to tell. */
export const DONE: Acted = { body: { success: true } }
