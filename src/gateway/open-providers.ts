import type { ProviderDriver, ProviderRegistry } from '../ports/provider.ts'
import { createRegistry } from '../providers/registry.ts'
import { createUnofficialDriver } from '../providers/unofficial/driver.ts'
import type { Core } from './core.ts'
import type { Upstreams } from './open-upstreams.ts'

/** Opens the drivers of every kind of number. Without an engine there are no QR-paired numbers. */
export function openProviders(
  { clock, log, metrics }: Core,
  { official, upstreams }: { readonly official: ProviderDriver; readonly upstreams: Upstreams },
): ProviderRegistry {
  const { bridgeUrl, bridgeToken } = upstreams
  const unofficial = bridgeUrl === null ? null : createUnofficialDriver({ bridgeUrl, bridgeToken, clock, log, metrics })
  return createRegistry(unofficial ? [official, unofficial] : [official])
}
