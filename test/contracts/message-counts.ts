import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'
import type { LongConversations, LongSizes } from '../../src/storage/messages/long-conversations.ts'
import { counted, IS_FULL } from '../helpers/size.ts'
import { until } from '../helpers/until.ts'
import {
  accepted,
  ALL,
  DAY_MS,
  direct,
  GROUP,
  HOUR_MS,
  incoming,
  newClaim,
  newMessage,
  PAGE,
  PEER,
  privateNumber,
  received,
  threeNumbers,
} from './message-world.ts'
import type { MakeWorld, Owned, World } from './world.ts'
import { rowsOf, timeOf, DIRECTIONS, PEERS, dayOf, LONG_AGO, WINDOW_DAYS, groups, take } from './message-steps.ts'
import type { Row, Life } from './message-steps.ts'

/**
 * Ranges with ends within a day, at its start or end, and open: all pairs of these at full size, each end once
 * elsewhere.
 */
function rangesAround(nowMs: number): { startDate: Date | null; endDate: Date | null }[] {
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS
  const starts = [
    null,
    nowMs - 2 * DAY_MS,
    midnight - DAY_MS,
    midnight - 5 * DAY_MS + 1,
    Date.parse('0001-01-01T00:00:00Z'),
  ]
  const ends = [null, nowMs - HOUR_MS, midnight - 1, midnight, Date.UTC(9999, 11, 31, 23, 59, 59, 999)]
  const endsOf = (at: number) => (IS_FULL ? ends : [ends[(at + 1) % ends.length] ?? null])
  return starts.flatMap((start, at) =>
    endsOf(at).map((end) => ({
      startDate: start === null ? null : new Date(start),
      endDate: end === null ? null : new Date(end),
    })),
  )
}

/** Asserts that every total equals a count of the rows. */
async function assertTotals(t: ExecutionContext, world: World, owned: Owned): Promise<void> {
  const { messages } = world.stores
  const rows = await rowsOf<Row>(world, 'messages', owned)
  const conversations = await rowsOf<{ id: string; peer: string; unread_count: number }>(world, 'conversations', owned)
  const count = (isCounted: (row: Row) => boolean): number => rows.filter(isCounted).length
  t.is((await messages.conversations(owned.number.id, PAGE)).total, conversations.length)
  const unread = (await messages.unread(owned.number.id, PAGE)).total
  t.is(
    unread,
    count((row) => row.is_unread),
  )
  t.is(
    unread,
    conversations.reduce((sum, { unread_count: some }) => sum + some, 0),
  )
  const aliases = await rowsOf<{ id: string; conversation_id: string; address: string }>(
    world,
    'conversation_aliases',
    owned,
  )
  const idsOf = (peer: string) => {
    const id =
      conversations.find((conversation) => conversation.peer === peer)?.id
      ?? aliases.find(({ address }) => address === peer)?.conversation_id
    return [id, ...aliases.filter(({ conversation_id: led }) => led === id).map((alias) => alias.id)]
  }
  for (const { startDate, endDate } of rangesAround(world.clock.now())) {
    const isWithin = (row: Row) =>
      (startDate === null || timeOf(row) >= startDate.getTime())
      && (endDate === null || timeOf(row) <= endDate.getTime())
    for (const direction of DIRECTIONS) {
      for (const peer of [null, PEER, GROUP, PEERS.NEWSLETTER[0] ?? '']) {
        const isOf = (row: Row) =>
          isWithin(row) && row.direction === direction && (peer === null || idsOf(peer).includes(row.conversation_id))
        const history = await messages.history(owned.number.id, { ...ALL, startDate, endDate, direction, peer })
        const where = JSON.stringify({ startDate, endDate, direction, peer })
        t.is(
          history.total,
          count((row) => isOf(row) && row.conversation_type !== 'NEWSLETTER'),
          where,
        )
        t.is(history.items.length, Math.min(history.total, PAGE.pageSize), where)
        const ofGroups = await messages.ofGroups(owned.number.id, {
          ...ALL,
          startDate,
          endDate,
          direction,
          groupId: peer,
        })
        t.is(
          ofGroups.total,
          count((row) => isOf(row) && row.conversation_type === 'GROUP'),
          where,
        )
      }
    }
  }
}

