import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { supervised, tellToEnd } from '../../src/process/child.ts'
import type { Node } from './balancer.ts'

type Environment = Readonly<Record<string, string>>

/** our choice, in ms: a node that migrates a database on a busy machine takes a good part of this. */
const START_MS = 120_000
/** our choice, in ms: how long a program may take to end before it is killed. */
const STOP_MS = 20_000

/** A program of the service that is not restarted when it ends. */
export class Program {
  readonly name: string
  readonly #child: ChildProcess
  #ports: Readonly<Record<string, unknown>> = {}

  private constructor(name: string, child: ChildProcess) {
    this.name = name
    this.#child = child
  }

  /** Starts the program and waits until it listens; rejects with its own message when it cannot. */
  static async start(name: string, file: string, environment: Environment): Promise<Program> {
    const child = fork(new URL(`../../${file}`, import.meta.url), [], {
      env: supervised({ ...process.env, ...environment } as Record<string, string>),
      execArgv: process.execArgv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const program = new Program(name, child)
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(START_MS) }).then(() => {
      throw new Error(`${name} ended before it listened`)
    })
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [
      { readonly line?: string; readonly [port: string]: unknown },
    ]
    if (message.line !== undefined) throw new Error(message.line)
    program.#ports = message
    exited.catch(() => {})
    return program
  }

  port(name: string): number {
    return Number(this.#ports[name])
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Kills the program with SIGKILL, without a chance to clean up. */
  async kill(): Promise<void> {
    await this.#end(() => this.#child.kill('SIGKILL'))
  }

  /** Tells the program to end, and kills it when it does not. */
  async stop(): Promise<void> {
    const force = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await this.#end(() => tellToEnd(this.#child))
    clearTimeout(force)
  }

  async #end(end: () => void): Promise<void> {
    if (!this.isRunning) return
    const exited = once(this.#child, 'exit')
    end()
    await exited
  }
}

/** The secrets that all programs of the cluster share, and the key of its REST API. */
export interface ClusterSecrets {
  readonly internalSecret: string
  readonly encryptionKey: string
  readonly tenantKey: string
  readonly bridgeToken: string
}

/**
 * The secrets stored in the folder, generated once, because a database can only be read with those it was written with.
 * Values in the environment take precedence.
 */
export async function clusterSecrets(folder: string, environment: NodeJS.ProcessEnv): Promise<ClusterSecrets> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'secrets.json')
  const kept = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as ClusterSecrets,
    () => null,
  )
  const secrets = kept ?? {
    internalSecret: randomBytes(32).toString('hex'),
    encryptionKey: randomBytes(32).toString('base64'),
    tenantKey: generateApiKey(),
    bridgeToken: randomBytes(24).toString('hex'),
  }
  if (!kept) await writeFile(path, JSON.stringify(secrets), { mode: 0o600 })
  const { INTERNAL_SECRET, ENCRYPTION_KEY, BOOTSTRAP_TENANT_KEY } = environment
  return {
    ...secrets,
    internalSecret: INTERNAL_SECRET || secrets.internalSecret,
    encryptionKey: ENCRYPTION_KEY || secrets.encryptionKey,
    tenantKey: BOOTSTRAP_TENANT_KEY || secrets.tenantKey,
  }
}

/** The programs of a cluster on this machine. */
export class ClusterPrograms {
  readonly gateways: Program[] = []
  readonly mediaHosts: Program[] = []
  #sandbox: Program | null = null
  readonly #folder: string
  readonly #shared: Environment
  /** The port of the first media host; the others get the following ones. 0 means any free ports. */
  readonly #mediaPort: number

  constructor(folder: string, secrets: ClusterSecrets, baseUrl: string, environment: NodeJS.ProcessEnv) {
    this.#folder = resolve(folder)
    this.#mediaPort = Number(environment['MEDIA_PORT'] || 0)
    this.#shared = {
      DATABASE_URL: environment['DATABASE_URL'] ?? '',
      REDIS_URL: environment['REDIS_URL'] ?? '',
      INTERNAL_SECRET: secrets.internalSecret,
      ENCRYPTION_KEY: secrets.encryptionKey,
      BOOTSTRAP_TENANT_KEY: secrets.tenantKey,
      DEVICE_BRIDGE_TOKEN: secrets.bridgeToken,
      PORT: '0',
      MEDIA_PORT: '0',
      MEDIA_CONTROL_PORT: '0',
      SANDBOX_PORT: '0',
      MEDIA_HOSTS: 'register',
      MEDIA_PUBLIC_URL: '',
      MEDIA_ADVERTISE_CONTROL: '',
      METRICS_PORT: '',
      NODE_ID: '',
      BASE_URL: baseUrl,
      SANDBOX: 'off',
      EGRESS_ALLOW: '127.0.0.0/8,::1',
      TRUSTED_PROXIES: '127.0.0.0/8',
      RTP_ADDRESS: '127.0.0.1',
      DRAIN_SECONDS: '5',
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: environment['LOG_LEVEL'] ?? 'error',
    }
  }

  get sandboxPort(): number {
    return this.#sandbox?.port('port') ?? 0
  }

  /** Starts the sandbox and the media hosts, which find the gateways and are found by them through Redis. */
  async startOthers(mediaHosts: number): Promise<void> {
    this.#sandbox = await Program.start('sandbox', 'sandbox/main.ts', this.#shared)
    for (let i = 0; i < mediaHosts; i++) {
      const port = this.#mediaPort === 0 ? 0 : this.#mediaPort + i
      this.mediaHosts.push(
        await Program.start(`media host ${i + 1}`, 'media-host/main.ts', {
          ...this.#shared,
          MEDIA_PORT: String(port),
          DATA_DIR: join(this.#folder, `media-${i + 1}`),
        }),
      )
    }
  }

  /** Starts one gateway; `more` is set in its environment last. */
  async startGateway(number: number, more: Environment = {}): Promise<Program> {
    const upstream = `127.0.0.1:${this.sandboxPort}`
    const dataDir = await this.#dataDirOf(number)
    const gateway = await Program.start(`gateway ${number}`, 'src/main.ts', {
      ...this.#shared,
      DATA_DIR: dataDir,
      DEVICE_BRIDGE_URL: `ws://${upstream}/devices`,
      OFFICIAL_API_URL: `http://${upstream}/official/v24.0`,
      ...more,
    })
    this.gateways.push(gateway)
    return gateway
  }

  /** Makes the gateway's own folder. Its folder of message files is shared, because any gateway serves those. */
  async #dataDirOf(number: number): Promise<string> {
    const [files, dataDir] = [join(this.#folder, 'files'), join(this.#folder, `gateway-${number}`)]
    await mkdir(files, { recursive: true })
    await mkdir(dataDir, { recursive: true })
    await symlink(files, join(dataDir, 'media')).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return dataDir
  }

  /** The running gateways, for the balancer. */
  nodes(): Node[] {
    return this.gateways
      .filter((gateway) => gateway.isRunning)
      .map((gateway) => ({ name: gateway.name, port: gateway.port('port') }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop()))
    await Promise.all(this.mediaHosts.map((host) => host.stop()))
    await this.#sandbox?.stop()
  }
}
