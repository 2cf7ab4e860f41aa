import type { Cluster } from '../cluster.ts'
import type { Workload } from '../workload.ts'

/** What a checker looks at once a run is over and everything has come to rest. */
export interface Run {
  readonly cluster: Cluster
  readonly workload: Workload
  /** Whether nothing outside of the service failed or was slow. */
  readonly isCalm: boolean
}

/** Names each broken promise in a sentence; none when the run kept it. */
export type Checker = (run: Run) => string[]
