import type { ExecutionContext } from 'ava'
import { until } from '../../../../test/helpers/until.ts'
import type { Network } from '../network/network.ts'
import { networkFor } from '../network/started.ts'
import { startEngineProcess, type EngineProcess } from './engine-process.ts'
import { linkNumber, type LinkedNumber } from './linked-number.ts'
import { KEY, temporaryFolder } from './open-store.ts'
import { persistGateway, type PersistentGateway } from './persistent-gateway.ts'
import { runOn, temporaryDatabase } from './test-database.ts'

/** Engines on one database, and gateways that ask one after the other until one takes their number. */
export interface EngineFleet {
  readonly network: Network
  readonly linked: readonly LinkedNumber[]
  readonly gateways: readonly PersistentGateway[]
  /** Kills an engine and starts another one, on another machine. */
  kill(): Promise<void>
  /**
   * Stops an engine's process until every number of it is open elsewhere, and lets it run again. Resolves once it has
   * noticed, and takes numbers again.
   */
  freeze(): Promise<void>
  /** Starts a successor for each engine, and ends the engine. */
  roll(): Promise<void>
  /** Ends all connections to the database. */
  cut(): Promise<void>
  /** Resolves once every number is open. */
  allOpen(): Promise<void>
}

const ENGINES = 3
/** our choice, in ms: short, so that takers do not wait long. */
const LEASE_MS = 3_000

/** Starts engines, and links numbers to them in turn. */
export async function engineFleet(t: ExecutionContext, server: string, numbers: number): Promise<EngineFleet> {
  const [network, url] = await Promise.all([networkFor(t), temporaryDatabase(t, server)])
  const env = {
    ENGINE_DATABASE_URL: url,
    ENGINE_KEY: KEY.toString('base64'),
    LEASE_TTL_MS: String(LEASE_MS),
    DRAIN_SECONDS: '10',
  }
  const start = (): Promise<EngineProcess> => startEngineProcess(t, network, temporaryFolder(t), env)
  /** Engines that gateways ask, as a register names them. */
  let known = await Promise.all(Array.from({ length: ENGINES }, start))
  let asked = 0
  const next = (): number => known[asked++ % known.length]?.port ?? 0
  const linked: LinkedNumber[] = []
  for (let index = 0; index < numbers; index++)
    linked.push(await linkNumber(t, network, next(), `num_${index}`, String(551_199_990_000 + index)))
  const gateways = linked.map((number) => persistGateway(t, number, next))
  t.teardown(() => {
    for (const gateway of gateways) gateway.stop()
  })
  const allOpen = async (): Promise<void> =>
    void (await until('all numbers are open', () => gateways.every(({ state }) => state === 'OPEN')))
  const forget = (engine: EngineProcess): void => {
    known = known.filter((other) => other !== engine)
  }

  return {
    network,
    linked,
    gateways,
    allOpen,
    async kill() {
      const [victim] = known
      if (!victim) return
      forget(victim)
      await victim.kill()
      known = [...known, await start()]
      await allOpen()
    },
    async freeze() {
      const [victim] = known
      if (!victim) return
      forget(victim)
      process.kill(victim.pid, 'SIGSTOP')
      const lines = victim.said.length
      const held = gateways.filter(({ port }) => port === victim.port)
      for (const gateway of held) gateway.drop()
      await until('its numbers are open elsewhere', () =>
        held.every(({ port, state }) => port !== victim.port && state === 'OPEN'),
      )
      process.kill(victim.pid, 'SIGCONT')
      if (held.length > 0)
        await until('it notices that it lost them', () =>
          victim.said.slice(lines).includes('the number is not held any more'),
        )
      known = [...known, victim]
    },
    async roll() {
      for (const old of known) {
        known = [...known.filter((other) => other !== old), await start()]
        t.is(await old.stop(), 0)
      }
      await allOpen()
    },
    async cut() {
      await runOn(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'engine'",
      )
      await allOpen()
    },
  }
}
