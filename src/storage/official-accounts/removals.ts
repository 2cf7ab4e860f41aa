import type { TenantId } from '../../domain/ids.ts'
import { REMOVED_STAYS_MS } from '../../domain/limits.ts'
import type { SqlSession } from '../engine/database.ts'
import type { TenantAccount } from './accounts.ts'

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

/** Which of these ids were removed of an account a moment ago, by this tenant, or by any when it is null. */
export async function justRemoved(
  session: Pick<SqlSession, 'query'>,
  { accountId, tenantId }: Pick<TenantAccount, 'accountId'> & { readonly tenantId: TenantId | null },
  externalIds: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await session.query<{ external_id: string }>(
    `select external_id from official_removals where account_id = $1 and external_id = any($2::text[])
      and removed_at > $3::timestamptz ${tenantId === null ? '' : 'and tenant_id = $4'}`,
    [
      accountId,
      externalIds,
      new Date(nowMs - REMOVED_STAYS_MS).toISOString(),
      ...(tenantId === null ? [] : [tenantId]),
    ],
  )
  return new Set(rows.map(({ external_id: externalId }) => externalId))
}

/**
 * Makes a decision of listed things that makes nothing anew of what was removed a moment ago, and else is `decide`. It
 * is made after the rows of the page were locked, so that what is missing among them because it was removed is known.
 */
export async function sparingRemoved<T extends { readonly externalId: string }, Row, Fate>(
  session: SqlSession,
  account: TenantAccount,
  listed: readonly T[],
  decide: (one: T, row: Row | null) => Fate,
  nowMs: number,
): Promise<(one: T, row: Row | null) => Fate | { readonly kind: 'KEEP' }> {
  const ids = listed.map(({ externalId }) => externalId)
  const removed = await justRemoved(session, account, ids, nowMs)
  return (one, row) => (row === null && removed.has(one.externalId) ? { kind: 'KEEP' } : decide(one, row))
}

/** Forgets what was removed of an account. */
export const FORGET_REMOVALS = 'delete from official_removals where account_id = $1 and tenant_id = $2'
