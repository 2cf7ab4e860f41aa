import type { NumberId } from '../../domain/ids.ts'
import type { SqlSession } from '../engine/database.ts'

/** Removes the leads of a number whose row is gone, erased ones too, and their counts. Whoever stores one holds the number meanwhile, and finds none later. */
export async function removeLeadsOfNumber(session: SqlSession, numberId: NumberId): Promise<void> {
  // Each by the index of its half.
  await session.query('delete from leads where number_id = $1 and erased_at is null', [numberId])
  await session.query('delete from leads where number_id = $1 and erased_at is not null', [numberId])
  await session.query('delete from lead_counts where number_id = $1', [numberId])
}
