import test from 'ava'
import { lookUpAd } from '../../../src/commands/ads/look-up.ts'
import type { LookUp } from '../../../src/commands/ads/look-up.ts'
import type { AdPorts } from '../../../src/commands/ads/ports.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { LeadPage } from '../../../src/domain/lead.ts'
import type { AdNames, AdsCredentials, AdsOf, UpstreamRead } from '../../../src/ports/official/pages.ts'
import type { TakenAd } from '../../../src/ports/stores/ad-store.ts'

const NAMES: AdNames = { adName: 'Shoes', adsetId: '1', adsetName: 'Runners', campaignId: '2', campaignName: 'Spring' }
const AD: TakenAd = {
  tenantId: newId('ten'),
  numberId: newId('num'),
  adId: '120210000000000001',
  pageId: '77',
  tries: 0,
  dueAt: new Date(0),
  claim: new Date(1),
}
const no = { upstreamCode: 100, upstreamSubcode: 33, upstreamMessage: 'no' }
const REFUSED: UpstreamRead<AdNames> = { kind: 'refused', no }
const DEAD: UpstreamRead<AdNames> = { kind: 'token-dead', no: { ...no, upstreamCode: 190 } }
const READ: UpstreamRead<AdNames> = { kind: 'read', value: NAMES }
const THROTTLED: UpstreamRead<AdNames> = { kind: 'throttled', no, waitMs: 7_000 }
const FAILED: UpstreamRead<AdNames> = { kind: 'failed', no }

interface World {
  /** The upstream's answer for each token; a token without one does not exist. */
  readonly answers: Readonly<Record<string, UpstreamRead<AdNames>>>
  readonly page?: Partial<LeadPage>
  readonly ad?: Partial<TakenAd>
  /** After this many requests the ad is no longer wanted. */
  readonly mostAsks?: number
}

async function lookedUp({
  answers,
  page = {},
  ad = {},
  mostAsks = 9,
}: World): Promise<{ readonly answer: LookUp | null; readonly asked: AdsCredentials[] }> {
  const asked: AdsCredentials[] = []
  const linked: LeadPage = {
    pageId: '77',
    pageName: null,
    tenantId: AD.tenantId,
    channelNumberId: AD.numberId,
    appId: '3',
    webhookStatus: 'SUBSCRIBED',
    isTokenValid: true,
    pendingLeads: 0,
    lastLeadAt: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...page,
  }
  const adsOf: AdsOf = (credentials) => ({
    async names(adId) {
      if (adId !== AD.adId) throw new Error('another ad')
      asked.push(credentials)
      return answers[credentials.accessToken] ?? FAILED
    },
    accounts: async () => ({ kind: 'read', value: [] }),
  })
  const ports = {
    ads: { accessToken: async () => ('shared' in answers ? 'shared' : null) },
    official: {
      credentials: async () =>
        'own' in answers
          ? { phoneId: '1', accountId: '2', accessToken: 'own', appId: '3', appSecret: 'secret of own' }
          : null,
    },
    leadPages: {
      load: async () =>
        'page' in answers
          ? { page: linked, secrets: { accessToken: 'page', tokenVersion: 1, appSecret: 'secret of page' } }
          : null,
    },
    adsOf,
  } as unknown as AdPorts
  return { answer: await lookUpAd(ports, { ...AD, ...ad }, () => asked.length < mostAsks), asked }
}

// [referrals.names.2]
test("the shared token is asked with first, then the number's own, then the Page's: the first that may, each with the app secret that is known", async (t) => {
  const ownerId = AD.numberId
  const [shared, own, page] = [
    { ownerId, accessToken: 'shared', appSecret: null },
    { ownerId, accessToken: 'own', appSecret: 'secret of own' },
    { ownerId, accessToken: 'page', appSecret: 'secret of page' },
  ]
  const found: LookUp = { kind: 'found', names: NAMES }
  t.deepEqual(await lookedUp({ answers: { shared: READ, own: READ, page: READ } }), { answer: found, asked: [shared] })
  t.deepEqual(await lookedUp({ answers: { shared: REFUSED, own: READ, page: READ } }), {
    answer: found,
    asked: [shared, own],
  })
  t.deepEqual(await lookedUp({ answers: { shared: DEAD, own: REFUSED, page: READ } }), {
    answer: found,
    asked: [shared, own, page],
  })
  t.deepEqual(await lookedUp({ answers: { page: READ } }), { answer: found, asked: [page] })
})

// [referrals.names.5]
test('a refusal by all tokens and the lack of any token give the same result: nobody may tell', async (t) => {
  t.deepEqual((await lookedUp({ answers: { shared: REFUSED, own: DEAD, page: REFUSED } })).answer, { kind: 'refused' })
  t.deepEqual(await lookedUp({ answers: {} }), { answer: { kind: 'refused' }, asked: [] })
})

test('a token that is throttled or gets no answer ends the try, because it may be the one with access', async (t) => {
  const throttled = await lookedUp({ answers: { shared: REFUSED, own: THROTTLED, page: READ } })
  t.deepEqual([throttled.answer, throttled.asked.length], [{ kind: 'again', reason: 'throttled', waitMs: 7_000 }, 2])
  const failed = await lookedUp({ answers: { shared: FAILED, own: READ } })
  t.deepEqual([failed.answer, failed.asked.length], [{ kind: 'again', reason: 'failed', waitMs: null }, 1])
})

test("the token of a Page is used only if the Page belongs to the number's tenant, its token is valid, and a lead named the Page", async (t) => {
  for (const world of [
    { page: { tenantId: newId('ten') } },
    { page: { isTokenValid: false } },
    { ad: { pageId: null } },
  ]) {
    t.deepEqual(await lookedUp({ answers: { page: READ }, ...world }), { answer: { kind: 'refused' }, asked: [] })
  }
})

test('a look-up that is no longer wanted tries no further token and stores nothing about the ad', async (t) => {
  const { answer, asked } = await lookedUp({ answers: { shared: REFUSED, own: READ }, mostAsks: 1 })
  t.deepEqual([answer, asked.length], [null, 1])
})
