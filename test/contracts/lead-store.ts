import type { TestFn } from 'ava'
import { captured, FIRST_PAGE, linkedPage, newNotice, PERSON, settle } from './lead-world.ts'
import type { MakeWorld } from './world.ts'

const NOON = Date.UTC(2026, 0, 10, 12)

/** What storing a lead comes to. */
export function leadStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a lead is stored as it was captured and settled, its notice goes, and reads show it`, async (t) => {
    const world = makeWorld(NOON)
    const { leads, leadNotices, leadPages } = world.stores
    const { tenantId, number, page } = await linkedPage(world)
    const lead = captured(page)
    t.is(await leadNotices.accept(page.appId, page.appSecret, [newNotice(page, { leadgenId: lead.leadgenId })]), 1)
    t.is((await leadPages.find({ tenantId, numberId: null }, page.pageId))?.pendingLeads, 1)
    const stored = await leads.store(lead, settle({ consentGiven: true }))
    if (stored.kind !== 'stored') return t.fail(stored.kind)
    const expected = {
      ...lead, ...PERSON, id: stored.lead.id, tenantId, channelNumberId: number.id, consentGiven: true, conversationId: null, autoSendStatus: 'none', autoSendReason: null,
      autoSendMessageId: null, isRedacted: false, namesResolvedAt: new Date(NOON), receivedAt: new Date(NOON),
    }
    t.deepEqual(stored.lead, expected as never)
    t.deepEqual(await leads.find(number.id, stored.lead.id), expected as never)
    t.deepEqual(await leads.list(number.id, FIRST_PAGE), { items: [expected as never], total: 1 })
    const linked = await leadPages.find({ tenantId, numberId: number.id }, page.pageId)
    t.like(linked, { pendingLeads: 0, lastLeadAt: new Date(NOON) })
  })

  test(`${name}: an import is told which leads are stored, by what and when, and which are only noticed`, async (t) => {
    const world = makeWorld(NOON)
    const { leads, leadNotices } = world.stores
    const { number, page } = await linkedPage(world)
    const [live, imported, erased, noticed] = [captured(page), captured(page, { source: 'backfill' }), captured(page), newNotice(page)]
    for (const lead of [live, imported]) await leads.store(lead, settle())
    const gone = await leads.store(erased, settle())
    if (gone.kind !== 'stored') return t.fail(gone.kind)
    t.true(await leads.erase(number.id, gone.lead.id))
    await leadNotices.accept(page.appId, page.appSecret, [noticed])
    const receivedAt = new Date(NOON)
    t.deepEqual(await leads.known([live, imported, erased, noticed, captured(page)].map(({ leadgenId }) => leadgenId)), new Map([
      [noticed.leadgenId, null], [live.leadgenId, { source: 'webhook', receivedAt }], [imported.leadgenId, { source: 'backfill', receivedAt }], [erased.leadgenId, { source: 'webhook', receivedAt }],
    ]))
    t.deepEqual(await leads.known([]), new Map())
  })

  test(`${name}: a few notices of each Page are taken at a time, and none of Pages that are busy`, async (t) => {
    const world = makeWorld(NOON)
    const { leadNotices } = world.stores
    const one = await linkedPage(world)
    const other = await linkedPage(world, {}, {}, one.number)
    for (const { page } of [one, other]) await leadNotices.accept(page.appId, page.appSecret, [newNotice(page), newNotice(page), newNotice(page)])
    const pagesOf = async (limit: number, except?: readonly string[]) => (await leadNotices.take(limit, 2, 60_000, except)).map(({ pageId }) => pageId)
      .filter((pageId) => pageId === one.page.pageId || pageId === other.page.pageId).toSorted()
    t.deepEqual(await pagesOf(1_000, [one.page.pageId]), [other.page.pageId, other.page.pageId])
    t.deepEqual(await pagesOf(1_000), [one.page.pageId, one.page.pageId, other.page.pageId].toSorted())
  })
}
