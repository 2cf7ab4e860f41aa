import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { FAST, historyOf, newPeer, untilInHistory, write } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { Service } from '../helpers/service.ts'
import { counted } from '../helpers/size.ts'
import { until } from '../helpers/until.ts'

/** Look-ups are retried soon; the log is at debug level because a test reads it. */
const ENV = { ...FAST, AD_NAME_RETRY_SECONDS: '0.1,0.1,0.1', LOG_LEVEL: 'debug' }
const NO_NAMES = { adName: null, adsetId: null, adsetName: null, campaignId: null, campaignName: null }

let service: Service

test.before(async () => {
  service = await Service.start({ env: ENV })
})

test.after.always(async () => {
  await service?.stop()
})

interface Ad {
  readonly adId: string
  readonly adAccountId: string
  /** A token that can read the ad while the ad is shared. */
  readonly accessToken: string
  /** The names as referrals show them. */
  readonly names: object
}

/** Makes an ad at the platform, by default a shared one in an account of its own. */
async function madeAd(more: object = {}): Promise<Ad> {
  const { status, body, text } = await service.control('POST', '/official/ads', {
    name: 'Shoes, video',
    adset: { name: 'Runners' },
    campaign: { name: 'Spring' },
    ...more,
  })
  if (status !== 201) throw new Error(`no ad: ${text}`)
  const { adId, adAccountId, accessToken, adset, campaign } = body
  return {
    adId,
    adAccountId,
    accessToken,
    names: {
      adName: body.name,
      adsetId: adset.id,
      adsetName: adset.name,
      campaignId: campaign.id,
      campaignName: campaign.name,
    },
  }
}

/** A person comes from an ad. Resolves to the upstream's id of the message once it is stored. */
async function click(number: OfficialNumber, referral: object, peer: string = newPeer()): Promise<string> {
  const id = await write(service, peer, number, {
    text: 'I saw your ad',
    referral: {
      source_type: 'ad',
      source_url: 'https://fb.me/x',
      headline: 'Run lighter',
      ctwa_clid: `clid-${peer}`,
      ...referral,
    },
  })
  await untilInHistory(service, number, id)
  return id
}

async function listed(number: OfficialNumber, query = ''): Promise<any> {
  const { status, body, text } = await service.api('GET', `/v1/referrals?${query}`, number.key)
  if (status !== 200) throw new Error(`no list: ${text}`)
  return body
}

/** Waits until the names of all referrals of the number are final; resolves to the referrals, newest first. */
async function untilFinal(number: OfficialNumber): Promise<any[]> {
  return await until('the names are final', async () => {
    const { referrals } = await listed(number)
    return referrals.every(({ referral }: any) => referral.namesResolvedAt !== null)
      ? referrals.map(({ referral }: any) => referral)
      : null
  })
}

/** The upstream's requests about an ad, from all numbers. */
async function asked(adId: string): Promise<any[]> {
  return (await service.control('GET', `/requests?path=/official/v24.0/${adId}`)).body.requests
}

function access(
  method: 'GET' | 'PUT' | 'DELETE',
  number: OfficialNumber,
  accessToken?: string,
  key: string = service.tenantKey,
) {
  return service.api(
    method,
    `/v1/numbers/${number.id}/ad-access`,
    key,
    accessToken === undefined ? undefined : { accessToken },
  )
}

// [referrals.routes.2] [referrals.objects.4] [referrals.summary.1] [referrals.names.3] [referrals.names.9]
test.serial(
  "an ad is named by the number's own token: one request for all clicks, and none for reads, however many",
  async (t) => {
    const number = await connectOfficial(service)
    const ad = await madeAd({ accessToken: number.accessToken, nameDelayMs: 300 })
    const first = await click(number, { source_id: ad.adId })
    t.like((await listed(number)).referrals[0], { externalMessageId: first, content: 'I saw your ad', redacted: false })
    await click(number, { source_id: ad.adId })
    for (const referral of await untilFinal(number))
      t.like(referral, {
        sourceId: ad.adId,
        sourceType: 'ad',
        sourceUrl: 'https://fb.me/x',
        headline: 'Run lighter',
        ...ad.names,
      })
    await click(number, { source_id: ad.adId })
    t.like((await listed(number)).referrals[0].referral, ad.names, 'a later click has them at once')
    t.is((await asked(ad.adId)).length, 1)
    for (let nth = 0; nth < counted(250, 25); nth++) {
      const paths = [
        '/v1/referrals',
        '/v1/referrals/summary',
        '/v1/messages/history',
        `/v1/referrals?sourceId=${ad.adId}`,
      ]
      for (const answer of await Promise.all(paths.map((path) => service.api('GET', path, number.key))))
        if (answer.status !== 200) throw new Error(answer.text)
    }
    t.is((await asked(ad.adId)).length, 1)
    const { body } = await service.api('GET', '/v1/referrals/summary', number.key)
    t.like(body, {
      truncated: false,
      ads: [
        {
          sourceId: ad.adId,
          sourceType: 'ad',
          conversations: 3,
          messages: 3,
          lastSourceUrl: 'https://fb.me/x',
          lastHeadline: 'Run lighter',
          ...ad.names,
        },
      ],
    })
    t.false('notice' in body)
  },
)

