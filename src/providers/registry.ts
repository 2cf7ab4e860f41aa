import type { ProviderKind } from '../domain/number.ts'
import type { Capability, ProviderDriver, ProviderRegistry } from '../ports/provider.ts'

/**
 * What each kind of number can do at all (spec: provider kinds; contract 3, 6). It is a matter of
 * the kind, not of the installation: a route refuses FEATURE_NOT_SUPPORTED by it even where no
 * driver is configured.
 */
const CAPABILITIES_OF: Readonly<Record<ProviderKind, ReadonlySet<Capability>>> = {
  OFFICIAL: new Set<Capability>(['calls', 'callSdp', 'callPreAccept', 'callSettings', 'callPermissions']),
  UNOFFICIAL: new Set<Capability>(['pairing', 'calls', 'callAudio', 'groups', 'newsletters', 'numberCheck']),
}

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
  return {
    driver: (kind) => byKind[kind],
    supports: (kind, capability) => CAPABILITIES_OF[kind].has(capability),
  }
}
