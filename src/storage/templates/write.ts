import type { TemplateId, TenantId } from '../../domain/ids.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { toRecordset } from '../engine/rows.ts'
import { wholeRows } from '../engine/whole-rows.ts'
import { HELD, TAKE_OVER } from '../files/store.ts'
import type { LeftRow } from '../official-accounts/page.ts'
import { noteRemoved } from '../official-accounts/removals.ts'
import { C, filesOf, TEMPLATES, toRecord, WRITTEN } from './row.ts'

/** Names and upstream ids are unique within an account of a tenant, and names within a number. */
export const { insertRows, writeRows } = wholeRows('templates', {
  rows: TEMPLATES,
  written: WRITTEN,
  order: ['accountId', 'name', 'language'],
  toRecord,
})

/** Removes locked rows, and notes it, so that no page of before brings them back. */
export async function removeNoted(session: SqlSession, ids: readonly TemplateId[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  await noteRemoved(session, 'templates', ids, nowMs)
  await session.query(`delete from templates where ${C.id} = any($1::text[])`, [ids])
}

/** Gives templates the files that their rows newly name, and lets go of those that they no longer name. */
export async function moveFiles(
  session: SqlSession,
  tenantId: TenantId,
  rows: readonly LeftRow<StoredTemplate>[],
): Promise<void> {
  const moved = rows.filter(
    ({ before, after }) => (before === null ? '' : filesOf(before).join()) !== filesOf(after).join(),
  )
  if (moved.length === 0) return
  const named = moved.flatMap(({ after }) => filesOf(after).map((id) => ({ template_id: after.id, file_id: id })))
  await session.query(TAKE_OVER, [toRecordset(named), moved.map(({ after }) => after.id), tenantId, HELD.toISOString()])
}
