import type { NodeId } from '../domain/ids.ts'
import { KEY_ROTATED } from '../http/request/caller-cache.ts'
import { createMediaClient, type MediaClient } from '../media/media-client.ts'
import { followRegister } from '../register/follow-register.ts'
import { MEDIA_HOSTS } from '../register/media-hosts.ts'
import { openRedisRegister } from '../register/redis.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import { startMediaChild } from './children.ts'
import type { Core } from './core.ts'

/** The media hosts this gateway controls. */
export interface MediaHosts {
  /** Control URLs of fixed hosts; empty when hosts register. */
  readonly controlUrls: readonly string[]
  /** The Redis whose register names the hosts; null when they are fixed. */
  readonly registerUrl: string | null
  /** Port of the child's realtime sockets; null when the hosts are separate programs. */
  readonly mediaPort: number | null
}

/** Starts a media host as a child, unless the environment names other hosts or a register. */
export async function openMediaHosts(
  core: Core,
  { internalSecret }: Pick<Secrets, 'internalSecret'>,
): Promise<MediaHosts> {
  const { config, closing } = core
  if (config.mediaHosts === 'register') return { controlUrls: [], registerUrl: config.redisUrl, mediaPort: null }
  if (config.mediaHosts !== 'child') return { controlUrls: config.mediaHosts, registerUrl: null, mediaPort: null }
  const child = await startMediaChild(core, internalSecret)
  closing.add('media host', () => child.stop())
  const { mediaPort, controlPort, controlPorts = [controlPort] } = child.listening
  return {
    controlUrls: (controlPorts as unknown[]).map((port) => `ws://127.0.0.1:${String(port)}/control`),
    registerUrl: null,
    mediaPort: Number(mediaPort),
  }
}

interface MediaClientNeeds extends MediaHosts, Pick<Secrets, 'internalSecret'> {
  readonly nodeId: NodeId
  readonly broadcast: Broadcast
}

/**
 * Connects to the media hosts; a host that does not answer is tried again in the background. Realtime tokens end with
 * the key that asked for them, on whichever node that key is replaced: a broadcast reaches its own node too.
 */
export async function openMediaClient(
  { clock, log, metrics, closing }: Core,
  { controlUrls, registerUrl, mediaPort, internalSecret, nodeId, broadcast }: MediaClientNeeds,
): Promise<MediaClient> {
  const hosts = controlUrls.map((controlUrl) => ({ controlUrl }))
  const media = createMediaClient({
    hosts,
    areHostsRegistered: registerUrl !== null,
    outlives: mediaPort === null,
    internalSecret,
    nodeId,
    clock,
    log,
    metrics,
  })
  broadcast.subscribe(KEY_ROTATED, (id) => media.revoke(id))
  closing.add('media client', () => media.stop())
  if (registerUrl !== null) {
    const register = await openRedisRegister(MEDIA_HOSTS, { url: registerUrl, internalSecret, clock, log })
    const stop = followRegister({
      kind: MEDIA_HOSTS,
      register,
      use: (entries, isWhole) => media.useRegistered(entries, isWhole),
      remedy: 'start one, or set MEDIA_HOSTS=child',
      clock,
      log,
    })
    closing.add('media register', async () => {
      stop()
      await register.close()
    })
  }
  return media
}
