import type { Outcome } from '../../domain/errors.ts'

export type CallingOutcome = 'ENABLED' | 'PENDING_TIER' | 'PENDING_WEBHOOK'

/** The `calling` object of a number: fields as upstream names them. */
export type CallingSettings = Readonly<Record<string, unknown>>

/** Whether and how the number takes calls. */
export interface CallingPort {
  /** Tries to enable calling; 138015 and 138018 are outcomes, not refusals (spec: Number calling enablement). */
  enable(): Promise<Outcome<CallingOutcome>>
  /** The `calling` object, SIP credentials never asked for and never passed on. */
  readSettings(): Promise<Outcome<CallingSettings>>
  /** Partial; answers the settings read back. */
  writeSettings(fields: CallingSettings): Promise<Outcome<CallingSettings>>
}
