/**
 * The engine's environment: [engines.baileys.7] to [engines.baileys.14]. Every variable is read here and nowhere else.
 */
import { isIP } from 'node:net'
import { LOG_LEVELS, type LogLevel } from './log.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Config {
  /** ENGINE_HOST, default 127.0.0.1. */
  readonly host: string
  /** ENGINE_PORT, default 3005; 0 takes a free port and logs it. */
  readonly port: number
  /**
   * ENGINE_URL: the base of media addresses, under which gateways reach this engine; null for ENGINE_HOST and
   * ENGINE_PORT.
   */
  readonly publicUrl: string | null
  /**
   * ENGINE_TOKEN: the bearer token that gateways show, at least 16 characters. Null without one, which only loopback
   * allows.
   */
  readonly token: string | null
  /** ENGINE_DATA_DIR, default ./engine-data. */
  readonly dataDir: string
  /**
   * ENGINE_DATABASE_URL: the PostgreSQL database that holds the store; null for SQLite in the data folder. It needs
   * ENGINE_KEY.
   */
  readonly databaseUrl: string | null
  /** ENGINE_KEY: 32 bytes in base64 that seal the store; null for a key that is generated beside it. */
  readonly key: Buffer | null
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
const MIN_TOKEN_CHARACTERS = 16
const KEY_BYTES = 32

/** Reads a variable with `parse`; `fallback` when it is unset. `wanted` says what it has to be. */
type Read = <T>(variable: string, fallback: T, parse: (text: string) => T | null, wanted: string) => T

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
  if (config.token === null && !faults.some((fault) => fault.startsWith('ENGINE_TOKEN')) && !isLoopback(config.host)) {
    faults.push(
      `ENGINE_TOKEN must be set when ENGINE_HOST ${config.host} is not loopback: whoever reaches the port holds every number`,
    )
  }
  if (config.databaseUrl !== null && config.key === null && !faults.some((fault) => fault.startsWith('ENGINE_KEY'))) {
    faults.push(
      'ENGINE_KEY must be set with ENGINE_DATABASE_URL: a key beside one engine would be lost with its machine (make one: openssl rand -base64 32)',
    )
  }
  if (faults.length > 0)
    throw new StartFault(`The environment is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  return config
}

function configOf(read: Read): Config {
  return {
    host: read('ENGINE_HOST', '127.0.0.1', (text) => text, 'an address'),
    port: read('ENGINE_PORT', 3005, parsePort, 'a port, 0 to 65535'),
    publicUrl: read<string | null>(
      'ENGINE_URL',
      null,
      parseBase,
      'a URL starting with http:// or https://, without a path',
    ),
    token: read<string | null>('ENGINE_TOKEN', null, parseToken, `at least ${MIN_TOKEN_CHARACTERS} characters long`),
    ...storeOf(read),
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
    backlog: read('ENGINE_BACKLOG', 20_000, parseBacklog, 'a whole number, 10 to 1000000'),
    metricsPort: read<number | null>('ENGINE_METRICS_PORT', null, parsePort, 'a port, 0 to 65535'),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', parseLevel, `one of ${LOG_LEVELS.join(', ')}`),
  }
}

function storeOf(read: Read): Pick<Config, 'dataDir' | 'databaseUrl' | 'key'> {
  return {
    dataDir: read('ENGINE_DATA_DIR', './engine-data', (text) => text, 'a folder'),
    databaseUrl: read<string | null>(
      'ENGINE_DATABASE_URL',
      null,
      parseUrl(['postgres:', 'postgresql:']),
      'a URL starting with postgres:// or postgresql://',
    ),
    key: read<Buffer | null>('ENGINE_KEY', null, parseKey, '32 bytes in base64 (make one: openssl rand -base64 32)'),
  }
}

function parsePort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null
}

function parseToken(text: string): string | null {
  return text.length >= MIN_TOKEN_CHARACTERS ? text : null
}

function parseBacklog(text: string): number | null {
  return /^\d{2,7}$/.test(text) && Number(text) >= 10 && Number(text) <= 1_000_000 ? Number(text) : null
}

function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : null
}

function parseUrl(protocols: readonly string[]): (text: string) => string | null {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : null)
}

function parseBase(text: string): string | null {
  const url = parseUrl(['http:', 'https:'])(text)
  return url === null || new URL(url).pathname !== '/' ? null : new URL(url).origin
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
