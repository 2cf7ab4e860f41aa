import type { RequestLimits } from '../../domain/limits.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { TenantEntity } from './entity.ts'

/** What is read of a tenant for the limits of its callers; null where it has none of its own. */
export const LIMITS = rowsOf(TenantEntity).only('requestsPerMinute', 'sendsPerMinute')

/** Limits of a tenant: its own, and where it has none those of the service. */
export function limitsOf(row: RowIn<typeof LIMITS>, ofService: RequestLimits): RequestLimits {
  const { requestsPerMinute, sendsPerMinute } = LIMITS.read(row)
  return {
    requestsPerMinute: requestsPerMinute ?? ofService.requestsPerMinute,
    sendsPerMinute: sendsPerMinute ?? ofService.sendsPerMinute,
  }
}
