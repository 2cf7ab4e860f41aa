import { randomUUID } from 'node:crypto'
import { StartFault } from '../process/config.ts'
import type { Place } from './place.ts'
import { deleteNumber } from './rows.ts'

/** A move of a number that one of its two places notes. */
interface Mark {
  readonly moveId: string
  readonly numberId: string
  readonly way: 'leaving' | 'arrived'
  /** The id of the other place. */
  readonly other: string
}

/** The id of a place, which it gets when it is asked for the first time. */
export async function idOf(place: Place): Promise<string> {
  const [known] = await place.run('select id from place')
  if (known) return String(known['id'])
  const id = randomUUID()
  await place.run('insert into place (id) values (:id)', { id })
  return id
}

/**
 * Notes one end of a move, to be called within the transaction that it belongs to. Where numbers arrive, those that
 * went before are no longer noted.
 */
export async function mark(place: Place, { moveId, numberId, way, other }: Mark): Promise<void> {
  if (way === 'arrived') await place.run("delete from moves where way = 'gone'")
  await place.run('insert into moves (move_id, number_id, way, other) values (:moveId, :numberId, :way, :other)', {
    moveId,
    numberId,
    way,
    other,
  })
}

/** Ends a move at the place that has the number now: engines may open it. */
export async function stay(place: Place, moveId: string, numberId: string): Promise<void> {
  await place.free(numberId)
  await place.run('delete from moves where move_id = :moveId', { moveId })
}

/** The second end of a move: a number that arrived elsewhere leaves, and the note says that it is gone. */
export async function leave(place: Place, moveId: string, numberId: string): Promise<void> {
  await place.transaction(async () => {
    await deleteNumber(place, numberId)
    await place.run("update moves set way = 'gone' where move_id = :moveId", { moveId })
  })
}

/** Numbers whose move was interrupted, from whichever of the places. */
export async function interrupted(places: readonly Place[]): Promise<readonly string[]> {
  const marks = (await Promise.all(places.map(marksOf))).flat()
  return marks.filter(({ way }) => way === 'leaving').map(({ numberId }) => numberId)
}

/**
 * Ends moves that were interrupted, whichever way they went: a number that had arrived leaves where it came from, and
 * one that had not stays. After that each number is in one place. Throws a StartFault when a move went to or came from
 * a place that is not here, because only there it can be seen whether the number arrived.
 */
export async function endInterrupted(one: Place, two: Place): Promise<void> {
  const ids = { one: await idOf(one), two: await idOf(two) }
  await refuseOthers(one, ids.two)
  await refuseOthers(two, ids.one)
  await endOneWay(one, two, ids.one)
  await endOneWay(two, one, ids.two)
}

async function refuseOthers(place: Place, other: string): Promise<void> {
  const foreign = (await marksOf(place)).filter((known) => known.way === 'leaving' && known.other !== other)
  if (foreign.length === 0) return
  throw new StartFault(
    `A move of ${foreign.map(({ numberId }) => numberId).join(', ')} from ${place.name} to another place was interrupted: end it first, by the same command with the ENGINE_DATA_DIR and ENGINE_DATABASE_URL that it had`,
  )
}

async function endOneWay(from: Place, to: Place, fromId: string): Promise<void> {
  const leaving = (await marksOf(from)).filter(({ way }) => way === 'leaving')
  const arrived = (await marksOf(to)).filter(({ way, other }) => way === 'arrived' && other === fromId)
  const isThere = new Set(arrived.map(({ moveId }) => moveId))
  for (const { moveId, numberId } of leaving)
    await (isThere.has(moveId) ? leave(from, moveId, numberId) : stay(from, moveId, numberId))
  for (const { moveId, numberId } of arrived) await stay(to, moveId, numberId)
}

async function marksOf(place: Place): Promise<readonly Mark[]> {
  const rows = await place.run(
    "select move_id, number_id, way, other from moves where way <> 'gone' order by number_id",
  )
  return rows.map((row) => ({
    moveId: String(row['move_id']),
    numberId: String(row['number_id']),
    way: row['way'] === 'leaving' ? 'leaving' : 'arrived',
    other: String(row['other']),
  }))
}
