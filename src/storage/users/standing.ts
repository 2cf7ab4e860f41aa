import type { TenantId, UserId } from '../../domain/ids.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { UserEntity } from './entity.ts'
import type { UserRow } from './row.ts'

/**
 * A person of the tenant, held as long as the unit of work takes, and so is whatever is decided of its other people.
 */
export async function heldUser(
  rows: UnitManager,
  tenantId: TenantId,
  id: string,
): Promise<{ readonly row: UserRow; readonly isLastOwner: boolean } | null> {
  // Keeps nobody from storing rows that refer to the tenant.
  await rows.readOne(TenantEntity, { id: tenantId }, { lock: 'no key update' })
  // Read after the lock was had: what others wrote before is seen.
  const row = await rows.readOne(UserEntity, { id: id as UserId }, { lock: 'update' })
  return row && { row, isLastOwner: await isLastOwner(rows, row) }
}

/** Of those who may sign in. */
async function isLastOwner(rows: UnitManager, { id, role, status }: UserRow): Promise<boolean> {
  return (
    role === 'OWNER' && status === 'ACTIVE' && (await rows.count(UserEntity, { id: { $ne: id }, role, status })) === 0
  )
}
