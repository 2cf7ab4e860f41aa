import type { FlowId } from '../../domain/ids.ts'
import type { SqlSession } from '../engine/database.ts'
import { wholeRows } from '../engine/whole-rows.ts'
import { removeResponsesOfFlows } from '../flow-responses/sql.ts'
import { C, FLOWS, toRecord, WRITTEN } from './row.ts'

/** Unique are the upstream ids of an account in a tenant, and the names of those that wait to reach upstream. */
export const { insertRows, writeRows } = wholeRows('flows', {
  rows: FLOWS,
  written: WRITTEN,
  order: ['accountId', 'externalId', 'name'],
  toRecord,
})

/**
 * Removes rows that are locked, with their responses: whoever stores one holds its Flow meanwhile, and finds none
 * later.
 */
export async function removeRows(session: SqlSession, ids: readonly FlowId[]): Promise<void> {
  if (ids.length === 0) return
  await session.query(`delete from flows where ${C.id} = any($1::text[])`, [ids])
  await removeResponsesOfFlows(session, ids)
}
