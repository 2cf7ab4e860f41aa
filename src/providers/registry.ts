import type { ProviderKind } from '../domain/number.ts'
import type { ProviderDriver, ProviderRegistry } from '../ports/provider.ts'

export interface RegistryDrivers {
  readonly unofficial: ProviderDriver | null
  readonly official?: ProviderDriver | null
}

/** Makes the registry: the only place that knows which driver serves which kind. */
export function createRegistry(drivers: RegistryDrivers): ProviderRegistry {
  const byKind: Readonly<Record<ProviderKind, ProviderDriver | null>> = {
    OFFICIAL: drivers.official ?? null,
    UNOFFICIAL: drivers.unofficial,
  }
  return { driver: (kind) => byKind[kind] }
}
