import type { TenantId } from '../../domain/ids.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

export interface HastenCallingDeps {
  readonly official: Pick<OfficialStore, 'hastenCalling'>
  /** Has the due tries made now. */
  readonly wakeTries: () => void
}

/**
 * The messaging limit of the account may have risen: what waits for it is tried at once. Throws what the store throws.
 */
export async function hastenCalling(
  { official, wakeTries }: HastenCallingDeps,
  tenantId: TenantId,
  accountId: string,
): Promise<void> {
  if ((await official.hastenCalling(tenantId, accountId)) > 0) wakeTries()
}
