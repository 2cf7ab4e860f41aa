import type { Engine } from '../engine/engine.ts'
import { PURGE_BATCH, purgeRows, vacuumEmbedded } from '../engine/purge.ts'

/** Our choice: as long as events and logs are kept (contract 5), and far beyond the 7 days for which upstream repeats. */
const KEEP_DAYS = 30

/** A change that still waits is never deleted. */
const WORKED_OFF = `delete from inbound_changes where position in (
  select position from inbound_changes where received_at < $1::timestamptz - interval '${KEEP_DAYS} days' and not is_pending limit ${PURGE_BATCH}) returning 1`

/** Forgets changes that were worked off and came more than 30 days ago. */
export async function purgeChanges({ database, clock }: Pick<Engine, 'database' | 'clock'>): Promise<number> {
  const count = await purgeRows(database, WORKED_OFF, new Date(clock.now()).toISOString())
  await vacuumEmbedded(database, ['inbound_changes', 'account_changes'])
  return count
}
