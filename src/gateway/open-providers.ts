import type { ProviderDriver, ProviderRegistry } from '../ports/provider.ts'
import { createRegistry } from '../providers/registry.ts'
import { createUnofficialDriver } from '../providers/unofficial/driver.ts'
import type { Core } from './core.ts'
import type { OpenEngines } from './open-engines.ts'
import type { Upstreams } from './open-upstreams.ts'

interface ProviderNeeds extends Pick<OpenEngines, 'engines'> {
  readonly official: ProviderDriver
  readonly upstreams: Pick<Upstreams, 'bridgeToken'>
}

/** Opens the drivers of every kind of number. Without an engine there are no QR-paired numbers. */
export function openProviders(
  { clock, log, metrics }: Core,
  { official, upstreams: { bridgeToken }, engines }: ProviderNeeds,
): ProviderRegistry {
  const unofficial = engines === null ? null : createUnofficialDriver({ engines, bridgeToken, clock, log, metrics })
  return createRegistry(unofficial ? [official, unofficial] : [official])
}
