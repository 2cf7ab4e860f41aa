import type { TestFn } from 'ava'
import type { NumberId } from '../../src/domain/ids.ts'
import type { Lead } from '../../src/domain/lead.ts'
import {
  captured,
  countsOf,
  DAY_MS,
  FIRST_PAGE,
  leadRow,
  linked,
  madeNumber,
  newNotice,
  NOON,
  PENDING,
  rowsOf,
  SECOND_MS,
  settle,
  stored,
  told,
  TRACES,
  upstreamDigits,
  type Linked,
} from './lead-world.ts'
import { storedEvents, type MakeWorld, type World } from './world.ts'

const PHONE = '5511999990000'

async function tracesIn(world: World, one: Linked): Promise<string[]> {
  const rows = [
    ...(await rowsOf(world, 'leads', 'number_id', one.number.id)),
    ...(await rowsOf(world, 'events', 'number_id', one.number.id)),
  ]
  return [...TRACES, PHONE].filter((trace) => JSON.stringify(rows).includes(trace))
}

/** What erasing leaves behind, and that leads are removed with their number. */
export function leadErasingSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [leads.erasing.1] [leads.erasing.2] [leads.erasing.3]
  test(`${name}: an erased lead is emptied with its event, neither found, listed nor counted, and never imported again`, async (t) => {
    const world = makeWorld(NOON)
    const { leads, leadNotices } = world.stores
    const one = await linked(world)
    const adId = upstreamDigits()
    const lead = captured(one.page, { adId })
    const made = await stored(world, lead, { ...told(), autoSend: PENDING, consentGiven: true })
    const kept = await stored(
      world,
      captured(one.page, { adId, fullName: null, email: null, phone: null, fields: [] }),
      { phoneDigits: null },
    )
    const stranger = await linked(world)
    for (const numberId of [stranger.number.id, 'num_unknown'] as NumberId[])
      t.false(await leads.erase(numberId, made.id))
    t.deepEqual(await tracesIn(world, one), TRACES)
    t.deepEqual((await Promise.all([1, 2, 3].map(() => leads.erase(one.number.id, made.id)))).toSorted(), [
      false,
      false,
      true,
    ])
    t.deepEqual(await tracesIn(world, one), [])
    t.is(await leads.find(one.number.id, made.id), null)
    t.deepEqual(await leads.list(one.number.id, FIRST_PAGE), { items: [kept], total: 1 })
    t.deepEqual(await leads.list(one.number.id, { ...FIRST_PAGE, adId, formId: '77', pageId: one.page.pageId }), {
      items: [kept],
      total: 1,
    })
    const events = (
      await storedEvents(world.stores.events, { tenantId: one.tenantId, numberId: one.number.id })
    ).filter(({ event }) => event === 'lead.received')
    t.deepEqual(
      events.map(({ data }) => data),
      [{ redacted: true }],
    )
    t.like(await leadRow(world, made.id), {
      leadgen_id: lead.leadgenId,
      page_id: one.page.pageId,
      form_id: '77',
      ad_id: adId,
      contact_id: null,
      consent_given: null,
      sealed_auto_send: null,
      auto_send_status: 'none',
      auto_send_due_at: null,
    })
    t.is(
      await leadNotices.accept(one.page.appId, one.page.appSecret, [
        newNotice(one.page, { leadgenId: lead.leadgenId }),
      ]),
      0,
    )
    for (const source of ['webhook', 'backfill'] as const)
      t.deepEqual(await leads.store({ ...lead, source }, settle(told())), { kind: 'known' })
    t.deepEqual(await tracesIn(world, one), [])
  })

  // [leads.scope.4]
  test(`${name}: leads go with their number, erased ones too, and another Page may bring them anew`, async (t) => {
    const world = makeWorld(NOON)
    const { leads, numbers } = world.stores
    const [one, other] = [await linked(world), await linked(world)]
    const lead = captured(one.page, { adId: upstreamDigits() })
    const [made, erased, kept] = [
      await stored(world, lead),
      await stored(world, captured(one.page)),
      await stored(world, captured(other.page)),
    ]
    await leads.erase(one.number.id, erased.id)
    await numbers.remove(one.tenantId, one.number.id)
    t.deepEqual(
      [await rowsOf(world, 'leads', 'number_id', one.number.id), await countsOf(world, one.number.id)],
      [[], {}],
    )
    t.deepEqual(await leads.store(captured(one.page), settle()), { kind: 'gone' })
    t.is(await leads.find(one.number.id, made.id), null)
    t.deepEqual((await leads.list(other.number.id, FIRST_PAGE)).items, [kept])
    t.is((await leads.store({ ...lead, pageId: other.page.pageId }, settle())).kind, 'stored')
  })

  test(`${name}: leads are found and listed by their number alone`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const sibling = await linked(world, {}, await madeNumber(world, {}, one.tenantId))
    const lead = await stored(world, captured(one.page))
    t.is(await world.stores.leads.find(sibling.number.id, lead.id), null)
    t.is(await world.stores.leads.find(one.number.id, 'lead_unknown\0'), null)
    t.deepEqual(await world.stores.leads.list(sibling.number.id, { ...FIRST_PAGE, pageId: one.page.pageId }), {
      items: [],
      total: 0,
    })
  })
}

