import type { ProviderKind } from '../domain/number.ts'
import type { ProviderDriver, ProviderRegistry } from '../ports/provider.ts'

/** Makes the registry of drivers: each serves the kind that it names. */
export function createRegistry(drivers: readonly ProviderDriver[]): ProviderRegistry {
  const byKind: ReadonlyMap<ProviderKind, ProviderDriver> = new Map(drivers.map((driver) => [driver.kind, driver]))
  return { driver: (kind) => byKind.get(kind) ?? null }
}
