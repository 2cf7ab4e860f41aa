import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { systemClock } from '../../src/process/clock.ts'
import { createLog } from '../../src/process/log.ts'
import type { EngineEntry } from '../../src/ports/engine-register.ts'
import type { Register } from '../../src/ports/register.ts'
import { ENGINES } from '../../src/register/engines.ts'
import { openRedisRegister } from '../../src/register/redis.ts'
import {
  installEngine,
  startEngineProgram,
  startNetworkProgram,
  type EngineProgram,
  type NetworkProgram,
} from '../../tools/demo/engine-programs.ts'
import { Rest } from '../../tools/demo/rest.ts'
import { Cluster } from './cluster.ts'
import { makeDatabase, type PairedNumber } from './service.ts'
import { until } from './until.ts'

/** Numbers that pair at once; each costs the engine and the network some 0.1 s of CPU. */
const AT_ONCE = 4

/** One engine of a fleet, with a folder of its own. */
export interface FleetEngine {
  readonly program: EngineProgram
  readonly engineId: string
  readonly dataDir: string
}

/** What the offline network counts of a number (engines/baileys/test/network/socket-counts.ts), and what it keeps. */
export interface Sockets {
  readonly open: number
  readonly overlaps: number
  readonly again: number
  readonly late: number
  readonly logins: number
  readonly scans: number
  readonly waiting: number
}

/** Where a number is. */
export interface Place {
  readonly numberId: string
  /** The engine with its lease; null when that is over. */
  readonly engineId: string | null
  /** When that lease ends, in ms of the database's clock. */
  readonly leaseEndsMs: number
  /** The gateway with its lease; null when that is over. */
  readonly nodeId: string | null
  /** Rises each time a gateway takes the number. */
  readonly nodeToken: number
  readonly state: string
  readonly sockets: Sockets
}

/** Places by the digits of their numbers. */
export type Places = ReadonlyMap<string, Place>

export interface FleetOptions {
  /** Default 3. */
  readonly engines?: number
  /** Default 2. */
  readonly gateways?: number
  /** Environment of the gateways. */
  readonly env?: Record<string, string>
  /** More of the environment of the engines. */
  readonly engineEnv?: Readonly<Record<string, string>>
}

const LEASES = `select number_id as "numberId", engine_id as "holder", extract(epoch from expires_at) * 1000 as "endsMs"
  from engine.number_leases where engine_id is not null and expires_at > clock_timestamp()`
const NUMBERS = `select number.id as "numberId", number.number as digits, number.state, lease.token::integer as token,
  case when lease.expires_at > clock_timestamp() then lease.node_id end as "holder"
  from channel_numbers number left join number_leases lease on lease.number_id = number.id`

interface LeaseRow {
  readonly numberId: string
  readonly holder: string
  readonly endsMs: string
}

interface NumberRow {
  readonly numberId: string
  readonly digits: string
  readonly state: string
  readonly holder: string | null
  readonly token: number | null
}

/** What every engine of a fleet is started with. */
interface Parts {
  readonly cluster: Cluster
  readonly program: NetworkProgram
  readonly database: { readonly url: string; drop(): Promise<void> }
  readonly client: Client
  readonly register: Register<EngineEntry>
  readonly engineEnv: Readonly<Record<string, string>>
}

async function connectTo(connectionString: string): Promise<Client> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

async function registerOf({ env }: Cluster): Promise<Register<EngineEntry>> {
  return await openRedisRegister(ENGINES, {
    url: env['REDIS_URL'] ?? '',
    internalSecret: env['INTERNAL_SECRET'] ?? '',
    clock: systemClock,
    log: createLog('fleet', 'error'),
  })
}

/**
 * Engines on one PostgreSQL that register in Redis, gateways that find them there, and the offline network, each a real
 * process. TEST_DATABASE_URL and TEST_REDIS_URL must be set.
 */
export class FleetWorld {
  readonly cluster: Cluster
  /** The control interface of the offline network. */
  readonly network: Rest
  readonly #parts: Parts
  /** How many engines were ever started. */
  #started = 0
  readonly #key = randomBytes(32).toString('base64')
  /** Those that run, the oldest first. */
  engines: FleetEngine[] = []

  private constructor(parts: Parts) {
    this.cluster = parts.cluster
    this.network = new Rest(parts.program.controlUrl)
    this.#parts = parts
  }

  static async open({ engines = 3, gateways = 2, env = {}, engineEnv = {} }: FleetOptions = {}): Promise<FleetWorld> {
    await installEngine()
    const database = await makeDatabase()
    if (!database) throw new Error('TEST_DATABASE_URL must be set')
    const cluster = await Cluster.start({
      gateways,
      // Nobody calls, so none is started.
      mediaHosts: 0,
      isBalanced: true,
      // An operator's token would win over the one that both sides derive.
      env: { DEVICE_BRIDGE_URL: 'register', DEVICE_BRIDGE_TOKEN: '', MEDIA_HOSTS: 'register', ...env },
    })
    const [client, register, program] = await Promise.all([
      connectTo(database.url),
      registerOf(cluster),
      startNetworkProgram(),
    ])
    const world = new FleetWorld({ cluster, database, client, register, engineEnv, program })
    try {
      await Promise.all(Array.from({ length: engines }, () => world.startEngine()))
    } catch (error) {
      await world.stop()
      throw error
    }
    return world
  }

