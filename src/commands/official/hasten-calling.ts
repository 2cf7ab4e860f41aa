import type { TenantId } from '../../domain/ids.ts'
import type { OfficialPorts } from './ports.ts'

/**
 * The messaging limit of the account may have risen: what waits for it is tried at once. Throws what the store throws.
 */
export async function hastenCalling(
  { official, wakeTries }: OfficialPorts,
  tenantId: TenantId,
  accountId: string,
): Promise<void> {
  if ((await official.hastenCalling(tenantId, accountId)) > 0) wakeTries()
}
