import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { isLive } from '../../src/domain/call.ts'
import { eventsShown } from './events-shown.ts'
import { copyMigrated } from './migrated-folder.ts'
import './patient-connections.ts'
import { NODE_ARGUMENTS } from './short-lived.ts'
import { until, within } from './until.ts'

type Env = Record<string, string>

export interface Answer<T = any> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
  readonly text: string
}

/**
 * A program of the service as a real process. Modules that only some stories need are loaded by those stories, because
 * the ORM costs 0.3 s of CPU per file (measured).
 */
export class Program {
  readonly output: string[] = []
  readonly listening: Promise<Record<string, number>>
  readonly child: ChildProcess

  constructor(file: string, env: Env) {
    this.child = fork(new URL(`../../${file}`, import.meta.url), [], {
      // No balancer stands before the programs of a test, unless it says otherwise.
      env: { PATH: process.env['PATH'] ?? '', SHUTDOWN_DELAY_SECONDS: '0', ...env },
      execArgv: NODE_ARGUMENTS,
      silent: true,
    })
    this.child.stdout?.on('data', (chunk: Buffer) => this.output.push(chunk.toString('utf8')))
    this.child.stderr?.on('data', (chunk: Buffer) => this.output.push(chunk.toString('utf8')))
    const told = new Promise<Record<string, number>>((resolve, reject) => {
      this.child.on('message', (message: Record<string, number> & { readonly line?: string }) => {
        // A program that cannot start says why, and ends.
        if (message.line === undefined) resolve(message)
        else this.output.push(message.line)
      })
      this.child.once('exit', (code) => reject(new Error(`${file} ended with ${code}:\n${this.output.join('')}`)))
    })
    this.listening = within(`${file} listens`, told).catch((error: unknown) => {
      // A program that hangs would hold what the next start needs.
      this.child.kill('SIGKILL')
      throw new Error(`${String(error)}:\n${this.output.join('').slice(-2_000)}`, { cause: error })
    })
    this.listening.catch(() => {})
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill(signal)
    await within(`process ${this.child.pid} ends by ${signal}`, exited).catch((error: unknown) => {
      this.child.kill('SIGKILL')
      throw new Error(`${String(error)}:\n${this.output.join('').slice(-2_000)}`, { cause: error })
    })
  }

  /** Process ids of its children with `file` on their command line. */
  childPids(file: string): number[] {
    const pid = this.child.pid
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
    return children.filter((child) => {
      try {
        return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(file)
      } catch {
        return false
      }
    })
  }
}

/** What requests of this file say of their address; null until it joins a shared service. */
let address: string | null = null

/**
 * Lets the requests of this file come from an address of their own, as a proxy would say: all files ask a shared
 * service from one machine, and limits by address would count them together.
 */
export function comeFrom(own: string): void {
  address = own
}

/** Sends one JSON request; never throws because of a status. Rejects with address and cause when nobody answers. */
export async function call<T = any>(
  method: string,
  url: string,
  options: { key?: string; body?: unknown; headers?: Env; signal?: AbortSignal } = {},
): Promise<Answer<T>> {
  const response = await answered(url, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { 'x-api-key': options.key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(address === null ? {} : { 'x-forwarded-for': address }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  })
  const text = await response.text()
  let body: any = null
  try {
    body = JSON.parse(text)
  } catch {
    /* not JSON: `text` has it */
  }
  return { status: response.status, headers: response.headers, body, text }
}

/** `fetch` says only that it failed, and hides why. */
async function answered(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    throw cause === undefined ? error : new Error(`${request.method} ${url}: ${String(cause)}`, { cause: error })
  }
}

export interface PairedNumber {
  readonly id: string
  readonly digits: string
  readonly key: string
}

export interface ServiceOptions {
  readonly env?: Env
  /** Whether media host and sandbox are programs of their own, which outlive the gateway. */
  readonly isSplit?: boolean
  /** An empty data directory; by default one of its own. */
  readonly dataDir?: string
  /** The address at which PostgreSQL is reached, made from the real one. */
  readonly databaseWay?: (databaseUrl: string) => Promise<string>
}

/** A running service for a test file, with a tenant and digits of its own. */
export interface Seat {
  readonly dataDir: string
  readonly ports: Record<string, number>
  readonly tenantKey: string
  /** A number that no other seat has. */
  readonly place: number
}

