/**
 * Reads the environment, here and nowhere else; config/variables.ts is its manual. A wrong environment lists all faults
 * at once and ends the program with status 1 ([configuration.start.1]).
 */
import { faultsOfFiles, presentFiles } from './config/files.ts'
import { presentTraces } from './config/traces.ts'
import { VARIABLES, type Variables } from './config/variables.ts'
import { LEAD_RETRY_MS } from './domain/lead-schedule.ts'
import { EMBEDDED_LEASE_TTL_MS, LEASE_TTL_MS } from './domain/limits.ts'
import { withUser } from './process/database-url.ts'
import { StartFault } from './process/start-fault.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown with every fault of the environment, each naming its variable. */
export class ConfigError extends StartFault {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The environment is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

function noTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

/** Completes a control URL that was given without the path of the control socket. */
function withControlPath(text: string): string {
  return new URL(text).pathname === '/' ? `${noTrailingSlash(text)}/control` : text
}

/** What a gateway waits after SIGTERM when DRAIN_SECONDS is unset ([configuration.variables.31]). */
const GATEWAY_DRAIN_SECONDS = 30

export type Config = ReturnType<typeof present>

function presentEgress(env: Variables, isSandboxOn: boolean): readonly string[] {
  return env.EGRESS_ALLOW ?? (isSandboxOn ? ['127.0.0.0/8', '::1'] : [])
}

/** What a media host waits for its live calls when DRAIN_SECONDS is unset ([configuration.variables.31]). */
const MEDIA_DRAIN_SECONDS = 600

/**
 * Tells where a gateway finds its media hosts ([configuration.variables.9]; the default between the two is our choice).
 */
function presentMediaHosts(env: Variables, isSandboxOn: boolean): readonly string[] | 'child' | 'register' {
  const given = env.MEDIA_HOSTS
  if (given !== undefined) return typeof given === 'string' ? given : given.map(withControlPath)
  return env.DATABASE_URL !== undefined && env.REDIS_URL !== undefined && !isSandboxOn ? 'register' : 'child'
}

function presentMedia(env: Variables, isSandboxOn: boolean) {
  return Object.freeze({
    host: env.HOST,
    mediaPort: env.MEDIA_PORT,
    controlHost: env.MEDIA_CONTROL_HOST,
    controlPort: env.MEDIA_CONTROL_PORT,
    /** Null for ws://localhost and the port that the socket got. May hold {port} and {worker}, as the next one may. */
    publicUrl: env.MEDIA_PUBLIC_URL === undefined ? null : noTrailingSlash(env.MEDIA_PUBLIC_URL),
    /** Null for the name of the machine and the port that the socket got. */
    advertiseControl: env.MEDIA_ADVERTISE_CONTROL ?? null,
    workers: env.MEDIA_WORKERS,
    sureCalls: env.MEDIA_SURE_CALLS,
    drainMs: (env.DRAIN_SECONDS ?? MEDIA_DRAIN_SECONDS) * 1000,
    iceAddress: env.RTP_ADDRESS ?? (isSandboxOn ? '127.0.0.1' : null),
    rtpPorts: env.RTP_PORTS ?? null,
    egressAllow: presentEgress(env, isSandboxOn),
    dataDir: env.DATA_DIR,
  })
}

function presentTimers(env: Variables) {
  return Object.freeze({
    callUnringingMs: env.CALL_UNRINGING_SECONDS * 1000,
    callRingMs: env.CALL_RING_SECONDS * 1000,
    callMediaMs: env.CALL_MEDIA_SECONDS * 1000,
    numberDisconnectedMs: env.NUMBER_DISCONNECTED_SECONDS * 1000,
  })
}

/** Our choice: bursts of an eighth of a second, so that the first second stays near the pace. */
function perSecond(messages: number) {
  return { atOnce: Math.ceil(messages / 8), everyMs: messages === 0 ? 0 : 1_000 / messages }
}

function presentSending(env: Variables) {
  return Object.freeze({
    paces: {
      // Left out, the pace is what upstream names with the number.
      OFFICIAL: env.OFFICIAL_SENDS_PER_SECOND === undefined ? {} : { number: perSecond(env.OFFICIAL_SENDS_PER_SECOND) },
      UNOFFICIAL: {
        number: perSecond(env.UNOFFICIAL_SENDS_PER_SECOND),
        pair: { atOnce: 1, everyMs: env.UNOFFICIAL_RECIPIENT_SECONDS * 1000 },
      },
    },
    reconcileMs: env.OFFICIAL_RECONCILE_SECONDS * 1000,
  })
}

function presentSandbox(env: Variables) {
  return Object.freeze({
    /** Origin whose pages may use the control API; null for none but its own. */
    pageOrigin: env.BASE_URL === undefined ? null : new URL(env.BASE_URL).origin,
    host: '127.0.0.1',
    port: env.SANDBOX_PORT,
    bridgeToken: env.DEVICE_BRIDGE_TOKEN ?? null,
    autopair: env.SANDBOX_AUTOPAIR === 'on',
  })
}

function inMs(waitSeconds: readonly number[]): readonly number[] {
  return waitSeconds.map((wait) => wait * 1000)
}

function presentRetries(env: Variables) {
  return {
    webhooks: Object.freeze({
      /** Null for the schedule of [webhooks.retries.1]. */
      retryMs: env.WEBHOOK_RETRY_SECONDS === undefined ? null : inMs(env.WEBHOOK_RETRY_SECONDS),
      timeoutMs: env.WEBHOOK_TIMEOUT_SECONDS * 1000,
    }),
    leads: Object.freeze({
      retryMs: env.LEAD_RETRY_SECONDS === undefined ? LEAD_RETRY_MS : inMs(env.LEAD_RETRY_SECONDS),
    }),
    ads: Object.freeze({ retryMs: inMs(env.AD_NAME_RETRY_SECONDS) }),
  }
}

function presentPages(env: Variables, baseUrl: string | null) {
  return {
    serviceName: env.SERVICE_NAME,
    /** Null for the base URL; the same holds for the next one. */
    chatEmbedUrl: env.CHAT_EMBED_URL === undefined ? baseUrl : noTrailingSlash(env.CHAT_EMBED_URL),
    connectEmbedUrl: env.CONNECT_EMBED_URL === undefined ? baseUrl : noTrailingSlash(env.CONNECT_EMBED_URL),
    embedMaxAgeMs: env.EMBED_MAX_AGE_SECONDS * 1000,
    isDashboardOn: env.DASHBOARD === 'on',
    isOAuthRegistrationOpen: env.OAUTH_DYNAMIC_REGISTRATION === 'on',
  }
}

function presentNode(env: Variables) {
  const drainMs = (env.DRAIN_SECONDS ?? GATEWAY_DRAIN_SECONDS) * 1000
  return {
    /** Null for the id that is kept in the data directory. */
    nodeId: env.NODE_ID ?? null,
    leaseTtlMs: env.LEASE_TTL_MS ?? (env.DATABASE_URL === undefined ? EMBEDDED_LEASE_TTL_MS : LEASE_TTL_MS),
    drainMs,
    shutdownDelayMs: Math.min(env.SHUTDOWN_DELAY_SECONDS * 1000, drainMs / 2),
  }
}

function presentDatabase(env: Variables) {
  return {
    databaseUrl: withUser(env.DATABASE_URL, env.PGUSER),
    databaseReadUrl: withUser(env.DATABASE_READ_URL, env.PGUSER),
    databasePool: env.DATABASE_POOL,
    databasePatience: env.DATABASE_PATIENCE,
  }
}

function presentUpstreams(env: Variables) {
  return {
    /** Null for the sandbox's when that is on, else the real one. */
    officialApiUrl: env.OFFICIAL_API_URL === undefined ? null : noTrailingSlash(env.OFFICIAL_API_URL),
    /** Null for the sandbox's when that is on, else the engines in the register where there is a Redis, else none. */
    deviceBridge: env.DEVICE_BRIDGE_URL === undefined ? null : noTrailingSlash(env.DEVICE_BRIDGE_URL),
    deviceBridgeToken: env.DEVICE_BRIDGE_TOKEN ?? null,
  }
}

function present(env: Variables) {
  const isSandboxOn =
    env.SANDBOX === 'on'
    || (env.SANDBOX === undefined && !env.DATABASE_URL && !env.DEVICE_BRIDGE_URL && !env.OFFICIAL_API_URL)
  const baseUrl = env.BASE_URL === undefined ? null : noTrailingSlash(env.BASE_URL)
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    /** Null for http://localhost and the port that the listener got. */
    baseUrl,
    ...presentPages(env, baseUrl),
    ...presentNode(env),
    ...presentDatabase(env),
    dataDir: env.DATA_DIR,
    redisUrl: env.REDIS_URL ?? null,
    mediaHosts: presentMediaHosts(env, isSandboxOn),
    /** Null when it is generated into the data directory; the same holds for the next one. */
    internalSecret: env.INTERNAL_SECRET ?? null,
    encryptionKey: env.ENCRYPTION_KEY ?? null,
    isSandboxOn,
    ...presentUpstreams(env),
    bootstrapTenantKey: env.BOOTSTRAP_TENANT_KEY ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    connections: Object.freeze({ most: env.CONNECTIONS, mostOfAddress: env.CONNECTIONS_PER_ADDRESS }),
    logLevel: env.LOG_LEVEL,
    metricsPort: env.METRICS_PORT ?? null,
    isKeyIdAuthOn: env.API_KEY_ID_AUTH === 'on',
    mcpAllowedOrigins: env.MCP_ALLOWED_ORIGINS,
    timers: presentTimers(env),
    sending: presentSending(env),
    ...presentRetries(env),
    defaultLimits: Object.freeze({ requestsPerMinute: env.REQUESTS_PER_MINUTE, sendsPerMinute: env.SENDS_PER_MINUTE }),
    egressAllow: presentEgress(env, isSandboxOn),
    files: presentFiles(env),
    traces: presentTraces(env),
    media: presentMedia(env, isSandboxOn),
    sandbox: presentSandbox(env),
  })
}

