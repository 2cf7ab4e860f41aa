/** Runs one media host program as several processes, one for each core ([configuration.variables.32]). */
import type { Listening } from '../src/process/child.ts'
import { StartFault } from '../src/process/start-fault.ts'
import { superviseAll, workerCount } from '../src/process/workers.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'

export interface WorkerSettings {
  readonly workers: number | 'auto'
  readonly mediaPort: number
  readonly controlPort: number
  readonly publicUrl: string | null
  readonly advertiseControl: string | null
  readonly rtpPorts: readonly [number, number] | null
  readonly dataDir: string
  readonly drainMs: number
}

export interface RunningWorkers {
  readonly mediaPorts: readonly number[]
  readonly controlPorts: readonly number[]
  /** Tells each worker to end; resolves when all have. Idempotent. */
  drain(): Promise<void>
  /** Ends the remaining workers at once, and waits for them. */
  close(): Promise<void>
}

/** our choice: ms that a worker may take to close after it drained. */
const CLOSE_MS = 5_000

/**
 * The part of the environment that differs for worker `index` of `count`: ports, its share of the ports of legs, its
 * own directory. Each worker is a media host of one process. `last` is the report of its former start: the ports stay
 * the same, so that its address stays valid.
 */
export function workerEnvironment(
  settings: WorkerSettings,
  index: number,
  count: number,
  last: Listening | null,
): Record<string, string> {
  const port = (name: string, wanted: number): string => String(last?.[name] ?? (wanted === 0 ? 0 : wanted + index))
  const named = (url: string | null): string => (url ?? '').replaceAll('{worker}', String(index))
  return {
    MEDIA_WORKERS: '1',
    MEDIA_PORT: port('mediaPort', settings.mediaPort),
    MEDIA_CONTROL_PORT: port('controlPort', settings.controlPort),
    MEDIA_PUBLIC_URL: named(settings.publicUrl),
    MEDIA_ADVERTISE_CONTROL: named(settings.advertiseControl),
    RTP_PORTS: settings.rtpPorts === null ? '' : shareOf(settings.rtpPorts, index, count).join('-'),
    DATA_DIR: index === 0 ? settings.dataDir : `${settings.dataDir}/worker-${index}`,
  }
}

/** An equal part of a range of ports, because processes that share one range would collide. */
function shareOf([low, high]: readonly [number, number], index: number, count: number): [number, number] {
  const size = Math.floor((high - low + 1) / count)
  if (size < 1) throw new StartFault(`RTP_PORTS: has fewer ports than there are workers (${count})`)
  return [low + index * size, low + (index + 1) * size - 1]
}

/**
 * Starts all workers; each is started again when it dies. `environment` is common to them. Rejects when one does not
 * start, and then none runs.
 */
export async function startWorkers(
  settings: WorkerSettings,
  environment: Record<string, string>,
  clock: Clock,
  log: Log,
): Promise<RunningWorkers> {
  const count = workerCount(settings.workers)
  const programs = Array.from({ length: count }, (_, index) => ({
    name: `worker ${index}`,
    file: new URL('./main.ts', import.meta.url),
    env: (last: Listening | null) => ({ ...environment, ...workerEnvironment(settings, index, count, last) }),
    stopMs: settings.drainMs + CLOSE_MS,
  }))
  const { children: workers, stop } = await superviseAll(programs, clock, log)
  return {
    mediaPorts: workers.map((worker) => Number(worker.listening['mediaPort'])),
    controlPorts: workers.map((worker) => Number(worker.listening['controlPort'])),
    drain: stop,
    close() {
      const stopped = stop()
      for (const worker of workers) worker.hurry()
      return stopped
    },
  }
}
