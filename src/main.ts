/** The gateway: everything it is made of, created, joined and shut down in one list. */
import { createDirectory, type Directory, type RunningDirectory } from '../actors/directory.ts'
import { listenForAdmin } from './admin-socket.ts'
import { sandboxToken, startMediaChild, startSandboxChild } from './children.ts'
import { LocalBroadcast, LocalRateLimiter } from './cluster/local.ts'
import { RowLeases } from './cluster/lease-rows.ts'
import { openRedis } from './cluster/redis.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import type { NumberId } from './domain/ids.ts'
import { createHttpApp } from './http/server.ts'
import { answerStarting, startHttp, type HttpListener } from './http/listen.ts'
import { RowDeliveries } from './jobs/delivery-rows.ts'
import { openJobs } from './jobs/jobs.ts'
import { openMessages, type OpenMessages } from './open-messages.ts'
import { openOfficial, type OpenOfficial } from './open-official.ts'
import { createMediaClient, type MediaClient } from './media/media-client.ts'
import type { FetchFailure } from './net/fetch-failure.ts'
import { createGuardedFetch } from './net/guarded-fetch.ts'
import type { Log } from './ports/log.ts'
import type { Metrics } from './ports/metrics.ts'
import type { ProviderRegistry } from './ports/provider.ts'
import type { UrlFault } from './ports/url-check.ts'
import { systemClock } from './process/clock.ts'
import { createLog } from './process/log.ts'
import { listenForMetrics } from './process/metrics-listener.ts'
import { createMetrics, type ProcessMetrics } from './process/metrics.ts'
import { createRegistry } from './providers/registry.ts'
import { createUnofficialDriver } from './providers/unofficial/driver.ts'
import { AesCipher } from './storage/cipher.ts'
import { lockDirectory } from './storage/data-dir-lock.ts'
import type { Database } from './storage/database.ts'
import { assertSealedWith } from './storage/key-material.ts'
import { openDatabase } from './storage/orm.ts'
import { loadOrCreateNodeId, loadOrCreateSecrets, type Secrets } from './storage/secrets.ts'
import { createStores, type Stores } from './storage/stores.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { CONNECTIONS_PER_ORIGIN } from './webhooks/limits.ts'
import { DEFAULT_SCHEDULE } from './webhooks/schedule.ts'
import { createDeliveries } from './webhooks/test.ts'

/** our choice: running requests may finish for this long after SIGTERM; the whole shutdown takes 30 s at most. */
const HTTP_GRACE_MS = 10_000
const SHUTDOWN_MS = 30_000
/** A second signal this much later ends the process at once; sooner it is the same wish said twice. */
const IMPATIENT_MS = 2_000
/** our choice: a caller is remembered this long; a rotation drops it at once (see http/deps.ts). */
const CALLER_CACHE_MS = 2_000
/** our choice: also how long a delivered body of a RELAY_ONLY number may stay. */
const PURGE_MS = 600_000
/** contract 1: the official platform unless told otherwise. */
const OFFICIAL_URL = 'https://graph.facebook.com/v24.0'

type Cleanup = () => Promise<void> | void

/** What was opened, closed in reverse order; one failing part does not keep the others open. */
class Cleanups {
  readonly #steps: { readonly name: string, readonly run: Cleanup }[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  add(name: string, run: Cleanup): void {
    this.#steps.push({ name, run })
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).toReversed()) {
      try {
        await step.run()
      } catch (error) {
        this.#log.error({ part: step.name, error: String(error) }, 'part did not close')
      }
    }
  }
}

async function resolveSecrets(config: Config): Promise<Secrets> {
  if (config.encryptionKey !== null && config.internalSecret !== null) {
    return { encryptionKey: config.encryptionKey, internalSecret: config.internalSecret }
  }
  const made = await loadOrCreateSecrets(config.dataDir)
  return { encryptionKey: config.encryptionKey ?? made.encryptionKey, internalSecret: config.internalSecret ?? made.internalSecret }
}

async function openStorage(config: Config, secrets: Secrets, log: Log, cleanups: Cleanups) {
  const lock = await lockDirectory(config.dataDir)
  cleanups.add('lock', () => lock.release())
  const nodeId = await loadOrCreateNodeId(config.dataDir)
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, poolSize: config.databasePool, log })
  cleanups.add('database', () => database.close())
  const cipher = new AesCipher(Buffer.from(secrets.encryptionKey, 'base64'))
  await assertSealedWith(database, cipher)
  const onEvents = new Wake()
  const stores = createStores(database, cipher, systemClock, config.defaultLimits, () => onEvents.call())
  return { nodeId, database, cipher, stores, onEvents, leases: new RowLeases(database, nodeId) }
}