  /** Starts one more engine, on an empty folder; resolves once it is in the register. */
  async startEngine(): Promise<FleetEngine> {
    const { cluster, database, program: network, register, engineEnv } = this.#parts
    const dataDir = await mkdtemp(join(tmpdir(), 'cms-fleet-'))
    const program = await startEngineProgram(network, {
      dataDir,
      token: '',
      url: '',
      env: {
        ENGINE_DATABASE_URL: database.url,
        ENGINE_KEY: this.#key,
        REDIS_URL: cluster.env['REDIS_URL'] ?? '',
        INTERNAL_SECRET: cluster.env['INTERNAL_SECRET'] ?? '',
        LOG_LEVEL: 'info',
        // The network tells sockets of one engine from those of two.
        ENGINE_SOCKET_URL: `${network.socketUrl}?program=engine-${++this.#started}`,
        ...engineEnv,
      },
    })
    const entry = await until('the engine is in the register', async () =>
      (await register.list()).find(({ url }) => new URL(url).port === String(program.port)),
    )
    const engine = { program, dataDir, engineId: entry.engineId }
    this.engines = [...this.engines, engine]
    return engine
  }

  /** An engine that no longer runs, with what its machine had. */
  async forget(engine: FleetEngine): Promise<void> {
    this.engines = this.engines.filter((other) => other !== engine)
    await rm(engine.dataDir, { recursive: true, force: true })
  }

  /** Creates numbers; each is paired by the code that is typed on its phone. */
  async pair(count: number): Promise<PairedNumber[]> {
    const paired: PairedNumber[] = []
    let next = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < count) paired.push(await this.#pairOne(String(5_511_988_800_000 + next++)))
      }),
    )
    return paired
  }

  async #pairOne(digits: string): Promise<PairedNumber> {
    const { balanced, tenantKey } = this.cluster
    const made = await balanced.api('POST', '/v1/numbers', tenantKey, { name: 'Fleet', number: digits })
    if (made.status !== 201) throw new Error(`number not created: ${made.text}`)
    const { id, apiKey } = made.body
    let last = ''
    const pairingCode = await until('a code to type is shown', async () => {
      const { status, body, text } = await balanced.api('POST', `/v1/numbers/${id}/connect?pairingCode=1`, tenantKey)
      last = `${status} ${text.slice(0, 200)}`
      return body?.pairingCode as string | null
    }).catch((error: unknown) => {
      throw new Error(`${String(error)} for ${id} ${digits}: ${last}`)
    })
    await this.network.post(`/control/phones/${digits}/scan`, { pairingCode })
    await balanced.untilState(id, 'OPEN')
    return { id, digits, key: apiKey.key }
  }

  /** Looks where each number is. */
  async look(): Promise<Places> {
    const [{ rows: leases }, numbers, sockets] = await Promise.all([
      this.#parts.client.query<LeaseRow>(LEASES),
      this.cluster.rows<NumberRow>(NUMBERS),
      this.sockets(),
    ])
    const held = new Map(leases.map((lease) => [lease.numberId, lease]))
    return new Map(
      numbers.map(({ numberId, digits, state, holder, token }) => [
        digits,
        {
          numberId,
          state,
          engineId: held.get(numberId)?.holder ?? null,
          leaseEndsMs: Number(held.get(numberId)?.endsMs ?? 0),
          nodeId: holder,
          nodeToken: token ?? 0,
          sockets: sockets[digits] ?? { open: 0, overlaps: 0, again: 0, late: 0, logins: 0, scans: 0, waiting: 0 },
        },
      ]),
    )
  }

  /** What the network counts, by the digits of each number that was ever linked. */
  async sockets(): Promise<Record<string, Sockets>> {
    return await this.network.get<Record<string, Sockets>>('/control/sockets')
  }

  /** Whether the number is open on an engine that runs, for a gateway that runs. */
  isOpen({ engineId, nodeId, state, sockets }: Place): boolean {
    return (
      state === 'OPEN'
      && sockets.open === 1
      && this.engines.some((engine) => engine.engineId === engineId)
      && this.cluster.running.some((node) => node.nodeId === nodeId)
    )
  }

  /** Waits until every number is open. */
  async untilAllOpen(): Promise<void> {
    await until('every number is open', async () =>
      [...(await this.look()).values()].every((place) => this.isOpen(place)),
    )
  }

  /** How many stanzas the network still keeps for the linked devices of a number. */
  async waitingFor({ digits }: PairedNumber): Promise<number> {
    return (await this.sockets())[digits]?.waiting ?? 0
  }

  /** What a phone received, in order. */
  async received(digits: string): Promise<{ id: string; from: string; text?: string; copies: number }[]> {
    return (await this.network.get<{ messages: any[] }>(`/control/phones/${digits}/messages`)).messages
  }

  async stop(): Promise<void> {
    const { client, register, program, database } = this.#parts
    await this.cluster.stop()
    await Promise.all(
      this.engines.map(async (engine) => {
        await engine.program.kill()
        await this.forget(engine)
      }),
    )
    await register.close()
    await client.end()
    program.stop()
    await database.drop()
  }
}
