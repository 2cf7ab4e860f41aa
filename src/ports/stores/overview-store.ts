import type { TenantId } from '../../domain/ids.ts'
import type { Overview } from '../../domain/overview.ts'

export interface OverviewStore {
  /**
   * Reads how a tenant stands, at a cost that messages, calls and logs do not add to. A step of the checklist that was
   * seen done stays done, also when what it was seen by is gone ([dashboard.overview.1]).
   */
  read(tenantId: TenantId): Promise<Overview>
}
