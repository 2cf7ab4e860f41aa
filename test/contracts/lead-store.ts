import type { TestFn } from 'ava'
import type { Lead } from '../../src/domain/lead.ts'
import type { SettledLead, StoringFacts } from '../../src/ports/stores/lead-store.ts'
import {
  captured,
  countsOf,
  FIRST_PAGE,
  leadRow,
  linked,
  madeNumber,
  newNotice,
  NOON,
  PENDING,
  PERSON,
  rowsOf,
  settle,
  stored,
  TRACES,
} from './lead-world.ts'
import { storedEvents, type MakeWorld } from './world.ts'

const PHONE = '5511999990000'

/** What the storing of a lead does. */
export function leadStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a lead is stored as it was captured and settled, its notice goes, and reads show it`, async (t) => {
    const world = makeWorld(NOON)
    const { leads, leadNotices, leadPages } = world.stores
    const { tenantId, number, page } = await linked(world)
    const lead = captured(page)
    t.is(await leadNotices.accept(page.appId, page.appSecret, [newNotice(page, { leadgenId: lead.leadgenId })]), 1)
    t.is((await leadPages.find({ tenantId, numberId: null }, page.pageId))?.pendingLeads, 1)
    const expected: Lead = {
      ...lead,
      ...PERSON,
      id: 'lead_',
      tenantId,
      channelNumberId: number.id,
      consentGiven: true,
      conversationId: null,
      autoSendStatus: 'skipped',
      autoSendReason: 'too_old',
      autoSendMessageId: null,
      isRedacted: false,
      namesResolvedAt: new Date(NOON),
      receivedAt: new Date(NOON),
    }
    const made = await stored(world, lead, { consentGiven: true, autoSend: { status: 'skipped', reason: 'too_old' } })
    const shown = { ...expected, id: made.id }
    t.regex(made.id, /^lead_[0-9a-z]{26}$/)
    t.deepEqual(made, shown)
    t.deepEqual(await leads.find(number.id, made.id), shown)
    t.deepEqual(await leads.list(number.id, FIRST_PAGE), { items: [shown], total: 1 })
    t.like(await leadPages.find({ tenantId, numberId: number.id }, page.pageId), {
      pendingLeads: 0,
      lastLeadAt: new Date(NOON),
    })
  })

  // [leads.object.3]
  test(`${name}: a lead with nothing but its ids is stored and shown`, async (t) => {
    const world = makeWorld(NOON)
    const { number, page } = await linked(world, { pageName: null })
    const bare = captured(page, {
      fullName: null,
      email: null,
      phone: null,
      fields: [],
      formName: null,
      platform: null,
      isOrganic: null,
    })
    const made = await stored(world, bare, { phoneDigits: null })
    t.like(made, { ...bare, conversationId: null })
    t.deepEqual(await world.stores.leads.find(number.id, made.id), made)
  })

  // [leads.fetching.1] [leads.object.2]
  test(`${name}: a lead is stored and settled once, whichever source tells of it and through whichever Page`, async (t) => {
    const world = makeWorld(NOON)
    const { tenantId, number, page } = await linked(world)
    const other = await linked(world)
    const lead = captured(page)
    let settled = 0
    const counting = (facts: StoringFacts) => {
      settled += 1
      return settle({ eventOf: ({ id }) => ({ event: 'lead.received', data: { id } }) })(facts)
    }
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => world.stores.leads.store(lead, counting)))
    t.deepEqual(results.map(({ kind }) => kind).toSorted(), ['known', 'known', 'known', 'known', 'stored'])
    t.is(settled, 1)
    t.deepEqual(await world.stores.leads.store({ ...lead, pageId: other.page.pageId }, settle()), { kind: 'known' })
    t.is(
      (await storedEvents(world.stores.events, { tenantId, numberId: number.id })).filter(
        ({ event }) => event === 'lead.received',
      ).length,
      1,
    )
    t.deepEqual(await countsOf(world, number.id), {
      '': 1,
      'form 77': 1,
      [`page ${page.pageId}`]: 1,
      [`form+page 77 ${page.pageId}`]: 1,
    })
    t.deepEqual(await countsOf(world, other.number.id), {})
  })

  test(`${name}: a notice of a lead that is known goes when it is worked off`, async (t) => {
    const world = makeWorld(NOON)
    const { page } = await linked(world)
    const lead = captured(page)
    const notice = newNotice(page, { leadgenId: lead.leadgenId })
    await world.stores.leadNotices.accept(page.appId, page.appSecret, [notice])
    await stored(world, lead)
    t.is(await world.stores.leadNotices.accept(page.appId, page.appSecret, [notice]), 0)
    t.deepEqual(await world.stores.leadNotices.acceptFound(page.pageId, [notice]), 0)
    t.deepEqual(await rowsOf(world, 'lead_notices', 'leadgen_id', lead.leadgenId), [])
  })

  // [leads.fetching.8]
  test(`${name}: the event is of the lead as it is stored, and comes with it or not at all`, async (t) => {
    const world = makeWorld(NOON)
    const { tenantId, number, page } = await linked(world)
    const lead = captured(page)
    const seen: Lead[] = []
    const eventOf: SettledLead['eventOf'] = (one) => {
      seen.push(one)
      return { event: 'lead.received', data: { id: one.id, text: PERSON.fields[1]?.values[0] } }
    }
    await t.throwsAsync(
      world.stores.leads.store(
        lead,
        settle({
          eventOf: () => {
            throw new Error('cannot be told')
          },
        }),
      ),
      { message: 'cannot be told' },
    )
    t.is((await world.stores.leads.list(number.id, FIRST_PAGE)).total, 0)
    const made = await stored(world, lead, { isRedacted: true, eventOf })
    t.deepEqual(seen, [made])
    t.like(made, { isRedacted: true, fullName: null, email: null, phone: null, fields: [] })
    const events = (await storedEvents(world.stores.events, { tenantId, numberId: number.id })).filter(
      ({ event }) => event === 'lead.received',
    )
    t.deepEqual(
      events.map(({ data }) => data),
      [{ id: made.id, text: '\u0000 "$&" {{1}}' }],
    )
    t.is((await leadRow(world, made.id))['event_id'], events[0]?.id)
    await stored(world, captured(page))
    t.is(
      (await storedEvents(world.stores.events, { tenantId, numberId: number.id })).filter(
        ({ event }) => event === 'lead.received',
      ).length,
      1,
    )
  })

  test(`${name}: a lead that is stored redacted contains no personal data, and its pending answer contains none in clear text`, async (t) => {
    const world = makeWorld(NOON)
    const { page } = await linked(world)
    const redacted = await stored(world, captured(page), { isRedacted: true, autoSend: PENDING })
    const row = JSON.stringify(await leadRow(world, redacted.id))
    for (const trace of [...TRACES, PHONE]) t.false(row.includes(trace), trace)
    t.like(await leadRow(world, redacted.id), { is_redacted: true, auto_send_status: 'pending' })
  })

  // [leads.privacy.5]
  test(`${name}: a lead of a number whose privacy mode cannot be read waits, together with its notice`, async (t) => {
    const world = makeWorld(NOON)
    const { tenantId, number, page } = await linked(world)
    const lead = captured(page)
    await world.stores.leadNotices.accept(page.appId, page.appSecret, [newNotice(page, { leadgenId: lead.leadgenId })])
    for (const piiMode of ['KEEP_SOME', 'STORE_X_DAYS']) {
      await world.stores.numbers.patch(tenantId, number.id, { piiMode: piiMode as never })
      t.deepEqual(
        await world.stores.leads.store(lead, () => {
          throw new Error('nothing is settled')
        }),
        { kind: 'waits' },
      )
      t.like(await world.stores.privacy.retentionOf(number.id), { piiMode, piiRetentionDays: null })
    }
    t.is((await rowsOf(world, 'lead_notices', 'leadgen_id', lead.leadgenId)).length, 1)
    await world.stores.numbers.patch(tenantId, number.id, { piiMode: 'STORE_INDEFINITE' })
    t.is((await world.stores.leads.store(lead, settle())).kind, 'stored')
  })

  test(`${name}: a lead goes to the number its Page is linked to, and nowhere once that or the Page is gone`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const second = await madeNumber(world, {}, one.tenantId)
    const scope = { tenantId: one.tenantId, numberId: null }
    t.is((await stored(world, captured(one.page))).channelNumberId, one.number.id)
    await world.stores.leadPages.patch(scope, one.page.pageId, { channelNumberId: second.number.id })
    const moved = await stored(world, captured(one.page))
    t.is(moved.channelNumberId, second.number.id)
    t.is(await world.stores.leads.find(one.number.id, moved.id), null)
    await world.stores.leadPages.remove(scope, one.page.pageId)
    t.deepEqual(await world.stores.leads.store(captured(one.page), settle()), { kind: 'gone' })
    t.like(await world.stores.leads.find(second.number.id, moved.id), { id: moved.id }, 'leads stay')
    t.is(await world.stores.privacy.retentionOf('num_unknown'), null)
  })

  test(`${name}: an import is told which leads are stored, by what and when, and which are only noticed`, async (t) => {
    const world = makeWorld(NOON)
    const { leads, leadNotices } = world.stores
    const { number, page } = await linked(world)
    const [live, imported, erased, noticed] = [
      captured(page),
      captured(page, { source: 'backfill' }),
      captured(page),
      newNotice(page),
    ]
    for (const lead of [live, imported]) await leads.store(lead, settle())
    const gone = await leads.store(erased, settle())
    if (gone.kind !== 'stored') return t.fail(gone.kind)
    t.true(await leads.erase(number.id, gone.lead.id))
    await leadNotices.accept(page.appId, page.appSecret, [noticed])
    const receivedAt = new Date(NOON)
    const known = await leads.known(
      page.pageId,
      [live, imported, erased, noticed, captured(page)].map(({ leadgenId }) => leadgenId),
    )
    t.deepEqual(
      [live, imported, erased, noticed].map(({ leadgenId }) => known.get(leadgenId)),
      [{ source: 'webhook', receivedAt }, { source: 'backfill', receivedAt }, { source: 'webhook', receivedAt }, null],
    )
    t.is(known.size, 4)
    t.deepEqual(await leads.known(page.pageId, []), new Map())
  })
}
