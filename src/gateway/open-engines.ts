import type { EngineView } from '../providers/unofficial/engine-fleet.ts'
import { EngineFleet } from '../providers/unofficial/engine-fleet.ts'
import { oneEngine } from '../providers/unofficial/engines.ts'
import type { Engines } from '../providers/unofficial/engines.ts'
import { ENGINES } from '../register/engines.ts'
import { followRegister } from '../register/follow-register.ts'
import { openRedisRegister } from '../register/redis.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import type { Core } from './core.ts'
import type { Upstreams } from './open-upstreams.ts'

/** The engines of QR-paired numbers. */
export interface OpenEngines {
  /** Null when there are none, and so no QR-paired numbers. */
  readonly engines: Engines | null
  /** Addresses of the engines that there are now; the same array until they change. */
  readonly engineUrls: () => readonly string[]
  /** The engines of the register; empty without one. */
  readonly listEngines: () => readonly EngineView[]
}

const NONE: readonly never[] = []

/** Opens the way to the engines: to the one that is configured, or to those in the register of Redis. */
export async function openEngines(
  core: Core,
  { upstreams: { bridge }, internalSecret }: Pick<Secrets, 'internalSecret'> & { readonly upstreams: Upstreams },
): Promise<OpenEngines> {
  if (bridge.kind === 'none') return { engines: null, engineUrls: () => NONE, listEngines: () => NONE }
  if (bridge.kind === 'one') {
    const urls = [bridge.url]
    return { engines: oneEngine(bridge.url), engineUrls: () => urls, listEngines: () => NONE }
  }
  const { clock, log, metrics, closing, config } = core
  const known = metrics.gauge('device_engines', 'Engines in the register, by what they take.', ['state'])
  const fleet = new EngineFleet({ clock, known })
  const register = await openRedisRegister(ENGINES, { url: bridge.redisUrl, internalSecret, clock, log })
  const stop = followRegister({
    kind: ENGINES,
    register,
    use: (entries, isWhole) => fleet.useRegistered(entries, isWhole),
    // An installation that asked for none may have none.
    remedy: config.deviceBridge === 'register' ? 'start one, or set DEVICE_BRIDGE_URL' : null,
    clock,
    log,
  })
  closing.add('engine register', async () => {
    stop()
    await register.close()
  })
  return { engines: fleet, engineUrls: () => fleet.urls(), listEngines: () => fleet.list() }
}
