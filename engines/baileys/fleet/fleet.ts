import { randomUUID } from 'node:crypto'
import type { Config } from '../process/config.ts'
import { StartFault } from '../process/config.ts'
import type { FleetParts, FleetPlace } from './place.ts'

/** An id that is new with each start of an engine. */
export function newEngineId(): string {
  return `engine_${randomUUID()}`
}

const NOWHERE: FleetPlace = { setDraining: async () => {}, withdraw: async () => {} }

/**
 * Registers the engine where gateways look for it, when it belongs to a fleet. An unreachable Redis is tried again for
 * ever. Throws a StartFault where the packages for it are missing.
 */
export async function joinFleet({ fleet }: Pick<Config, 'fleet'>, parts: FleetParts): Promise<FleetPlace> {
  if (fleet === null) return NOWHERE
  // Loaded only where it is used: an engine alone needs no client of Redis, in memory or on its disk.
  const { registerEngine } = await import('./registering.ts').catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartFault(
      'REDIS_URL needs packages of the gateway, which are missing: run npm ci in the folder of the project',
    )
  })
  return await registerEngine(fleet, parts)
}