/** Stripping acts on all numbers by the clock of one test, so these tests run one after another. */
export function leadStripSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const strip = async (world: World) => {
    let count = 0
    for (let last = 1; last > 0;) count += last = await world.stores.leads.strip(2)
    return count
  }
  const isStripped = async (world: World, one: Linked, lead: Lead) =>
    (await world.stores.leads.find(one.number.id, lead.id))?.isRedacted

  // [leads.privacy.8]
  test.serial(
    `${name}: personal data that privacy no longer keeps is stripped at the second the window ends, and counts stay`,
    async (t) => {
      const now = Date.UTC(2009, 0, 10, 12)
      const world = makeWorld(now)
      const [limited, relay, whole, unknown] = [
        await linked(world, {}, await madeNumber(world, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 })),
        await linked(world),
        await linked(world),
        await linked(world),
      ]
      const at = (beforeMs: number) => ({ createdAt: new Date(now - beforeMs) })
      const leadsOf = async (one: Linked) =>
        Promise.all([3 * DAY_MS + 1, 3 * DAY_MS, 0].map((before) => stored(world, captured(one.page, at(before)))))
      const all = new Map<Linked, readonly Lead[]>()
      for (const one of [limited, relay, whole, unknown]) all.set(one, await leadsOf(one))
      await world.stores.numbers.patch(relay.tenantId, relay.number.id, { piiMode: 'RELAY_ONLY' })
      await world.stores.numbers.patch(unknown.tenantId, unknown.number.id, { piiMode: 'KEEP_SOME' as never })
      const stripped = async () =>
        Promise.all([...all].map(async ([one, some]) => Promise.all(some.map((lead) => isStripped(world, one, lead)))))
      t.is(await strip(world), 4)
      t.deepEqual(await stripped(), [
        [true, false, false],
        [true, true, true],
        [false, false, false],
        [false, false, false],
      ])
      t.deepEqual(await tracesIn(world, relay), [])
      const [first] = all.get(limited) ?? []
      if (!first) return t.fail()
      t.deepEqual(await world.stores.leads.find(limited.number.id, first.id), {
        ...first,
        isRedacted: true,
        fullName: null,
        email: null,
        phone: null,
        fields: [],
      })
      world.clock.advance(SECOND_MS)
      t.is(await strip(world), 1)
      t.is(await strip(world), 0)
      t.deepEqual((await stripped())[0], [true, true, false])
      for (const one of all.keys()) t.is((await world.stores.leads.list(one.number.id, FIRST_PAGE)).total, 3)
      await world.stores.numbers.patch(relay.tenantId, relay.number.id, { piiMode: 'STORE_INDEFINITE' })
      t.deepEqual((await stripped())[1], [true, true, true], 'for good')
    },
  )
}
