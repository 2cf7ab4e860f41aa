/** An answer, and what happens once the gateway has it. */
export interface Acted {
  readonly body: object
  readonly after?: () => void
}

/** What upstream answers where there is nothing to tell. */
export const DONE: Acted = { body: { success: true } }
