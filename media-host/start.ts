import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PLAYBACK_MS } from '../src/domain/limits.ts'
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
import { Recordings } from './recording/recordings.ts'
import { openRegistering } from './open-registering.ts'
import type { RegisteringConfig } from './open-registering.ts'
import type { MediaHostAddress, MediaHostParts, RunningMediaHost } from './open-host.ts'

export interface MediaHostConfig extends MediaHostAddress, RegisteringConfig {
  /** Private addresses that are let through, for files of play and servers that are dialled. */
  readonly egressAllow: readonly string[]
  /** The one address that legs bind and announce; null for every address of the machine. */
  readonly iceAddress: string | null
  /** First and last UDP port of legs; null for any. */
  readonly rtpPorts: readonly [number, number] | null
  /** Downloaded files while they are decoded, and recordings until a gateway has fetched them. */
  readonly dataDir: string
}

/** The handle of a started media host. */
export type StartedMediaHost = Pick<RunningMediaHost, 'mediaPort' | 'controlPort' | 'drain' | 'close'>

/** Starts a whole media host: codec, clock, legs, files, sockets. Rejects when a port is taken. */
export async function startMediaHost(
  config: MediaHostConfig,
  { log, metrics, traces }: Pick<MediaHostParts, 'log' | 'metrics' | 'traces'>,
): Promise<StartedMediaHost> {
  const clock = systemClock
  const tempDir = join(config.dataDir, 'media-temp')
  await mkdir(tempDir, { recursive: true })
  const opus = await loadOpus()
  const recordings = new Recordings({ directory: join(config.dataDir, 'media-recordings'), opus, clock, log })
  await recordings.open()
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
    recordings,
    log,
    metrics,
    traces,
  }).catch(async (error: unknown) => {
    await closeParts()
    throw error
  })
  const entry = await openRegistering(config, running, log)
  let closing: Promise<void> | null = null
  return {
    mediaPort: running.mediaPort,
    controlPort: running.controlPort,
    drain() {
      const drained = running.drain()
      void entry.tell()
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
