import { randomInt } from 'node:crypto'
import { join, resolve } from 'node:path'
import { systemClock } from '../../src/process/clock.ts'
import { createLog } from '../../src/process/log.ts'
import { ENGINES } from '../../src/register/engines.ts'
import { openRedisRegister } from '../../src/register/redis.ts'
import {
  installEngine,
  startEngineProgram,
  startNetworkProgram,
  type EngineProgram,
  type NetworkProgram,
} from './engine-programs.ts'
import { eventually } from './eventually.ts'
import type { Report } from './report.ts'
import { Rest } from './rest.ts'

/** How long to wait, in ms, our choice: a dead engine's number is free after seconds, on a busy machine later. */
const PATIENCE_MS = 120_000
const CONTACT = '5511999990002'

export interface EnginesSettings {
  readonly folder: string
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly internalSecret: string
  /** ENGINE_KEY, base64 of 32 bytes: the same at each start, for the database is read with it. */
  readonly key: string
}

/** The engines of a cluster and the offline network that they connect to. */
export interface ClusterEngines {
  readonly network: Rest
  /** The engine with a session, from the register; null while none of those that run says it has one. */
  holder(): Promise<EngineProgram | null>
  /** Kills the engine with SIGKILL. */
  kill(engine: EngineProgram): Promise<void>
  /** How many run. */
  readonly running: number
  stop(): Promise<void>
}

async function startEngines(
  network: NetworkProgram,
  { folder, databaseUrl, redisUrl, internalSecret, key }: EnginesSettings,
  count: number,
): Promise<EngineProgram[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startEngineProgram(network, {
        dataDir: join(folder, `engine-${index + 1}`),
        token: '',
        url: '',
        env: {
          ENGINE_DATABASE_URL: databaseUrl,
          ENGINE_KEY: key,
          REDIS_URL: redisUrl,
          INTERNAL_SECRET: internalSecret,
          LOG_LEVEL: 'info',
        },
      }),
    ),
  )
}

/** Starts the offline network and so many engines, which share a database and register in Redis. */
export async function startClusterEngines(settings: EnginesSettings, count: number): Promise<ClusterEngines> {
  await installEngine()
  const folder = resolve(settings.folder)
  const network = await startNetworkProgram()
  const running = new Set(await startEngines(network, { ...settings, folder }, count))
  const { redisUrl: url, internalSecret } = settings
  const register = await openRedisRegister(ENGINES, {
    url,
    internalSecret,
    clock: systemClock,
    log: createLog('cluster', 'error'),
  })
  return {
    network: new Rest(network.controlUrl),
    async holder() {
      const ports = (await register.list())
        .filter(({ sessions }) => sessions > 0)
        .map((entry) => new URL(entry.url).port)
      return [...running].find(({ port }) => ports.includes(String(port))) ?? null
    },
    async kill(engine) {
      running.delete(engine)
      await engine.kill()
    },
    get running() {
      return running.size
    },
    async stop() {
      await register.close()
      for (const engine of running) engine.stop()
      network.stop()
    },
  }
}

/** What the story of the engines is told with; `tenant` speaks through the balancer at `base`. */
export interface EnginesStage {
  readonly engines: ClusterEngines
  readonly base: string
  readonly tenant: Rest
}

async function untilOpen(tenant: Rest, id: string): Promise<void> {
  await eventually(
    'the number is OPEN',
    async () => ((await tenant.get<{ state: string }>(`/v1/numbers/${id}/status`)).state === 'OPEN' ? true : null),
    PATIENCE_MS,
  )
}

async function pair(
  { engines, tenant }: EnginesStage,
  digits: string,
): Promise<{ id: string; apiKey: { key: string } }> {
  const made = await tenant.post<{ id: string; apiKey: { key: string } }>('/v1/numbers', {
    name: 'Fleet',
    number: digits,
  })
  const pairingCode = await eventually(
    'a code to type on the phone',
    async () =>
      await tenant.post<{ pairingCode: string | null }>(`/v1/numbers/${made.id}/connect?pairingCode=1`).then(
        (code) => code.pairingCode,
        () => null,
      ),
    PATIENCE_MS,
  )
  await engines.network.post(`/control/phones/${digits}/scan`, { pairingCode })
  await untilOpen(tenant, made.id)
  return made
}

/** The linked devices of the phone, as text. */
async function devicesOf({ engines }: EnginesStage, digits: string): Promise<string> {
  const { devices } = await engines.network.get<{ devices: readonly { jid: string }[] }>(`/control/phones/${digits}`)
  return devices.map(({ jid }) => jid).join(', ')
}

async function hear({ engines }: EnginesStage, number: Rest, to: string, text: string): Promise<void> {
  await engines.network.post(`/control/phones/${CONTACT}/text`, { to, text })
  await eventually(
    'the message is stored',
    async () => {
      const { messages } = await number.get<{ messages: { content: string | null }[] }>(
        '/v1/messages/history?pageSize=50',
      )
      return messages.some(({ content }) => content === text) || null
    },
    PATIENCE_MS,
  )
}

/** Kills the engine of a paired number; another opens it without a scan and its messages are read on. */
export async function tellEnginesStory(stage: EnginesStage, report: Report): Promise<void> {
  const { engines, base, tenant } = stage
  const digits = `55119${randomInt(10_000_000, 99_999_999)}`
  const made = await report.step('pair a number, through any gateway and engine', async () => {
    return [await pair(stage, digits), 'OPEN'] as const
  })
  const number = new Rest(base, made.apiKey.key)
  const holder = await report.step('a message is read', async () => {
    await hear(stage, number, digits, 'before')
    return [
      await eventually('an engine says that it holds the number', () => engines.holder(), PATIENCE_MS),
      'stored',
    ] as const
  })
  await report.step('kill -9 the engine that holds the number', async () => {
    await engines.kill(holder)
    return [undefined, `engine :${holder.port} is gone, ${engines.running} are left`] as const
  })
  await report.step('another engine opens it, without a scan', async () => {
    const before = await devicesOf(stage, digits)
    const next = await eventually('another engine holds the number', () => engines.holder(), PATIENCE_MS)
    await untilOpen(tenant, made.id)
    const devices = await devicesOf(stage, digits)
    if (devices !== before) throw new Error(`the phone has ${devices} linked devices, and had ${before}`)
    return [undefined, `engine :${next.port}; the number is OPEN on the same linked device`] as const
  })
  await report.step('a message is read on', async () => {
    await hear(stage, number, digits, 'after')
    return [undefined, 'stored'] as const
  })
  await tenant.delete(`/v1/numbers/${made.id}`)
}
