import type { TenantId } from '../../domain/ids.ts'
import type { OfficialPorts } from './ports.ts'

/**
 * The account's messaging limit may have risen, so numbers that wait for that are tried at once. Throws what the store
 * throws.
 */
export async function hastenCalling(
  { official, wakeTries }: OfficialPorts,
  tenantId: TenantId,
  accountId: string,
): Promise<void> {
  if ((await official.hastenCalling(tenantId, accountId)) > 0) wakeTries()
}
