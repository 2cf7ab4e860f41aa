import type { NumberId } from '../../src/domain/ids.ts'
import type { AccountClients } from '../accounts/clients.ts'
import type { Cluster } from '../cluster.ts'
import type { Accepted, Canceled, Configured, Removed, Unverified, Written } from '../seen.ts'
import type { Workload } from '../workload.ts'

/** What a checker looks at once a run is over and everything has come to rest. */
export interface Run {
  readonly cluster: Cluster
  /** The numbers that were not removed, and what clients did with them. */
  readonly numbers: readonly NumberId[]
  readonly accepted: readonly Accepted[]
  readonly written: readonly Written[]
  readonly configured: readonly Configured[]
  readonly canceled: readonly Canceled[]
  readonly accounts: AccountClients
  /** What a tenant could not verify although it knew one of the secrets that sign. */
  readonly unverified: readonly Unverified[]
  /** The numbers that were removed, with what was accepted for them. */
  readonly removed: readonly (Removed & { readonly accepted: readonly Accepted[] })[]
  /** Whether nothing outside of the service failed or was slow. */
  readonly isCalm: boolean
}

/** Names each broken promise in a sentence; none when the run kept it. */
export type Checker = (run: Run) => string[]

export function runOf(cluster: Cluster, workload: Workload, isCalm: boolean): Run {
  const gone = new Set(workload.removed.map(({ numberId }) => numberId))
  const isLiving = ({ numberId }: { readonly numberId: NumberId }) => !gone.has(numberId)
  return {
    cluster,
    isCalm,
    numbers: cluster.numbers.filter((numberId) => !gone.has(numberId)),
    accepted: workload.accepted.filter(isLiving),
    written: workload.written.filter(isLiving),
    canceled: workload.batches.canceled,
    accounts: workload.accounts,
    unverified: workload.rotations.unverified,
    configured: workload.configured.filter(isLiving),
    removed: workload.removed.map((one) => ({
      ...one,
      accepted: workload.accepted.filter(({ numberId }) => numberId === one.numberId),
    })),
  }
}
