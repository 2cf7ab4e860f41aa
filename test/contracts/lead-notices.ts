import type { TestFn } from 'ava'
import type { LeadNotice, TakenNotice } from '../../src/ports/stores/lead-notice-store.ts'
import {
  captured,
  HOUR_MS,
  linked,
  MINUTE_MS,
  newNotice,
  NOON,
  rowsOf,
  SECOND_MS,
  stored,
  upstreamDigits,
  type Linked,
} from './lead-world.ts'
import type { MakeWorld, World } from './world.ts'

async function waitingOf(world: World, ...linkeds: readonly Linked[]): Promise<string[]> {
  return (await Promise.all(linkeds.map(({ page }) => rowsOf(world, 'lead_notices', 'page_id', page.pageId))))
    .flat()
    .map((row) => String(row['leadgen_id']))
    .toSorted()
}

/** Which notices are accepted. */
export function leadNoticeSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [leads.webhook.7]
  test(`${name}: a notice is stored once, however often, in whatever order and by however many posts it is told`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const { leadNotices } = world.stores
    const [first, second, third] = [
      newNotice(one.page, { adId: '90071992547409931' }),
      newNotice(one.page, { formId: null }),
      newNotice(one.page),
    ]
    const accept = (...notices: LeadNotice[]) => leadNotices.accept(one.page.appId, one.page.appSecret, notices)
    t.is(await accept(), 0)
    t.is(await accept(first, second, first), 2)
    t.is(await accept(second, third, first), 1)
    const counts = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        accept(newNotice(one.page, { leadgenId: `${third.leadgenId}00${n % 4}` }), third),
      ),
    )
    t.is(
      counts.reduce((sum, count) => sum + count, 0),
      4,
    )
    t.is((await waitingOf(world, one)).length, 7)
  })

  // [leads.webhook.3]
  test(`${name}: a secret speaks for the Pages of its app that are linked with it, and no other`, async (t) => {
    const world = makeWorld(NOON)
    const { leadNotices } = world.stores
    const appId = upstreamDigits()
    const [mine, shared, otherSecret, otherApp] = [
      await linked(world, { appId, appSecret: 's1' }),
      await linked(world, { appId, appSecret: 's1' }),
      await linked(world, { appId, appSecret: 's2' }),
      await linked(world, { appSecret: 's1' }),
    ]
    const notices = [mine, shared, otherSecret, otherApp].map(({ page }) => newNotice(page))
    const all = [...notices, newNotice({ pageId: '404' })]
    t.is(await leadNotices.accept(appId, 's3', all), 0)
    t.is(await leadNotices.accept(otherSecret.page.appId, 's1', all), 2)
    t.deepEqual(
      await waitingOf(world, mine, shared, otherSecret, otherApp),
      notices
        .slice(0, 2)
        .map(({ leadgenId }) => leadgenId)
        .toSorted(),
    )
    // At once, so that they share a statement: what one of them may do the others may not.
    const counts = await Promise.all([
      leadNotices.accept(appId, 's2', all),
      leadNotices.accept(otherApp.page.appId, 's2', all),
      leadNotices.accept(otherApp.page.appId, 's1', all),
    ])
    t.deepEqual(counts, [1, 0, 1])
    await world.stores.leadPages.patch({ tenantId: mine.tenantId, numberId: null }, mine.page.pageId, {
      appSecret: 's4',
    })
    t.deepEqual(
      [
        await leadNotices.accept(appId, 's1', [newNotice(mine.page)]),
        await leadNotices.accept(appId, 's4', [newNotice(mine.page)]),
      ],
      [0, 1],
    )
  })

  test(`${name}: a notice of the wrong Page does not keep a lead from its own Page, and is removed when the lead is stored or given up`, async (t) => {
    const world = makeWorld(NOON)
    const { leadNotices, leads } = world.stores
    const [owner, stranger] = [await linked(world), await linked(world)]
    const lead = captured(owner.page)
    const { leadgenId } = lead
    const accept = ({ page }: Linked) =>
      leadNotices.accept(page.appId, page.appSecret, [newNotice(page, { leadgenId })])
    t.is(await accept(stranger), 1)
    t.deepEqual(await leads.known(owner.page.pageId, [leadgenId]), new Map(), 'an import reads it')
    t.deepEqual([await accept(owner), await accept(owner), await accept(stranger)], [1, 0, 0])
    t.is((await leads.known(owner.page.pageId, [leadgenId])).get(leadgenId), null)
    await leadNotices.drop({ leadgenId, pageId: stranger.page.pageId })
    t.deepEqual([await waitingOf(world, stranger), await waitingOf(world, owner)], [[], [leadgenId]])
    t.is(await accept(stranger), 1)
    await stored(world, lead)
    t.deepEqual(await waitingOf(world, stranger, owner), [])
    t.is(await accept(stranger), 0)
  })

  test(`${name}: leads that a sweep found are accepted only for its own Page, and only if they are not known yet`, async (t) => {
    const world = makeWorld(NOON)
    const { leadNotices, leads } = world.stores
    const [one, other] = [await linked(world), await linked(world)]
    const lead = captured(one.page)
    await stored(world, lead)
    const erased = await stored(world, captured(one.page))
    await leads.erase(one.number.id, erased.id)
    const found = newNotice(one.page)
    const notices = [
      found,
      newNotice(other.page),
      newNotice(one.page, { leadgenId: lead.leadgenId }),
      newNotice(one.page, { leadgenId: erased.leadgenId }),
    ]
    t.is(await leadNotices.acceptFound(one.page.pageId, notices), 1)
    t.is(await leadNotices.acceptFound(one.page.pageId, notices), 0)
    t.deepEqual(await waitingOf(world, one, other), [found.leadgenId])
    t.is(await leadNotices.acceptFound('404', [newNotice({ pageId: '404' })]), 0)
    t.is(await leadNotices.accept(one.page.appId, one.page.appSecret, notices), 0, 'nor does a notice bring it back')
  })

  test(`${name}: thousands of notices in one post are stored, piece by piece, each once`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const notices = Array.from({ length: 5_000 }, () => newNotice(one.page))
    t.is(await world.stores.leadNotices.accept(one.page.appId, one.page.appSecret, [...notices, ...notices]), 5_000)
    t.is(
      (await world.stores.leadPages.find({ tenantId: one.tenantId, numberId: null }, one.page.pageId))?.pendingLeads,
      5_000,
    )
    await world.stores.leadPages.remove({ tenantId: one.tenantId, numberId: null }, one.page.pageId)
  })
}

