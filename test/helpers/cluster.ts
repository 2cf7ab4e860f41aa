import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { Balancer } from '../../tools/demo/balancer.ts'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { makeDatabase, Program, Service } from './service.ts'

type Env = Record<string, string>

export interface ClusterOptions {
  /** The number of gateways at the start. Default 3. */
  readonly gateways?: number
  /** The number of media hosts at the start. Default 1. */
  readonly mediaHosts?: number
  /** Puts a balancer in front of the gateways; upstreams and clients get its address (see `balanced`). */
  readonly isBalanced?: boolean
  /** Environment of every program. */
  readonly env?: Env
  /** The address at which PostgreSQL, or Redis, is reached: a proxy that can cut it off. */
  readonly databaseWay?: (databaseUrl: string) => Promise<string>
  readonly redisWay?: (redisUrl: string) => Promise<string>
}

/** A place for digits given out through the balancer, which no gateway uses. */
const BALANCED_PLACE = 50

/** One gateway of a cluster: a real process, with a data directory of its own that survives it. */
export class ClusterNode {
  readonly place: number
  readonly dataDir: string
  program: Program
  /**
   * The service as seen through this gateway: `api`, `control`, `pairNumber`, `placeCall` and others. Starting and
   * stopping programs is the cluster's part.
   */
  service: Service
  /** The node's name in leases. */
  nodeId = ''

  constructor(place: number, dataDir: string, program: Program, service: Service) {
    this.place = place
    this.dataDir = dataDir
    this.program = program
    this.service = service
  }

  get base(): string {
    return this.service.base
  }

  /** Sends SIGKILL, SIGTERM or SIGINT; resolves once the gateway is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    // A stopped process handles neither SIGTERM nor SIGINT.
    this.resume()
    await this.program.kill(signal)
  }

  /** Stops the process, which stays but does nothing. */
  freeze(): void {
    this.program.child.kill('SIGSTOP')
  }

  resume(): void {
    this.program.child.kill('SIGCONT')
  }

  get isRunning(): boolean {
    return this.program.child.exitCode === null && this.program.child.signalCode === null
  }

  /** The log lines of the gateway so far. */
  get output(): string {
    return this.program.output.join('')
  }
}

/** A media host of a cluster: a real process. */
export interface ClusterMediaHost {
  readonly program: Program
  readonly controlUrl: string
  readonly mediaPort: number
  readonly controlPort: number
}

/**
 * Several gateways on one PostgreSQL and one Redis, with media hosts and one sandbox, each a real process on free
 * ports. TEST_DATABASE_URL and TEST_REDIS_URL must be set. The cluster has a database of its own, and an
 * INTERNAL_SECRET of its own, by which nodes of installations that share a Redis tell each other apart.
 */
export class Cluster {
  readonly nodes: ClusterNode[] = []
  readonly mediaHosts: ClusterMediaHost[] = []
  readonly tenantKey = generateApiKey()
  /** The address of the database itself, whatever way the gateways take. */
  readonly databaseUrl: string
  sandbox!: Program
  /** Environment of every gateway that starts from now on. */
  readonly env: Env
  readonly #drops: (() => Promise<void>)[]
  #client: Promise<Client> | null = null
  readonly #directories: string[] = []
  /** Every gateway that was started, so that one that failed to start is stopped too. */
  readonly #programs: Program[] = []
  #places = 0
  #media: string | null = null
  #sandboxPort = 0
  #balancer: Balancer | null = null
  #balanced: Service | null = null

  private constructor({ url, drop }: NonNullable<Awaited<ReturnType<typeof makeDatabase>>>, env: Env) {
    this.#drops = [drop]
    this.databaseUrl = url
    this.env = env
  }

