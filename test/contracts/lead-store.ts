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
}
