import type { FlowId } from '../../domain/ids.ts'
import type { FlowOwner, ListedFlow, MergeListedFlow, StoredFlow } from '../../ports/stores/flow-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { wholeRows } from '../engine/whole-rows.ts'
import { removeResponsesOfFlows } from '../flow-responses/sql.ts'
import { LOCK_ACCOUNT } from '../official-accounts/accounts.ts'
import { PageRows, type PageFate } from '../official-accounts/page.ts'
import { noteRemoved, sparingRemoved } from '../official-accounts/removals.ts'
import { ALL_COLUMNS, C, F, FLOWS, newRow, patched, S, toRecord, toStored, WRITTEN, type FlowRow } from './row.ts'

/**
 * Upstream's ids are unique within an account of a tenant, and so are the names of Flows that wait to reach upstream.
 */
export const { insertRows, writeRows } = wholeRows('flows', {
  rows: FLOWS,
  written: WRITTEN,
  order: ['accountId', 'externalId', 'name'],
  toRecord,
})

/**
 * Removes locked rows with their responses. A writer of a response holds the lock of its Flow meanwhile, and a later
 * one finds no Flow.
 */
export async function removeRows(session: SqlSession, ids: readonly FlowId[]): Promise<void> {
  if (ids.length === 0) return
  await session.query(`delete from flows where ${C.id} = any($1::text[])`, [ids])
  await removeResponsesOfFlows(session, ids)
}

/** Removes locked rows with their responses, and notes it, so that no page of before brings them back. */
export async function removeNoted(session: SqlSession, ids: readonly FlowId[], nowMs: number): Promise<void> {
  await noteRemoved(session, 'flows', ids, nowMs)
  await removeRows(session, ids)
}

/** The outcome of a page of a listing. */
export interface FlowMergeCounts {
  readonly imported: number
  readonly updated: number
}

const LOCK_ROWS = `select ${ALL_COLUMNS} from flows f where ${F.id} in (
    select ${C.id} from flows where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.externalId} = any($3::text[])
    union all select ${C.id} from flows where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.externalId} is null and ${C.ask} is not null and ${C.name} = any($4::text[])
  ) order by ${F.id} for update`

const SEE = `insert into flow_sightings (${S.flowId}, ${S.listing}) select ${C.id}, $2 from flows where ${C.id} = any($1::text[])
  on conflict (${S.flowId}) do update set ${S.listing} = greatest(flow_sightings.${S.listing}, excluded.${S.listing})`

const [byId, byName] = [(externalId: string) => `id ${externalId}`, (name: string) => `name ${name}`]

/** Keys of a row. A name finds only a Flow that waits to reach upstream, because upstream's names may change. */
function keysOf({ officialFlowId, name }: StoredFlow): string[] {
  return [officialFlowId === null ? byName(name) : byId(officialFlowId)]
}

/** Merges a page in a transaction, with the same number of statements however many Flows it has. */
export async function mergePage<T extends ListedFlow>(
  session: SqlSession,
  owner: FlowOwner,
  listing: string | null,
  listed: readonly T[],
  decide: MergeListedFlow<T>,
  nowMs: number,
): Promise<FlowMergeCounts> {
  const account = [owner.accountId, owner.tenantId]
  if (listed.length === 0 || (await session.query(LOCK_ACCOUNT, account)).length === 0)
    return { imported: 0, updated: 0 }
  const found = await session.query<FlowRow>(LOCK_ROWS, [
    ...account,
    listed.map(({ externalId }) => externalId),
    listed.map(({ name }) => name),
  ])
  const settled = await sparingRemoved(session, owner, listed, decide, nowMs)
  const rows = new PageRows<StoredFlow>(found.map(toStored), keysOf)
  const met = listed
    .map((one) => rows.settle([byId(one.externalId), byName(one.name)], (row) => fateOf(settled(one, row), nowMs)))
    .filter((id) => id !== null)
  await removeNoted(session, rows.removed, nowMs)
  await writeRows(
    session,
    rows.changed.map(({ after }) => after),
  )
  const inserted = await insertRows(
    session,
    rows.fresh.map(({ after }) => after),
  )
  if (listing !== null) await session.query(SEE, [[...new Set(met)], listing])
  return { imported: inserted.size, updated: rows.changed.length }
}

function fateOf(fate: ReturnType<MergeListedFlow<ListedFlow>>, nowMs: number): PageFate<StoredFlow> {
  if (fate.kind === 'CREATE') return { kind: 'CREATE', row: newRow(fate.flow, nowMs) }
  return fate.kind === 'CHANGE' ? { kind: 'CHANGE', change: (row) => patched(row, fate.patch, nowMs) } : fate
}
