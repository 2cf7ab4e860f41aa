import { PURGE_BATCH } from '../engine/purge.ts'
import { dayOf } from '../messages/counts.ts'
import { CUT, LIMITED } from '../numbers/retention.ts'
import { countResponsesCte, eachResponse } from './counts.ts'
import { joinWaitingSql } from './sql.ts'

/** Our choice, as of changes whose message did not come: answers that wait for the message they answer are forgotten after so long. */
const WAITED_DAYS = 7

/** Deletes the responses whose ids `old` lists, and counts them no more; what another node deleted meanwhile is not counted again. */
function removeSql(old: string): string {
  return `with old as (
      ${old} limit ${PURGE_BATCH}
    ), removed as (
      delete from flow_responses where id in (select id from old) returning flow_id, number_id, submitted_at
    ), ${countResponsesCte(eachResponse('removed', -1))}
    select 1 from removed`
}

/** Days that count nothing any more, of numbers `n`. */
function removeCountsSql(numbers: string): string {
  return `delete from flow_response_counts c using channel_numbers n, flows f
    where ${numbers} and f.account_id = n.official_account_id and f.tenant_id = n.tenant_id and c.flow_id = f.id and c.number_id = n.id and c.responses = 0 returning 1`
}

/** Statements that take up to PURGE_BATCH rows each, or all; `$1` is the present. */
export const RESPONSE_STEPS = [
  joinWaitingSql(PURGE_BATCH),
  removeSql(`select r.id from flow_responses r where r.context_id is not null and r.message_id is null and r.submitted_at < $1::timestamptz - interval '${WAITED_DAYS} days'`),
  // By the index of each number's.
  removeSql(`select r.id from channel_numbers n cross join lateral (
      select id from flow_responses where number_id = n.id and submitted_at < ${CUT} limit ${PURGE_BATCH}) r
    where ${LIMITED}`),
  removeCountsSql(`${LIMITED} and c.day <= ${dayOf(`(${CUT})`)}`),
]

const UNWIPED = `n.pii_mode = 'RELAY_ONLY' and not n.is_wiped`

/** What a number stored before it became RELAY_ONLY. */
export const RESPONSE_WIPES = [
  removeSql(`select r.id from channel_numbers n join flow_responses r on r.number_id = n.id where ${UNWIPED}`),
  removeCountsSql(UNWIPED),
]
