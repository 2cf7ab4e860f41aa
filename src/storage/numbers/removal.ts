import { newId, type NumberId, type TenantId } from '../../domain/ids.ts'
import type { SqlSession } from '../engine/database.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { Parameters } from '../engine/statement.ts'
import { removeResponsesOfNumber } from '../flow-responses/removal.ts'
import { removeLeadsOfNumber } from '../leads/removal.ts'
import { ABANDON, REMOVE_COUNTS } from '../messages/removal.ts'
import { FORGET_ACCOUNT, HOLD_ACCOUNT } from '../official-accounts/sql.ts'
import { REMOVE_REFERRALS } from '../referrals/removal.ts'
import { ChannelNumberEntity } from './entity.ts'
import { numberEvent } from './rows.ts'

const REMOVED = rowsOf(ChannelNumberEntity).only('id', 'name', 'number', 'officialAccountId', 'createdAt')

/** Removes the number with all that hangs on it and stores message.failed of what it did not send, and number.removed. False when the tenant has no such number. */
export async function deleteNumber(session: SqlSession, tenantId: TenantId, numberId: NumberId, nowMs: number): Promise<boolean> {
  // Lease first, the order in which owners lock: their writes end before, or are fenced after.
  await session.query('delete from number_leases where number_id = (select id from channel_numbers where tenant_id = $1 and id = $2)', [tenantId, numberId])
  // Whoever accepts a message now waits, and then finds no number; what was accepted before is told of.
  await session.query('select 1 from channel_numbers where tenant_id = $1 and id = $2 for update', [tenantId, numberId])
  const at = new Date(nowMs).toISOString()
  await session.query(ABANDON, [tenantId, numberId, at, at, newId('evt')])
  const rows = await session.query<RowIn<typeof REMOVED>>(
    `delete from channel_numbers where tenant_id = $1 and id = $2 returning ${REMOVED.list()}`, [tenantId, numberId])
  if (!rows[0]) return false
  const { officialAccountId, ...number } = REMOVED.read(rows[0])
  // After its rows, whose writers hold them before the counts.
  await session.query(REMOVE_COUNTS, [numberId])
  await removeLeadsOfNumber(session, numberId)
  await session.query(REMOVE_REFERRALS, [numberId])
  if (officialAccountId !== null) await leaveAccount(session, numberId, [officialAccountId, tenantId])
  // Nobody is left to work them off.
  await session.query('delete from inbound_changes where number_id = $1 and is_pending', [numberId])
  await session.query("delete from set_aside where number_id = $1 and line not in ('outbox', 'deliveries')", [numberId])
  const removed = numberEvent('number.removed', { ...number, state: 'CLOSE' })
  const p = new Parameters()
  const source = `gone as (select ${p.add(tenantId)}::text as tenant_id, ${p.add(numberId)}::text as number_id)`
  const now = p.time(nowMs)
  const events = eventCtes('gone', p.add(toOutboxParameter([removed])), now)
  // Its webhooks turn invisible, and go for good once number.removed has had its retries.
  await session.query(`with ${source}, ${events}
    update webhooks set removed_at = ${now} from gone
    where webhooks.tenant_id = gone.tenant_id and webhooks.number_id = gone.number_id and webhooks.removed_at is null`, p.values)
  return true
}

/** What the number received of Flows goes, and of the last number of an account its templates and Flows, too. Looked at once the account is held, so that numbers that come or go meanwhile are seen. */
async function leaveAccount(session: SqlSession, numberId: NumberId, account: readonly [accountId: string, tenantId: TenantId]): Promise<void> {
  await session.query(HOLD_ACCOUNT, account)
  await removeResponsesOfNumber(session, numberId, account)
  await session.query(FORGET_ACCOUNT, account)
}
