/**
 * The engine's environment: [engines.baileys.7] to [engines.baileys.14]. Every variable is read here and nowhere else.
 */
import { isIP } from 'node:net'
import { readOtlpHeaders, type TraceSettings } from '../../../src/domain/trace-settings.ts'
import { bridgeTokenOf } from '../../../src/register/bridge-token.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A fleet of engines, which gateways know by a register. */
export interface FleetConfig {
  /** REDIS_URL: the Redis of the gateways. */
  readonly redisUrl: string
  /** INTERNAL_SECRET: that of the gateways, under which entries are signed. */
  readonly internalSecret: string
  /** ENGINE_CAPACITY: most sessions that gateways place here. */
  readonly capacity: number
}

export interface Config {
  /** ENGINE_HOST, default 127.0.0.1. */
  readonly host: string
  /** ENGINE_PORT, default 3005; 0 takes a free port and logs it. */
  readonly port: number
  /**
   * ENGINE_URL: the base of its addresses, under which gateways reach this engine; {port} is the port that it got,
   * {worker} is 0. Null for ENGINE_HOST, or in a fleet the name of the machine, and ENGINE_PORT.
   */
  readonly publicUrl: string | null
  /**
   * ENGINE_TOKEN: the bearer token that gateways show, at least 16 characters. In a fleet it is derived from
   * INTERNAL_SECRET when unset. Null without one, which only loopback allows.
   */
  readonly token: string | null
  /** ENGINE_DATA_DIR, default ./engine-data. */
  readonly dataDir: string
  /**
   * ENGINE_DATABASE_URL: the PostgreSQL database that holds the store; null for SQLite in the data folder. It needs
   * ENGINE_KEY.
   */
  readonly databaseUrl: string | null
  /**
   * LEASE_TTL_MS, default 9000: how long, in ms, a number stays with this engine without a renewal. Only with
   * ENGINE_DATABASE_URL.
   */
  readonly leaseMs: number
  /**
   * ENGINE_WORKERS, default 1: processes of this program, each an engine of the fleet; `auto` is one for each core.
   */
  readonly workers: number | 'auto'
  /** DRAIN_SECONDS, default 30, here in ms: what SIGTERM may take to hand the numbers over. */
  readonly drainMs: number
  /** ENGINE_KEY: 32 bytes in base64 that seal the store; null for a key that is generated beside it. */
  readonly key: Buffer | null
  /** The fleet that the engine registers with; null for an engine that gateways have in their configuration. */
  readonly fleet: FleetConfig | null
  /** ENGINE_SOCKET_URL: the chat network's socket; null for the library's default. */
  readonly socketUrl: string | null
  /** ENGINE_PROXY: an http:, https: or socks: URL for the socket and media; null for none. */
  readonly proxy: string | null
  /** ENGINE_VERSION: client build, like 2.3000.1043857760; null for the library's default. */
  readonly version: readonly [number, number, number] | null
  /**
   * ENGINE_BACKLOG, default 20000: most events of one number that wait for its gateway. Beyond them messages are left
   * to the network.
   */
  readonly backlog: number
  /** ENGINE_METRICS_PORT; null for no metrics. */
  readonly metricsPort: number | null
  /**
   * OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS: where what is recorded of requests is sent; null for
   * nowhere.
   */
  readonly traces: TraceSettings | null
  /** LOG_LEVEL, default info. */
  readonly logLevel: LogLevel
}

/** A fault that the operator can correct; its text says how. */
export class StartFault extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'StartFault'
  }
}

/** our choice, as for the gateway's secrets. */
const MIN_SECRET_CHARACTERS = 16
const LONG_ENOUGH = `at least ${MIN_SECRET_CHARACTERS} characters long`
const KEY_BYTES = 32
/**
 * our choice: longer than the lease of a gateway, because what it ends is a login at the network. With a grace of a
 * third, a killed engine's numbers are free after 12 s.
 */
const LEASE_MS = 9_000
/** our choice: shorter ones end with any pause of the machine. */
const MIN_LEASE_MS = 1_000
/** As for gateways ([configuration.variables.31]). */
const DRAIN_SECONDS = 30

