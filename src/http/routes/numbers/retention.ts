import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { ChannelNumber, PiiMode } from '../../../domain/number.ts'

interface RetentionInput {
  readonly piiMode?: PiiMode | undefined
  readonly piiRetentionDays?: number | null | undefined
}

type Retention = Pick<ChannelNumber, 'piiMode' | 'piiRetentionDays'>

/**
 * The retention a number has after a change. STORE_X_DAYS needs its days, sent now or stored
 * before (contract 3); our choice: the other modes store none, so that no stale number looks in force.
 */
export function mergeRetention(current: Retention, input: RetentionInput): Retention {
  const piiMode = input.piiMode ?? current.piiMode
  if (piiMode !== 'STORE_X_DAYS') return { piiMode, piiRetentionDays: null }
  const piiRetentionDays = input.piiRetentionDays === undefined ? current.piiRetentionDays : input.piiRetentionDays
  if (piiRetentionDays !== null) return { piiMode, piiRetentionDays }
  const message = 'is needed with STORE_X_DAYS'
  throw new RefusalError(refuse('VALIDATION', `Invalid body: piiRetentionDays: ${message}`, [{ path: 'piiRetentionDays', message }]))
}
