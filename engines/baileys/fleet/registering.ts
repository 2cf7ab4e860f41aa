import { PRODUCT_VERSION } from '../../../src/domain/version.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { ENGINES } from '../../../src/register/engines.ts'
import { keepEntry } from '../../../src/register/keep-entry.ts'
import { openRedisRegister } from '../../../src/register/redis.ts'
import type { FleetConfig } from '../process/config.ts'
import type { FleetParts, FleetPlace } from './place.ts'
import { giveUpStrays } from './strays.ts'

/** Keeps the engine's entry in the register of Redis. */
export async function registerEngine(
  { redisUrl, internalSecret, capacity }: FleetConfig,
  { engineId, url, sessions, log }: FleetParts,
): Promise<FleetPlace> {
  const clock = systemClock
  const register = await openRedisRegister(ENGINES, { url: redisUrl, internalSecret, clock, log })
  let draining = false
  const entry = keepEntry({
    register,
    id: engineId,
    program: 'engine',
    describe: () => ({ engineId, url, version: PRODUCT_VERSION, sessions: sessions.count, capacity, draining }),
    clock,
    log,
  })
  const stopLooking = giveUpStrays({ unknownMs: () => entry.staleMs(), sessions, clock, log })
  return {
    setDraining(isDraining) {
      draining = isDraining
      return entry.tell()
    },
    async withdraw() {
      stopLooking()
      await entry.withdraw()
      await register.close()
    },
  }
}
