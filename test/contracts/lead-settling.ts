import type { TestFn } from 'ava'
import type { ConversationId } from '../../src/domain/ids.ts'
import type { SettledLead, StoringFacts } from '../../src/ports/stores/lead-store.ts'
import {
  captured,
  DAY_MS,
  FIRST_PAGE,
  HOUR_MS,
  linked,
  madeNumber,
  MINUTE_MS,
  NOON,
  PENDING,
  rowsOf,
  settle,
  stored,
  upstreamDigits,
} from './lead-world.ts'
import { received, sent } from './message-world.ts'
import type { MakeWorld } from './world.ts'

const PHONE = '5511999990000'

/** What a lead is settled with when it is stored, and how it is named. */
export function leadSettlingSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: settling knows the number, its mode, what was set for the form, and the present`, async (t) => {
    const world = makeWorld(NOON)
    const { tenantId, number, page } = await linked(
      world,
      {},
      await madeNumber(world, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 }),
    )
    const autoSend = {
      templateId: 'tpl_x',
      variables: { 1: { field: 'full_name' } },
      onlyWithConsent: false,
      skipRecentConversationDays: 2,
    } as const
    await world.stores.leadPages.setForm({ tenantId, numberId: null }, page.pageId, '78', {
      consentKey: 'yes',
      autoSend,
    })
    const seen: StoringFacts[] = []
    const asked = (facts: StoringFacts): Promise<SettledLead> => {
      seen.push(facts)
      return settle()(facts)
    }
    for (const formId of ['77', '78']) await world.stores.leads.store(captured(page, { formId }), asked)
    const { id, provider, number: digits } = number
    const common = {
      tenantId,
      number: { id, tenantId, provider, number: digits },
      retention: { piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 },
      now: new Date(NOON),
    } as const
    t.deepEqual(
      seen.map(({ id: leadId, conversationWith: _with, wasAnsweredSince: _since, ...facts }) => ({
        ...facts,
        isId: leadId.startsWith('lead_'),
      })),
      [
        { ...common, settings: { consentKey: null, autoSend: null }, isId: true },
        { ...common, settings: { consentKey: 'yes', autoSend }, isId: true },
      ],
    )
  })

  // [leads.stored.7]
  test(`${name}: a lead that is decided while its conversation gets a message knows of it or not, and shows the conversation from then on`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    for (let round = 0; round < 5; round++) {
      const peer = `55119999900${round}0`
      const seen: (ConversationId | null)[] = []
      const lead = captured(one.page)
      const [result] = await Promise.all([
        world.stores.leads.store(lead, async (facts) => {
          seen.push((await facts.conversationWith(peer))?.id ?? null)
          return settle({ phoneDigits: peer })(facts)
        }),
        received(world, one, { peer, from: peer }),
      ])
      t.is(result.kind, 'stored')
      if (result.kind !== 'stored') return
      const shown = await world.stores.leads.find(one.number.id, result.lead.id)
      t.regex(shown?.conversationId ?? '', /^conv_/)
      t.is(result.lead.conversationId, seen[0] ?? null, 'what it was decided by is what is told')
      t.true(seen[0] === null || seen[0] === shown?.conversationId)
    }
  })

  test(`${name}: a lead that cannot be settled does not hold up the next ones`, async (t) => {
    const world = makeWorld(NOON)
    const { number, page } = await linked(world)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        world.stores.leads.store(
          captured(page),
          n === 3 ? () => Promise.reject(new Error('cannot be settled')) : settle(),
        ),
      ),
    )
    t.is(results.filter(({ status }) => status === 'rejected').length, 1)
    t.is((await world.stores.leads.list(number.id, FIRST_PAGE)).total, 19)
  })

  // [leads.stored.7]
  test(`${name}: the conversation of its phone is told to whoever settles, and shown from when there is one`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const stranger = await linked(world)
    const before = await stored(world, captured(one.page))
    t.is(before.conversationId, null)
    await received(world, one, { peer: PHONE, from: PHONE, happenedAt: new Date(NOON - DAY_MS) })
    const conversationId =
      (await world.stores.messages.conversations(one.number.id, { page: 1, pageSize: 1 })).items[0]?.id ?? null
    t.not(conversationId, null)
    t.is((await world.stores.leads.find(one.number.id, before.id))?.conversationId, conversationId)
    const known: unknown[] = []
    const look = async (facts: StoringFacts): Promise<SettledLead> => {
      known.push(await facts.conversationWith(PHONE), await facts.conversationWith('5511000000000'))
      return settle()(facts)
    }
    await world.stores.leads.store(captured(one.page), look)
    await sent(world, one, `up.${one.number.id}`, { to: { type: 'DIRECT', address: PHONE } })
    const made = await world.stores.leads.store(captured(one.page), look)
    await world.stores.leads.store(captured(stranger.page), look)
    t.deepEqual(known, [
      { id: conversationId, lastMessageAt: new Date(NOON - DAY_MS) },
      null,
      { id: conversationId, lastMessageAt: new Date(NOON) },
      null,
      null,
      null,
    ])
    t.is(made.kind === 'stored' ? made.lead.conversationId : null, conversationId)
  })

  // [identities.looking-up.1]
  test(`${name}: the phone of a lead finds its person by another form of the digits, and by what upstream names with it`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const [typed, known, userId] = [PHONE, '551199990000', 'BR.4711']
    await received(world, one, { peer: known, from: known })
    const [conversation] = (await world.stores.messages.conversations(one.number.id, { page: 1, pageSize: 1 })).items
    const early = await stored(world, captured(one.page), { phoneDigits: typed, autoSend: PENDING })
    t.is(early.conversationId, conversation?.id ?? null)
    await world.stores.inbox.name(one.fence, { addresses: [known, typed, userId] })
    t.is((await world.stores.leads.find(one.number.id, early.id))?.conversationId, conversation?.id)
    const answered: boolean[] = []
    await world.stores.leads.store(captured(one.page, { formId: '77' }), async (facts) => {
      for (const digits of [typed, known]) answered.push(await facts.wasAnsweredSince(digits, new Date(NOON - DAY_MS)))
      return settle({ phoneDigits: known })(facts)
    })
    t.deepEqual(answered, [true, true])
  })

  test(`${name}: settling is told whether the form and phone of a lead were answered before, or in the meantime`, async (t) => {
    const world = makeWorld(NOON)
    const one = await linked(world)
    const stranger = await linked(world)
    const answered = async ({ page }: typeof one, since: number, formId = '77', phone = PHONE) => {
      const seen: boolean[] = []
      await world.stores.leads.store(captured(page, { formId }), async (facts) => {
        seen.push(await facts.wasAnsweredSince(phone, new Date(since)))
        return { ...(await settle()(facts)), autoSend: { status: 'skipped', reason: 'already_sent' } }
      })
      return seen[0]
    }
    t.is(await answered(one, NOON - DAY_MS), false)
    await stored(world, captured(one.page), { autoSend: PENDING })
    t.deepEqual(
      [
        await answered(one, NOON),
        await answered(one, NOON + 1),
        await answered(one, NOON, '78'),
        await answered(one, NOON, '77', '5511000000000'),
        await answered(stranger, NOON),
      ],
      [true, false, false, false, false],
    )
    const [taken] = (await world.stores.leads.takeAutoSends(1_000, HOUR_MS)).filter(
      ({ number }) => number.id === one.number.id,
    )
    if (!taken) return t.fail('nothing was taken')
    await world.stores.leads.autoSendFailed(taken, 'template_unavailable')
    t.is(await answered(one, NOON), false, 'one that failed has answered nobody')
  })

  // [leads.stored.6]
  test.serial(
    `${name}: names are those of upstream's lead, else its ad's once they are known; without an ad there are none to come`,
    async (t) => {
      const world = makeWorld(NOON)
      const { number, page } = await linked(world)
      const [named, unnamed] = [upstreamDigits(), upstreamDigits()]
      const own = await stored(
        world,
        captured(page, { adId: named, adName: 'Bread', adsetName: null, campaignName: 'Spring', isOrganic: false }),
      )
      const late = await stored(world, captured(page, { adId: unnamed, isOrganic: false }))
      const again = await stored(world, captured(page, { adId: unnamed, isOrganic: false }))
      t.like(own, { adName: 'Bread', adsetName: null, campaignName: 'Spring', namesResolvedAt: new Date(NOON) })
      t.like(late, { adName: null, adsetName: null, campaignName: null, namesResolvedAt: null })
      t.like(again, { adName: null, namesResolvedAt: null })
      const asked = await rowsOf(world, 'ads', 'number_id', number.id)
      t.deepEqual(
        asked.map(({ ad_id: adId, page_id: pageId, due_at: dueAt }) => ({ adId, pageId, isDue: dueAt !== null })),
        [{ adId: unnamed, pageId: page.pageId, isDue: true }],
      )
      const stranger = await linked(world)
      const theirs = await stored(world, captured(stranger.page, { adId: unnamed, isOrganic: false }))
      const [ad] = (await world.stores.ads.take(1_000, 1_000, HOUR_MS)).filter(
        ({ numberId, adId }) => numberId === number.id && adId === unnamed,
      )
      if (!ad) return t.fail('nothing was taken')
      world.clock.advance(MINUTE_MS)
      await world.stores.ads.resolved(ad, {
        adName: 'Cake',
        adsetId: '1',
        adsetName: 'Sweet',
        campaignId: '2',
        campaignName: 'Summer',
      })
      const names = {
        adName: 'Cake',
        adsetName: 'Sweet',
        campaignName: 'Summer',
        namesResolvedAt: new Date(NOON + MINUTE_MS),
      }
      t.like(await world.stores.leads.find(number.id, late.id), names)
      t.like(await stored(world, captured(page, { adId: unnamed })), names, 'and its event says so')
      t.like(
        await world.stores.leads.find(stranger.number.id, theirs.id),
        { adName: null, namesResolvedAt: null },
        'another number never sees them',
      )
      t.like(await world.stores.leads.find(number.id, own.id), {
        adName: 'Bread',
        adsetName: null,
        namesResolvedAt: new Date(NOON),
      })
    },
  )
}
