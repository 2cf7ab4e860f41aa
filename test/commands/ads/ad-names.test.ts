import test from 'ava'
import { createAds } from '../../../src/commands/ads/ads.ts'
import type { AdCommands } from '../../../src/commands/ads/ads.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import type { Labels } from '../../../src/ports/metrics.ts'
import type { AdNames, AdsOf, UpstreamRead } from '../../../src/ports/official/pages.ts'
import { click, clicked, newAdId, ownedOfficial } from '../../contracts/referral-world.ts'
import type { Owned, World } from '../../contracts/world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'

const makeWorld = worldsOver(sharedDatabase(test, openTestPglite))
const NAMES: AdNames = { adName: 'Shoes', adsetId: '1', adsetName: 'Runners', campaignId: '2', campaignName: 'Spring' }
const no = { upstreamCode: 2, upstreamSubcode: null, upstreamMessage: 'later' }
const FAILED: UpstreamRead<AdNames> = { kind: 'failed', no }
const READ: UpstreamRead<AdNames> = { kind: 'read', value: NAMES }

let lastPeer = 0

async function clickOn(world: World, owned: Owned, adId: string): Promise<void> {
  const peer = `4920${++lastPeer}`
  await clicked(world, owned, click(adId), { peer, from: peer })
}

/**
 * Ads over the real rows. The test decides when and what the upstream answers. Every wake runs one turn, as the upkeep
 * does.
 */
function openAds(
  world: World,
  answer: (adId: string) => Promise<UpstreamRead<AdNames>>,
  retryMs: readonly number[] = [5_000, 60_000],
) {
  const asked: string[] = []
  const outcomes: string[] = []
  const adsOf: AdsOf = () => ({
    async names(adId) {
      asked.push(adId)
      return await answer(adId)
    },
    accounts: async () => ({ kind: 'read', value: [] }),
  })
  let turns: Promise<unknown> = Promise.resolve()
  const turn = () => {
    turns = turns.then(() => ads.findNames())
    return turns
  }
  const counter = () => ({ add: (labels?: Labels) => void outcomes.push(labels?.['outcome'] ?? '') })
  const ads: AdCommands = createAds({
    ...world.stores,
    adsOf,
    clock: world.clock,
    log: silentLog,
    metrics: { ...noMetrics, counter },
    retryMs,
    adsDue: () => void turn(),
  })
  return { ads, asked, outcomes, turn }
}

function namesIn(world: World, { id, tenantId }: { readonly id: NumberId; readonly tenantId: Owned['tenantId'] }) {
  return world.stores.referrals.summary(
    { id, tenantId, provider: 'OFFICIAL', number: '1' },
    { startDate: null, endDate: null },
    100,
  )
}

// [referrals.names.8]
test.serial(
  'failed look-ups follow the schedule and wait at least as long as the upstream says; after the last one the next click asks again',
  async (t) => {
    const world = makeWorld()
    const owned = await ownedOfficial(world)
    const adId = newAdId()
    const answers: UpstreamRead<AdNames>[] = [FAILED, { kind: 'throttled', no, waitMs: 90_000 }, FAILED, READ]
    const { ads, asked, outcomes, turn } = openAds(world, async () => answers.shift() ?? READ)
    t.teardown(() => ads.closed())
    await clickOn(world, owned, adId)
    for (const [nth, waitMs] of [0, 5_000, 90_000].entries()) {
      world.clock.advance(waitMs)
      await turn()
      await until(
        `try ${nth}`,
        async () =>
          asked.length === nth + 1
          && JSON.parse(await world.rawTable('ads')).some(
            (row: any) => row.ad_id === adId && row.leased_until === null,
          ),
      )
      if (nth === 1) {
        world.clock.advance(60_000)
        await turn()
        t.is(asked.length, 2, 'upstream asked for more than the schedule')
      }
    }
    await until('it is given up', async () => outcomes.includes('gave-up'))
    t.deepEqual(outcomes, ['failed', 'throttled', 'failed', 'gave-up'])
    t.is((await namesIn(world, owned.number)).ads[0]?.namesResolvedAt, null)
    world.clock.advance(86_400_000)
    await turn()
    t.is(asked.length, 3)
    await clickOn(world, owned, adId)
    await turn()
    await until('it is named', async () => (await namesIn(world, owned.number)).ads[0]?.adName === 'Shoes')
  },
)

// [referrals.names.11]
test.serial(
  'five ads of a number are looked up at once, the next as one ends; a slow number delays no other, and closing waits for running look-ups',
  async (t) => {
    const world = makeWorld()
    const [slow, quick] = [await ownedOfficial(world), await ownedOfficial(world)]
    const held: (() => void)[] = []
    const slowAds = Array.from({ length: 7 }, newAdId)
    const { ads, asked, turn } = openAds(world, async (adId) => {
      if (!slowAds.includes(adId)) return READ
      await new Promise<void>((resolve) => held.push(resolve))
      return READ
    })
    for (const adId of slowAds) await clickOn(world, slow, adId)
    const quickAd = newAdId()
    await clickOn(world, quick, quickAd)
    await turn()
    await until('the quick one is named', async () => (await namesIn(world, quick.number)).ads[0]?.adName === 'Shoes')
    await turn()
    await until('five are under way', async () => held.length === 5)
    t.is(asked.filter((adId) => slowAds.includes(adId)).length, 5)
    held[0]?.()
    await until('the sixth begins', async () => held.length === 6)
    t.is(held.length, 6)
    let isClosed = false
    const closing = ads.closed().then(() => {
      isClosed = true
    })
    await turn()
    t.false(isClosed)
    for (const release of held) release()
    await closing
    t.is(asked.filter((adId) => slowAds.includes(adId)).length, 6, 'none begins while it closes')
    t.is((await namesIn(world, slow.number)).ads.filter(({ adName }) => adName !== null).length, 6)
  },
)
