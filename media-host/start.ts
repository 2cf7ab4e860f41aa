import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PLAYBACK_MS } from '../src/domain/limits.ts'
import { openRedisMediaRegister } from '../src/media-register/redis.ts'
import { createDialGuard } from '../src/net/dialled-address.ts'
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
  /** Private addresses that are let through, for files of play and servers that are dialled. */
  readonly egressAllow: readonly string[]
  /** The one address that legs bind and announce; null for every address of the machine. */
  readonly iceAddress: string | null
  /** First and last UDP port of legs; null for any. */
  readonly rtpPorts: readonly [number, number] | null
  /** The directory of downloaded files while they are decoded. */
  readonly dataDir: string
  /** The Redis in which the host registers; null when gateways have its address in their configuration. */
  readonly redisUrl: string | null
  /** The control URL to register, with {port} for the bound port; null for the name of the machine. */
  readonly advertiseControl: string | null
}

/** The handle of a started media host. */
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
    dialGuard: createDialGuard(config.egressAllow),
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
      // The host leaves the register first, so that no gateway looks for it again.
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