/** What is called when events were stored; joined to the dispatcher once that is there. */
class Wake {
  call: () => void = () => {}
}

/** The delivering side: events become jobs, jobs become signed posts (contract 5). */
async function openDeliveries(config: Config, storage: Awaited<ReturnType<typeof openStorage>>, log: Log, metrics: Metrics, cleanups: Cleanups) {
  const { database, cipher, nodeId, onEvents } = storage
  const jobs = await openJobs(database, log)
  cleanups.add('jobs', () => jobs.close())
  const rows = new RowDeliveries({ database, jobs, cipher, clock: systemClock, nodeId })
  await rows.recover()
  const fetchUrl = createGuardedFetch({ egressAllow: config.egressAllow, clock: systemClock, connectionsPerOrigin: CONNECTIONS_PER_ORIGIN })
  cleanups.add('egress', () => fetchUrl.close())
  const { retryMs, timeoutMs } = config.webhooks
  const schedule = retryMs === null ? DEFAULT_SCHEDULE : { ...DEFAULT_SCHEDULE, waitsMs: retryMs }
  const dispatcher = createDispatcher({ deliveries: rows, fetchUrl, clock: systemClock, log, metrics, schedule, attemptMs: timeoutMs })
  cleanups.add('dispatcher', () => dispatcher.stop())
  onEvents.call = () => dispatcher.wake()
  dispatcher.start()
  return {
    deliveries: createDeliveries({ deliveries: rows, fetchUrl, clock: systemClock, log, queued: () => dispatcher.wake(), attemptMs: timeoutMs }),
    checkUrl: async (url: string) => faultOf(await fetchUrl.check(url)),
    purge: () => rows.purge(),
  }
}

function faultOf(failure: FetchFailure | null): UrlFault | null {
  if (failure?.kind === 'invalid-url') return 'invalid'
  return failure?.kind === 'forbidden' ? 'forbidden' : null
}

async function openCluster(config: Config, log: Log, cleanups: Cleanups) {
  if (config.redisUrl === null) {
    return { broadcast: new LocalBroadcast(log), limiter: new LocalRateLimiter(systemClock), isUp: () => true }
  }
  const redis = await openRedis({ url: config.redisUrl, clock: systemClock, log })
  cleanups.add('redis', () => redis.close())
  return { broadcast: redis.broadcast, limiter: redis.rateLimiter, isUp: () => redis.isUp() }
}

/** The sandbox when it is on; answers where the upstreams listen. */
async function openUpstreams(config: Config, secrets: Secrets, log: Log, cleanups: Cleanups) {
  if (!config.isSandboxOn) {
    return { bridgeUrl: config.deviceBridgeUrl, bridgeToken: config.deviceBridgeToken, officialUrl: config.officialApiUrl ?? OFFICIAL_URL, sandboxPort: null }
  }
  const child = await startSandboxChild(config, secrets.internalSecret, systemClock, log)
  cleanups.add('sandbox', () => child.stop())
  const sandboxPort = Number(child.listening['port'])
  return {
    bridgeUrl: config.deviceBridgeUrl ?? `ws://127.0.0.1:${sandboxPort}/devices`,
    bridgeToken: sandboxToken(config, secrets.internalSecret),
    officialUrl: config.officialApiUrl ?? `http://127.0.0.1:${sandboxPort}/official/v24.0`,
    sandboxPort,
  }
}

interface ProviderParts {
  readonly upstreams: Awaited<ReturnType<typeof openUpstreams>>
  readonly stores: Stores
  readonly baseUrl: string
  /** Upstream told of something that the number's actor works off. */
  readonly receive: (numberId: NumberId) => Promise<void>
  readonly log: Log
  readonly metrics: Metrics
  readonly cleanups: Cleanups
}

function openProviders({ upstreams, stores, baseUrl, receive, log, metrics, cleanups }: ProviderParts) {
  const { bridgeUrl, bridgeToken, officialUrl } = upstreams
  const official = openOfficial({ apiUrl: officialUrl, stores, baseUrl, receive, clock: systemClock, log, metrics })
  cleanups.add('official platform', () => official.close())
  const unofficial = bridgeUrl === null ? null : createUnofficialDriver({ bridgeUrl, bridgeToken, clock: systemClock, log, metrics })
  return { official, providers: createRegistry({ official: official.driver, unofficial }) }
}

