import { LocalAsks } from '../cluster/asks-local.ts'
import { LocalBroadcast, LocalRateLimiter } from '../cluster/local.ts'
import { openRedis } from '../cluster/redis.ts'
import type { NodeId } from '../domain/ids.ts'
import type { Asks } from '../ports/asks.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import type { Core } from './core.ts'

/** What nodes share outside the database. */
export interface Cluster {
  readonly broadcast: Broadcast
  readonly limiter: RateLimiter
  readonly asks: Asks
  /** False while the other nodes cannot be reached; limits then hold per node. */
  isUp(): boolean
}

interface ClusterNeeds extends Pick<Secrets, 'internalSecret'> {
  readonly nodeId: NodeId
}

/** Joins the other nodes through Redis. Without Redis this node is the only one. */
export async function openCluster(
  { config, clock, log, closing }: Core,
  { nodeId, internalSecret }: ClusterNeeds,
): Promise<Cluster> {
  if (config.redisUrl === null)
    return {
      broadcast: new LocalBroadcast(log),
      limiter: new LocalRateLimiter(clock),
      asks: new LocalAsks(),
      isUp: () => true,
    }
  const redis = await openRedis({ url: config.redisUrl, clock, log })
  closing.add('redis', () => redis.close())
  return {
    broadcast: redis.broadcast,
    limiter: redis.rateLimiter,
    asks: await redis.joinAsks(nodeId, internalSecret),
    isUp: () => redis.isUp(),
  }
}
