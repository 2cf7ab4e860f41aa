import type { ExecutionContext, TestFn } from 'ava'
import type { TakenAd } from '../../src/ports/stores/ad-store.ts'
import { DAY_MS, HOUR_MS } from './message-world.ts'
import { ALL_REFERRALS, click, clicked, newAdId, ownedOfficial } from './referral-world.ts'
import type { MakeWorld, Owned, World } from './world.ts'

const NOON = Date.UTC(2026, 0, 10, 12)
const LEASE_MS = 60_000
const NAMES = {
  adName: 'Shoes, video',
  adsetId: '12020',
  adsetName: 'Runners',
  campaignId: '12021',
  campaignName: 'Spring',
}
const NO_NAMES = { adName: null, adsetId: null, adsetName: null, campaignId: null, campaignName: null }

let lastPeer = 0

/** Stores a click by a new person. */
async function clickOn(world: World, owned: Owned, adId: string): Promise<void> {
  const peer = `4919${++lastPeer}`
  await clicked(world, owned, click(adId), { peer, from: peer })
}

async function taken(world: World, owned: Owned): Promise<TakenAd[]> {
  return (await world.stores.ads.take(100, 5, LEASE_MS)).filter(({ numberId }) => numberId === owned.number.id)
}

async function takenAlone(world: World, owned: Owned): Promise<TakenAd> {
  const [ad, ...others] = await taken(world, owned)
  if (!ad || others.length > 0) throw new Error('not one ad was due')
  return ad
}

/** The names that the referrals of a number show, without repetitions. */
async function namesOf(world: World, { number }: Owned) {
  const { items } = await world.stores.referrals.list(number, ALL_REFERRALS)
  const names = items.map(({ referral }) => {
    const {
      adName = null,
      adsetId = null,
      adsetName = null,
      campaignId = null,
      campaignName = null,
      namesResolvedAt = null,
    } = referral ?? {}
    return JSON.stringify({ adName, adsetId, adsetName, campaignId, campaignName, namesResolvedAt })
  })
  return [...new Set(names)].map((text) => JSON.parse(text) as object)
}