/** Creates a database when TEST_DATABASE_URL is set; null when the embedded one is used. */
export async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> } | null> {
  const admin = process.env['TEST_DATABASE_URL']
  if (!admin) return null
  const name = `cms_test_${randomBytes(6).toString('hex')}`
  const { default: pg } = await import('pg')
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}

/** The whole service on free ports: embedded, or on PostgreSQL and Redis when TEST_DATABASE_URL is set. */
export class Service {
  gateway!: Program
  media: Program | null = null
  sandbox: Program | null = null
  ports!: Record<string, number>
  readonly tenantKey: string
  readonly dataDir: string
  readonly #env: Env
  readonly #database: Awaited<ReturnType<typeof makeDatabase>>
  #nextDigits: number

  private constructor(
    dataDir: string,
    database: Awaited<ReturnType<typeof makeDatabase>>,
    options: ServiceOptions,
    tenantKey: string = generateApiKey(),
    place = 0,
  ) {
    this.dataDir = dataDir
    this.tenantKey = tenantKey
    this.#nextDigits = 5_511_900_000_000 + place * 100
    this.#database = database
    this.#env = {
      PORT: '0',
      MEDIA_PORT: '0',
      MEDIA_CONTROL_PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: dataDir,
      SANDBOX: 'on',
      BOOTSTRAP_TENANT_KEY: this.tenantKey,
      LOG_LEVEL: 'trace',
      REQUESTS_PER_MINUTE: '1000000',
      MEDIA_SURE_CALLS: '1000',
      INTERNAL_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...(database ? { DATABASE_URL: database.url, REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' } : {}),
      ...options.env,
    }
  }

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'cms-test-')))
    const database = options.dataDir === undefined ? await makeDatabase() : null
    if (!database) await copyMigrated(dataDir)
    // When the story is about an unreachable database, it is noticed as soon as in service.
    const isItsStory = options.databaseWay !== undefined || options.dataDir !== undefined
    const way = database && options.databaseWay ? { DATABASE_URL: await options.databaseWay(database.url) } : {}
    const service = new Service(dataDir, database, {
      ...options,
      env: { ...(isItsStory ? {} : { DATABASE_PATIENCE: '30', LEASE_TTL_MS: '15000' }), ...way, ...options.env },
    })
    if (options.isSplit) await service.#startOthers()
    await service.startGateway()
    return service
  }

  /** A service that runs already; its programs are not stopped by the test. */
  static at(seat: Seat, env: Env): Service {
    const service = new Service(seat.dataDir, null, { env }, seat.tenantKey, seat.place)
    service.ports = seat.ports
    return service
  }

  async #startOthers(): Promise<void> {
    const token = randomBytes(12).toString('hex')
    this.#env['DEVICE_BRIDGE_TOKEN'] = token
    this.sandbox = new Program('sandbox/main.ts', this.#env)
    const { port } = await this.sandbox.listening
    await this.startMedia()
    Object.assign(this.#env, {
      SANDBOX: 'off',
      RTP_ADDRESS: '127.0.0.1',
      DEVICE_BRIDGE_URL: `ws://127.0.0.1:${port}/devices`,
      OFFICIAL_API_URL: `http://127.0.0.1:${port}/official/v24.0`,
      SANDBOX_PORT: String(port),
    })
  }

  /** Starts or restarts the media host of a split service on the same ports. */
  async startMedia(): Promise<void> {
    this.media = new Program('media-host/main.ts', { ...this.#env, DRAIN_SECONDS: '0', RTP_ADDRESS: '127.0.0.1' })
    const { mediaPort, controlPort } = await this.media.listening
    Object.assign(this.#env, {
      MEDIA_PORT: String(mediaPort),
      MEDIA_CONTROL_PORT: String(controlPort),
      MEDIA_HOSTS: `ws://127.0.0.1:${controlPort}`,
    })
  }

  /** Starts or restarts the gateway on the same data, on new free ports. `env` changes the environment from now on. */
  async startGateway(env: Env = {}): Promise<void> {
    Object.assign(this.#env, env)
    this.gateway = new Program('src/main.ts', this.#env)
    this.ports = await this.gateway.listening
    if (this.sandbox) this.ports['sandboxPort'] = Number(this.#env['SANDBOX_PORT'])
  }

  /** Starts another gateway on the same database, with files of its own; only PostgreSQL allows two. */
  async startBeside(dataDir: string): Promise<Program> {
    const beside = new Program('src/main.ts', { ...this.#env, PORT: '0', DATA_DIR: dataDir })
    await beside.listening
    return beside
  }

  get base(): string {
    return `http://127.0.0.1:${this.ports['port']}`
  }

  /** Sends a request to the REST API. */
  async api<T = any>(method: string, path: string, key: string, body?: unknown, headers?: Env): Promise<Answer<T>> {
    return await call<T>(method, this.base + path, {
      key,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    })
  }

  /** Sends a request to the sandbox's control API. */
  async control<T = any>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    return await call<T>(
      method,
      `http://127.0.0.1:${this.ports['sandboxPort']}/control${path}`,
      body === undefined ? {} : { body },
    )
  }

  /** Creates a number and has its simulated phone scan the code. */
  async pairNumber(settings?: object, tenantKey: string = this.tenantKey): Promise<PairedNumber> {
    const digits = String((this.#nextDigits += 10_000))
    const created = await this.api('POST', '/v1/numbers', tenantKey, {
      name: 'Test',
      number: digits,
      ...(settings ? { settings } : {}),
    })
    if (created.status !== 201) throw new Error(`number not created: ${created.text}`)
    await until('the code is scanned', async () => (await this.control('POST', `/devices/${digits}/scan`)).status < 300)
    await this.untilState(created.body.id, 'OPEN', tenantKey)
    return { id: created.body.id, digits, key: created.body.apiKey.key }
  }

  async untilState(numberId: string, state: string, tenantKey: string = this.tenantKey): Promise<void> {
    await until(
      `the number is ${state}`,
      async () => (await this.api('GET', `/v1/numbers/${numberId}/status`, tenantKey)).body.state === state,
    )
  }

  /** Waits until the call has one of the statuses; resolves to it. A call that ended otherwise is told at once. */
  async untilCall(number: PairedNumber, callId: string, statuses: readonly string[]): Promise<any> {
    return await until(`call is ${statuses.join(' or ')}`, async () => {
      const { body, text } = await this.api('GET', `/v1/calls/${callId}`, number.key)
      if (statuses.includes(body?.status)) return body
      if (body?.status && !isLive(body.status)) throw new Error(`call is not ${statuses.join(' or ')}: ${text}`)
      return null
    })
  }

  async placeCall(number: PairedNumber, to: string): Promise<{ id: string; externalCallId: string }> {
    const placed = await this.api('POST', '/v1/calls', number.key, { to })
    if (placed.status !== 201) throw new Error(`call not placed: ${placed.status} ${placed.text}`)
    return placed.body
  }

  /** Places calls at once that are answered; resolves to their ids. */
  async acceptedCalls(number: PairedNumber, count: number): Promise<string[]> {
    const placed = await Promise.all(Array.from({ length: count }, () => this.placeCall(number, '5511990000001')))
    await Promise.all(placed.map(({ id }) => this.untilCall(number, id, ['ACCEPTED'])))
    return placed.map(({ id }) => id)
  }

  /** Ends a call; each one that stays on costs a fifth of a processor. */
  async endCall(number: PairedNumber, callId: string): Promise<void> {
    await this.api('POST', `/v1/calls/${callId}/terminate`, number.key)
  }

  /** The stored events of a number, oldest first; only those of one name when it is given. */
  async events(number: PairedNumber, name: string | null = null): Promise<{ id: string; event: string; data: any }[]> {
    await eventsShown()
    return (await this.api('GET', `/v1/events?limit=1000${name === null ? '' : `&event=${name}`}`, number.key)).body
      .events
  }

  /**
   * Reads rows of the service's database. The gateway must be stopped, because the embedded database allows one
   * process.
   */
  async rows<T extends object>(sql: string): Promise<T[]> {
    const { rowsIn } = await import('./database-rows.ts')
    return await rowsIn<T>(this.#database?.url ?? null, this.dataDir, sql)
  }

  async stop(): Promise<void> {
    await this.gateway.kill('SIGTERM')
    await this.media?.kill('SIGTERM')
    await this.sandbox?.kill('SIGTERM')
    await this.#database?.drop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}
