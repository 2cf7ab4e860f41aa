import type { TestFn } from 'ava'
import fc from 'fast-check'
import type { Lead } from '../../src/domain/lead.ts'
import type { CapturedLead, LeadQuery } from '../../src/ports/stores/lead-store.ts'
import { counted, sized } from '../helpers/size.ts'
import {
  captured,
  DAY_MS,
  FIRST_PAGE,
  HOUR_MS,
  linked,
  newNotice,
  NOON,
  rowsOf,
  settle,
  stored,
  told,
} from './lead-world.ts'
import type { MakeWorld } from './world.ts'

/** The answer to a query by a plain count. */
function answered(leads: readonly Lead[], { page, pageSize, formId, adId, pageId, startDate, endDate }: LeadQuery) {
  const found = leads.filter(
    (lead) =>
      (formId === null || lead.formId === formId)
      && (adId === null || lead.adId === adId)
      && (pageId === null || lead.pageId === pageId)
      && (startDate === null || lead.createdAt >= startDate)
      && (endDate === null || lead.createdAt <= endDate),
  )
  const sorted = found.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
  return { ids: sorted.slice((page - 1) * pageSize, page * pageSize).map(({ id }) => id), total: found.length }
}

/** Pages of leads compared with a plain count. */
export function leadListSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: pages and totals match the filters and dates, wherever those cut, also with erased leads between`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const [second, stranger] = [await linked(world, {}, one), await linked(world)]
    const midnight = Date.UTC(2026, 0, 8)
    const times = [
      ...Array.from({ length: 60 }, (_, n) => midnight - DAY_MS + n * 1.7 * HOUR_MS),
      midnight,
      midnight,
      midnight - 1,
      midnight + DAY_MS,
      midnight + DAY_MS - 1,
      midnight + DAY_MS + 1,
    ]
    const [forms, ads, pages] = [
      ['77', '78', '7'],
      ['90071992547409931', '90071992547409932', null],
      [one.page, second.page],
    ]
    const made: Lead[] = []
    for (const [n, ms] of times.entries())
      made.push(
        await stored(
          world,
          captured(pages[n % 2] ?? one.page, {
            createdAt: new Date(ms),
            formId: forms[n % 3] ?? '77',
            adId: ads[n % 5] ?? null,
          }),
        ),
      )
    await stored(world, captured(stranger.page))
    for (const lead of made.filter((_, n) => n % 7 === 0))
      t.true(await world.stores.leads.erase(one.number.id, lead.id))
    const left = made.filter((_, n) => n % 7 !== 0)
    const edge = fc.option(
      fc
        .oneof(
          fc.integer({ min: midnight - 2 * DAY_MS, max: midnight + 6 * DAY_MS }),
          fc.constantFrom(...times),
          fc.integer({ min: -2, max: 5 }).map((day) => midnight + day * DAY_MS - 1),
        )
        .map((ms) => new Date(ms)),
    )
    const filter = (...values: readonly string[]) =>
      fc.option(fc.constantFrom(...values, '404', '\0', `77 ${one.page.pageId}`, ''), { freq: 2 })
    for (const formId of [`77 ${one.page.pageId}`, `77 page ${one.page.pageId}`, `77 page:${one.page.pageId}`]) {
      t.deepEqual(
        await world.stores.leads.list(one.number.id, { ...FIRST_PAGE, formId }),
        { items: [], total: 0 },
        'no form, and no form and Page',
      )
    }
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          page: fc.integer({ min: 1, max: 4 }),
          pageSize: fc.integer({ min: 1, max: 30 }),
          startDate: edge,
          endDate: edge,
          formId: filter('77', '78', '7'),
          adId: filter('90071992547409931', '90071992547409932'),
          pageId: filter(one.page.pageId, second.page.pageId),
        }),
        async (query) => {
          const { items, total } = await world.stores.leads.list(one.number.id, query)
          t.deepEqual({ ids: items.map(({ id }) => id), total }, answered(left, query))
        },
      ),
      { numRuns: counted(600, 120) },
    )
  })

  test(`${name}: counts are exact whatever nodes store, tell again, and erase at once`, async (t) => {
    const world = makeWorld(NOON)
    const other = makeWorld(NOON)
    const one = await linked(world)
    const pages = [one.page, (await linked(world, {}, one)).page, (await linked(world, {}, one)).page]
    const count = sized(600, 90)
    const leads = Array.from({ length: count }, (_, n) =>
      captured(pages[n % 3] ?? one.page, {
        formId: `7${n % 4}`,
        adId: n % 5 === 0 ? null : `60${n % 2}`,
        createdAt: new Date(NOON - (n % 6) * 10 * HOUR_MS),
      }),
    )
    const erased: string[] = []
    const work = async (lead: CapturedLead, n: number) => {
      const [stores, again] = n % 2 === 0 ? [world.stores, other.stores] : [other.stores, world.stores]
      await stores.leadNotices.accept(one.page.appId, one.page.appSecret, [
        newNotice(lead, { leadgenId: lead.leadgenId }),
        newNotice(one.page),
      ])
      const results = await Promise.all([
        stores.leads.store(lead, settle(told())),
        again.leads.store(lead, settle(told())),
      ])
      const made = results.flatMap((result) => (result.kind === 'stored' ? [result.lead.id] : []))
      t.is(made.length, 1)
      if (n % 3 !== 0) return
      t.deepEqual(
        (
          await Promise.all([stores, again].map(({ leads: rows }) => rows.erase(one.number.id, made[0] ?? '')))
        ).toSorted(),
        [false, true],
      )
      erased.push(lead.leadgenId)
    }
    // A few at a time, as lead fetching does, because a lead that waits for a Page holds a connection.
    const waiting = leads.entries()
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (const [n, lead] of waiting) await work(lead, n)
      }),
    )
    const left = leads.filter(({ leadgenId }) => !erased.includes(leadgenId))
    for (const formId of [null, '70', '73']) {
      for (const pageId of [null, ...pages.map((page) => page.pageId)]) {
        for (const adId of [null, '601']) {
          const expected = left.filter(
            (lead) =>
              (formId ?? lead.formId) === lead.formId
              && (pageId ?? lead.pageId) === lead.pageId
              && (adId ?? lead.adId) === lead.adId,
          ).length
          t.is((await world.stores.leads.list(one.number.id, { ...FIRST_PAGE, formId, pageId, adId })).total, expected)
        }
      }
    }
    t.is(
      (await rowsOf(world, 'lead_notices', 'page_id', one.page.pageId)).filter((row) =>
        leads.some(({ leadgenId }) => leadgenId === row['leadgen_id']),
      ).length,
      0,
    )
  })

  test(`${name}: pages far back continue without gaps, newest first, ties by id descending`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const made: Lead[] = []
    for (let n = 0; n < 150; n++)
      made.push(await stored(world, captured(one.page, { createdAt: new Date(NOON - Math.floor(n / 3) * HOUR_MS) })))
    const ids: string[] = []
    for (let page = 1; page <= 6; page++) {
      const { items, total } = await world.stores.leads.list(one.number.id, { ...FIRST_PAGE, page })
      t.is(total, 150)
      ids.push(...items.map(({ id }) => id))
    }
    t.deepEqual(ids, answered(made, { ...FIRST_PAGE, pageSize: 150 }).ids)
  })
}
