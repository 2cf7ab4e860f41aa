import type { TenantStore } from '../ports/stores/tenant-store.ts'
import type { Core } from './core.ts'

/**
 * On an empty database: tenant "Default" with its key (contract 1). Answers a key that was generated, which is to be
 * shown once.
 */
export async function makeFirstTenant(
  { config }: Core,
  { tenants }: { readonly tenants: TenantStore },
): Promise<string | null> {
  if (!(await tenants.isEmpty())) return null
  const { key } = await tenants.create('Default', config.bootstrapTenantKey ?? undefined)
  return config.bootstrapTenantKey === null ? key : null
}
