import type { FlowId } from '../../domain/ids.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { toRecordset } from '../engine/rows.ts'
import { removeResponsesOfFlows } from '../flow-responses/removal.ts'
import { INSERT, toRecord, WRITE } from './row.ts'

/** Stores new rows; answers the ids of those whose upstream ids, or whose names, were free. */
export async function insertRows(session: SqlSession, rows: readonly StoredFlow[]): Promise<Set<FlowId>> {
  if (rows.length === 0) return new Set()
  const inserted = await session.query<{ id: FlowId }>(INSERT, [toRecordset(rows.map(toRecord))])
  return new Set(inserted.map(({ id }) => id))
}

/** Writes over rows that are locked. Throws a violation of their uniqueness where another row has the upstream id, or the name of one that waits to reach upstream. */
export async function writeRows(session: SqlSession, rows: readonly StoredFlow[]): Promise<void> {
  if (rows.length > 0) await session.query(WRITE, [toRecordset(rows.map(toRecord))])
}

/** Removes rows that are locked, with their responses: whoever stores one holds its Flow meanwhile, and finds none later. */
export async function removeRows(session: SqlSession, ids: readonly FlowId[]): Promise<void> {
  if (ids.length === 0) return
  await session.query('delete from flows where id = any($1::text[])', [ids])
  await removeResponsesOfFlows(session, ids)
}
