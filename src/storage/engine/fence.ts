import type { WriteResult } from '../../ports/stores/call-store.ts'

/**
 * A CTE `fence` with one row while the writer still owns the number. It share-locks the lease
 * row, so a taker waits for writes under way and then reads what they stored; a writer that
 * comes after the taker finds another token and writes nothing (architecture 6).
 */
export function fenceCte(numberId: string, token: string): string {
  return `fence as (select 1 from number_leases where number_id = ${numberId} and token = ${token}::bigint for share)`
}

/** SQL of the one row a fenced statement answers; `changed` is the CTE of the state it writes. */
export function fencedAnswer(changed: string): string {
  return `select exists (select 1 from fence) as is_owner, exists (select 1 from ${changed}) as is_applied`
}

export type FencedRow = Readonly<Record<'is_owner' | 'is_applied', boolean>>

export function toWriteResult(row: FencedRow | undefined): WriteResult {
  if (!row?.is_owner) return 'fenced'
  return row.is_applied ? 'applied' : 'conflict'
}
