import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngineProcess, type EngineProcess } from '../test/helpers/engine-process.ts'
import { linkNumber, type LinkedNumber } from '../test/helpers/linked-number.ts'
import type { Network } from '../test/network/network.ts'
import { createOwnDatabase, type OwnDatabase } from './own-database.ts'

/** What is undone at the end, the newest first. */
export interface Teardowns {
  readonly scope: Parameters<typeof startEngineProcess>[0]
  run(): Promise<void>
}

export function createTeardowns(): Teardowns {
  const undos: (() => unknown)[] = []
  return {
    scope: { teardown: (undo: () => unknown) => void undos.push(undo) } as Teardowns['scope'],
    async run() {
      for (const undo of undos.toReversed()) await undo()
    },
  }
}

/** An engine that is measured, with the store it runs on. */
export interface MeasuredEngine {
  readonly store: 'SQLite' | 'PostgreSQL'
  readonly engine: EngineProcess
  readonly database: OwnDatabase | null
  readonly linked: LinkedNumber[]
  /** Digits before those of a number, so that the numbers of two engines differ. */
  readonly prefix: string
}

/** How many sessions link at once. */
const LANES = 10

/**
 * Starts an engine on SQLite, and one on a PostgreSQL database of its own where BENCH_DATABASE_URL or TEST_DATABASE_URL
 * names a server.
 */
export async function startOnStores(teardowns: Teardowns, network: Network): Promise<readonly MeasuredEngine[]> {
  const { scope } = teardowns
  const one = await startOnSqlite(teardowns, network)
  const database = await createOwnDatabase()
  if (database === null) return [one]
  scope.teardown(() => database.drop())
  const engine = await startOnPostgres(teardowns, network, database.url)
  return [one, { store: 'PostgreSQL', engine, database, linked: [], prefix: '551192' }]
}

/** Starts an engine whose store is in a folder of its own. */
export async function startOnSqlite(
  { scope }: Teardowns,
  network: Network,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredEngine> {
  const engine = await startEngineProcess(scope, network, temporaryFolder(scope), env)
  return { store: 'SQLite', engine, database: null, linked: [], prefix: '551191' }
}

/** Starts an engine whose store is in a PostgreSQL database. */
export function startOnPostgres({ scope }: Teardowns, network: Network, url: string): Promise<EngineProcess> {
  return startEngineProcess(scope, network, temporaryFolder(scope), {
    ENGINE_DATABASE_URL: url,
    ENGINE_KEY: randomBytes(32).toString('base64'),
  })
}

function temporaryFolder(scope: Teardowns['scope']): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Links numbers until the engine has so many; their events are acknowledged. */
export async function linkUntil(
  { scope }: Teardowns,
  network: Network,
  { engine, linked, prefix }: MeasuredEngine,
  count: number,
): Promise<void> {
  while (linked.length < count) {
    const batch = Array.from({ length: Math.min(LANES, count - linked.length) }, (_, index) => linked.length + index)
    const links = await Promise.all(
      batch.map((index) => linkNumber(scope, network, engine.port, `num_${index}`, `${prefix}${9_000_000 + index}`)),
    )
    for (const { client } of links) client.ackAll()
    linked.push(...links)
  }
}
