import { advertisedUrl } from '../src/register/advertised-url.ts'
import type { KeptEntry } from '../src/register/keep-entry.ts'
import { MEDIA_HOSTS } from '../src/register/media-hosts.ts'
import { openRedisRegister } from '../src/register/redis.ts'
import type { Log } from '../src/ports/log.ts'
import { systemClock } from '../src/process/clock.ts'
import type { RunningMediaHost } from './open-host.ts'
import { registerHost } from './registering.ts'

export interface RegisteringConfig {
  readonly internalSecret: string
  readonly controlHost: string
  /** The Redis in which the host registers; null when gateways have its address in their configuration. */
  readonly redisUrl: string | null
  /** The control URL to register, with {port} for the bound port; null for the name of the machine. */
  readonly advertiseControl: string | null
}

/** Registers the host where gateways look for it. */
export async function openRegistering(
  config: RegisteringConfig,
  host: RunningMediaHost,
  log: Log,
): Promise<Omit<KeptEntry, 'staleMs'>> {
  const { redisUrl: url, internalSecret } = config
  if (url === null) return { tell: async () => {}, withdraw: async () => {} }
  const shared = await openRedisRegister(MEDIA_HOSTS, { url, internalSecret, clock: systemClock, log })
  const bound = { host: config.controlHost, port: host.controlPort, path: '/control' }
  const controlUrl = advertisedUrl(config.advertiseControl, bound)
  const entry = registerHost({ register: shared, host, controlUrl, cpuMs, clock: systemClock, log })
  return {
    tell: () => entry.tell(),
    async withdraw() {
      await entry.withdraw()
      await shared.close()
    },
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
