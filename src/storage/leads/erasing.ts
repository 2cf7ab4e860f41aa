import type { EventId, LeadId, NumberId } from '../../domain/ids.ts'
import type { SqlSession } from '../engine/database.ts'
import { isErasable, WITHHELD } from '../events/privacy.ts'
import { countLeadsCte } from './counts.ts'

/**
 * Empties the row, and counts it no more. The ids stay, so that it is never imported again; the contact goes, for it is made of the phone. Our choice: what
 * was to be sent and was not accepted is `none`.
 */
const ERASE = `with erased as (
    update leads l set full_name = null, email = null, phone = null, fields = '[]', contact_id = null, consent_given = null, sealed_auto_send = null, auto_send_due_at = null,
      auto_send_status = case when l.auto_send_status = 'pending' and l.auto_send_message_id is null then 'none' else l.auto_send_status end, is_redacted = true, erased_at = $3::timestamptz
    where l.id = $2 and l.number_id = $1 and l.erased_at is null
    returning l.number_id, l.form_id, l.ad_id, l.page_id, l.created_at, l.event_id
  ), ${countLeadsCte('erased', -1)}
  select event_id from erased`

const EMPTY_EVENT = `update events set data = '${WITHHELD}' where id = $1`

/** By the index of logs of leads. Behind the event in a statement of its own: whoever stores a log holds the event, so that this sees it. */
const EMPTY_LOGS = `update webhook_logs set payload = '', response = '' where event_id = $1 and ${isErasable('event')}`

/** Erases a lead of a number in an open transaction: its row, its event and what was logged of its deliveries. False: there is none. */
export async function eraseLead(session: SqlSession, numberId: NumberId, id: string, at: Date): Promise<boolean> {
  const [row] = await session.query<{ event_id: EventId | null }>(ERASE, [numberId, id as LeadId, at.toISOString()])
  if (!row) return false
  if (row.event_id !== null) {
    await session.query(EMPTY_EVENT, [row.event_id])
    await session.query(EMPTY_LOGS, [row.event_id])
  }
  return true
}
