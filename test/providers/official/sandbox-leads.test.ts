import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { PageCredentials, UpstreamLead, UpstreamRead } from '../../../src/ports/official/pages.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { readLeadNotices } from '../../../src/providers/official/inbound/lead-notices.ts'
import { isSignedBy } from '../../../src/providers/official/inbound/signature.ts'
import { createOfficial } from '../../../src/providers/official/official.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { startLeads } from '../../sandbox/official/leads/lead-playground.ts'

/** The driver over the simulated platform, which shares no code with it. */
async function opened(t: ExecutionContext) {
  const playground = await startLeads()
  const { base, page } = playground
  const marks: unknown[] = []
  const official = createOfficial({
    apiUrl: `${base}/official/v24.0`,
    clock: lateClock,
    log: silentLog,
    metrics: noMetrics,
    onMark: (...mark) => void marks.push(mark),
  })
  t.teardown(async () => {
    await official.close()
    await playground.close()
  })
  const credentials: PageCredentials = {
    pageId: page.pageId,
    accessToken: page.pageAccessToken,
    appId: page.appId,
    appSecret: page.appSecret,
  }
  return { ...playground, ...official, marks, credentials, pagePort: official.pageOf(credentials) }
}

function valueOf<T>(read: UpstreamRead<T>): T {
  if (read.kind !== 'read') throw new Error(`${read.kind}: ${read.no.upstreamMessage}`)
  return read.value
}

test('a Page is linked: read, subscribed beside what it had, and its app told where to post', async (t) => {
  const { pagePort, page, asPage, control, receiver } = await opened(t)
  t.deepEqual(valueOf(await pagePort.read()), { pageId: page.pageId, pageName: 'Shop' })
  await control('PATCH', `/official/pages/${page.pageId}`, { subscribedFields: ['feed'] })
  t.is((await pagePort.subscribe()).kind, 'read')
  t.deepEqual((await asPage('GET', `${page.pageId}/subscribed_apps`)).body.data[0].subscribed_fields, [
    'feed',
    'leadgen',
  ])
  t.is(valueOf(await pagePort.appWebhook(receiver.url)), 'NOT_SUBSCRIBED')
  t.is(
    valueOf(await pagePort.subscribeApp(receiver.url, 'wrong')),
    'NOT_SUBSCRIBED',
    'the callback did not know the token',
  )
  t.is(valueOf(await pagePort.subscribeApp(receiver.url, receiver.verifyToken)), 'SUBSCRIBED')
  t.is(valueOf(await pagePort.appWebhook(receiver.url)), 'SUBSCRIBED')
  t.is(valueOf(await pagePort.subscribeApp(`${receiver.url}/other`, receiver.verifyToken)), 'OTHER_CALLBACK')
  t.is(valueOf(await pagePort.appWebhook(receiver.url)), 'SUBSCRIBED', 'it was left alone')
  t.is((await pagePort.unsubscribe()).kind, 'read')
  t.deepEqual((await asPage('GET', `${page.pageId}/subscribed_apps`)).body.data[0].subscribed_fields, ['feed'])
})

test('a dead token, one of another Page and a wrong secret are told apart from a fault, and mark no number', async (t) => {
  const { pageOf, credentials, control, page, marks } = await opened(t)
  const other = (await control('POST', '/official/pages')).body
  t.like(await pageOf({ ...credentials, appSecret: 'wrong' }).read(), { kind: 'refused', no: { upstreamCode: 100 } })
  t.like(await pageOf({ ...credentials, accessToken: other.pageAccessToken, appSecret: other.appSecret }).read(), {
    kind: 'refused',
    no: { upstreamCode: 100, upstreamSubcode: 33 },
  })
  t.is(
    valueOf(await pageOf({ ...credentials, appSecret: 'wrong' }).appWebhook('http://127.0.0.1:1/x')),
    'NOT_SUBSCRIBED',
  )
  await control('POST', '/faults', { match: { op: 'page.read' }, status: 503 })
  t.is((await pageOf(credentials).read()).kind, 'failed')
  await control('PATCH', `/official/pages/${page.pageId}`, { isTokenExpired: true })
  t.like(await pageOf(credentials).read(), { kind: 'token-dead', no: { upstreamCode: 190, upstreamSubcode: 463 } })
  t.deepEqual(marks, [])
})

