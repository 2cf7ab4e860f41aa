import { newId, type NumberId, type TenantId } from '../../domain/ids.ts'
import { InboundChangeEntity } from '../changes/entity.ts'
import type { SqlSession } from '../engine/database.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { removalOf } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { removeResponsesOfNumber } from '../flow-responses/sql.ts'
import { LeadCountsEntity, LeadEntity } from '../leads/entity.ts'
import { ConversationCountsEntity, NumberCountsEntity } from '../messages/counts-entity.ts'
import { ABANDON } from '../messages/queue-sql.ts'
import { FORGET_ACCOUNT, HOLD_ACCOUNT } from '../official-accounts/accounts.ts'
import { FORGET_REMOVALS } from '../official-accounts/removals.ts'
import { ReferralEntity } from '../referrals/entity.ts'
import { SetAsideEntity } from '../set-aside/entity.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { numberEvent } from '../numbers/rows.ts'

const REMOVED = rowsOf(ChannelNumberEntity).only('id', 'name', 'number', 'officialAccountId', 'createdAt')

/**
 * Rows without a foreign key to number `$1`. They are removed after it, in the order in which their writers lock: rows
 * before their counts. A writer locks the number first, and finds none afterwards.
 */
const LEFT = [
  `with gone as (${removalOf(ConversationCountsEntity, 'numberId')}) ${removalOf(NumberCountsEntity, 'numberId')}`,
  // Erased leads go too; each half of the table is removed by its own index.
  removalOf(LeadEntity, 'numberId', 'erased_at is null'),
  removalOf(LeadEntity, 'numberId', 'erased_at is not null'),
  removalOf(LeadCountsEntity, 'numberId'),
  removalOf(ReferralEntity, 'numberId'),
]

/** Work that nobody is left to do. Events of the number, its removal among them, are still told. */
const UNFINISHED = [
  removalOf(InboundChangeEntity, 'numberId', 'is_pending'),
  removalOf(SetAsideEntity, 'numberId', "line not in ('outbox', 'deliveries')"),
]

/**
 * Tells that number `$2` of tenant `$1` was removed, at `$4`. Its webhooks turn invisible, and are deleted once
 * number.removed has had its retries.
 */
const TELL = `with gone as (select $1::text as tenant_id, $2::text as number_id), ${eventCtes('gone', '$3', '$4')}
  update webhooks set removed_at = $4::timestamptz from gone
  where webhooks.tenant_id = gone.tenant_id and webhooks.number_id = gone.number_id and webhooks.removed_at is null`

/**
 * Removes the number with everything that belongs to it, and stores message.failed for what it did not send, and
 * number.removed. False when the tenant has no such number.
 */
export async function deleteNumber(
  session: SqlSession,
  tenantId: TenantId,
  numberId: NumberId,
  nowMs: number,
): Promise<boolean> {
  // The lease goes first, the order in which owners lock: their writes end before, or are fenced after.
  await session.query(
    'delete from number_leases where number_id = (select id from channel_numbers where tenant_id = $1 and id = $2)',
    [tenantId, numberId],
  )
  // A send that is accepted now waits for this lock, and then finds no number; what was accepted before is told as
  // failed.
  await session.query('select 1 from channel_numbers where tenant_id = $1 and id = $2 for update', [tenantId, numberId])
  const at = new Date(nowMs).toISOString()
  await session.query(ABANDON, [tenantId, numberId, at, at, newId('evt')])
  const rows = await session.query<RowIn<typeof REMOVED>>(
    `delete from channel_numbers where tenant_id = $1 and id = $2 returning ${REMOVED.list()}`,
    [tenantId, numberId],
  )
  if (!rows[0]) return false
  const { officialAccountId, ...number } = REMOVED.read(rows[0])
  for (const removal of LEFT) await session.query(removal, [numberId])
  if (officialAccountId !== null) await leaveAccount(session, numberId, [officialAccountId, tenantId])
  for (const removal of UNFINISHED) await session.query(removal, [numberId])
  const removed = numberEvent('number.removed', { ...number, state: 'CLOSE' })
  await session.query(TELL, [tenantId, numberId, toOutboxParameter([removed]), at])
  return true
}

/**
 * Removes what the number received of Flows, and with the last number of an account its templates and Flows too. It
 * looks once the account is locked, so that numbers that come or go meanwhile are seen.
 */
async function leaveAccount(
  session: SqlSession,
  numberId: NumberId,
  account: readonly [accountId: string, tenantId: TenantId],
): Promise<void> {
  await session.query(HOLD_ACCOUNT, account)
  await removeResponsesOfNumber(session, numberId, account)
  const forgotten = await session.query(FORGET_ACCOUNT, account)
  if (forgotten.length > 0) await session.query(FORGET_REMOVALS, account)
}
