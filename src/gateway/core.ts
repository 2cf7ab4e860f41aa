import type { Config } from '../config.ts'
import type { NodeId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { patientClock, systemClock } from '../process/clock.ts'
import { createMetrics, type ProcessMetrics } from '../process/metrics.ts'
import type { Traces } from '../ports/traces.ts'
import { createClosing, type Closing } from './closing.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

/** What every part is given: the process's own ports, and the two lists that each part adds itself to. */
export interface Core {
  readonly config: Config
  /** Names this node. */
  readonly nodeId: NodeId
  readonly clock: Clock
  /** The clock by which the database is waited for. */
  readonly databaseClock: Clock
  readonly log: Log
  readonly metrics: ProcessMetrics
  readonly traces: Traces
  /** Closes the parts. */
  readonly closing: Closing
  /** Recurring work of the parts; begins once all of them are open. */
  readonly upkeep: Upkeep
  /**
   * Ends the process as failed, because it cannot go on for the reason in `line`; everything is closed first. Returns
   * at once.
   */
  end(line: string): void
}

/** Makes the core; nothing is opened yet. `end` is called when the process cannot go on. */
export function createCore(
  config: Config,
  { nodeId, log, traces }: Pick<Core, 'nodeId' | 'log' | 'traces'>,
  end: Core['end'],
): Core {
  const clock = systemClock
  const metrics = createMetrics()
  metrics.gauge('node_info', 'Which node this is; always 1.', ['node']).set(1, { node: nodeId })
  return {
    config,
    nodeId,
    clock,
    databaseClock: patientClock(clock, config.databasePatience),
    log,
    metrics,
    traces,
    closing: createClosing(log),
    upkeep: createUpkeep({ clock, log, metrics }),
    end,
  }
}
