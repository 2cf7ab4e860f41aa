import type { RequestLimits } from '../../domain/limits.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { TenantEntity } from './entity.ts'

/** The columns of a tenant's own limits; null when it has none. */
export const LIMITS = rowsOf(TenantEntity).only('requestsPerMinute', 'sendsPerMinute')

/** Limits of a tenant: its own, else those of the service. */
export function limitsOf(row: RowIn<typeof LIMITS>, ofService: RequestLimits): RequestLimits {
  const { requestsPerMinute, sendsPerMinute } = LIMITS.read(row)
  return {
    requestsPerMinute: requestsPerMinute ?? ofService.requestsPerMinute,
    sendsPerMinute: sendsPerMinute ?? ofService.sendsPerMinute,
  }
}
