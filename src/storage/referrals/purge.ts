import { PURGE_BATCH } from '../engine/purge.ts'
import { CUT, LIMITED } from '../numbers/retention.ts'

/** Forgets the clicks of the referrals of `numbers`, a condition on `n`, that are `old`. The rows stay, and go on counting. */
function forgetSql(numbers: string, old: string): string {
  return `update referrals set ctwa_clid = null where message_id in (
    select r.message_id from channel_numbers n cross join lateral (
      select message_id from referrals where number_id = n.id and ctwa_clid is not null and ${old} limit ${PURGE_BATCH}) r
    where ${numbers} limit ${PURGE_BATCH}) returning 1`
}

/** Statements that take up to PURGE_BATCH rows each; `$1` is the present. */
export const REFERRAL_STEPS = [forgetSql(LIMITED, `created_at < ${CUT}`)]

/** What a number stored before it became RELAY_ONLY. */
export const REFERRAL_WIPES = [forgetSql(`n.pii_mode = 'RELAY_ONLY' and not n.is_wiped`, 'true')]
