import type { TenantId } from '../../../src/domain/ids.ts'
import type { Tally } from '../../../src/domain/usage.ts'
import type { UsageRange, UsageStore } from '../../../src/ports/stores/usage-store.ts'

/** Usage in memory, as a test tells it; nothing else is counted. */
export class MemoryUsage implements UsageStore {
  readonly tallies: (Tally & { readonly tenantId: TenantId })[] = []

  async read(tenantId: TenantId, { first, last }: UsageRange): Promise<Tally[]> {
    return this.tallies.filter((tally) => tally.tenantId === tenantId && tally.day >= first && tally.day <= last)
  }
}
