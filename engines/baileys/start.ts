import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isAuthorized, openBridge } from './bridge/server.ts'
import { LISTENERS } from './hearing/listeners.ts'
import { createMediaShelf, type MediaShelf } from './media/media-shelf.ts'
import { createEngineCounters } from './metrics/engine-metrics.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import type { Config } from './process/config.ts'
import type { Log } from './process/log.ts'
import { createSessions, type Sessions } from './session/sessions.ts'
import { createHandshakeGate } from './socket/handshake-gate.ts'
import { plainProxyAgent, secureProxyAgent } from './socket/proxy-agent.ts'
import type { SocketOptions } from './socket/socket-life.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

/** our choice: ms between two purges of old rows. */
const PURGE_MS = 60 * 60 * 1_000

export interface Engine {
  readonly port: number
  readonly sessions: Sessions
  readonly store: Store
  readonly metrics: Server | null
  close(): Promise<void>
}

/**
 * Starts an engine: store, sessions, bridge. They are closed in the reverse order. Throws a StartFault that says what
 * to do.
 */
export async function startEngine(config: Config, log: Log): Promise<Engine> {
  const store = await openStore(config, { lost: (why) => endProcess(log, why), now: () => Date.now() })
  await store.purge()
  const purging = setInterval(() => void store.purge(), PURGE_MS)
  purging.unref()
  const counters = createEngineCounters()
  const ways = waysOut(config)
  const media = createMediaShelf({
    directory: join(config.dataDir, 'sending'),
    agent: ways.mediaAgent,
    now: () => Date.now(),
    onFetch: counters.mediaFetched,
    isAuthorized: (authorization) => isAuthorized(authorization, config.token),
  })
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
    token: config.token,
    host: config.host,
    port: config.port,
    serveHttp: (request, response) => void serveHttp(media, request, response),
  })
  media.listensAt(config.publicUrl ?? `http://${hostName(config.host)}:${bridge.port}`)
  const metrics =
    config.metricsPort === null
      ? null
      : await serveMetrics(config.host, config.metricsPort, () => counters.read(sessions))
  return {
    port: bridge.port,
    sessions,
    store,
    metrics,
    async close() {
      clearInterval(purging)
      metrics?.close()
      metrics?.closeAllConnections()
      await bridge.close()
      sessions.end()
      await media.close()
      await store.close()
    },
  }
}

/**
 * Ends the process at once, because its store is lost: what it decrypts can no longer be kept, and another engine may
 * take its numbers.
 */
function endProcess(log: Log, why: string): never {
  log.error(
    { why },
    'the database of ENGINE_DATABASE_URL was lost, so the engine ends: nothing is acknowledged that is not stored; see to PostgreSQL, then start the engine again',
  )
  process.exit(1)
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

/**
 * A host as it is written in a URL. An engine that listens on every address is reached on this machine, unless
 * ENGINE_URL names another address.
 */
function hostName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
