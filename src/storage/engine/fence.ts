import type { Fence } from '../../ports/leases.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import { keptStatement, type KeptStatement } from './database.ts'

/**
 * SQL of a CTE `fence` with one row while the writer still owns the number. It share-locks the lease row, so a taker
 * waits for writes under way and then reads what they stored; a writer that comes after the taker finds another token
 * and writes nothing ([nodes.placement.5]).
 */
export function fenceCte(numberId: string, token: string): string {
  return `fence as (select 1 from number_leases where number_id = ${numberId} and token = ${token}::bigint for share)`
}

/** SQL of the one row that a fenced statement answers; `changed` is the CTE of the state it writes. */
export function fencedAnswer(changed: string): string {
  return `select exists (select 1 from fence) as is_owner, exists (select 1 from ${changed}) as is_applied`
}

export type FencedRow = Readonly<Record<'is_owner' | 'is_applied', boolean>>

export function toWriteResult(row: FencedRow | undefined): WriteResult {
  if (!row?.is_owner) return 'fenced'
  return row.is_applied ? 'applied' : 'conflict'
}

/**
 * The outcome of one of many fenced writes. `is_busy` is true when the lease has the writer's token but its row was
 * locked by somebody else; `is_behind` is true when two writes of one statement met in a row and this one did not get
 * its turn. `Flag` is what the statement tells beside these.
 */
export type FencedItem<Flag extends string = never> = { readonly place: number } & Readonly<
  Record<'is_owner' | 'is_busy' | 'is_behind' | Flag, boolean>
>

/**
 * SQL of the CTEs `given` (the rows of `$1`, with `place`, `number_id`, `token` and `columns`) and `owned` (those whose
 * writer still owns the number). It share-locks the leases as `fenceCte` does. A statement of several writes passes
 * over leases that are locked: waiting for one while holding others could deadlock with the node that renews them all.
 * A statement of one write waits.
 */
export function ownedCtes(columns: string, isAlone: boolean): string {
  return `given as (
      select * from json_to_recordset($1::json) as g (place integer, number_id text, token bigint, ${columns})
    ), fence as (
      select l.number_id, l.token from number_leases l where (l.number_id, l.token) in (select number_id, token from given) for share of l ${isAlone ? '' : 'skip locked'}
    ), owned as (
      select given.* from given join fence on fence.number_id = given.number_id and fence.token = given.token
    )`
}

/** Both kept forms of a fenced statement: for many writes at once, and for one alone. */
export function keptFenced(sqlOf: (isAlone: boolean) => string): (isAlone: boolean) => KeptStatement {
  const [together, alone] = [keptStatement(sqlOf(false)), keptStatement(sqlOf(true))]
  return (isAlone) => (isAlone ? alone : together)
}

/** SQL of the columns of FencedItem for rows of `given`; `turns` is the CTE of the places that got their turn. */
export function fencedColumns(turns: string): string {
  return `given.place, given.place in (select place from owned) as is_owner,
    exists (select 1 from number_leases l where l.number_id = given.number_id and l.token = given.token) as is_busy,
    given.place in (select place from owned) and given.place not in (select place from ${turns}) as is_behind`
}

export function fenceFields({ numberId, token }: Fence) {
  return { number_id: numberId, token }
}

/**
 * Runs writes together, then those that were passed over again, each alone, in their order. `run` answers a row for
 * each item; `toResult` reads the row of an item whose fate is decided.
 */
export async function runFenced<T, W extends FencedItem, R>(
  items: readonly T[],
  run: (items: readonly T[], isAlone: boolean) => Promise<readonly W[]>,
  toResult: (row: W, item: T) => R,
): Promise<(R | 'fenced')[]> {
  const rows = new Map((await run(items, items.length === 1)).map((row) => [row.place, row]))
  const results: (R | 'fenced')[] = []
  for (const [place, item] of items.entries()) {
    let row = rows.get(place)
    const isOpen = items.length > 1 && row !== undefined && (row.is_behind || (!row.is_owner && row.is_busy))
    if (isOpen) row = (await run([item], true))[0]
    if (!row) throw new Error('a fenced write has no answer')
    results.push(row.is_owner ? toResult(row, item) : 'fenced')
  }
  return results
}