async function openMediaHosts(config: Config, secrets: Secrets, log: Log, cleanups: Cleanups) {
  if (config.mediaHosts !== null) return { controlUrls: config.mediaHosts, mediaPort: null }
  const child = await startMediaChild(config, secrets.internalSecret, systemClock, log)
  cleanups.add('media host', () => child.stop())
  return { controlUrls: [`ws://127.0.0.1:${String(child.listening['controlPort'])}/control`], mediaPort: Number(child.listening['mediaPort']) }
}

/** Binds the port before the rest exists, because the base URL may follow from it; answers 503 until `serve` is set. */
async function openListener(config: Config): Promise<{ listener: HttpListener, serve(app: ReturnType<typeof createHttpApp>): void }> {
  let handle: ReturnType<ReturnType<typeof createHttpApp>['callback']> | null = null
  const listener = await startHttp({
    callback: () => (request, response) => {
      if (handle) return handle(request, response)
      return answerStarting(response)
    },
  }, config)
  return { listener, serve: (app) => { handle = app.callback() } }
}

/** On an empty database: tenant "Default" with its key, printed once when it was generated (contract 1). */
async function bootstrapTenant(config: Config, stores: Stores): Promise<void> {
  if (!await stores.tenants.isEmpty()) return
  const { key } = await stores.tenants.create('Default', config.bootstrapTenantKey ?? undefined)
  if (config.bootstrapTenantKey === null) {
    process.stdout.write(`\n  Tenant key of "Default", shown only now: ${key}\n\n`)
  }
}

/** Metrics on a port of their own, and the operator's socket. */
async function openSideDoors(config: Config, stores: Stores, metrics: ProcessMetrics, cleanups: Cleanups): Promise<void> {
  if (config.metricsPort !== null) {
    const exporter = await listenForMetrics(config.host, config.metricsPort, () => metrics.text())
    cleanups.add('metrics', () => exporter.close())
  }
  const admin = await listenForAdmin(config.dataDir, stores.tenants)
  cleanups.add('admin socket', () => admin.close())
}

/** Purges at once, so that a node that is restarted often does too, and then now and again. */
function startMaintenance(purges: readonly (() => Promise<unknown>)[], log: Log, cleanups: Cleanups): void {
  const purgeAll = async (): Promise<void> => {
    await Promise.all(purges.map((purge) => purge().catch((error: unknown) => log.error({ error: String(error) }, 'purge failed'))))
    log.debug({}, 'purged')
  }
  void purgeAll()
  const timer = setInterval(() => void purgeAll(), PURGE_MS)
  timer.unref()
  cleanups.add('maintenance', () => clearInterval(timer))
}

type DirectoryParts = Pick<RestParts, 'config' | 'stores' | 'cluster' | 'media' | 'providers' | 'official' | 'messages' | 'log' | 'metrics'> & { readonly leases: RowLeases }

/** The actors of this node. What is queued here for a number of another node is told to all nodes, as nobody knows whose it is. */
function openDirectory({ config, stores, leases, cluster, media, providers, official, messages, log, metrics }: DirectoryParts): RunningDirectory {
  const directory = createDirectory({
    stores: { numbers: stores.numbers, calls: stores.calls, pairing: stores.pairing, sendQueue: stores.queue, messageInbox: stores.inbox },
    leases, registry: providers, media, inbound: stores.inbound, readCallEvents: official.readCallEvents, readMessageEvents: official.readMessageEvents,
    files: messages.files, wantsStories: messages.wantsStories, conversationOf: messages.conversationOf, sending: config.sending,
    elsewhere: (numberId) => void cluster.broadcast.publish('number.wanted', numberId).catch(() => {}),
    clock: systemClock, log, metrics, timers: config.timers,
  })
  cluster.broadcast.subscribe('number.wanted', (numberId) => directory.sendsQueuedElsewhere(numberId as NumberId))
  return directory
}

interface RestParts {
  readonly config: Config
  readonly log: Log
  readonly cleanups: Cleanups
  readonly metrics: ProcessMetrics
  readonly listener: HttpListener
  readonly serve: (app: ReturnType<typeof createHttpApp>) => void
  readonly database: Database
  readonly stores: Stores
  readonly cluster: Awaited<ReturnType<typeof openCluster>>
  readonly media: MediaClient
  readonly providers: ProviderRegistry
  readonly official: OpenOfficial
  readonly messages: OpenMessages
  readonly directory: Directory
  readonly webhooks: Awaited<ReturnType<typeof openDeliveries>>
  readonly baseUrl: string
}

