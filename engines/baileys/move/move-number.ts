import { randomUUID } from 'node:crypto'
import { idOf, leave, mark, stay } from './marks.ts'
import { NumberFault, type Place } from './place.ts'
import { pagesOf, resealed } from './rows.ts'
import { TABLES } from './tables.ts'

/**
 * Carries a number over, as a whole. It is in one place at each moment, as far as an engine can use it: from the note
 * that it is leaving on, no engine opens where it comes from, and what ends in between is ended by `endInterrupted`.
 *
 * 1. The place that it comes from notes that it is leaving.
 * 2. The other one takes all of its rows, and notes that it arrived: one transaction.
 * 3. Its rows and the first note are deleted: one transaction.
 * 4. The second note is deleted, and engines may open it there.
 *
 * Each place holds it from its note on, and the one that it came from keeps it held.
 *
 * `onRows` hears of each page. Throws a NumberFault when the number cannot move; it is where it was then.
 */
export async function moveNumber(
  from: Place,
  to: Place,
  numberId: string,
  onRows: (rows: number) => void,
): Promise<void> {
  const moveId = randomUUID()
  const [fromId, toId] = [await idOf(from), await idOf(to)]
  await from.transaction(async () => {
    await from.hold(numberId)
    await mark(from, { moveId, numberId, way: 'leaving', other: toId })
  })
  try {
    await to.transaction(async () => {
      await to.hold(numberId)
      await forgetUnlinked(to, numberId)
      await carry(from, to, numberId, onRows)
      await mark(to, { moveId, numberId, way: 'arrived', other: fromId })
    })
  } catch (error) {
    // Any other fault leaves open whether the rows arrived.
    if (error instanceof NumberFault) await stay(from, moveId, numberId)
    throw error
  }
  await leave(from, moveId, numberId)
  await stay(to, moveId, numberId)
}

/** Deletes what an earlier pairing left in a place where the number is not linked: keys, and events on the pairing. */
async function forgetUnlinked(to: Place, numberId: string): Promise<void> {
  const unlinked = 'number_id = :numberId and not exists (select 1 from sessions where sessions.number_id = :numberId)'
  await to.run(`delete from keys where ${unlinked}`, { numberId })
  await to.run(`delete from events where ev like 'session.%' and ${unlinked}`, { numberId })
}

async function carry(from: Place, to: Place, numberId: string, onRows: (rows: number) => void): Promise<void> {
  for (const table of TABLES)
    for await (const page of pagesOf(from, table, numberId)) {
      await to.insert(
        table,
        numberId,
        page.map((row) => resealed(table, numberId, row, from.seal, to.seal)),
      )
      onRows(page.length)
    }
}
