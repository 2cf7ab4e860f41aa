import type { NodeId } from '../domain/ids.ts'
import { KEY_ROTATED } from '../http/request/caller-cache.ts'
import { createMediaClient, type MediaClient } from '../media/media-client.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import { startMediaChild } from './children.ts'
import type { Core } from './core.ts'

/** The media hosts this gateway controls. */
export interface MediaHosts {
  readonly controlUrls: readonly string[]
  /** Of the child's realtime sockets; null when the hosts are programs of their own. */
  readonly mediaPort: number | null
}

/** Starts a media host as a child, unless the environment names others. */
export async function openMediaHosts(core: Core, { internalSecret }: Pick<Secrets, 'internalSecret'>): Promise<MediaHosts> {
  const { config, closing } = core
  if (config.mediaHosts !== null) return { controlUrls: config.mediaHosts, mediaPort: null }
  const child = await startMediaChild(core, internalSecret)
  closing.add('media host', () => child.stop())
  return { controlUrls: [`ws://127.0.0.1:${String(child.listening['controlPort'])}/control`], mediaPort: Number(child.listening['mediaPort']) }
}

interface MediaClientNeeds extends Pick<MediaHosts, 'controlUrls'>, Pick<Secrets, 'internalSecret'> {
  readonly nodeId: NodeId
  readonly broadcast: Broadcast
}

/**
 * Connects to the media hosts; one that does not answer is tried again in the background. Realtime tokens die with the keys that
 * asked for them, wherever those are replaced: a broadcast reaches its own node too.
 */
export function openMediaClient({ clock, log, metrics, closing }: Core, { controlUrls, internalSecret, nodeId, broadcast }: MediaClientNeeds): MediaClient {
  const media = createMediaClient({ hosts: controlUrls.map((controlUrl) => ({ controlUrl })), internalSecret, nodeId, clock, log, metrics })
  broadcast.subscribe(KEY_ROTATED, (id) => media.revoke(id))
  closing.add('media client', () => media.stop())
  return media
}
