import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Listening } from '../../../src/process/child.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { StartFault as ChildFault } from '../../../src/process/start-fault.ts'
import { superviseAll, workerCount } from '../../../src/process/workers.ts'
import { StartFault, type Config, type Environment } from './config.ts'
import type { Log } from './log.ts'

/** our choice: ms that a worker may take to close after it handed its numbers over. */
const CLOSE_MS = 15_000

/** The engines that one program runs, each in a process of its own. */
export interface Workers {
  readonly ports: readonly number[]
  /** Tells each to hand over and to end; resolves when all have. Idempotent. */
  stop(): Promise<void>
}

/**
 * The environment of worker `index`: an engine of one process, with ports and a folder of its own. `last` is the report
 * of its former start: its port stays the same, so that its address stays valid.
 */
export function workerEnvironment(
  env: Environment,
  { port, metricsPort, publicUrl, dataDir }: Pick<Config, 'port' | 'metricsPort' | 'publicUrl' | 'dataDir'>,
  index: number,
  last: Listening | null,
): Record<string, string> {
  const own = (wanted: number): number => (wanted === 0 ? 0 : wanted + index)
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    ...Object.fromEntries(given),
    ENGINE_WORKERS: '1',
    ENGINE_PORT: String(last?.['port'] ?? own(port)),
    ENGINE_METRICS_PORT: metricsPort === null ? '' : String(own(metricsPort)),
    ENGINE_URL: publicUrl?.replaceAll('{worker}', String(index)) ?? '',
    ENGINE_DATA_DIR: index === 0 ? dataDir : join(dataDir, `worker-${index}`),
  }
}

/**
 * Starts the workers; one that dies is started again. Throws a StartFault when one cannot start, and then none runs.
 */
export async function startWorkers(config: Config, env: Environment, log: Log): Promise<Workers> {
  const programs = Array.from({ length: workerCount(config.workers) }, (_, index) => ({
    name: `worker ${index}`,
    // The program that runs, which may be the engine within another one.
    file: pathToFileURL(process.argv[1] ?? ''),
    env: (last: Listening | null) => workerEnvironment(env, config, index, last),
    stopMs: config.drainMs + CLOSE_MS,
  }))
  const { children, stop } = await superviseAll(programs, systemClock, log).catch((error: unknown) => {
    throw error instanceof ChildFault ? new StartFault(error.message) : error
  })
  return { ports: children.map(({ listening }) => Number(listening['port'])), stop }
}