// [referrals.names.5] [referrals.names.6] [referrals.routes.5] [referrals.routes.4]
test.serial(
  'a refusal is final; sharing the account fills what was stored before, for that number alone; taking it back keeps the names',
  async (t) => {
    const [number, other] = [await connectOfficial(service), await connectOfficial(service)]
    const ad = await madeAd()
    for (const one of [number, number, other]) await click(one, { source_id: ad.adId })
    for (const one of [number, other])
      for (const referral of await untilFinal(one)) t.like(referral, { sourceId: ad.adId, ...NO_NAMES })
    t.deepEqual((await access('GET', number)).body, { shared: false, adAccounts: [], checkedAt: null })

    const { status, body } = await access('PUT', number, ad.accessToken)
    t.is(status, 200)
    t.like(body, { shared: true, adAccounts: [{ id: ad.adAccountId }] })
    t.deepEqual((await access('GET', number)).body, body)
    await until('both rows are filled', async () =>
      (await listed(number)).referrals.every(({ referral }: any) => referral.adName !== null),
    )
    for (const { referral } of (await listed(number)).referrals) t.like(referral, ad.names)
    t.like((await listed(other)).referrals[0].referral, NO_NAMES)

    t.deepEqual((await access('DELETE', number)).body, { deleted: true, id: number.id })
    t.is((await access('DELETE', number)).status, 200)
    t.false((await access('GET', number)).body.shared)
    for (const { referral } of (await listed(number)).referrals) t.like(referral, ad.names)
  },
)

// [referrals.routes.3]
test.serial(
  'a token that upstream refuses, or that sees no account, is no access; throttling and faults are told as such, and nothing is stored',
  async (t) => {
    const number = await connectOfficial(service)
    const hidden = await madeAd({ isShared: false })
    for (const token of ['EAA-nobody', hidden.accessToken])
      t.like(await access('PUT', number, token), { status: 422, body: { code: 'AD_ACCESS_REJECTED' } })
    const ad = await madeAd()
    const fail = (fault: object) => service.control('POST', '/faults', { match: { op: 'ads.accounts' }, ...fault })
    await fail({ error: '4' })
    t.is((await access('PUT', number, ad.accessToken)).status, 429)
    await fail({ status: 503 })
    t.like(await access('PUT', number, ad.accessToken), { status: 502, body: { code: 'OFFICIAL_ERROR' } })
    for (const accessToken of ['', 'two words', 'x'.repeat(5_000)])
      t.is((await access('PUT', number, accessToken)).status, 400)
    t.deepEqual((await access('GET', number)).body, { shared: false, adAccounts: [], checkedAt: null })
  },
)

test.serial('three failures and then an answer: the names are not known meanwhile, and then in place', async (t) => {
  const number = await connectOfficial(service)
  const ad = await madeAd({ accessToken: number.accessToken })
  await service.control('POST', '/faults', {
    match: { op: 'ad.read', path: `/official/v24.0/${ad.adId}` },
    times: 3,
    status: 500,
  })
  await click(number, { source_id: ad.adId })
  for (const referral of await untilFinal(number)) t.like(referral, ad.names)
  t.is((await asked(ad.adId)).length, 4)
})

test.serial('when the token of one source is dead, the next source is tried', async (t) => {
  const number = await connectOfficial(service)
  const shared = await madeAd()
  t.is((await access('PUT', number, shared.accessToken)).status, 200)
  await service.control('PATCH', `/official/ad-accounts/${shared.adAccountId}`, { isShared: false })
  const own = await madeAd({ accessToken: number.accessToken })
  await click(number, { source_id: own.adId })
  for (const referral of await untilFinal(number)) t.like(referral, own.names)
  t.is((await asked(own.adId)).length, 2)
})

