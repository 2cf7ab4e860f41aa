import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isAuthorized, openBridge, type BridgeServerParts } from './bridge/server.ts'
import { addressesOf } from './fleet/addresses.ts'
import { joinFleet, newEngineId } from './fleet/fleet.ts'
import type { FleetPlace } from './fleet/place.ts'
import { LISTENERS } from './hearing/listeners.ts'
import { createMediaShelf, type MediaShelf, type MediaShelfParts } from './media/media-shelf.ts'
import { createEngineCounters, type EngineCounters } from './metrics/engine-metrics.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { systemClock } from '../../src/process/clock.ts'
import type { Config } from './process/config.ts'
import { errorFields, type Log } from './process/log.ts'
import { handOverAll } from './session/hand-over.ts'
import { createSessions, type Sessions } from './session/sessions.ts'
import { createHandshakeGate } from './socket/handshake-gate.ts'
import { plainProxyAgent, secureProxyAgent } from './socket/proxy-agent.ts'
import type { SocketOptions } from './socket/socket-life.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

/** our choice: ms between two purges of old rows. */
const PURGE_MS = 60 * 60 * 1_000

export interface Engine {
  /** New with each start. */
  readonly engineId: string
  readonly port: number
  readonly sessions: Sessions
  readonly store: Store
  readonly metrics: Server | null
  readonly fleet: FleetPlace
  /** Hands all numbers over to other engines, as far as the time of DRAIN_SECONDS allows. */
  drain(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts an engine: store, sessions, bridge. They are closed in the reverse order. Throws a StartFault that says what
 * to do.
 */
export async function startEngine(config: Config, log: Log, traces?: BridgeServerParts['traces']): Promise<Engine> {
  const engineId = newEngineId()
  const store = await openStore(config, { engineId, clock: systemClock, log })
  const purging = await keepPurged(store, log)
  const counters = createEngineCounters()
  const ways = waysOut(config)
  const media = shelfOf(config, ways.mediaAgent, store, counters, (numberId) => sessions.find(numberId))
  const sessions = createSessions(store, {
    gate: createHandshakeGate(),
    backlog: config.backlog,
    media,
    log,
    random: Math.random,
    now: () => Date.now(),
    listeners: LISTENERS,
    socket: { socketUrl: config.socketUrl, version: config.version, ...ways },
  })
  const bridge = await openBridge({
    sessions,
    log,
    ...(traces ? { traces } : {}),
    token: config.token,
    host: config.host,
    port: config.port,
    serveHttp: (request, response) => void serveHttp(media, request, response),
  })
  const addresses = addressesOf(config, bridge.port)
  media.listensAt(addresses.media)
  const metrics = await openMetrics(config, () => counters.read(sessions))
  const fleet = await joinFleet(config, { engineId, url: addresses.bridge, sessions, log })
  return {
    engineId,
    port: bridge.port,
    sessions,
    store,
    metrics,
    fleet,
    // Without a database for a fleet nobody takes the numbers over.
    drain: async () => (config.databaseUrl === null ? undefined : drain(fleet, sessions, config.drainMs)),
    async close() {
      clearInterval(purging)
      // The engine leaves the register first, so that no gateway looks for it again.
      await fleet.withdraw()
      metrics?.close()
      metrics?.closeAllConnections()
      await bridge.close()
      // Only then another engine may have the numbers.
      await sessions.end()
      await media.close()
      await store.close()
    },
  }
}

function shelfOf(
  { dataDir, token }: Config,
  agent: MediaShelfParts['agent'],
  { seal }: Store,
  { mediaFetched }: EngineCounters,
  sessionOf: MediaShelfParts['sessionOf'],
): MediaShelf {
  return createMediaShelf({
    directory: join(dataDir, 'sending'),
    agent,
    seal,
    sessionOf,
    now: () => Date.now(),
    onFetch: mediaFetched,
    isAuthorized: (authorization) => isAuthorized(authorization, token),
  })
}

async function drain(fleet: FleetPlace, sessions: Sessions, drainMs: number): Promise<void> {
  await fleet.setDraining(true)
  await handOverAll(sessions, drainMs, systemClock)
}

/** Purges old rows now and then; the timer ends it. */
async function keepPurged(store: Store, log: Log): Promise<NodeJS.Timeout> {
  // A store that is away is purged the next time.
  const purge = (): Promise<unknown> =>
    store.purge().catch((error: unknown) => log.warn(errorFields(error), 'old rows were not deleted'))
  await purge()
  return setInterval(() => void purge(), PURGE_MS).unref()
}

async function openMetrics(
  { host, metricsPort }: Config,
  read: Parameters<typeof serveMetrics>[2],
): Promise<Server | null> {
  return metricsPort === null ? null : await serveMetrics(host, metricsPort, read)
}

/** The agents through ENGINE_PROXY; null without a proxy. */
function waysOut({ proxy, socketUrl }: Config): Pick<SocketOptions, 'agent' | 'mediaAgent'> {
  if (proxy === null) return { agent: null, mediaAgent: null }
  const mediaAgent = secureProxyAgent(proxy)
  return { agent: socketUrl?.startsWith('ws:') ? plainProxyAgent(proxy) : mediaAgent, mediaAgent }
}

async function serveHttp(media: MediaShelf, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await media.serve(request, response))) response.writeHead(404).end()
}