/** The rows of a table of counts as text, without those that count nothing. */
async function countsOf(world: World, table: string, owned: Owned): Promise<string[]> {
  const rows = await rowsOf<Record<string, string | number>>(world, table, owned)
  return rows
    .filter(({ messages, unread }) => Number(messages) + Number(unread ?? 0) !== 0)
    .map(({ conversation_id: conversation = '', direction, conversation_type: kind, day, messages, unread = 0 }) =>
      [conversation, direction, kind, day, messages, unread].join(' '),
    )
    .toSorted()
}

/** Asserts that every count belongs to its day, direction and type. */
async function assertCounts(t: ExecutionContext, world: World, owned: Owned): Promise<void> {
  const rows = await rowsOf<Row>(world, 'messages', owned)
  const expected = (nameOf: (row: Row) => string, hasUnread: boolean): string[] => {
    const counts = new Map<string, { messages: number; unread: number }>()
    for (const row of rows) {
      const name = `${nameOf(row)} ${row.direction} ${row.conversation_type} ${dayOf(row)}`
      const { messages, unread } = counts.get(name) ?? { messages: 0, unread: 0 }
      counts.set(name, { messages: messages + 1, unread: unread + (hasUnread && row.is_unread ? 1 : 0) })
    }
    return [...counts].map(([name, { messages, unread }]) => `${name} ${messages} ${unread}`).toSorted()
  }
  t.deepEqual(
    await countsOf(world, 'number_counts', owned),
    expected(() => '', true),
  )
  const long = await rowsOf<LongRow>(world, 'counted_conversations', owned)
  const complete = new Set(long.filter((row) => row.is_complete).map((row) => row.conversation_id))
  const isComplete = (name: string) => complete.has(name.split(' ')[0] ?? '')
  const counts = await countsOf(world, 'conversation_counts', owned)
  t.deepEqual(counts.filter(isComplete), expected((row) => row.conversation_id, false).filter(isComplete))
  t.deepEqual(
    counts.filter((name) => !long.some((row) => name.startsWith(row.conversation_id))),
    [],
    'none of a short conversation',
  )
}

interface LongRow {
  readonly conversation_id: string
  readonly is_complete: boolean
}

/** Looks for long conversations until all that were found are complete. */
async function lookAll(world: World, looks: LongConversations, owned: Owned): Promise<LongRow[]> {
  let found: LongRow[] = []
  // Statements of other tests may run for a while.
  await until('all long conversations are counted', async () => {
    while (await looks.look());
    found = await rowsOf<LongRow>(world, 'counted_conversations', owned)
    return found.every((row) => row.is_complete)
  })
  return found
}

/** Sizes for tests: a conversation of more than 3 messages is long, and every message is looked at. */
export const SMALL: LongSizes = { long: 3, stride: 1, looks: 500 }

/**
 * How lists get their totals. It needs a database of its own, because purges of other tests would remove rows between
 * two reads.
 */
