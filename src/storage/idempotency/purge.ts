import { IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { Engine } from '../engine/engine.ts'
import { PURGE_BATCH, purgeRows, vacuumEmbedded } from '../engine/purge.ts'

const IS_OVER = `claimed_at < $1::timestamptz - interval '${IDEMPOTENCY_MS} milliseconds'`

/** The time is asked twice: a key that was claimed anew since it was found stays. */
const OVER = `delete from idempotent_requests where ${IS_OVER} and (key_id_hash, key) in (
  select key_id_hash, key from idempotent_requests where ${IS_OVER} limit ${PURGE_BATCH}) returning 1`

/** Deletes answers that are older than 24 h. */
export async function purgeIdempotency({ database, clock }: Pick<Engine, 'database' | 'clock'>): Promise<number> {
  const count = await purgeRows(database, OVER, new Date(clock.now()).toISOString())
  await vacuumEmbedded(database, ['idempotent_requests'])
  return count
}
