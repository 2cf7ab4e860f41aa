import type { TenantId } from '../../domain/ids.ts'

export interface ListedTenant {
  readonly tenantId: TenantId
  readonly name: string
  /** ISO 8601. */
  readonly createdAt: string
  /** How many it has. */
  readonly numbers: number
}

export interface TenantStore {
  /** Creates a tenant with its tenant-scoped key; `rawKey` sets the key instead of generating one. */
  create(name: string, rawKey?: string): Promise<{ tenantId: TenantId; key: string }>
  /** All of them, oldest first. */
  list(): Promise<ListedTenant[]>
  isEmpty(): Promise<boolean>
}