  static async start({
    gateways = 3,
    mediaHosts = 1,
    isBalanced = false,
    env = {},
    databaseWay,
    redisWay,
  }: ClusterOptions = {}): Promise<Cluster> {
    const redisUrl = process.env['TEST_REDIS_URL']
    const database = await makeDatabase()
    if (!database || !redisUrl) throw new Error('TEST_DATABASE_URL and TEST_REDIS_URL must be set')
    const cluster = new Cluster(database, {
      PORT: '0',
      MEDIA_PORT: '0',
      MEDIA_CONTROL_PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX: 'off',
      LOG_LEVEL: 'info',
      REQUESTS_PER_MINUTE: '1000000',
      MEDIA_SURE_CALLS: '1000',
      SENDS_PER_MINUTE: '1000000',
      INTERNAL_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DEVICE_BRIDGE_TOKEN: randomBytes(12).toString('hex'),
      // Three gateways, their jobs and other test files share the connections of one server.
      DATABASE_POOL: '5',
      RTP_ADDRESS: '127.0.0.1',
      EGRESS_ALLOW: '127.0.0.0/8',
      DATABASE_URL: (await databaseWay?.(database.url)) ?? database.url,
      REDIS_URL: (await redisWay?.(redisUrl)) ?? redisUrl,
      DATABASE_PATIENCE: '30',
      ...env,
    })
    try {
      if (isBalanced) await cluster.#startBalancer()
      await cluster.#startOthers(mediaHosts)
      // The first gateway migrates and creates the tenant, so it starts alone.
      await cluster.startNode()
      await Promise.all(Array.from({ length: gateways - 1 }, () => cluster.startNode()))
      cluster.nodes.sort((one, other) => one.place - other.place)
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  async #startBalancer(): Promise<void> {
    this.#balancer = await Balancer.listen(0)
    this.env['BASE_URL'] = `http://127.0.0.1:${this.#balancer.port}`
  }

  /**
   * The service as clients see it: each request goes to the next gateway that accepts a connection. A gateway that is
   * killed breaks off its requests.
   */
  get balanced(): Service {
    if (!this.#balancer) throw new Error('the cluster was started without a balancer')
    this.#balanced ??= Service.at(
      {
        dataDir: '',
        ports: { port: this.#balancer.port, sandboxPort: this.#sandboxPort },
        tenantKey: this.tenantKey,
        place: BALANCED_PLACE,
      },
      {},
    )
    return this.#balanced
  }

  #balance(): void {
    this.#balancer?.use(
      this.nodes.map(({ nodeId, service }) => ({ name: nodeId, port: Number(service.ports['port']) })),
    )
  }

