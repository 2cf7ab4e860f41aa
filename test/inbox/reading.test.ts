import test from 'ava'
import type { MessageId, NumberId } from '../../src/domain/ids.ts'
import { Reading } from '../../src/inbox/reading.ts'
import type { LookedAt } from '../../src/ports/stores/inbox-store.ts'

const NUMBER: NumberId = 'num_1'

/** A look at committed rows, by position. Transactions from `oldest` on may still be open. */
function look(
  position: number,
  oldest: number,
  next: number,
  committed: readonly number[],
  moves: readonly [string, number][] = [],
  isCut = false,
): LookedAt {
  return {
    snapshot: { position: String(position), oldest: String(oldest), next: String(next) },
    messages: committed.map((place) => ({
      id: `msg_${place}` as MessageId,
      numberId: NUMBER,
      position: String(place),
    })),
    moves: moves.map(([eventId, transaction]) => ({
      eventId,
      transaction: String(transaction),
      numberId: NUMBER,
      messageId: 'msg_moved' as MessageId,
    })),
    states: new Map(),
    isCut,
  }
}

function ids({ messages }: { readonly messages: LookedAt['messages'] }): string[] {
  return messages.map(({ id }) => id)
}

test('a row that is numbered before another and committed after it is not missed, and none is told twice', (t) => {
  const reading = new Reading(look(10_000, 50, 51, []), 0)
  // Transaction 51 has not committed row 10,001 yet.
  t.deepEqual(ids(reading.take(look(10_002, 51, 53, [10_002]), 10)), ['msg_10002'])
  t.deepEqual(ids(reading.take(look(10_002, 53, 53, [10_001, 10_002]), 20)), ['msg_10001'])
  t.is(reading.cursor.position, '10002')
})

test('a change that commits after the reader came is told, and one that was committed before is not', (t) => {
  const reading = new Reading(look(10_000, 50, 52, [9_998, 10_000], [['evt_old', 50]]), 0)
  const fresh = reading.take(
    look(
      10_000,
      52,
      52,
      [9_998, 9_999, 10_000],
      [
        ['evt_old', 50],
        ['evt_late', 51],
      ],
    ),
    10,
  )
  t.deepEqual(ids(fresh), ['msg_9999'])
  t.deepEqual(
    fresh.moves.map(({ eventId }) => eventId),
    ['evt_late'],
  )
})

test('the reader stays behind the oldest transaction under way, and goes on without one that lasts for ever', (t) => {
  const reading = new Reading(look(10_000, 50, 51, []), 0)
  reading.take(look(10_500, 50, 600, [10_500]), 1_000)
  t.is(reading.cursor.position, '5000')
  t.is(reading.cursor.transaction, '50')
  t.deepEqual(ids(reading.take(look(10_500, 50, 600, [10_500]), 32_000)), [])
  t.deepEqual(reading.cursor, { position: '10500', transaction: '600' })
})

test('a truncated look is reported, and again once the changes that were uncommitted then are there', (t) => {
  const reading = new Reading(look(10_000, 50, 51, []), 0)
  t.like(reading.take(look(20_000, 60, 70, [10_001], [], true), 10), { isCut: true, messages: [] })
  t.false(reading.take(look(20_000, 65, 70, []), 20).isCut)
  t.true(reading.take(look(20_000, 70, 71, []), 30).isCut)
  t.false(reading.take(look(20_000, 71, 71, []), 40).isCut)
  t.deepEqual(ids(reading.take(look(20_001, 72, 72, [20_001]), 50)), ['msg_20001'])
})
