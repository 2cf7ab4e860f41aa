import { fail, succeed } from './errors.ts'
import type { Outcome } from './errors.ts'
import { invalidBody } from './fault.ts'
import { PII_MODES } from './number.ts'
import type { ChannelNumber, PiiMode } from './number.ts'

export type Retention = Pick<ChannelNumber, 'piiMode' | 'piiRetentionDays'>

/** The fields of a retention that change. */
export interface RetentionInput {
  readonly piiMode?: PiiMode | undefined
  readonly piiRetentionDays?: number | null | undefined
}

/** The retention of a new number ([numbers.privacy.1]). */
export const DEFAULT_RETENTION: Retention = { piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }

/**
 * Computes the retention of a number after a change. STORE_X_DAYS needs its days, sent now or stored before
 * ([numbers.privacy.2]); our choice: the other modes store none, so that no stale number looks in force.
 */
export function mergeRetention(current: Retention, input: RetentionInput): Outcome<Retention> {
  const piiMode = input.piiMode ?? current.piiMode
  if (piiMode !== 'STORE_X_DAYS') return succeed({ piiMode, piiRetentionDays: null })
  const piiRetentionDays = input.piiRetentionDays === undefined ? current.piiRetentionDays : input.piiRetentionDays
  if (piiRetentionDays !== null) return succeed({ piiMode, piiRetentionDays })
  return fail(invalidBody([{ path: 'piiRetentionDays', message: 'is needed with STORE_X_DAYS' }]))
}

/** Reads a retention from a row; null for an unknown value. Our choice: a window without its days counts as unknown. */
export function readRetention({
  piiMode,
  piiRetentionDays,
}: {
  readonly piiMode: string
  readonly piiRetentionDays: number | null
}): Retention | null {
  const known = PII_MODES.find((mode) => mode === piiMode)
  return known === undefined || (known === 'STORE_X_DAYS' && piiRetentionDays === null)
    ? null
    : { piiMode: known, piiRetentionDays }
}

const DAY_MS = 86_400_000

/**
 * True when personal data of that moment is withheld now ([leads.privacy.1], [leads.privacy.2]). The last day of a
 * window is kept to its end.
 */
export function isWithheld({ piiMode, piiRetentionDays }: Retention, at: Date, nowMs: number): boolean {
  if (piiMode === 'RELAY_ONLY') return true
  return piiMode === 'STORE_X_DAYS' && (piiRetentionDays === null || at.getTime() < nowMs - piiRetentionDays * DAY_MS)
}