  async #startOthers(mediaHosts: number): Promise<void> {
    this.sandbox = new Program('sandbox/main.ts', this.env)
    this.#sandboxPort = Number((await this.sandbox.listening)['port'])
    // A story may have other engines than the sandbox.
    this.env['DEVICE_BRIDGE_URL'] ??= `ws://127.0.0.1:${this.#sandboxPort}/devices`
    this.env['OFFICIAL_API_URL'] = `http://127.0.0.1:${this.#sandboxPort}/official/v24.0`
    for (let host = 0; host < mediaHosts; host++) await this.startMediaHost()
    if (mediaHosts > 0) this.env['MEDIA_HOSTS'] ??= this.mediaHosts.map(({ controlUrl }) => controlUrl).join(',')
  }

  /**
   * Starts one more media host, which does not wait for its calls when it is told to end; `env` overrides that of the
   * cluster. Running gateways learn of it through its registration only.
   */
  async startMediaHost(env: Env = {}): Promise<ClusterMediaHost> {
    const program = new Program('media-host/main.ts', {
      ...this.env,
      DRAIN_SECONDS: '0',
      DATA_DIR: await this.#directory(),
      ...env,
    })
    const { mediaPort = 0, controlPort = 0 } = await program.listening
    const host = { program, controlUrl: `ws://127.0.0.1:${controlPort}/control`, mediaPort, controlPort }
    this.mediaHosts.push(host)
    return host
  }

  async #directory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'cms-node-'))
    this.#directories.push(path)
    return path
  }

  /** Starts one more gateway; `env` overrides that of the cluster. */
  async startNode(env: Env = {}): Promise<ClusterNode> {
    const place = this.#places++
    const dataDir = await this.#directory()
    // Nodes share the folder of files, as in a real installation.
    await symlink((this.#media ??= await this.#directory()), join(dataDir, 'media'))
    const { program, service, nodeId } = await this.#launch(place, dataDir, env)
    const node = new ClusterNode(place, dataDir, program, service)
    node.nodeId = nodeId
    this.nodes.push(node)
    this.#balance()
    return node
  }

  /** Restarts a gateway with its data directory, and so with its name. */
  async restartNode(node: ClusterNode, env: Env = {}): Promise<void> {
    // The digits that it gave out stay taken.
    Object.assign(node, await this.#launch(this.#places++, node.dataDir, env))
    this.#balance()
  }

  /**
   * Starts a gateway of an installation of its own, on another database and without Redis, which shares only media
   * hosts and the sandbox with the cluster: whatever happens to the cluster's gateways, its calls must be left alone.
   * The media hosts must be a list.
   */
  async startApart(): Promise<Service> {
    const database = await makeDatabase()
    if (!database) throw new Error('TEST_DATABASE_URL must be set')
    this.#drops.push(database.drop)
    return (await this.#launch(this.#places++, await this.#directory(), { DATABASE_URL: database.url, REDIS_URL: '' }))
      .service
  }

  async #launch(
    place: number,
    dataDir: string,
    env: Env,
  ): Promise<Pick<ClusterNode, 'program' | 'service' | 'nodeId'>> {
    const program = new Program('src/main.ts', {
      ...this.env,
      BOOTSTRAP_TENANT_KEY: this.tenantKey,
      DATA_DIR: dataDir,
      ...env,
    })
    this.#programs.push(program)
    const ports = { ...(await program.listening), sandboxPort: this.#sandboxPort }
    const service = Service.at({ dataDir, ports, tenantKey: this.tenantKey, place }, {})
    const nodeId = { ...this.env, ...env }['NODE_ID'] ?? (await readFile(join(dataDir, 'node-id'), 'utf8')).trim()
    return { program, service, nodeId }
  }

  /** The running gateways. */
  get running(): ClusterNode[] {
    return this.nodes.filter(({ isRunning }) => isRunning)
  }

  /** Reads rows of the database. */
  async rows<T extends object>(sql: string): Promise<T[]> {
    const { default: pg } = await import('pg')
    this.#client ??= (async () => {
      const client = new pg.Client({ connectionString: this.databaseUrl })
      await client.connect()
      return client
    })()
    return (await (await this.#client).query(sql)).rows as T[]
  }

  /** The gateway that holds the number now; null when none does. */
  async ownerOf(numberId: string): Promise<ClusterNode | null> {
    const [lease] = await this.rows<{ node_id: string }>(
      `select node_id from number_leases where number_id = '${numberId}' and node_id is not null and expires_at > clock_timestamp()`,
    )
    return this.nodes.find(({ nodeId }) => nodeId === lease?.node_id) ?? null
  }

  /** A running gateway that does not hold the number. */
  async strangerTo(numberId: string): Promise<ClusterNode> {
    const owner = await this.ownerOf(numberId)
    const stranger = this.running.find((node) => node !== owner)
    if (!stranger) throw new Error('no gateway runs that does not hold the number')
    return stranger
  }

  /** Stops everything; frozen programs are not waited for. */
  async stop(): Promise<void> {
    const gateways = this.#programs.map(async (program) => {
      program.child.kill('SIGCONT')
      await program.kill('SIGTERM')
    })
    await Promise.all(gateways)
    await Promise.all(
      this.mediaHosts.map(({ program }) => {
        program.child.kill('SIGCONT')
        return program.kill('SIGTERM')
      }),
    )
    await this.sandbox?.kill('SIGTERM')
    this.#balancer?.close()
    await (await this.#client)?.end()
    await Promise.all(this.#drops.map((drop) => drop()))
    await Promise.all(this.#directories.map((path) => rm(path, { recursive: true, force: true })))
  }
}
