import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PLAYBACK_MS } from '../src/domain/limits.ts'
import { openRedisMediaRegister } from '../src/media-register/redis.ts'
import { createGuardedFetch } from '../src/net/guarded-fetch.ts'
import { systemClock } from '../src/process/clock.ts'
import { createMediaClock } from './clock.ts'
import { createLoopLoad } from './realtime/loop-load.ts'
import { createFileDecoder } from './playback/decode.ts'
import { createLegs } from './legs/open-legs.ts'
import { openMediaHost } from './open-host.ts'
import { loadOpus } from './audio/opus.ts'
import { createPlayableSource } from './playback/files.ts'
import { advertisedControl, registerHost } from './registering.ts'
import type { Registering } from './registering.ts'
import type { Log } from '../src/ports/log.ts'
import type { MediaHostAddress, MediaHostMetrics, RunningMediaHost } from './open-host.ts'

export interface MediaHostConfig extends MediaHostAddress {
  /** Addresses let through although private, for files of play. */
  readonly egressAllow: readonly string[]
  /** The one address legs bind and announce; null: every address of the machine. */
  readonly iceAddress: string | null
  /** UDP ports of legs, first and last; null: any. */
  readonly rtpPorts: readonly [number, number] | null
  /** Holds downloaded files while they are decoded. */
  readonly dataDir: string
  /** Where the host registers; null: it is known to its gateways by their own settings. */
  readonly redisUrl: string | null
  /** The control URL it registers, {port} for the port that was got; null: the name of the machine. */
  readonly advertiseControl: string | null
}

/** What holds the parts of a media host that were joined. */
export type StartedMediaHost = Pick<RunningMediaHost, 'mediaPort' | 'controlPort' | 'drain' | 'close'>

/** Starts a whole media host: codec, clock, legs, files, sockets. Rejects when a port is taken. */
export async function startMediaHost(
  config: MediaHostConfig,
  log: Log,
  metrics: MediaHostMetrics,
): Promise<StartedMediaHost> {
  const clock = systemClock
  const tempDir = join(config.dataDir, 'media-temp')
  await mkdir(tempDir, { recursive: true })
  const opus = await loadOpus()
  const mediaClock = createMediaClock(clock, log)
  const legs = createLegs({ opus, clock, log, iceAddress: config.iceAddress, rtpPorts: config.rtpPorts })
  const guardedFetch = createGuardedFetch({ egressAllow: config.egressAllow, clock })
  const decoder = createFileDecoder({ clock, log, maxMs: PLAYBACK_MS })
  const playables = createPlayableSource({ guardedFetch, decoder, tempDir, clock, log })

  const closeParts = async (): Promise<void> => {
    mediaClock.close()
    await playables.close()
    await decoder.close()
    await guardedFetch.close()
  }
  const running = await openMediaHost(config, {
    clock,
    mediaClock,
    loopLoad: createLoopLoad(),
    legs,
    playables,
    log,
    metrics,
  }).catch(async (error: unknown) => {
    await closeParts()
    throw error
  })
  const entry = await register(config, running, log)
  let closing: Promise<void> | null = null
  return {
    mediaPort: running.mediaPort,
    controlPort: running.controlPort,
    drain() {
      const drained = running.drain()
      entry.tell()
      return drained
    },
    close() {
      // Out of the register first: no gateway shall look for it again.
      closing ??= entry
        .withdraw()
        .then(() => running.close())
        .then(closeParts)
      return closing
    },
  }
}

/** Registers the host where gateways look for it. */
async function register(config: MediaHostConfig, host: RunningMediaHost, log: Log): Promise<Registering> {
  const { redisUrl: url, internalSecret } = config
  if (url === null) return { tell: () => {}, withdraw: async () => {} }
  const shared = await openRedisMediaRegister({ url, internalSecret, clock: systemClock, log })
  const controlUrl = advertisedControl(config.advertiseControl, config.controlHost, host.controlPort)
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
