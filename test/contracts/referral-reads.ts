import type { TestFn } from 'ava'
import type { IncomingMessage } from '../../src/ports/stores/message-inbox.ts'
import { DAY_MS, HOUR_MS, incoming } from './message-world.ts'
import { ALL_REFERRALS, click, clicked, EVER, newAdId, ownedOfficial } from './referral-world.ts'
import type { MakeWorld, Owned, World } from './world.ts'

const NOON = Date.UTC(2026, 0, 10, 12)
const ADS = 300
const CONVERSATIONS = 60
/** Clicks of each conversation. */
const CLICKS = 25

/** A random generator with the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

interface Clicked {
  readonly sourceId: string
  readonly peer: string
  readonly at: Date
  readonly headline: string
}

/**
 * Clicks of people who come back after a day or more, by a few ads again and again, so that many ads tie; they are told
 * in any order.
 */
function manyClicks(): Clicked[] {
  const random = randomFrom(7)
  const clicks = Array.from({ length: CONVERSATIONS }, (_, person) => {
    let at = NOON - 100 * DAY_MS
    return Array.from({ length: CLICKS }, (__, nth): Clicked => {
      // Whole days, so that ads also tie in their last time.
      at += (1 + Math.floor(random() * 3)) * DAY_MS
      const ad = random() < 0.3 ? Math.floor(random() * 10) : Math.floor(random() * ADS)
      return { sourceId: `1202000000${ad}`, peer: `49150${person}`, at: new Date(at), headline: `${person}.${nth}` }
    })
  }).flat()
  return clicks
    .map((one) => ({ one, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ one }) => one)
}

/** Counts each ad plainly. */
function counted(
  clicks: readonly (Clicked & { readonly id: string })[],
  { startDate, endDate }: { readonly startDate: Date | null; readonly endDate: Date | null },
) {
  const inRange = clicks.filter(
    ({ at }) => (startDate === null || at >= startDate) && (endDate === null || at <= endDate),
  )
  const ads = [...Map.groupBy(inRange, ({ sourceId }) => sourceId)].map(([sourceId, ofAd]) => {
    const [last] = ofAd.toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
    return {
      sourceId,
      conversations: new Set(ofAd.map(({ peer }) => peer)).size,
      messages: ofAd.length,
      lastHeadline: last?.headline,
      lastMessageAt: last?.at ?? new Date(0),
    }
  })
  return ads.toSorted(
    (a, b) =>
      b.conversations - a.conversations
      || b.messages - a.messages
      || b.lastMessageAt.getTime() - a.lastMessageAt.getTime()
      || (a.sourceId < b.sourceId ? 1 : -1),
  )
}

async function summaryOf(
  world: World,
  { number }: Owned,
  range: { readonly startDate: Date | null; readonly endDate: Date | null },
  limit: number,
) {
  const { ads, isTruncated } = await world.stores.referrals.summary(number, range, limit)
  return {
    isTruncated,
    ads: ads.map(({ sourceId, conversations, messages, lastHeadline, lastMessageAt }) => ({
      sourceId,
      conversations,
      messages,
      lastHeadline,
      lastMessageAt,
    })),
  }
}