/**
 * Finds faults of several variables together: URLs that several workers cannot share, a register without Redis, and a
 * replica without a database.
 */
function faultsTogether(env: Variables): string[] {
  const shared =
    env.MEDIA_WORKERS === 1
      ? []
      : (['MEDIA_PUBLIC_URL', 'MEDIA_ADVERTISE_CONTROL'] as const)
          .filter((name) => env[name] !== undefined && !/\{(port|worker)\}/.test(env[name]))
          .map((name) => `${name}: must hold {port} or {worker} where MEDIA_WORKERS is not 1`)
  const alone = (['MEDIA_HOSTS', 'DEVICE_BRIDGE_URL'] as const)
    .filter((name) => env[name] === 'register' && env.REDIS_URL === undefined)
    .map((name) => `${name}: register needs REDIS_URL`)
  const replica =
    env.DATABASE_READ_URL !== undefined && env.DATABASE_URL === undefined
      ? ['DATABASE_READ_URL: is of use only together with DATABASE_URL']
      : []
  return [...shared, ...alone, ...replica, ...faultsOfFiles(env)]
}

/**
 * Finds secrets that are missing: they are generated only next to an embedded database ([configuration.variables.10],
 * [configuration.variables.11]).
 */
function missingSecrets(env: Environment): string[] {
  if (env['DATABASE_URL'] === undefined) return []
  return (['INTERNAL_SECRET', 'ENCRYPTION_KEY'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: is required together with DATABASE_URL`)
}

/** Leaves out empty variables, which count as unset: compose files often set them empty. */
function withoutEmpty(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  )
}

/** Reads the whole environment. Throws a ConfigError that lists every fault. */
export function readConfig(env: Environment): Config {
  const given = withoutEmpty(env)
  const parsed = VARIABLES.safeParse(given)
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const faults = [...wrong, ...(parsed.success ? faultsTogether(parsed.data) : []), ...missingSecrets(given)]
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults)
  return present(parsed.data)
}

/** Reads the environment of the media host's own program; INTERNAL_SECRET is required there. */
export function readMediaHostConfig(env: Environment): Config['media'] & {
  readonly internalSecret: string
  readonly redisUrl: string | null
  readonly logLevel: Config['logLevel']
  readonly traces: Config['traces']
} {
  const { media, internalSecret, redisUrl, logLevel, traces } = readConfig({
    ...env,
    DATABASE_URL: undefined,
    DATABASE_READ_URL: undefined,
    MEDIA_HOSTS: undefined,
  })
  if (internalSecret === null) throw new ConfigError(['INTERNAL_SECRET: is required to start a media host'])
  return Object.freeze({ ...media, internalSecret, redisUrl, logLevel, traces })
}

/** Reads the environment of the sandbox's own program. */
export function readSandboxConfig(env: Environment): Config['sandbox'] & { readonly logLevel: Config['logLevel'] } {
  const { sandbox, logLevel } = readConfig({ ...env, DATABASE_URL: undefined, DATABASE_READ_URL: undefined })
  return Object.freeze({ ...sandbox, logLevel })
}
