import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { Referral } from '../../src/domain/referral.ts'
import { accepted, ALL, DAY_MS, HOUR_MS, incoming, PAGE, received } from './message-world.ts'
import { ALL_REFERRALS, click, clicked, EVER, newAdId, ownedOfficial, recorded } from './referral-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const NOON = Date.UTC(2026, 0, 10, 12)
const NAMES = { adName: null, adsetId: null, adsetName: null, campaignId: null, campaignName: null }
const USER = 'DE.13491208655302741918'
const DIGITS = '4915100000077'

async function shown(world: World, { number }: Owned): Promise<(Referral | null)[]> {
  return (await world.stores.messages.history(number.id, { ...ALL, direction: 'INBOUND', peer: null })).items.map(
    ({ referral }) => referral,
  )
}

/** Ads of the number whose names are still to be read. */
async function adsAsked(world: World, { number }: Owned): Promise<string[]> {
  const rows = JSON.parse(await world.rawTable('ads')) as {
    readonly number_id: string
    readonly ad_id: string
    readonly due_at: string | null
  }[]
  return rows.filter((row) => row.number_id === number.id && row.due_at !== null).map((row) => row.ad_id)
}

/** Which referrals are recorded, and how long they are kept. */
export function referralSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [referrals.names.2] [referrals.objects.1]
  test(`${name}: the first message of a conversation keeps its referral, every list of messages shows it, and the ad is asked for once`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const told = click(newAdId())
    const message = await clicked(world, owned, told)
    const expected = [{ ...told, ...NAMES, namesResolvedAt: null }]
    t.deepEqual(await shown(world, owned), expected)
    t.deepEqual(
      (await world.stores.messages.unread(owned.number.id, PAGE)).items.map(({ referral }) => referral),
      expected,
    )
    const { items, total } = await world.stores.referrals.list(owned.number, ALL_REFERRALS)
    t.is(total, 1)
    t.like(items[0], {
      id: message.id,
      direction: 'INBOUND',
      type: 'text',
      from: message.from,
      fromName: 'Ann',
      isRedacted: false,
      referral: expected[0],
    })
    t.deepEqual(await adsAsked(world, owned), [told.sourceId ?? ''])
  })

  // [referrals.first-message.1] [referrals.first-message.2]
  test(`${name}: a referral is recorded when no inbound message of the person is known in the 24 h before it`, async (t) => {
    const world = makeWorld(NOON)
    const ad = newAdId()
    const at = (ms: number) => new Date(NOON + ms)
    /**
     * Stores messages in order, each with its time and with a referral unless it says no; resolves to the recorded
     * referrals.
     */
    const course = async (...steps: readonly (readonly [ms: number, hasReferral?: boolean])[]) => {
      const owned = await ownedOfficial(world)
      const ids: string[] = []
      for (const [ms, hasReferral = true] of steps)
        ids.push(
          (await clicked(world, owned, hasReferral ? click(ad) : null, { happenedAt: at(ms) })).externalMessageId,
        )
      const kept = new Set(await recorded(world, owned))
      return ids.map((id) => kept.has(id))
    }
    t.deepEqual(await course([0], [1_000]), [true, false], 'a second one in the open window')
    t.deepEqual(await course([0, false], [1_000]), [false, false], 'the first without one')
    t.deepEqual(await course([0], [DAY_MS - 1]), [true, false], 'a moment before the window closes')
    t.deepEqual(await course([0], [DAY_MS]), [true, true], 'as the window closes')
    t.deepEqual(
      await course([0], [DAY_MS - 1], [2 * DAY_MS - 2]),
      [true, false, false],
      'the window goes on with every message',
    )
    t.deepEqual(await course([5_000], [0]), [true, true], 'the first one comes late: nothing before it is known')
    t.deepEqual(await course([0], [0]), [true, false], 'of one second the one that came first')
  })

  // [referrals.first-message.4]
  test(`${name}: messages of the business, system notices and other persons do not start the window of a referral`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const ad = newAdId()
    await accepted(world, owned)
    await received(world, owned, { type: 'system' })
    await received(world, owned, { isFromMe: true, externalMessageId: `echo.${ad}` })
    await clicked(world, owned, null, { peer: '4915100000099', from: '4915100000099' })
    const first = await clicked(world, owned, click(ad))
    t.deepEqual(await recorded(world, owned), [first.externalMessageId])
  })

  test(`${name}: echoes, notices of the system, groups and UNOFFICIAL numbers record none`, async (t) => {
    const world = makeWorld(NOON)
    const [owned, unofficial] = [await ownedOfficial(world), await ownedNumber(world)]
    const referral = click(newAdId())
    await clicked(world, owned, referral, { isFromMe: true })
    await clicked(world, owned, referral, { type: 'system' })
    await clicked(world, owned, referral, { conversationType: 'GROUP', peer: '120363000000000001@g.us' })
    await clicked(world, unofficial, referral)
    t.deepEqual([await recorded(world, owned), await recorded(world, unofficial)], [[], []])
    t.false((await world.rawTable('ads')).includes(referral.sourceId ?? ''))
  })

  // [referrals.first-message.2]
  test(`${name}: when many clicks arrive at once, with repetitions and answers to Flows, one referral is recorded`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const referral = click(newAdId())
    const messages = [1, 2, 3].map((nth) =>
      incoming(world, owned, { externalMessageId: `wamid.${referral.sourceId}.${nth}`, referral }),
    )
    const answer = incoming(world, owned, {
      externalMessageId: `wamid.${referral.sourceId}.4`,
      flowReply: { flowToken: 'ft_none', response: {}, rawResponse: null },
      type: 'interactive',
    })
    const others = Array.from({ length: 20 }, (_, nth) =>
      incoming(world, owned, {
        externalMessageId: `wamid.${referral.sourceId}.other.${nth}`,
        peer: `49160${nth}`,
        from: `49160${nth}`,
        referral,
      }),
    )
    const all = [...messages, answer, ...others]
    const results = await Promise.all(
      [...all, ...messages.map((message) => ({ ...message, id: newId('msg') }))].map((message) =>
        world.stores.inbox.receive(owned.fence, message),
      ),
    )
    t.is(results.filter((result) => result === 'applied').length, all.length)
    for (const message of all) t.is(await world.stores.inbox.receive(owned.fence, message), 'stale')
    const kept = await recorded(world, owned)
    t.deepEqual(kept.filter((id) => !id.includes('other')).length, 1)
    t.is(kept.length, 21)
    t.deepEqual(
      (await world.stores.referrals.summary(owned.number, EVER, 10)).ads.map(
        ({ sourceId, conversations, messages: rows }) => ({ sourceId, conversations, rows }),
      ),
      [{ sourceId: referral.sourceId, conversations: 21, rows: 21 }],
    )
  })

  test(`${name}: both names of a user are of one conversation: a referral under one closes it for the other, and is counted once when they turn out to be one`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const ad = newAdId()
    const at = (days: number) => new Date(NOON + days * DAY_MS)
    const counts = async (range: { readonly startDate: Date | null; readonly endDate: Date | null } = EVER) =>
      (await world.stores.referrals.summary(owned.number, range, 10)).ads.map(({ conversations, messages }) => [
        conversations,
        messages,
      ])
    await clicked(world, owned, click(ad), { peer: USER, from: USER, happenedAt: at(0) })
    await clicked(world, owned, click(ad), { peer: DIGITS, from: DIGITS, happenedAt: at(-2) })
    await clicked(world, owned, click(ad), { peer: DIGITS, from: DIGITS, happenedAt: at(4) })
    t.deepEqual(await counts(), [[2, 3]])
    t.is(await world.stores.inbox.name(owned.fence, { addresses: [DIGITS, USER] }), 'applied')
    t.deepEqual(await counts(), [[1, 3]])
    t.deepEqual(await counts({ startDate: at(-1), endDate: at(1) }), [[1, 1]])
    t.deepEqual(await counts({ startDate: at(-1), endDate: null }), [[1, 2]])
    const { items } = await world.stores.referrals.list(owned.number, ALL_REFERRALS)
    t.is(new Set(items.map(({ conversationId }) => conversationId)).size, 1)
    await clicked(world, owned, click(ad), { peer: USER, from: USER, happenedAt: at(4.5) })
    t.deepEqual(await counts(), [[1, 3]], 'the window that the number opened is open under the id')
  })

  // [referrals.first-message.5] [referrals.objects.1]
  test(`${name}: a referral outlives its message: withheld past the window, listed without it after the purge, and counted all the time`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 1 })
    const told = click(newAdId(), { ctwaClid: `clid-${newAdId()}` })
    const message = await clicked(world, owned, told)
    world.clock.advance(DAY_MS + 1)
    const listed = async () => (await world.stores.referrals.list(owned.number, ALL_REFERRALS)).items
    const withheld = {
      id: message.id,
      externalMessageId: message.externalMessageId,
      isRedacted: true,
      content: null,
      from: null,
      fromName: null,
      to: null,
      status: 'RECEIVED',
      direction: 'INBOUND',
      type: 'text',
      provider: 'OFFICIAL',
      createdAt: message.happenedAt,
    }
    const [hidden] = await listed()
    t.like(hidden, withheld)
    t.deepEqual(hidden?.referral, { ...told, ctwaClid: null, ...NAMES, namesResolvedAt: null })
    t.deepEqual((await shown(world, owned))[0], hidden?.referral, 'as the lists of messages show it')
    await world.stores.messages.purge()
    t.is(await world.stores.messages.find(owned.number.id, message.id), null)
    t.false((await world.rawTable('referrals')).includes(told.ctwaClid ?? ''))
    const [purged] = await listed()
    t.like(purged, { ...withheld, conversationId: hidden?.conversationId ?? 'conv_none' })
    t.deepEqual(purged?.referral, hidden?.referral)
    t.like((await world.stores.referrals.summary(owned.number, EVER, 10)).ads, [
      { sourceId: told.sourceId ?? '', conversations: 1, messages: 1 },
    ])
    await clicked(world, owned, told, { happenedAt: new Date(NOON + HOUR_MS) })
    t.is((await listed()).length, 1, 'what opened the window is known, though the message is gone')
  })

  test(`${name}: RELAY_ONLY records it without the click, also of what was stored before`, async (t) => {
    const world = makeWorld(NOON)
    const relaying = await ownedOfficial(world, { piiMode: 'RELAY_ONLY' })
    const told = click(newAdId(), { ctwaClid: `clid-${newAdId()}` })
    await clicked(world, relaying, told)
    t.false((await world.rawTable('referrals')).includes(told.ctwaClid ?? ''))
    t.deepEqual(await shown(world, relaying), [{ ...told, ctwaClid: null, ...NAMES, namesResolvedAt: null }])
    const later = await ownedOfficial(world)
    await clicked(world, later, told)
    await world.stores.numbers.patch(later.tenantId, later.number.id, { piiMode: 'RELAY_ONLY' })
    t.like((await world.stores.referrals.list(later.number, ALL_REFERRALS)).items, [
      { isRedacted: true, from: null, referral: { sourceId: told.sourceId, ctwaClid: null } },
    ])
    world.clock.advance(2 * 60_000)
    await world.stores.messages.purge()
    t.false((await world.rawTable('referrals')).includes(told.ctwaClid ?? ''))
  })

  // [referrals.names.10] [referrals.summary.6]
  test(`${name}: referrals from posts, or without an ad id to look up, have final names when they are stored`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const untold = { sourceUrl: null, headline: 'Only this' }
    const finals = [
      click(newAdId(), { sourceType: 'post' }),
      click(null, untold),
      click(null, { sourceType: null }),
      click('no/../digits'),
    ]
    for (const [nth, referral] of finals.entries())
      await clicked(world, owned, referral, {
        peer: `4917${nth}`,
        from: `4917${nth}`,
        happenedAt: new Date(NOON - DAY_MS),
      })
    const asked = await clicked(world, owned, click(newAdId(), { sourceType: null }))
    const { items } = await world.stores.referrals.list(owned.number, ALL_REFERRALS)
    for (const { referral, externalMessageId } of items)
      t.deepEqual(referral?.namesResolvedAt, externalMessageId === asked.externalMessageId ? null : new Date(NOON))
    t.is(items.length, 5)
    const { ads } = await world.stores.referrals.summary(owned.number, EVER, 10)
    t.is(ads.length, 3, 'those without an id are listed, not summarised')
    t.deepEqual(await adsAsked(world, owned), [asked.referral?.sourceId ?? ''])
  })

  test(`${name}: a removed number takes its referrals, ads and ad access along`, async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const ad = newAdId()
    await clicked(world, owned, click(ad))
    await world.stores.ads.share(owned.tenantId, owned.number.id, 'EAA-ads', [{ id: 'act_1', name: null }])
    await world.stores.numbers.remove(owned.tenantId, owned.number.id)
    for (const table of ['referrals', 'ads', 'ad_access'])
      t.false((await world.rawTable(table)).includes(owned.number.id), table)
  })
}