/** The list and the summary of referrals. */
export function referralReadSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [referrals.summary.2] [referrals.summary.4] [referrals.summary.5] [referrals.routes.2] [referrals.summary.1]
  // [referrals.summary.3]
  test(`${name}: the summary equals a plain count, with 300 tied ads, in any range, and in any order of arrival`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const clicks = manyClicks()
    const messages: IncomingMessage[] = []
    for (const { sourceId, peer, at, headline } of clicks) {
      messages.push(
        incoming(world, owned, {
          externalMessageId: `wamid.${newAdId()}`,
          peer,
          from: peer,
          happenedAt: at,
          referral: click(sourceId, { headline }),
          events: [],
        }),
      )
    }
    const results = await Promise.all(messages.map((message) => world.stores.inbox.receive(owned.fence, message)))
    t.true(results.every((result) => result === 'applied'))
    const stored = clicks.map((one, nth) => ({ ...one, id: messages[nth]?.id ?? '' }))
    const at = (days: number, ms = 0) => new Date(NOON - 100 * DAY_MS + days * DAY_MS + ms)
    const ranges = [
      EVER,
      { startDate: at(30), endDate: null },
      { startDate: at(30, 1), endDate: at(60) },
      { startDate: null, endDate: at(45, -1) },
      { startDate: at(50), endDate: at(50) },
      { startDate: at(400), endDate: null },
    ]
    for (const range of ranges) {
      const expected = counted(stored, range)
      t.deepEqual(await summaryOf(world, owned, range, 1_000), { ads: expected, isTruncated: false })
    }
    const all = counted(stored, EVER)
    t.true(all.length > 250)
    t.true(
      new Set(
        all.map(
          ({ conversations, messages: rows, lastMessageAt }) => `${conversations}.${rows}.${lastMessageAt.getTime()}`,
        ),
      ).size < all.length,
      'some are even to the last',
    )
    t.deepEqual(await summaryOf(world, owned, EVER, 200), { ads: all.slice(0, 200), isTruncated: true })
    t.is((await summaryOf(world, owned, EVER, all.length)).isTruncated, false)
  })

  // [referrals.routes.1]
  test(`${name}: the list is newest first, ties by id, filtered by source, type and inclusive dates, a page at a time`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const [ad, post] = [newAdId(), newAdId()]
    const at = (hours: number) => new Date(NOON + hours * HOUR_MS)
    const stored = []
    for (const [nth, [sourceId, sourceType, hours]] of (
      [
        [ad, 'ad', 0],
        [post, 'post', 0],
        [ad, 'ad', 1],
        [null, null, 2],
      ] as const
    ).entries()) {
      const { id } = await clicked(world, owned, click(sourceId, { sourceType }), {
        peer: `4918${nth}`,
        from: `4918${nth}`,
        happenedAt: at(hours),
      })
      stored.push(id)
    }
    const [first = '', second = '', third = '', last = ''] = stored
    const even = [first, second].toSorted().toReversed()
    const ids = async (query: Partial<typeof ALL_REFERRALS>) => {
      const { items, total } = await world.stores.referrals.list(owned.number, { ...ALL_REFERRALS, ...query })
      return { ids: items.map(({ id }) => id), total }
    }
    t.deepEqual(await ids({}), { ids: [last, third, ...even], total: 4 })
    t.deepEqual(await ids({ page: 2, pageSize: 3 }), { ids: even.slice(1), total: 4 })
    t.deepEqual(await ids({ page: 5 }), { ids: [], total: 4 })
    t.deepEqual(await ids({ sourceId: ad }), { ids: [third, first], total: 2 })
    t.deepEqual(await ids({ sourceType: 'post' }), { ids: [second], total: 1 })
    t.deepEqual(await ids({ sourceId: ad, sourceType: 'post' }), { ids: [], total: 0 })
    t.deepEqual(await ids({ startDate: at(1), endDate: at(1) }), { ids: [third], total: 1 })
    t.deepEqual(await ids({ startDate: new Date(at(1).getTime() + 1) }), { ids: [last], total: 1 })
  })

  // [referrals.names.1]
  test(`${name}: a number sees neither the referrals nor the names of another, not of one tenant either`, async (t) => {
    const world = makeWorld(NOON)
    const one = await ownedOfficial(world)
    const others = [await ownedOfficial(world, {}, one.tenantId), await ownedOfficial(world)]
    const ad = newAdId()
    await clicked(world, one, click(ad))
    for (const owned of others) {
      t.deepEqual(await world.stores.referrals.list(owned.number, ALL_REFERRALS), { items: [], total: 0 })
      t.deepEqual(await world.stores.referrals.summary(owned.number, EVER, 10), { ads: [], isTruncated: false })
    }
  })
}
