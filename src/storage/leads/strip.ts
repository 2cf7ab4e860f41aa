import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { vacuumEmbedded } from '../engine/purge.ts'
import { CUT, LIMITED } from '../numbers/retention.ts'

/** What reads redact already (`redacted`), by the index of those that are kept. Whose mode is none of ours keeps everything. Counts stay. */
const STRIP = `with kept as (
    select k.id from channel_numbers n cross join lateral (
      select l.id from leads l where l.number_id = n.id and not l.is_redacted and l.erased_at is null and (n.pii_mode = 'RELAY_ONLY' or l.created_at < ${CUT})
      limit $2::integer for update skip locked) k
    where n.pii_mode = 'RELAY_ONLY' or (${LIMITED}) limit $2::integer
  )
  update leads l set full_name = null, email = null, phone = null, fields = '[]', is_redacted = true from kept where l.id = kept.id returning 1`

/** Tables of leads that only grow in the embedded database until they are vacuumed. */
const TABLES = ['leads', 'lead_counts', 'lead_notices', 'lead_pages', 'lead_backfills']

/** Takes the person from up to `limit` leads that privacy keeps no longer; answers of how many. */
export async function stripLeads({ database, clock }: Pick<Engine, 'database' | 'clock'>, limit: number): Promise<number> {
  const stripped = await despiteDeadlock(() => database.chores.query(STRIP, [new Date(clock.now()).toISOString(), limit]))
  if (stripped.length < limit) await vacuumEmbedded(database, TABLES)
  return stripped.length
}
