import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { startLeads } from './lead-playground.ts'

const NAMES = 'name,adset{id,name},campaign{id,name}'
const AD = { name: 'Spring', adset: { name: 'Young' }, campaign: { id: '120213456789012345679', name: 'All' } }

// [sandbox.leads-and-ads.1] [sandbox.leads-and-ads.6] [sandbox.leads-and-ads.7]
test('an ad shows its names to whoever its account is shared with, and does not exist for others', async (t) => {
  const { graph, control, seeded, close } = await startLeads()
  const ad = (await control('POST', '/official/ads', AD)).body
  t.like(ad, { name: 'Spring', isShared: true, nameDelayMs: 0, campaign: { id: '120213456789012345679', name: 'All' } })
  t.regex(ad.adId, /^\d{18}$/)
  t.regex(ad.adAccountId, /^act_\d+$/)
  const read = () => graph('GET', `${ad.adId}?fields=${NAMES}`, undefined, ad.accessToken)
  t.deepEqual((await read()).body, { id: ad.adId, name: 'Spring', adset: ad.adset, campaign: ad.campaign })
  t.deepEqual((await graph('GET', 'me/adaccounts?fields=id,name', undefined, ad.accessToken)).body.data, [
    { id: ad.adAccountId, name: `Sandbox ads ${ad.adAccountId.slice(-4)}` },
  ])
  t.like((await graph('GET', ad.adId)).body.error, { code: 100, error_subcode: 33 })
  t.deepEqual((await graph('GET', 'me/adaccounts')).body, { data: [] })
  t.like((await control('PATCH', `/official/ad-accounts/${ad.adAccountId}`, { isShared: false })).body, {
    isShared: false,
    accessToken: ad.accessToken,
  })
  t.like((await read()).body.error, { code: 100, error_subcode: 33 })
  t.deepEqual((await graph('GET', 'me/adaccounts', undefined, ad.accessToken)).body, { data: [] })
  await control('PATCH', `/official/ad-accounts/${ad.adAccountId.replace('act_', '')}`, { isShared: true })
  t.is((await read()).status, 200)
  t.is((await control('PATCH', '/official/ad-accounts/9', {})).body.code, 'AD_ACCOUNT_NOT_FOUND')
  t.deepEqual((await control('GET', '/requests?op=ad.read')).body.total, 4)
  const own = (await control('POST', '/official/ads', { ...AD, accessToken: seeded.accessToken })).body
  t.is((await graph('GET', own.adId)).status, 200, 'a token may see numbers and ads alike')
  t.is((await graph('GET', seeded.phoneId)).status, 200)
  await close()
})

// [sandbox.leads-and-ads.6] [sandbox.leads-and-ads.8]
test('an ad is named anew by its id, and several are of one account', async (t) => {
  const { graph, control, close } = await startLeads()
  const ad = (await control('POST', '/official/ads', { ...AD, adId: '7' })).body
  const renamed = (
    await control('POST', '/official/ads', {
      adId: '7',
      name: 'Autumn',
      adset: { name: 'Young' },
      campaign: { name: 'All' },
    })
  ).body
  t.deepEqual(renamed, { ...ad, name: 'Autumn' })
  const other = (await control('POST', '/official/ads', { ...AD, adAccountId: ad.adAccountId })).body
  t.is(other.accessToken, ad.accessToken)
  const { ads, adAccounts } = (await control('GET', '/official/ads')).body
  t.deepEqual([ads.length, adAccounts.length], [2, 1])
  t.is((await graph('GET', `7?fields=name`, undefined, ad.accessToken)).body.name, 'Autumn')
  t.is((await control('POST', '/official/ads', { name: 'x' })).status, 400)
  await close()
})

// [sandbox.leads-and-ads.7]
test('names take the time they are told to, by the clock of the platform', async (t) => {
  const { graph, control, advance, close } = await startLeads({ clock: new FakeClock() })
  const ad = (await control('POST', '/official/ads', { ...AD, nameDelayMs: 60_000 })).body
  let isAnswered = false
  const reading = graph('GET', `${ad.adId}?fields=name`, undefined, ad.accessToken).then((answer) => {
    isAnswered = true
    return answer
  })
  await until('it is asked', async () => (await control('GET', '/requests?op=ad.read')).body.total === 1)
  t.false(isAnswered)
  await advance(60_000)
  t.is((await reading).body.name, 'Spring')
  await close()
})

test('a lead names its ad where the token of the Page sees that, and has its id in any case', async (t) => {
  const { page, asPage, submit, control, close } = await startLeads()
  const hidden = (await control('POST', '/official/ads', AD)).body
  const seen = (await control('POST', '/official/ads', { ...AD, accessToken: page.pageAccessToken })).body
  const read = async (adId: string) =>
    (
      await asPage(
        'GET',
        `${await submit({ adId })}?fields=ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,is_organic`,
      )
    ).body
  const { id: _hidden, ...unnamed } = await read(hidden.adId)
  t.deepEqual(unnamed, { ad_id: hidden.adId, is_organic: false })
  const { id: _seen, ...named } = await read(seen.adId)
  t.deepEqual(named, {
    ad_id: seen.adId,
    ad_name: 'Spring',
    adset_id: seen.adset.id,
    adset_name: 'Young',
    campaign_id: seen.campaign.id,
    campaign_name: 'All',
    is_organic: false,
  })
  await close()
})

test('a message that came from an ad names it as it was given, as a text or digit by digit as a number', async (t) => {
  const { receiver, subscribe, base, close } = await startLeads()
  await subscribe()
  for (const id of ['120213456789012345678', '"120213456789012345678"']) {
    await fetch(`${base}/control/peers/5511990000001/messages`, {
      method: 'POST',
      body: `{"to": "551140000000", "text": "hi", "referral": {"source_type": "ad", "source_id": ${id}}}`,
    })
  }
  await until('both came', () => receiver.messages().length === 2)
  t.deepEqual(
    receiver.posts.map(({ raw }) => /"source_id":("?\d+"?)/.exec(raw.toString())?.[1]),
    ['120213456789012345678', '"120213456789012345678"'],
  )
  await close()
})
