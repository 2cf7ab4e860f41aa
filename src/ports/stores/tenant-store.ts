import type { TenantId } from '../../domain/ids.ts'

export interface TenantStore {
  /** Creates a tenant with its tenant-scoped key; `rawKey` sets the key instead of generating one. */
  create(name: string, rawKey?: string): Promise<{ tenantId: TenantId, key: string }>
  isEmpty(): Promise<boolean>
}