/** Puts the REST application behind the listener; on shutdown it says so, then lets running requests finish. */
function serveRest(parts: RestParts): void {
  const { config, log, cleanups, metrics, listener, serve, database, stores, cluster, media, providers, official, messages, directory, webhooks, baseUrl } = parts
  let isDraining = false
  cleanups.add('http', () => listener.close(HTTP_GRACE_MS))
  cleanups.add('readiness', () => { isDraining = true })
  serve(createHttpApp({
    numbers: stores.numbers, keys: stores.keys, calls: stores.calls, pairings: stores.pairing, idempotency: stores.idempotency, events: stores.events,
    webhooks: stores.webhooks, deliveries: webhooks.deliveries, checkUrl: webhooks.checkUrl, official: official.parts, messages: stores.messages, files: messages.files,
    directory, providers, limiter: cluster.limiter, broadcast: cluster.broadcast, clock: systemClock, log, metrics,
    baseUrl, connectEmbedUrl: config.connectEmbedUrl ?? baseUrl, apiKeyIdAuth: config.isKeyIdAuthOn,
    callerCacheMs: CALLER_CACHE_MS, isProxyTrusted: false,
    readiness: async () => {
      const isDatabaseUp = await database.query('select 1').then(() => true, () => false)
      const checks = {
        database: isDatabaseUp ? 'ok' : 'unreachable',
        media: media.isAvailable() ? 'ok' : 'no media host is connected',
        redis: cluster.isUp() ? 'ok' : 'unreachable; limits hold per node',
        node: isDraining ? 'draining' : 'ok',
      }
      return { ok: isDatabaseUp && media.isAvailable() && !isDraining, checks }
    },
    metricsText: config.metricsPort === null ? () => metrics.text() : null,
  }))
}

async function start(config: Config, log: Log, cleanups: Cleanups) {
  const metrics = createMetrics()
  const secrets = await resolveSecrets(config)
  const { listener, serve } = await openListener(config)
  const [storage, upstreams, hosts] = await Promise.all([
    openStorage(config, secrets, log, cleanups),
    openUpstreams(config, secrets, log, cleanups),
    openMediaHosts(config, secrets, log, cleanups),
  ])
  const { nodeId, database, stores, leases } = storage
  const cluster = await openCluster(config, log, cleanups)
  const webhooks = await openDeliveries(config, storage, log, metrics, cleanups)

  const media = createMediaClient({
    hosts: hosts.controlUrls.map((controlUrl) => ({ controlUrl })), internalSecret: secrets.internalSecret, nodeId, clock: systemClock, log, metrics,
  })
  cleanups.add('media client', () => media.stop())
  const baseUrl = config.baseUrl ?? `http://localhost:${listener.port}`
  const { official, providers } = openProviders({
    upstreams, stores, baseUrl, receive: (numberId) => directory.receive(numberId), log, metrics, cleanups,
  })
  const messages = openMessages({ stores, cipher: storage.cipher, dataDir: config.dataDir, baseUrl, egressAllow: config.egressAllow, bridgeUrl: upstreams.bridgeUrl, clock: systemClock, log, metrics })
  cleanups.add('messages', () => messages.close())
  const directory = openDirectory({ config, stores, leases, cluster, media, providers, official, messages, log, metrics })
  cleanups.add('actors', () => directory.stop())

  serveRest({ config, log, cleanups, metrics, listener, serve, database, stores, cluster, media, providers, official, messages, directory, webhooks, baseUrl })
  await bootstrapTenant(config, stores)
  await openSideDoors(config, stores, metrics, cleanups)
  startMaintenance([() => stores.idempotency.purge(), () => webhooks.purge(), () => stores.inbound.purge(), () => messages.purge()], log, cleanups)
  await directory.start()
  official.start()
  messages.start()
  return { port: listener.port, mediaPort: hosts.mediaPort, sandboxPort: upstreams.sandboxPort, baseUrl }
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog('gateway', config.logLevel)
  const cleanups = new Cleanups(log)
  let stoppingSinceMs: number | null = null

  async function stop(reason: string): Promise<void> {
    if (stoppingSinceMs !== null) {
      if (systemClock.monotonicMs() - stoppingSinceMs > IMPATIENT_MS) process.exit(1)
      return
    }
    stoppingSinceMs = systemClock.monotonicMs()
    log.info({ reason }, 'gateway stops')
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    await cleanups.run()
    process.exit(0)
  }

  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  process.on('disconnect', () => void stop('parent gone'))
  process.on('unhandledRejection', (error) => log.error({ error: String(error) }, 'rejection nobody handled'))
  try {
    const listening = await start(config, log, cleanups)
    log.info(listening, 'gateway listens')
    process.send?.({ type: 'listening', ...listening })
  } catch (error) {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'gateway could not start')
    await cleanups.run()
    process.exit(1)
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