export function messageCountsSuite(
  test: TestFn,
  name: string,
  makeWorld: MakeWorld,
  makeLooks: () => LongConversations,
): void {
  async function makeLife(): Promise<Life> {
    const world = makeWorld(LONG_AGO)
    const owned = await privateNumber(world, 'STORE_X_DAYS', WINDOW_DAYS)
    return {
      world,
      owned,
      looks: makeLooks(),
      claims: Array.from({ length: 6 }, (_, n) => newClaim({ key: `key ${n}` })),
    }
  }

  // [growth.indexes.2]
  test.serial(
    `${name}: totals are what a count of the rows is, whatever was accepted, received twice, reported, read, cancelled, purged, found long, at once or in turn`,
    async (t) => {
      await fc.assert(
        fc.asyncProperty(groups, async (steps) => {
          const life = await makeLife()
          for (const group of steps) await Promise.all(group.map((step) => take(life, step)))
          await assertCounts(t, life.world, life.owned)
          await lookAll(life.world, life.looks, life.owned)
          await assertCounts(t, life.world, life.owned)
        }),
        { numRuns: counted(15, 5) },
      )
      const life = await makeLife()
      for (const group of fc.sample(groups, { numRuns: 8, seed: 7 }).flat())
        await Promise.all(group.map((step) => take(life, step)))
      await assertTotals(t, life.world, life.owned)
      t.not((await lookAll(life.world, life.looks, life.owned)).length, 0)
      await assertCounts(t, life.world, life.owned)
      await assertTotals(t, life.world, life.owned)
    },
  )

  test.serial(
    `${name}: a conversation is counted by day from when it is long, each message once, while others store, purge and look`,
    async (t) => {
      const { world, owned, looks } = await makeLife()
      const { messages, inbox } = world.stores
      const nodes = [looks, makeLooks()]
      const before = async () => (await rowsOf<LongRow>(world, 'counted_conversations', owned)).length
      t.is(await before(), 0)
      for (let round = 0; round < 12; round++) {
        const created = new Date(world.clock.now() - (round % 3) * 2 * DAY_MS)
        const sends = Array.from({ length: 6 }, (_, n) =>
          messages.accept(newMessage(world, owned, { to: direct(PEERS.DIRECT[n % 3]), createdAt: created }), null),
        )
        const arrivals = Array.from({ length: 6 }, (_, n) =>
          inbox.receive(
            owned.fence,
            incoming(world, owned, { peer: PEERS.DIRECT[n % 3] ?? PEER, happenedAt: created }),
          ),
        )
        await Promise.all([
          ...sends,
          ...nodes.map((node) => node.look()),
          ...arrivals,
          messages.purge(),
          ...nodes.map((node) => node.look()),
        ])
        world.clock.advance(HOUR_MS)
      }
      t.is((await lookAll(world, looks, owned)).length, 3)
      await assertCounts(t, world, owned)
      await assertTotals(t, world, owned)
      world.clock.advance(30 * DAY_MS)
      await messages.purge()
      const left = await rowsOf<{ messages: number; direction: string }>(world, 'conversation_counts', owned)
      t.deepEqual(
        left.filter((row) => row.direction === 'INBOUND'),
        [],
        'a day that counts nothing leaves no row',
      )
    },
  )

  test.serial(`${name}: counts of a removed number go with it, the others' stay`, async (t) => {
    const world = makeWorld()
    const looks = makeLooks()
    const [one, two] = await threeNumbers(world)
    for (const owned of [one, two]) {
      for (let n = 0; n < 3; n++) await accepted(world, owned)
      await received(world, owned)
      t.is((await lookAll(world, looks, owned)).length, 1)
      t.is((await rowsOf(world, 'conversation_counts', owned)).length, 2)
    }
    const late = Array.from({ length: 20 }, (_, n) =>
      world.stores.messages.accept(newMessage(world, one, { to: direct(String(4915700000000 + (n % 4))) }), null),
    )
    await Promise.all([world.stores.numbers.remove(one.tenantId, one.number.id), ...late, looks.look()])
    await lookAll(world, looks, two)
    for (const table of ['number_counts', 'conversation_counts']) {
      t.deepEqual(await rowsOf(world, table, one), [])
      t.is((await rowsOf(world, table, two)).length, 2)
    }
    t.deepEqual(await rowsOf(world, 'counted_conversations', one), [])
    await assertCounts(t, world, two)
  })

  test.serial(`${name}: two nodes that purge at once count nothing off twice`, async (t) => {
    const [here, there] = [makeWorld(LONG_AGO), makeWorld(LONG_AGO)]
    const owned = await privateNumber(here, 'STORE_X_DAYS', WINDOW_DAYS)
    for (let n = 0; n < 30; n++) await received(here, owned, { happenedAt: new Date(LONG_AGO - (n % 2) * 10 * DAY_MS) })
    await lookAll(here, makeLooks(), owned)
    await Promise.all([here, there, here, there].map((world) => world.stores.messages.purge()))
    await assertCounts(t, here, owned)
    await assertTotals(t, here, owned)
    t.is((await here.stores.messages.unread(owned.number.id, PAGE)).total, 15)
  })
}