// [referrals.first-message.3] [referrals.names.10] [referrals.objects.3] [referrals.objects.4]
test.serial(
  'clicks in an open window are in the envelope alone; posts and unknown sources are final at once, digit by digit',
  async (t) => {
    const number = await connectOfficial(service)
    const peer = newPeer()
    const post = await click(
      number,
      { source_id: '120219999999999999999', source_type: 'post', welcome_message: { text: 'Hello!' } },
      peer,
    )
    const again = await click(number, { source_id: '120219999999999999998' }, peer)
    const { messages } = await historyOf(service, number)
    t.is(messages.find(({ externalMessageId }: any) => externalMessageId === again).referral, null)
    const { referral, createdAt } = messages.find(({ externalMessageId }: any) => externalMessageId === post)
    t.like(referral, {
      sourceId: '120219999999999999999',
      sourceType: 'post',
      welcomeMessage: 'Hello!',
      ctwaClid: `clid-${peer}`,
      ...NO_NAMES,
    })
    t.true(Date.parse(referral.namesResolvedAt) >= Date.parse(createdAt))
    t.deepEqual((await asked('120219999999999999998')).length, 0)
  },
)

// [referrals.scope.1] [referrals.scope.2]
test.serial('each wrong request has its own code, and each key sees only its own referrals', async (t) => {
  const number = await connectOfficial(service)
  const unofficial = await service.pairNumber()
  const stranger = await askToCreateTenant(service.dataDir, 'Stranger')
  if (!stranger) return t.fail('no second tenant')
  const ad = await madeAd()
  await click(number, { source_id: ad.adId })
  const answer = async (path: string, key = number.key, headers?: Record<string, string>) => {
    const { status, body } = await service.api('GET', path, key, undefined, headers)
    return [status, body.code]
  }
  for (const path of ['/v1/referrals', '/v1/referrals/summary']) {
    t.deepEqual(await answer(path, service.tenantKey), [403, 'TENANT_SCOPE_NOT_ALLOWED'])
    t.deepEqual(await answer(path, service.tenantKey, { 'x-channel-number-id': number.id }), [
      403,
      'TENANT_SCOPE_NOT_ALLOWED',
    ])
    t.deepEqual(await answer(path, unofficial.key), [400, 'FEATURE_NOT_SUPPORTED'])
    t.deepEqual(await answer(`${path}?startDate=2026-02-30`), [400, 'INVALID_DATE_RANGE'])
    t.deepEqual(await answer(`${path}?startDate=2026-01-02&endDate=2026-01-01`), [400, 'INVALID_DATE_RANGE'])
  }
  for (const type of ['story', 'AD', ''])
    t.deepEqual(await answer(`/v1/referrals?sourceType=${type}`), [400, 'INVALID_SOURCE_TYPE'])
  t.deepEqual(await answer('/v1/referrals?page=101&pageSize=5000'), [400, 'INVALID_PAGINATION'], 'capped first')
  t.deepEqual(await answer('/v1/referrals?page=100&pageSize=5000'), [200, undefined])
  t.like(await listed(number, 'page=x&pageSize=0'), { page: 1, pageSize: 30, total: 1, totalPages: 1 })
  t.like(await listed(number, 'sourceType=post'), { referrals: [], total: 0, totalPages: 0 })

  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const token = method === 'PUT' ? ad.accessToken : undefined
    t.like(await access(method, number, token, number.key), { status: 403, body: { code: 'NUMBER_SCOPE_NOT_ALLOWED' } })
    t.like(await access(method, number, token, stranger.key), { status: 404, body: { code: 'NUMBER_NOT_FOUND' } })
  }
  t.deepEqual((await access('GET', number)).body.shared, false)
})

test.serial(
  'privacy takes what is of a person, and leaves what was counted; the token of the advertiser stands nowhere',
  async (t) => {
    const number = await connectOfficial(service)
    const ad = await madeAd()
    t.is((await access('PUT', number, ad.accessToken)).status, 200)
    const peer = newPeer()
    await click(number, { source_id: ad.adId }, peer)
    await untilFinal(number)
    t.is(
      (await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, { piiMode: 'RELAY_ONLY' })).status,
      200,
    )
    const { referrals, notice, total } = await listed(number)
    t.deepEqual([notice, total], ['PII_RELAY_ONLY', 1])
    t.like(referrals[0], {
      redacted: true,
      from: null,
      fromName: null,
      to: null,
      content: null,
      media: null,
      referral: { sourceId: ad.adId, ctwaClid: null, headline: 'Run lighter', ...ad.names },
    })
    t.false(JSON.stringify(referrals).includes(peer))
    t.like((await service.api('GET', '/v1/referrals/summary', number.key)).body.ads, [
      { conversations: 1, messages: 1 },
    ])

    const metrics = await (await fetch(`${service.base}/metrics`)).text()
    t.regex(metrics, /ad_look_ups_total\{outcome="found"\} [1-9]/)
    t.regex(metrics, /ad_look_ups_total\{outcome="refused"\} [1-9]/)
    const events = JSON.stringify(await service.events(number))
    for (const place of [metrics, events, service.gateway.output.join('')]) t.false(place.includes(ad.accessToken))
  },
)
