/**
 * The manual of the environment (contract 1). Every variable is read here and nowhere else; a
 * wrong environment lists all faults at once and ends the program with status 1.
 */
import { isIP } from 'node:net'
import { z } from 'zod'
import { isWellFormedApiKey } from './domain/api-key.ts'
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

const port = z.coerce.number('must be a port, 0 to 65535').int().min(0).max(65_535)
const seconds = z.coerce.number('must be seconds').positive().max(3_600)
const pace = z.coerce.number('must be messages a second').min(0).max(10_000)
/** Waits before each try after the first. */
const waits = z.preprocess(
  (text) => typeof text === 'string' ? text.split(',') : text,
  z.array(z.coerce.number('must be seconds, comma-separated').nonnegative()).min(1).max(50),
)
const perMinute = z.coerce.number('must be requests per minute').int().positive().max(10_000_000)
const onOff = z.enum(['on', 'off'], 'must be on or off')
/** An origin as browsers write it, in full; those of extensions have schemes of their own. */
const isOrigin = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/\s?#@A-Z]+$/.test(text)
const list = z.string().transform((text) => text.split(',').map((item) => item.trim()).filter((item) => item !== ''))

function urlOf(...protocols: string[]) {
  return z.string().refine((text) => {
    return URL.canParse(text) && protocols.includes(new URL(text).protocol)
  }, `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
}

/** An address or a CIDR. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (bits === undefined) return version !== 0
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

/** An address, a CIDR or a host name. What is told here names the variable; the guard itself looks closer. */
function isEgressEntry(text: string): boolean {
  return isAddressRange(text) || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && !/(^|\.)\d+\.?$/.test(text))
}

/** A WebSocket URL that may hold {port} and {worker}. */
const workerUrl = z.string().refine((text) => {
  const url = text.replaceAll('{port}', '1').replaceAll('{worker}', '0')
  return URL.canParse(url) && ['ws:', 'wss:'].includes(new URL(url).protocol)
}, 'must be a URL starting with ws:// or wss://, which may hold {port} and {worker}')

function noTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

/** A control URL may be given without the path of the control socket. */
function withControlPath(text: string): string {
  return new URL(text).pathname === '/' ? `${noTrailingSlash(text)}/control` : text
}

/** A wrong check would make a tenant whose key is refused as a typo (contract 2). */
const apiKey = z.string().refine(isWellFormedApiKey, 'must be a key of the form cms_ + 43 characters + the 6 of their check')
const secret = z.string().min(16, 'must have at least 16 characters')
/** What stands behind the end of a base64 text is not read: a comma that was forgotten would drop a key. */
const isKey = (text: string): boolean => /^[^=]+=?$/.test(text) && Buffer.from(text, 'base64').length === 32
const encryptionKey = z.string().refine((text) => text.split(',').every((key) => isKey(key.trim())), 'must be 32 bytes in base64, or several of them, comma-separated')
const portRange = z.string().regex(/^\d+-\d+$/, 'must be two ports, like 40000-49999').transform((text) => {
  const [low, high] = text.split('-').map(Number)
  return [low ?? 0, high ?? 0] as const
})

const VARIABLES = z.object({
  /** Address the REST listener binds. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port of the REST listener; 0 picks a free one and logs it. */
  PORT: port.default(3000),
  /** Public base of REST and pages; default http://localhost:PORT. */
  BASE_URL: urlOf('http:', 'https:').optional(),
  /** Drawn on pages where no brand says otherwise (contract 16). */
  SERVICE_NAME: z.string().trim().min(1).max(60).default('Channel Messaging'),
  /** No embed session is refreshed past this age (contract 17). */
  EMBED_MAX_AGE_SECONDS: z.coerce.number('must be seconds').int().min(60).max(30 * 86_400).default(43_200),
  /** off: the dashboard, its login and /api but /api/public are 404 (contract 16). */
  DASHBOARD: onOff.default('on'),
  /** off: clients cannot register themselves with the authorization server, which its metadata then does not offer (contract 14). */
  OAUTH_DYNAMIC_REGISTRATION: onOff.default('on'),
  /** Public bases of the embeddable surfaces; default BASE_URL. */
  CHAT_EMBED_URL: urlOf('http:', 'https:').optional(),
  CONNECT_EMBED_URL: urlOf('http:', 'https:').optional(),
  /** PostgreSQL; unset: embedded database in DATA_DIR. A URL without a user means PGUSER, else the user who starts the program. */
  DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  /** A replica of it that lists are read from: history, conversations, logs, events, leads, referrals. What must see its own write is read from DATABASE_URL; so are lists while the replica is away or 5 s behind. */
  DATABASE_READ_URL: urlOf('postgres:', 'postgresql:').optional(),
  PGUSER: z.string().min(1).optional(),
  /** Most connections to PostgreSQL, and as many to its replica (our choice: 10). */
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  /** How many times longer than usual the database is waited for before requests are refused (our choice: 1; the embedded one then has 9 s): for machines with too much to do. */
  DATABASE_PATIENCE: z.coerce.number().min(1).max(100).default(1),
  /** Embedded database, media files, generated secrets, node id. One process a directory. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** Names this node in leases, logs, /health/ready and metrics (contract 20); unset: made once, kept in DATA_DIR. Never that of another node that runs. */
  NODE_ID: z.string().regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores').optional(),
  /** How long the lease of a number lasts, the same on all nodes (contract 20): 6000; 15000 on the embedded database, which has one node. */
  LEASE_TTL_MS: z.coerce.number('must be ms').int().min(1_000).max(600_000).optional(),
  /** Redis or Valkey for limits and wake-ups shared by nodes; unset: in-process. */
  REDIS_URL: urlOf('redis:', 'rediss:').optional(),
  /** Public realtime socket and control socket of the media host. */
  MEDIA_PORT: port.default(3001),
  MEDIA_CONTROL_PORT: port.default(3011),
  /** Address the control socket binds; loopback unless set. */
  MEDIA_CONTROL_HOST: z.string().min(1).default('127.0.0.1'),
  /** What wsUrl starts with; default ws://localhost:MEDIA_PORT. {port} is the port of the realtime socket, {worker} counts from 0. */
  MEDIA_PUBLIC_URL: workerUrl.optional(),
  /** Calls that a media host takes however late its audio is (our choice: 8): with so few, lateness comes from other work on the machine, which refusing them would not lessen. */
  MEDIA_SURE_CALLS: z.coerce.number().int().min(0).max(10_000).default(8),
  /** Processes of one media host program; auto: one per core. Worker i listens on MEDIA_PORT + i and MEDIA_CONTROL_PORT + i. */
  MEDIA_WORKERS: z.union([z.literal('auto'), z.coerce.number().int().min(1).max(256)], 'must be a number of processes, 1 to 256, or auto').default(1),
  /** Where gateways reach a media host's control socket, as it registers in Redis; default ws://HOSTNAME and the port, 127.0.0.1 where it binds loopback. {port} is the control port. */
  MEDIA_ADVERTISE_CONTROL: workerUrl.optional(),
  /** Control URLs of media hosts, comma-separated; child: one as a child process; register: those registered in Redis. Unset: register with DATABASE_URL, REDIS_URL and no sandbox, else child. */
  MEDIA_HOSTS: z.union([z.enum(['child', 'register']), list.pipe(z.array(urlOf('ws:', 'wss:')).min(1))], 'must be URLs starting with ws:// or wss://, comma-separated, or child, or register').optional(),
  /** What SIGTERM waits at most, seconds: a gateway for what is under way, default 30; a media host for its live calls, default 600. */
  DRAIN_SECONDS: z.coerce.number('must be seconds').min(0).max(86_400).optional(),
  /** How long a gateway goes on accepting after SIGTERM while /health/ready says 503, seconds, so that no balancer sends it what it would refuse (contract 20); counted in DRAIN_SECONDS, at most half of it. */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number('must be seconds').min(0).max(3_600).default(5),
  /** Address RTP legs bind and announce; unset: every address of the machine. */
  RTP_ADDRESS: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').optional(),
  /** UDP ports of RTP legs, like 40000-49999; unset: any free one. */
  RTP_PORTS: portRange.optional(),
  /** Authenticates gateway and media host to each other; generated into DATA_DIR when embedded. */
  INTERNAL_SECRET: secret.optional(),
  /** 32 bytes base64; encrypts keys, access tokens and device state at rest; same rule. Several, comma-separated, while one replaces another: the first seals, all open (docs/scale.md). */
  ENCRYPTION_KEY: encryptionKey.optional(),
  /** Starts the sandbox upstreams; default on when neither DATABASE_URL nor an upstream is set. */
  SANDBOX: onOff.optional(),
  SANDBOX_PORT: port.default(3002),
  /** The phone of a sandbox number scans each code by itself after 1 s. */
  SANDBOX_AUTOPAIR: onOff.default('off'),
  /** Base of the official platform's API, version segment included. */
  OFFICIAL_API_URL: urlOf('http:', 'https:').optional(),
  /** WebSocket URL of the engine for QR-paired numbers. */
  DEVICE_BRIDGE_URL: urlOf('ws:', 'wss:').optional(),
  /** Bearer token shown to the engine; derived from INTERNAL_SECRET for the sandbox. */
  DEVICE_BRIDGE_TOKEN: z.string().min(1).optional(),
  /** Tenant key of the tenant "Default" made on an empty database; unset: generated and printed once. */
  BOOTSTRAP_TENANT_KEY: apiKey.optional(),
  /** Hosts and CIDRs let through although private; sandbox on: 127.0.0.0/8,::1. */
  EGRESS_ALLOW: list.refine((entries) => entries.every(isEgressEntry), 'must be addresses, CIDRs or host names, comma-separated').optional(),
  /** CIDRs of proxies whose x-forwarded-for names the client for limits by address; unset: it is not looked at. */
  TRUSTED_PROXIES: list.refine((entries) => entries.every(isAddressRange), 'must be addresses or CIDRs, comma-separated').default([]),
  /** Most connections to PORT at once, in all and from one address (a /64 of IPv6); those of TRUSTED_PROXIES count in all alone (our choice). */
  CONNECTIONS: z.coerce.number('must be a number of connections').int().min(10).max(1_000_000).default(10_000),
  CONNECTIONS_PER_ADDRESS: z.coerce.number('must be a number of connections').int().min(10).max(1_000_000).default(1_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Another port for /metrics; unset: on PORT. */
  METRICS_PORT: port.optional(),
  /** off refuses x-api-key-id as authentication (contract 2). */
  API_KEY_ID_AUTH: onOff.default('on'),
  /** Origins of pages that may call tools beside that of BASE_URL, comma-separated, or * for any (contract 15). */
  MCP_ALLOWED_ORIGINS: list.refine((entries) => entries.every((entry) => entry === '*' || isOrigin(entry)), 'must be origins such as https://agent.example, comma-separated, or *').default([]),
  /** Timers of calls and numbers (contract 3 and 6), seconds. */
  CALL_UNRINGING_SECONDS: seconds.default(30),
  CALL_RING_SECONDS: seconds.default(60),
  CALL_MEDIA_SECONDS: seconds.default(20),
  NUMBER_DISCONNECTED_SECONDS: seconds.default(30),
  /** Pace of sending: messages of a number a second, and the pause between two to one recipient (our choice; 0 is no limit). */
  OFFICIAL_SENDS_PER_SECOND: pace.default(80),
  UNOFFICIAL_SENDS_PER_SECOND: pace.default(20),
  UNOFFICIAL_RECIPIENT_SECONDS: z.coerce.number('must be seconds').min(0).max(3_600).default(1),
  /** How long a status may name an OFFICIAL message whose answer was lost, before it is sent again. */
  OFFICIAL_RECONCILE_SECONDS: seconds.default(20),
  /** Waits before each try of a webhook delivery after the first, seconds, comma-separated (contract 5). */
  WEBHOOK_RETRY_SECONDS: waits.optional(),
  /** Waits before a lead is asked of upstream again, seconds, comma-separated; the last repeats (contract 12). */
  LEAD_RETRY_SECONDS: waits.optional(),
  /** A try of a webhook delivery ends after this long (contract 5). */
  WEBHOOK_TIMEOUT_SECONDS: seconds.default(15),
  /** Waits before each try to find out the names of an ad after the first, seconds, comma-separated (contract 13); after the last the next click asks again. */
  AD_NAME_RETRY_SECONDS: waits.default([5, 60, 600, 3_600, 21_600, 86_400]),
  /** Default limits of a tenant's keys, requests per minute (contract 2). */
  REQUESTS_PER_MINUTE: perMinute.default(600),
  SENDS_PER_MINUTE: perMinute.default(1_200),
})

/** contract 20, DRAIN_SECONDS of a gateway. */
const GATEWAY_DRAIN_SECONDS = 30
/** Upstream's pair rate: 45 at once, then one per 6 s; more answers 131056. */
const OFFICIAL_PAIR = { atOnce: 45, everyMs: 6_000 }

export type Config = ReturnType<typeof present>
type Variables = z.infer<typeof VARIABLES>

function presentEgress(env: Variables, isSandboxOn: boolean): readonly string[] {
  return env.EGRESS_ALLOW ?? (isSandboxOn ? ['127.0.0.0/8', '::1'] : [])
}

/** contract 20: what a media host waits for its live calls. */
const MEDIA_DRAIN_SECONDS = 600

/** Where a gateway finds its media hosts (contract 20; which one is meant when nothing is said: our choice). */
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
    /** Null: ws://localhost and the port the socket got. May hold {port} and {worker}, here and below. */
    publicUrl: env.MEDIA_PUBLIC_URL === undefined ? null : noTrailingSlash(env.MEDIA_PUBLIC_URL),
    /** Null: the name of the machine and the port the socket got. */
    advertiseControl: env.MEDIA_ADVERTISE_CONTROL ?? null,
    workers: env.MEDIA_WORKERS, sureCalls: env.MEDIA_SURE_CALLS,
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
    official: { number: perSecond(env.OFFICIAL_SENDS_PER_SECOND), pair: OFFICIAL_PAIR },
    unofficial: { number: perSecond(env.UNOFFICIAL_SENDS_PER_SECOND), pair: { atOnce: 1, everyMs: env.UNOFFICIAL_RECIPIENT_SECONDS * 1000 } },
    reconcileMs: env.OFFICIAL_RECONCILE_SECONDS * 1000,
  })
}

function presentSandbox(env: Variables) {
  return Object.freeze({
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
      /** Null: the contract's schedule. */
      retryMs: env.WEBHOOK_RETRY_SECONDS === undefined ? null : inMs(env.WEBHOOK_RETRY_SECONDS),
      timeoutMs: env.WEBHOOK_TIMEOUT_SECONDS * 1000,
    }),
    leads: Object.freeze({ retryMs: env.LEAD_RETRY_SECONDS === undefined ? LEAD_RETRY_MS : inMs(env.LEAD_RETRY_SECONDS) }),
    ads: Object.freeze({ retryMs: inMs(env.AD_NAME_RETRY_SECONDS) }),
  }
}

function presentPages(env: Variables, baseUrl: string | null) {
  return {
    serviceName: env.SERVICE_NAME,
    /** Null: the base URL. */
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
    /** Null: the one kept in the data directory. */
    nodeId: env.NODE_ID ?? null,
    leaseTtlMs: env.LEASE_TTL_MS ?? (env.DATABASE_URL === undefined ? EMBEDDED_LEASE_TTL_MS : LEASE_TTL_MS),
    drainMs,
    shutdownDelayMs: Math.min(env.SHUTDOWN_DELAY_SECONDS * 1000, drainMs / 2),
  }
}

function present(env: Variables) {
  const isSandboxOn = env.SANDBOX === 'on'
    || (env.SANDBOX === undefined && !env.DATABASE_URL && !env.DEVICE_BRIDGE_URL && !env.OFFICIAL_API_URL)
  const baseUrl = env.BASE_URL === undefined ? null : noTrailingSlash(env.BASE_URL)
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    /** Null: http://localhost and the port the listener got. */
    baseUrl,
    ...presentPages(env, baseUrl),
    ...presentNode(env),
    databaseUrl: withUser(env.DATABASE_URL, env.PGUSER), databaseReadUrl: withUser(env.DATABASE_READ_URL, env.PGUSER), databasePool: env.DATABASE_POOL, databasePatience: env.DATABASE_PATIENCE,
    dataDir: env.DATA_DIR,
    redisUrl: env.REDIS_URL ?? null,
    mediaHosts: presentMediaHosts(env, isSandboxOn),
    /** Null: generated into the data directory. */
    internalSecret: env.INTERNAL_SECRET ?? null,
    encryptionKey: env.ENCRYPTION_KEY ?? null,
    isSandboxOn,
    /** Null: the sandbox's when that is on, else the real one. */
    officialApiUrl: env.OFFICIAL_API_URL === undefined ? null : noTrailingSlash(env.OFFICIAL_API_URL),
    deviceBridgeUrl: env.DEVICE_BRIDGE_URL === undefined ? null : noTrailingSlash(env.DEVICE_BRIDGE_URL),
    deviceBridgeToken: env.DEVICE_BRIDGE_TOKEN ?? null,
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
    media: presentMedia(env, isSandboxOn),
    sandbox: presentSandbox(env),
  })
}

/** Faults that no variable has by itself: what several workers cannot share, what a register needs, and a replica of nothing. */
function faultsTogether(env: Variables): string[] {
  const shared = env.MEDIA_WORKERS === 1 ? [] : (['MEDIA_PUBLIC_URL', 'MEDIA_ADVERTISE_CONTROL'] as const)
    .filter((name) => env[name] !== undefined && !/\{(port|worker)\}/.test(env[name]))
    .map((name) => `${name}: must hold {port} or {worker} where MEDIA_WORKERS is not 1`)
  const alone = env.MEDIA_HOSTS === 'register' && env.REDIS_URL === undefined ? ['MEDIA_HOSTS: register needs REDIS_URL'] : []
  const replica = env.DATABASE_READ_URL !== undefined && env.DATABASE_URL === undefined ? ['DATABASE_READ_URL: is of use only together with DATABASE_URL'] : []
  return [...shared, ...alone, ...replica]
}

/** Secrets may be generated only next to an embedded database (contract 1). */
function missingSecrets(env: Environment): string[] {
  if (env['DATABASE_URL'] === undefined) return []
  return (['INTERNAL_SECRET', 'ENCRYPTION_KEY'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: is required together with DATABASE_URL`)
}

/** An empty variable counts as unset, the habit of compose files. */
function withoutEmpty(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''))
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

/** What the media host's own main reads; INTERNAL_SECRET is required there. */
export function readMediaHostConfig(env: Environment): Config['media'] & { readonly internalSecret: string, readonly redisUrl: string | null, readonly logLevel: Config['logLevel'] } {
  const { media, internalSecret, redisUrl, logLevel } = readConfig({ ...env, DATABASE_URL: undefined, DATABASE_READ_URL: undefined, MEDIA_HOSTS: undefined })
  if (internalSecret === null) throw new ConfigError(['INTERNAL_SECRET: is required to start a media host'])
  return Object.freeze({ ...media, internalSecret, redisUrl, logLevel })
}

/** What the sandbox's own main reads. */
export function readSandboxConfig(env: Environment): Config['sandbox'] & { readonly logLevel: Config['logLevel'] } {
  const { sandbox, logLevel } = readConfig({ ...env, DATABASE_URL: undefined, DATABASE_READ_URL: undefined })
  return Object.freeze({ ...sandbox, logLevel })
}
