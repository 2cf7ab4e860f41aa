import type { TenantId } from '../domain/ids.ts'
import type { KeyStore } from '../ports/stores/key-store.ts'
import type { TenantStore } from '../ports/stores/tenant-store.ts'
import type { TenantDesk } from './admin-socket.ts'

export interface TenantDeskDeps {
  readonly tenants: TenantStore
  readonly keys: Pick<KeyStore, 'rotateTenantKey'>
  /** Makes every node forget the caller that the tenant's key proved to be. */
  readonly revokeCallers: (tenantId: TenantId) => Promise<void>
}

/** Operator commands on tenants over the stores, in the running gateway or without one. */
export function tenantDesk({ tenants, keys, revokeCallers }: TenantDeskDeps): TenantDesk {
  return {
    create: (name) => tenants.create(name),
    list: () => tenants.list(),
    async rotate(tenantId) {
      const key = await keys.rotateTenantKey(tenantId as TenantId)
      if (!key) throw new Error(`there is no tenant ${tenantId}`)
      await revokeCallers(key.tenantId)
      return { tenantId: key.tenantId, key: key.raw }
    },
  }
}
