import type { TenantId } from '../../domain/ids.ts'

export interface ListedTenant {
  readonly tenantId: TenantId
  readonly name: string
  /** ISO 8601. */
  readonly createdAt: string
  /** How many numbers the tenant has. */
  readonly numbers: number
}

export interface TenantStore {
  /** Creates a tenant with its tenant-scoped key; `rawKey` sets the key instead of a generated one. */
  create(name: string, rawKey?: string): Promise<{ tenantId: TenantId; key: string }>
  /** Lists all tenants, oldest first. */
  list(): Promise<ListedTenant[]>
  isEmpty(): Promise<boolean>
}
