import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PLAYBACK_MS } from '../src/domain/limits.ts'
import { createGuardedFetch } from '../src/net/guarded-fetch.ts'
import { systemClock } from '../src/process/clock.ts'
import { createMediaClock } from './clock.ts'
import { createFileDecoder } from './playback/decode.ts'
import { createWebRtcLegs } from './legs/webrtc.ts'
import { openMediaHost } from './open-host.ts'
import { loadOpus } from './audio/opus.ts'
import { createPlayableSource } from './playback/files.ts'
import type { Log } from '../src/ports/log.ts'
import type { LegTable } from './legs/leg.ts'
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
}

/** Starts a whole media host: codec, clock, legs, files, sockets. Rejects when a port is taken. */
export async function startMediaHost(config: MediaHostConfig, log: Log, metrics: MediaHostMetrics): Promise<RunningMediaHost> {
  const clock = systemClock
  const tempDir = join(config.dataDir, 'media-temp')
  await mkdir(tempDir, { recursive: true })
  const opus = await loadOpus()
  const mediaClock = createMediaClock(clock, log)
  const legs: LegTable = {
    webrtc: createWebRtcLegs({
      opus,
      log,
      ...(config.iceAddress === null ? {} : { iceAddress: config.iceAddress }),
      ...(config.rtpPorts === null ? {} : { portRange: config.rtpPorts }),
    }),
  }
  const guardedFetch = createGuardedFetch({ egressAllow: config.egressAllow, clock })
  const decoder = createFileDecoder({ clock, log, maxMs: PLAYBACK_MS })
  const playables = createPlayableSource({ guardedFetch, decoder, tempDir, clock, log })

  const closeParts = async (): Promise<void> => {
    mediaClock.close()
    await playables.close()
    await decoder.close()
    await guardedFetch.close()
  }
  const running = await openMediaHost(config, { clock, mediaClock, legs, playables, log, metrics }).catch(async (error: unknown) => {
    await closeParts()
    throw error
  })
  let closing: Promise<void> | null = null
  return {
    mediaPort: running.mediaPort,
    controlPort: running.controlPort,
    close() {
      closing ??= running.close().then(closeParts)
      return closing
    },
  }
}
