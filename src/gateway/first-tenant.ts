import type { TenantStore } from '../ports/stores/tenant-store.ts'
import type { Core } from './core.ts'

/**
 * Makes the tenant "Default" with its key on an empty database ([configuration.variables.16]). Answers a key that was
 * generated, to be shown once; null when none was.
 */
export async function makeFirstTenant(
  { config }: Core,
  { tenants }: { readonly tenants: TenantStore },
): Promise<string | null> {
  if (!(await tenants.isEmpty())) return null
  const { key } = await tenants.create('Default', config.bootstrapTenantKey ?? undefined)
  return config.bootstrapTenantKey === null ? key : null
}
