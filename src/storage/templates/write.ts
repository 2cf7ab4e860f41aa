import type { TemplateId, TenantId } from '../../domain/ids.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { toRecordset } from '../engine/rows.ts'
import { HELD, TAKE_OVER } from '../files/held.ts'
import { filesOf, INSERT, toRecord, WRITE } from './row.ts'

/** A row before and after; null: it is new. */
export interface WrittenRow {
  readonly before: StoredTemplate | null
  readonly after: StoredTemplate
}

/** Stores new rows; answers the ids of those whose names were free. */
export async function insertRows(session: SqlSession, rows: readonly StoredTemplate[]): Promise<Set<TemplateId>> {
  if (rows.length === 0) return new Set()
  const inserted = await session.query<{ id: TemplateId }>(INSERT, [toRecordset(rows.map(toRecord))])
  return new Set(inserted.map(({ id }) => id))
}

/** Writes over rows that are locked. */
export async function writeRows(session: SqlSession, rows: readonly StoredTemplate[]): Promise<void> {
  if (rows.length > 0) await session.query(WRITE, [toRecordset(rows.map(toRecord))])
}

/** Takes files over that rows of a tenant newly name, and lets go of those they name no more. */
export async function moveFiles(session: SqlSession, tenantId: TenantId, rows: readonly WrittenRow[]): Promise<void> {
  const moved = rows.filter(({ before, after }) => (before === null ? '' : filesOf(before).join()) !== filesOf(after).join())
  if (moved.length === 0) return
  const named = moved.flatMap(({ after }) => filesOf(after).map((id) => ({ template_id: after.id, file_id: id })))
  await session.query(TAKE_OVER, [toRecordset(named), moved.map(({ after }) => after.id), tenantId, HELD.toISOString()])
}
