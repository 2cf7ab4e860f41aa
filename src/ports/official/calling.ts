import type { Outcome } from '../../domain/errors.ts'

export type CallingOutcome = 'ENABLED' | 'PENDING_TIER' | 'PENDING_WEBHOOK'

/** The `calling` object of a number: fields as upstream names them. */
export type CallingSettings = Readonly<Record<string, unknown>>

/** The calling settings of a number. */
export interface CallingPort {
  /**
   * Tries to enable calling; 138015 and 138018 are outcomes, not refusals ([official.calling.1], [official.calling.2]).
   */
  enable(): Promise<Outcome<CallingOutcome>>
  /** Reads the `calling` object. SIP credentials are never asked for and never passed on ([calls.settings.3]). */
  readSettings(): Promise<Outcome<CallingSettings>>
  /** Writes some fields; gives the settings read back. */
  writeSettings(fields: CallingSettings): Promise<Outcome<CallingSettings>>
}
