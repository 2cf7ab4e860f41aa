import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { systemClock } from '../process/clock.ts'
import { createMetrics, type ProcessMetrics } from '../process/metrics.ts'
import { createClosing, type Closing } from './closing.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

/** What every part is given: the process's own, and the two lists each part adds itself to. */
export interface Core {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly metrics: ProcessMetrics
  /** Closes the parts. */
  readonly closing: Closing
  /** Recurring work of the parts; begins once all of them are open. */
  readonly upkeep: Upkeep
}

/** Makes what every part is given; nothing is opened yet. */
export function createCore(config: Config, log: Log): Core {
  const clock = systemClock
  const metrics = createMetrics()
  return { config, clock, log, metrics, closing: createClosing(log), upkeep: createUpkeep({ clock, log, metrics }) }
}
