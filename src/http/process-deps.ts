import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'

/** What any part of a process needs. */
export interface ProcessDeps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}
