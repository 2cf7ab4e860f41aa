import { REMOVED_STAYS_MS } from '../../domain/limits.ts'
import type { SqlSession } from '../engine/database.ts'

/*
 * What was removed of accounts within REMOVED_STAYS_MS, by upstream's ids, which upstream gives once. A page of a
 * listing that was read before a removal does not bring it back.
 */

/** Notes that locked rows are removed, those that upstream knew, in the transaction that removes them. */
export async function noteRemoved(
  session: SqlSession,
  table: 'templates' | 'flows',
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return
  await session.query(
    `insert into official_removals (account_id, tenant_id, external_id, removed_at)
      select account_id, tenant_id, external_id, $2::timestamptz from ${table} where id = any($1::text[]) and account_id is not null and external_id is not null
      on conflict (account_id, tenant_id, external_id) do update set removed_at = excluded.removed_at`,
    [ids, new Date(nowMs).toISOString()],
  )
}

/**
 * Those of the ids that were removed a moment ago. It is asked after the rows of the page were locked, so that what is
 * missing among them because it was removed is found here.
 */
export async function justRemoved(
  session: SqlSession,
  account: readonly [accountId: string, tenantId: string],
  externalIds: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await session.query<{ external_id: string }>(
    `select external_id from official_removals where account_id = $1 and tenant_id = $2 and external_id = any($3::text[])
      and removed_at > $4::timestamptz`,
    [...account, externalIds, new Date(nowMs - REMOVED_STAYS_MS).toISOString()],
  )
  return new Set(rows.map(({ external_id: externalId }) => externalId))
}

/** Forgets what was removed of an account. */
export const FORGET_REMOVALS = 'delete from official_removals where account_id = $1 and tenant_id = $2'