/** Reads a variable with `parse`; `fallback` when it is unset. `wanted` says what it has to be. */
type Read = <T>(variable: string, fallback: T, parse: (text: string) => T | null, wanted: string) => T

/**
 * Our choice: one process breaks near 3,000 sessions, and a third of the room is kept for those of an engine that dies.
 */
const CAPACITY = 2_000

/** Reads the environment. Throws a StartFault that lists every fault, each with its variable and what to do. */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const config = configOf((variable, fallback, parse, wanted) => {
    const text = env[variable]
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value === null) faults.push(`${variable} must be ${wanted}`)
    return value ?? fallback
  })
  const wrong = faults.map((fault) => fault.split(' ')[0])
  faults.push(
    ...faultsTogether(config, env)
      .filter(({ variable }) => !wrong.includes(variable))
      .map(({ text }) => text),
  )
  if (faults.length > 0)
    throw new StartFault(`The environment is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  return config
}

interface Fault {
  /** The variable that has to be set. */
  readonly variable: string
  readonly text: string
}

/** Finds faults of several variables together. */
function faultsTogether({ token, host, databaseUrl, key, workers }: Config, env: Environment): Fault[] {
  const isSet = (variable: string): boolean => (env[variable] ?? '') !== ''
  const inFleet = isSet('REDIS_URL') || isSet('INTERNAL_SECRET')
  const rules: readonly (readonly [isBroken: boolean, variable: string, why: string])[] = [
    [
      token === null && !isLoopback(host),
      'ENGINE_TOKEN',
      `when ENGINE_HOST ${host} is not loopback: whoever reaches the port holds every number`,
    ],
    [
      databaseUrl !== null && key === null,
      'ENGINE_KEY',
      'with ENGINE_DATABASE_URL: a key beside one engine would be lost with its machine (make one: openssl rand -base64 32)',
    ],
    [
      workers !== 1 && !inFleet,
      'REDIS_URL',
      'with ENGINE_WORKERS: gateways find several engines by the register alone',
    ],
    [
      inFleet && !isSet('REDIS_URL'),
      'REDIS_URL',
      'with INTERNAL_SECRET: an engine registers with both, or with neither',
    ],
    [
      inFleet && !isSet('INTERNAL_SECRET'),
      'INTERNAL_SECRET',
      'with REDIS_URL, to that of the gateways: they believe no other entry in the register',
    ],
    [
      inFleet && databaseUrl === null,
      'ENGINE_DATABASE_URL',
      "with REDIS_URL: any engine of a fleet may be given a number, so a number's state must not stay with one engine",
    ],
  ]
  return rules
    .filter(([isBroken]) => isBroken)
    .map(([, variable, why]) => ({ variable, text: `${variable} must be set ${why}` }))
}

function configOf(read: Read): Config {
  const fleet = fleetOf(read)
  return {
    host: read('ENGINE_HOST', '127.0.0.1', (text) => text, 'an address'),
    port: read('ENGINE_PORT', 3005, parsePort, 'a port, 0 to 65535'),
    publicUrl: read<string | null>(
      'ENGINE_URL',
      null,
      parseBase,
      'a URL starting with http:// or https://, without a path; it may hold {port} and {worker}',
    ),
    token:
      read<string | null>('ENGINE_TOKEN', null, parseSecret, LONG_ENOUGH)
      ?? (fleet === null ? null : bridgeTokenOf(fleet.internalSecret)),
    ...storeOf(read),
    fleet,
    socketUrl: read<string | null>(
      'ENGINE_SOCKET_URL',
      null,
      parseUrl(['ws:', 'wss:']),
      'a URL starting with ws:// or wss://',
    ),
    proxy: read<string | null>(
      'ENGINE_PROXY',
      null,
      parseUrl(['http:', 'https:']),
      'a URL starting with http:// or https://',
    ),
    version: read<Config['version']>(
      'ENGINE_VERSION',
      null,
      parseVersion,
      'three numbers with dots, like 2.3000.1043857760',
    ),
    workers: read<Config['workers']>('ENGINE_WORKERS', 1, parseWorkers, 'auto or a whole number, 1 to 256'),
    backlog: read('ENGINE_BACKLOG', 20_000, parseWhole(10, 1_000_000), 'a whole number, 10 to 1000000'),
    ...shownOf(read),
  }
}

/** What the engine shows of itself to its operator. */
function shownOf(read: Read): Pick<Config, 'metricsPort' | 'traces' | 'logLevel'> {
  return {
    metricsPort: read<number | null>('ENGINE_METRICS_PORT', null, parsePort, 'a port, 0 to 65535'),
    traces: tracesOf(read),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', parseLevel, `one of ${LOG_LEVELS.join(', ')}`),
  }
}

function storeOf(read: Read): Pick<Config, 'dataDir' | 'databaseUrl' | 'key' | 'leaseMs' | 'drainMs'> {
  return {
    dataDir: read('ENGINE_DATA_DIR', './engine-data', (text) => text, 'a folder'),
    databaseUrl: read<string | null>(
      'ENGINE_DATABASE_URL',
      null,
      parseUrl(['postgres:', 'postgresql:']),
      'a URL starting with postgres:// or postgresql://',
    ),
    key: read<Buffer | null>('ENGINE_KEY', null, parseKey, '32 bytes in base64 (make one: openssl rand -base64 32)'),
    leaseMs: read('LEASE_TTL_MS', LEASE_MS, parseWhole(MIN_LEASE_MS, 600_000), 'a whole number, 1000 to 600000'),
    drainMs: read('DRAIN_SECONDS', DRAIN_SECONDS, parseWhole(0, 86_400), 'a whole number, 0 to 86400') * 1_000,
  }
}

/** An engine begins no trace: it records what is part of a gateway's. */
function tracesOf(read: Read): TraceSettings | null {
  const endpoint = read<string | null>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    parseUrl(['http:', 'https:']),
    'a URL starting with http:// or https://',
  )
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', {}, readOtlpHeaders, 'headers, name=value, comma-separated')
  return endpoint === null ? null : { endpoint: endpoint.replace(/\/+$/, ''), headers, share: 0 }
}

function fleetOf(read: Read): FleetConfig | null {
  const redisUrl = read<string | null>(
    'REDIS_URL',
    null,
    parseUrl(['redis:', 'rediss:']),
    'a URL starting with redis:// or rediss://',
  )
  const internalSecret = read<string | null>('INTERNAL_SECRET', null, parseSecret, LONG_ENOUGH)
  const capacity = read('ENGINE_CAPACITY', CAPACITY, parseCapacity, 'a whole number, 1 to 1000000')
  return redisUrl === null || internalSecret === null ? null : { redisUrl, internalSecret, capacity }
}

function parsePort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null
}

function parseSecret(text: string): string | null {
  return text.length >= MIN_SECRET_CHARACTERS ? text : null
}

function parseCapacity(text: string): number | null {
  return /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000_000 ? Number(text) : null
}

function parseWhole(least: number, most: number): (text: string) => number | null {
  return (text) => (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null)
}

function parseWorkers(text: string): number | 'auto' | null {
  return text === 'auto' ? text : parseWhole(1, 256)(text)
}

function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : null
}

function parseUrl(protocols: readonly string[]): (text: string) => string | null {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : null)
}

/** Reads a base, with its placeholders as they are; a number stands for them, since no host or port holds braces. */
function parseBase(text: string): string | null {
  const url = parseUrl(['http:', 'https:'])(text.replaceAll(/\{(?:port|worker)\}/g, '1'))
  if (url === null || new URL(url).pathname !== '/') return null
  return text.includes('{') ? text.replace(/\/$/, '') : new URL(url).origin
}

function parseVersion(text: string): Config['version'] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? []
  return patch === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

function parseLevel(text: string): LogLevel | null {
  return LOG_LEVELS.includes(text) ? (text as LogLevel) : null
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
