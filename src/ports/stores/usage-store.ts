import type { TenantId } from '../../domain/ids.ts'
import type { Tally } from '../../domain/usage.ts'

export interface UsageStore {
  /**
   * Reads what the numbers of a tenant used on each day from `first` to `last` (`YYYY-MM-DD`, both included), those
   * too that were removed since. Sums over the days or over the numbers, whichever `by` does not name, stand at an
   * empty text there.
   */
  read(tenantId: TenantId, range: UsageRange): Promise<Tally[]>
}

export interface UsageRange {
  readonly first: string
  readonly last: string
  readonly by: 'day' | 'numberId'
}