/** Notices are taken from all Pages by the clock of one test, so these tests run one after another. */
export function leadNoticeTurnSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const taken = async (
    world: World,
    perPage: number,
    ...linkeds: readonly Linked[]
  ): Promise<readonly TakenNotice[]> => {
    const ids = new Set(linkeds.map(({ page }) => page.pageId))
    return (await world.stores.leadNotices.take(10_000, perPage, { by: 'taker', leaseMs: MINUTE_MS })).filter(
      ({ pageId }) => ids.has(pageId),
    )
  }
  const accept = ({ stores }: World, { page }: Linked, ...notices: readonly LeadNotice[]) =>
    stores.leadNotices.accept(page.appId, page.appSecret, notices)

  test.serial(`${name}: a notice is one node's for as long as its lease, and another's after`, async (t) => {
    const now = Date.UTC(2013, 0, 1)
    const world = makeWorld(now)
    const one = await linked(world)
    const notice = newNotice(one.page, { adId: '90071992547409931' })
    await accept(world, one, notice)
    const all = (await Promise.all([1, 2, 3].map(() => taken(world, 5, one)))).flat()
    t.deepEqual(all, [{ ...notice, tries: 0, noticedAt: new Date(now), claim: new Date(now + MINUTE_MS) }])
    world.clock.advance(MINUTE_MS - 1)
    t.deepEqual(await taken(world, 5, one), [])
    world.clock.advance(1)
    const [again] = await taken(world, 5, one)
    const [first] = all
    if (!again || !first) return t.fail('it was not taken again')
    await world.stores.leadNotices.postpone(first, new Date(now), true)
    t.deepEqual(await taken(world, 5, one), [], 'the claim was lost, and counts for nothing')
    await world.stores.leadNotices.postpone(again, new Date(now + 2 * MINUTE_MS), true)
    world.clock.advance(MINUTE_MS)
    const [third] = await taken(world, 5, one)
    t.like(third, { leadgenId: notice.leadgenId, tries: 1, noticedAt: new Date(now) })
    if (third) await world.stores.leadNotices.postpone(third, new Date(now), false)
    const [fourth] = await taken(world, 5, one)
    t.is(fourth?.tries, 1, 'a try that was held up does not count')
    await world.stores.leadNotices.drop(notice)
    world.clock.advance(HOUR_MS)
    t.deepEqual([await taken(world, 5, one), await waitingOf(world, one)], [[], []])
  })

  test.serial(
    `${name}: a Page with thousands of notices delays no other Page, and notices of a Page with a dead token are not taken`,
    async (t) => {
      const world = makeWorld(Date.UTC(2014, 0, 1))
      const [many, few, dead] = [await linked(world), await linked(world), await linked(world)]
      await accept(world, many, ...Array.from({ length: 2_000 }, () => newNotice(many.page)))
      world.clock.advance(SECOND_MS)
      await accept(world, few, newNotice(few.page), newNotice(few.page))
      await accept(world, dead, newNotice(dead.page))
      await world.stores.leadPages.tokenDied(dead.page.pageId, 1)
      const turn = await taken(world, 3, many, few, dead)
      const countOf = ({ page }: Linked) => turn.filter(({ pageId }) => pageId === page.pageId).length
      t.deepEqual([many, few, dead].map(countOf), [3, 2, 0])
      t.is(
        (await world.stores.leadNotices.take(2, 1_000, { by: 'taker', leaseMs: MINUTE_MS })).length,
        2,
        'no more than the limit',
      )
      await world.stores.leadPages.patch({ tenantId: dead.tenantId, numberId: null }, dead.page.pageId, {
        accessToken: 'EAAsecond',
      })
      t.like(await taken(world, 3, dead), [{ pageId: dead.page.pageId, tries: 0 }])
      for (const { tenantId, page } of [many, few, dead])
        await world.stores.leadPages.remove({ tenantId, numberId: null }, page.pageId)
    },
  )

  test.serial(
    `${name}: notices that a vanished process took are due again; those of a living node, or with a later try, are not`,
    async (t) => {
      const world = makeWorld(Date.UTC(2014, 2, 1))
      const one = await linked(world)
      const alive = world.leases()
      await alive.renew()
      const take = async (by: string) =>
        (await world.stores.leadNotices.take(1_000, 1, { by, leaseMs: MINUTE_MS })).filter(
          ({ pageId }) => pageId === one.page.pageId,
        )
      const [left, kept, later] = [newNotice(one.page), newNotice(one.page), newNotice(one.page)]
      for (const [notice, by] of [
        [left, 'gone'],
        [kept, alive.nodeId],
        [later, 'gone'],
      ] as const) {
        await accept(world, one, notice)
        const [taken] = await take(by)
        t.is(taken?.leadgenId, notice.leadgenId)
        if (taken && notice === later)
          await world.stores.leadNotices.postpone(taken, new Date(world.clock.now() + MINUTE_MS), true)
      }
      await world.stores.leadNotices.giveBack()
      t.deepEqual(
        (await take('other')).map(({ leadgenId }) => leadgenId),
        [left.leadgenId],
      )
      t.deepEqual(await take('other'), [])
    },
  )

  test.serial(`${name}: no notice of a busy Page is taken`, async (t) => {
    const world = makeWorld(Date.UTC(2014, 1, 1))
    const [one, other] = [await linked(world), await linked(world)]
    for (const each of [one, other])
      await accept(world, each, newNotice(each.page), newNotice(each.page), newNotice(each.page))
    const pages = [one.page.pageId, other.page.pageId]
    const pagesOf = async (except: readonly string[] = []) =>
      (await world.stores.leadNotices.take(1_000, 2, { by: 'taker', leaseMs: MINUTE_MS, except }))
        .map(({ pageId }) => pageId)
        .filter((pageId) => pages.includes(pageId))
        .toSorted()
    t.deepEqual(await pagesOf([one.page.pageId]), [other.page.pageId, other.page.pageId])
    t.deepEqual(await pagesOf(), [one.page.pageId, one.page.pageId, other.page.pageId].toSorted())
  })

  test.serial(`${name}: the number of waiting notices is told, and since when the oldest waits`, async (t) => {
    const now = Date.UTC(2010, 0, 1)
    const world = makeWorld(now)
    const one = await linked(world)
    const before = await world.stores.leadNotices.waiting()
    await accept(world, one, newNotice(one.page))
    world.clock.advance(HOUR_MS)
    await accept(world, one, newNotice(one.page))
    t.deepEqual(await world.stores.leadNotices.waiting(), { count: before.count + 2, oldestAt: new Date(now) })
  })
}