test('forms are read to the last of 103, and one by its id', async (t) => {
  const { pagePort, page, formId, control } = await opened(t)
  for (let count = 0; count < 102; count++) await control('POST', `/official/pages/${page.pageId}/forms`, {})
  const first = valueOf(await pagePort.forms(null))
  const second = valueOf(await pagePort.forms(first.next))
  t.deepEqual([first.forms.length, second.forms.length, second.next], [100, 3, null])
  const form = {
    formId,
    formName: 'Sign up',
    pageId: page.pageId,
    status: 'ACTIVE',
    questions: [
      { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
      { key: 'tel', label: 'Your phone', type: 'PHONE' },
      { key: 'why', label: 'why', type: 'CUSTOM' },
    ],
    checkboxes: [
      { key: 'yes', text: 'I agree', isRequired: true },
      { key: 'news', text: '', isRequired: false },
    ],
  }
  t.deepEqual(second.forms.at(-1), form)
  t.deepEqual(valueOf(await pagePort.form(formId)), form)
  t.is(valueOf(await pagePort.form('9')), null)
  const other = (await control('POST', '/official/pages', { forms: [{}] })).body
  t.is(valueOf(await pagePort.form(other.forms[0].formId)), null)
})

test('a lead that was told of is the one that is read, digit by digit and as it was typed', async (t) => {
  const { pagePort, page, formId, hear, submit, receiver } = await opened(t)
  await hear()
  const typed = '  line\nbreak \t 😀 {{other}} $& '
  const leadgenId = await submit({
    adId: '120213456789012345678',
    answers: { full_name: typed, why: ['a', ''] },
    consent: { yes: true, news: false },
    createdAt: '2026-01-02T03:04:05Z',
    platform: 'ig',
  })
  const [post] = await until('it came', () => (receiver.posts.length > 0 ? receiver.posts : null))
  t.true(isSignedBy(page.appSecret, post?.raw ?? Buffer.of(), post?.signature))
  t.deepEqual(readLeadNotices(post?.raw ?? Buffer.of()), {
    ok: true,
    notices: [{ leadgenId, pageId: page.pageId, formId, adId: '120213456789012345678' }],
  })
  t.deepEqual(valueOf(await pagePort.lead(leadgenId)), {
    leadgenId,
    createdAt: new Date('2026-01-02T03:04:05Z'),
    formId,
    adId: '120213456789012345678',
    adName: null,
    adsetName: null,
    campaignName: null,
    answers: [
      { key: 'full_name', values: [typed] },
      { key: 'tel', values: ['+5511990000001'] },
      { key: 'why', values: ['a', ''] },
    ],
    consents: [
      { key: 'yes', isChecked: true },
      { key: 'news', isChecked: false },
    ],
    isOrganic: false,
    platform: 'ig',
  })
  t.is((await pagePort.lead('9')).kind, 'refused')
})

test('leads of a form are read to the last between two times, both included', async (t) => {
  const { pagePort, formId, submit } = await opened(t)
  const at = (second: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000)
  const ids: string[] = []
  for (let second = 0; second < 230; second++) ids.push(await submit({ createdAt: at(second).toISOString() }))
  const read: UpstreamLead[] = []
  let after: string | null = null
  do {
    const { leads, next }: { leads: readonly UpstreamLead[]; next: string | null } = valueOf(
      await pagePort.leadsOf(formId, { since: at(5), until: at(220) }, after),
    )
    read.push(...leads)
    after = next
  } while (after !== null)
  t.deepEqual(
    read.map(({ leadgenId }) => leadgenId),
    ids.slice(5, 221).toReversed(),
  )
})

test('names of an ad are seen with the token its account is shared with, while it is', async (t) => {
  const { adsOf, control, seeded } = await opened(t)
  const ad = (
    await control('POST', '/official/ads', {
      adId: '120213456789012345678',
      name: 'Spring',
      adset: { name: 'Young' },
      campaign: { id: '120213456789012345679', name: 'All' },
    })
  ).body
  const shared = adsOf({ ownerId: 'num_1', accessToken: ad.accessToken, appSecret: seeded.appSecret })
  const own = adsOf({ ownerId: 'num_1', accessToken: seeded.accessToken, appSecret: seeded.appSecret })
  const names = {
    adName: 'Spring',
    adsetId: ad.adset.id,
    adsetName: 'Young',
    campaignId: '120213456789012345679',
    campaignName: 'All',
  }
  t.deepEqual(valueOf(await shared.names(ad.adId)), names)
  t.like(await own.names(ad.adId), { kind: 'refused', no: { upstreamCode: 100, upstreamSubcode: 33 } })
  t.deepEqual(
    valueOf(await shared.accounts()).map(({ id }) => id),
    [ad.adAccountId],
  )
  t.deepEqual(valueOf(await own.accounts()), [])
  await control('PATCH', `/official/ad-accounts/${ad.adAccountId}`, { isShared: false })
  t.is((await shared.names(ad.adId)).kind, 'refused')
  t.deepEqual(valueOf(await shared.accounts()), [])
  t.is((await adsOf({ ownerId: 'num_1', accessToken: 'dead', appSecret: null }).accounts()).kind, 'token-dead')
})
