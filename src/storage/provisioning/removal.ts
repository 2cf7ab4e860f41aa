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
import { ReferralEntity } from '../referrals/entity.ts'
import { SetAsideEntity } from '../set-aside/entity.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { numberEvent } from '../numbers/rows.ts'

const REMOVED = rowsOf(ChannelNumberEntity).only('id', 'name', 'number', 'officialAccountId', 'createdAt')

/**
 * What does not hang on the row of number `$1` and goes behind it, in the order in which its writers hold it: rows
 * before their counts. Whoever stores holds the number, and finds none later.
 */
const LEFT = [
  `with gone as (${removalOf(ConversationCountsEntity, 'numberId')}) ${removalOf(NumberCountsEntity, 'numberId')}`,
  // Erased ones too, each by the index of its half.
  removalOf(LeadEntity, 'numberId', 'erased_at is null'),
  removalOf(LeadEntity, 'numberId', 'erased_at is not null'),
  removalOf(LeadCountsEntity, 'numberId'),
  removalOf(ReferralEntity, 'numberId'),
]

/** What nobody is left to work off; what is told of it, its end among it, is still told. */
const UNFINISHED = [
  removalOf(InboundChangeEntity, 'numberId', 'is_pending'),
  removalOf(SetAsideEntity, 'numberId', "line not in ('outbox', 'deliveries')"),
]

/**
 * Tells that number `$2` of tenant `$1` was removed, at `$4`. Its webhooks turn invisible, and go for good once
 * number.removed has had its retries.
 */
const TELL = `with gone as (select $1::text as tenant_id, $2::text as number_id), ${eventCtes('gone', '$3', '$4')}
  update webhooks set removed_at = $4::timestamptz from gone
  where webhooks.tenant_id = gone.tenant_id and webhooks.number_id = gone.number_id and webhooks.removed_at is null`

/**
 * Removes the number with all that hangs on it and stores message.failed of what it did not send, and number.removed.
 * False when the tenant has no such number.
 */
export async function deleteNumber(
  session: SqlSession,
  tenantId: TenantId,
  numberId: NumberId,
  nowMs: number,
): Promise<boolean> {
  // Lease first, the order in which owners lock: their writes end before, or are fenced after.
  await session.query(
    'delete from number_leases where number_id = (select id from channel_numbers where tenant_id = $1 and id = $2)',
    [tenantId, numberId],
  )
  // Whoever accepts a message now waits, and then finds no number; what was accepted before is told of.
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
 * What the number received of Flows goes, and of the last number of an account its templates and Flows, too. Looked at
 * once the account is held, so that numbers that come or go meanwhile are seen.
 */
async function leaveAccount(
  session: SqlSession,
  numberId: NumberId,
  account: readonly [accountId: string, tenantId: TenantId],
): Promise<void> {
  await session.query(HOLD_ACCOUNT, account)
  await removeResponsesOfNumber(session, numberId, account)
  await session.query(FORGET_ACCOUNT, account)
}