/** Ads and their names. It takes everything that is due, so it needs a database of its own. */
export function adStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const story = (title: string, run: (t: ExecutionContext) => Promise<unknown>) =>
    test.serial(`${name}: ${title}`, async (t) => void (await run(t)))

  // [referrals.names.4] [referrals.names.9]
  story(
    'clicks on one ad share one look-up, whose names are written to every row of the ad for this number only',
    async (t) => {
      const world = makeWorld(NOON)
      const [owned, other] = [await ownedOfficial(world), await ownedOfficial(world)]
      const adId = newAdId()
      for (let nth = 0; nth < 3; nth++) await clickOn(world, owned, adId)
      await clickOn(world, other, adId)
      const all = await world.stores.ads.take(100, 5, LEASE_MS)
      t.deepEqual(
        all
          .map(({ numberId, adId: id, tries, pageId, tenantId }) => [numberId, id, tries, pageId, tenantId])
          .toSorted(),
        [owned, other].map(({ number, tenantId }) => [number.id, adId, 0, null, tenantId]).toSorted(),
      )
      t.deepEqual(await world.stores.ads.take(100, 5, LEASE_MS), [], 'nobody else gets them')
      const [mine, foreign] = [
        all.find(({ numberId }) => numberId === owned.number.id),
        all.find(({ numberId }) => numberId === other.number.id),
      ]
      if (!mine || !foreign) return t.fail()
      world.clock.advance(1_000)
      await world.stores.ads.resolved(mine, NAMES)
      t.deepEqual(await namesOf(world, owned), [{ ...NAMES, namesResolvedAt: new Date(NOON + 1_000).toJSON() }])
      t.deepEqual(await namesOf(world, other), [{ ...NO_NAMES, namesResolvedAt: null }])
      await clickOn(world, owned, adId)
      t.is((await namesOf(world, owned)).length, 1, 'a later click has the names at once')
      await world.stores.ads.giveUp(foreign)
    },
  )

  // [referrals.names.4] [referrals.names.7]
  story(
    'names are valid for 24 h; the next click asks again and the old names stay meanwhile, also when nobody may tell any more',
    async (t) => {
      const world = makeWorld(NOON)
      const owned = await ownedOfficial(world)
      const adId = newAdId()
      await clickOn(world, owned, adId)
      await world.stores.ads.resolved(await takenAlone(world, owned), NAMES)
      world.clock.advance(DAY_MS)
      await clickOn(world, owned, adId)
      t.deepEqual(await taken(world, owned), [], 'not yet')
      world.clock.advance(1)
      await clickOn(world, owned, adId)
      const again = await takenAlone(world, owned)
      const shown = [{ ...NAMES, namesResolvedAt: new Date(NOON).toJSON() }]
      t.deepEqual(await namesOf(world, owned), shown)
      await world.stores.ads.refused(again)
      t.deepEqual(await namesOf(world, owned), shown)
      world.clock.advance(HOUR_MS + 1)
      await clickOn(world, owned, adId)
      await world.stores.ads.resolved(await takenAlone(world, owned), { ...NAMES, adName: 'Renamed' })
      t.deepEqual(await namesOf(world, owned), [
        { ...NAMES, adName: 'Renamed', namesResolvedAt: new Date(world.clock.now()).toJSON() },
      ])
    },
  )

  // [referrals.names.7]
  story('a refusal is final without names, and asked again by the first click an hour later', async (t) => {
    const world = makeWorld(NOON)
    const owned = await ownedOfficial(world)
    const adId = newAdId()
    await clickOn(world, owned, adId)
    await world.stores.ads.refused(await takenAlone(world, owned))
    const final = [{ ...NO_NAMES, namesResolvedAt: new Date(NOON).toJSON() }]
    t.deepEqual(await namesOf(world, owned), final)
    world.clock.advance(HOUR_MS)
    await clickOn(world, owned, adId)
    t.deepEqual(await taken(world, owned), [])
    world.clock.advance(1)
    await clickOn(world, owned, adId)
    await world.stores.ads.refused(await takenAlone(world, owned))
    t.deepEqual(await namesOf(world, owned), final, 'it never becomes null, nor later')
  })

  story(
    'a failed look-up is due again at its time, with its tries counted; after it was given up the next click asks again',
    async (t) => {
      const world = makeWorld(NOON)
      const owned = await ownedOfficial(world)
      const adId = newAdId()
      await clickOn(world, owned, adId)
      await world.stores.ads.postpone(await takenAlone(world, owned), new Date(NOON + 5_000))
      await clickOn(world, owned, adId)
      world.clock.advance(4_999)
      t.deepEqual(await taken(world, owned), [], 'a click hastens nothing')
      world.clock.advance(1)
      const again = await takenAlone(world, owned)
      t.is(again.tries, 1)
      await world.stores.ads.giveUp(again)
      world.clock.advance(7 * DAY_MS)
      t.deepEqual(await taken(world, owned), [])
      t.deepEqual(await namesOf(world, owned), [{ ...NO_NAMES, namesResolvedAt: null }])
      await clickOn(world, owned, adId)
      const afresh = await takenAlone(world, owned)
      t.is(afresh.tries, 0)
      await world.stores.ads.resolved(afresh, NAMES)
    },
  )

  story(
    'at most five look-ups of a number run at once; those that a dead node left are due again, and its late answer is ignored',
    async (t) => {
      const world = makeWorld(NOON)
      const [owned, other] = [await ownedOfficial(world), await ownedOfficial(world)]
      for (let nth = 0; nth < 8; nth++) await clickOn(world, owned, newAdId())
      await clickOn(world, other, newAdId())
      const rounds = await Promise.all([1, 2, 3, 4].map(() => world.stores.ads.take(100, 5, LEASE_MS)))
      const first = rounds.flat()
      t.deepEqual(
        [owned, other].map(({ number }) => first.filter(({ numberId }) => numberId === number.id).length),
        [5, 1],
      )
      const [left, done] = first.filter(({ numberId }) => numberId === owned.number.id)
      if (!left || !done) return t.fail()
      await world.stores.ads.resolved(done, NAMES)
      t.is((await taken(world, owned)).length, 1, 'the room of the one that is done')
      world.clock.advance(LEASE_MS)
      const back = await taken(world, owned)
      t.is(back.length, 5)
      const same = back.find(({ adId }) => adId === left.adId)
      t.truthy(same)
      await world.stores.ads.resolved(left, NAMES)
      const counted = (
        await world.stores.referrals.summary(owned.number, { startDate: null, endDate: null }, 20)
      ).ads.filter(({ adName }) => adName !== null)
      t.is(counted.length, 1, 'the claim was lost')
      for (const ad of [...back, ...first.filter(({ numberId }) => numberId === other.number.id)])
        await world.stores.ads.refused(ad)
      for (const ad of await world.stores.ads.take(100, 100, LEASE_MS)) await world.stores.ads.refused(ad)
    },
  )

  story(
    'a shared token is sealed, opens for its number alone, and has ads of 90 days that were refused asked for again, one under way once more',
    async (t) => {
      const world = makeWorld(NOON)
      const [owned, other] = [await ownedOfficial(world), await ownedOfficial(world)]
      const [old, refused, busy, known, named] = [newAdId(), newAdId(), newAdId(), newAdId(), newAdId()]
      await clickOn(world, owned, old)
      await world.stores.ads.refused(await takenAlone(world, owned))
      world.clock.advance(90 * DAY_MS + 1)
      await clickOn(world, owned, refused)
      await world.stores.ads.refused(await takenAlone(world, owned))
      await clickOn(world, owned, known)
      await world.stores.ads.resolved(await takenAlone(world, owned), NAMES)
      await clickOn(world, owned, busy)
      const underWay = await takenAlone(world, owned)
      await clickOn(world, owned, named)
      const namedMeanwhile = await takenAlone(world, owned)
      world.clock.advance(1_000)

      t.is(await world.stores.ads.access(owned.tenantId, owned.number.id), null)
      const accounts = [{ id: 'act_1', name: 'Acme' }]
      const shared = { adAccounts: accounts, checkedAt: new Date(world.clock.now()) }
      t.deepEqual(
        await world.stores.ads.share(owned.tenantId, owned.number.id, 'EAA-of-the-advertiser', accounts),
        shared,
      )
      t.deepEqual(await world.stores.ads.access(owned.tenantId, owned.number.id), shared)
      t.is(await world.stores.ads.access(other.tenantId, owned.number.id), null)
      t.is(await world.stores.ads.accessToken(owned.number.id), 'EAA-of-the-advertiser')
      t.is(await world.stores.ads.accessToken(other.number.id), null)
      t.false((await world.rawTable('ad_access')).includes('EAA-of-the-advertiser'))
      t.is(
        await world.stores.ads.share(other.tenantId, owned.number.id, 'EAA-x', accounts),
        null,
        'the number of another tenant',
      )
      t.deepEqual(
        (await taken(world, owned)).map(({ adId }) => adId),
        [refused],
      )
      await world.stores.ads.refused(underWay)
      await world.stores.ads.resolved(namedMeanwhile, NAMES)
      t.deepEqual(
        (await taken(world, owned)).map(({ adId }) => adId),
        [busy],
        'what the old token was refused',
      )

      t.false(await world.stores.ads.unshare(other.tenantId, owned.number.id))
      t.true(await world.stores.ads.unshare(owned.tenantId, owned.number.id))
      t.false(await world.stores.ads.unshare(owned.tenantId, owned.number.id))
      t.is(await world.stores.ads.accessToken(owned.number.id), null)
      t.true(
        (await world.stores.referrals.summary(owned.number, { startDate: null, endDate: null }, 20)).ads.some(
          ({ sourceId, adName }) => sourceId === known && adName === NAMES.adName,
        ),
        'names stay',
      )
      world.clock.advance(LEASE_MS)
      for (const ad of await world.stores.ads.take(100, 100, LEASE_MS)) await world.stores.ads.refused(ad)
    },
  )
}
