import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { signatureOf } from '../official-playground.ts'
import { startLeads } from './lead-playground.ts'

const ALL =
  'id,created_time,form_id,ad_id,ad_name,adset_name,campaign_name,field_data,custom_disclaimer_responses,is_organic,platform'

// [sandbox.leads-and-ads.2]
test('a lead is told of by a webhook without a person in it, signed with the secret of the app', async (t) => {
  const { page, formId, receiver, hear, submit, control, close } = await startLeads()
  await hear()
  const leadgenId = await submit({ adId: '120213456789012345678', answers: { full_name: 'Ana' } })
  const [post] = await until('it came', () => (receiver.posts.length > 0 ? receiver.posts : null))
  t.is(post?.signature, signatureOf(post?.raw ?? Buffer.of(), page.appSecret))
  t.like(post?.body, { object: 'page', entry: [{ id: page.pageId }] })
  t.is(typeof post?.body.entry[0].time, 'number')
  const text = post?.raw.toString() ?? ''
  t.true(
    text.includes(`"leadgen_id":${leadgenId},"page_id":"${page.pageId}","form_id":${formId},`),
    'ids come as numbers and as texts',
  )
  t.true(text.includes('"ad_id":120213456789012345678'))
  t.false(text.includes('Ana'))
  t.is((await control('GET', '/official/webhooks')).body.deliveries[0].fields[0], 'leadgen')
  await close()
})

// [sandbox.leads-and-ads.5]
test('no webhook is sent for a silent lead, nor while the app is not subscribed; it can be sent later', async (t) => {
  const { page, receiver, hear, submit, asPage, asApp, control, close } = await startLeads()
  const early = await submit()
  t.is((await control('POST', `/official/leads/${early}/notice`)).body.code, 'NOT_SUBSCRIBED')
  await hear()
  const silent = await submit({ isSilent: true })
  await control('POST', `/official/leads/${early}/notice`)
  await control('POST', `/official/leads/${silent}/notice`)
  await until('both came', () => receiver.changes('leadgen').length === 2)
  t.true(receiver.posts[0]?.raw.includes(early))
  t.true(receiver.posts[1]?.raw.includes(silent))
  await asPage('POST', `${page.pageId}/subscribed_apps`, { subscribed_fields: 'feed' })
  await submit()
  await hear()
  await asApp('POST', `${page.appId}/subscriptions`, {
    object: 'page',
    callback_url: receiver.url,
    verify_token: receiver.verifyToken,
    fields: 'feed',
  })
  await submit()
  t.is(receiver.changes('leadgen').length, 2)
  t.is((await control('POST', '/official/leads/9/notice')).body.code, 'LEAD_NOT_FOUND')
  await close()
})

// [sandbox.leads-and-ads.2]
test('webhooks of Pages are tried again as those of numbers, and are put together without being mixed with them', async (t) => {
  const { seeded, receiver, hear, submit, subscribe, control, advance, close } = await startLeads({
    clock: new FakeClock(),
  })
  await hear()
  await subscribe()
  receiver.statuses.push(500)
  await submit()
  await until(
    'it was refused',
    async () => (await control('GET', '/official/webhooks')).body.deliveries[0].attempts.length === 1,
  )
  await advance(500)
  await until('it came', () => receiver.changes('leadgen').length === 1)
  await control('POST', '/official/webhooks', { batch: true, duplicate: 1, delayMs: 60_000 })
  for (let count = 0; count < 3; count++) await submit()
  await control('POST', '/official/webhooks/send', { phoneId: seeded.phoneId, field: 'messages', value: {} })
  await advance(60_000)
  await until('all came', () => receiver.posts.length === 6)
  t.deepEqual(
    receiver.posts
      .slice(2)
      .map(({ body }) => [body.object, body.entry[0].changes.length])
      .toSorted(),
    [
      ['page', 3],
      ['page', 3],
      ['whatsapp_business_account', 1],
      ['whatsapp_business_account', 1],
    ],
  )
  await close()
})

test('any change of a Page is sent as it is given, to whoever hears of its field', async (t) => {
  const { page, receiver, asPage, asApp, control, close } = await startLeads()
  await asPage('POST', `${page.pageId}/subscribed_apps`, { subscribed_fields: 'feed,leadgen' })
  await asApp('POST', `${page.appId}/subscriptions`, {
    object: 'page',
    callback_url: receiver.url,
    verify_token: receiver.verifyToken,
    fields: 'feed',
  })
  t.is(
    (await control('POST', '/official/webhooks/send', { pageId: page.pageId, field: 'feed', value: { item: 'post' } }))
      .status,
    202,
  )
  t.is(
    (await control('POST', '/official/webhooks/send', { pageId: page.pageId, field: 'leadgen', value: {} })).body.code,
    'NOT_SUBSCRIBED',
  )
  t.is(
    (await control('POST', '/official/webhooks/send', { pageId: '9', field: 'feed', value: {} })).body.code,
    'PAGE_NOT_FOUND',
  )
  await until('it came', () => receiver.posts.length === 1)
  t.like(receiver.posts[0]?.body, {
    object: 'page',
    entry: [{ id: page.pageId, changes: [{ field: 'feed', value: { item: 'post' } }] }],
  })
  await close()
})

// [sandbox.leads-and-ads.1] [sandbox.leads-and-ads.5]
test('a lead shows what is asked for alone, as upstream writes it', async (t) => {
  const { formId, asPage, graph, submit, close } = await startLeads()
  const id = await submit({
    answers: { why: ['a', 'b'], full_name: 'Ana', extra: 'x' },
    consent: { yes: true, news: false, odd: 'maybe' },
    createdAt: '2026-01-02T03:04:05.678+01:00',
  })
  t.regex(id, /^\d{18}$/)
  const bare = {
    id,
    created_time: '2026-01-02T02:04:05+0000',
    field_data: [
      { name: 'full_name', values: ['Ana'] },
      { name: 'tel', values: ['+5511990000001'] },
      { name: 'why', values: ['a', 'b'] },
      { name: 'extra', values: ['x'] },
    ],
  }
  t.deepEqual((await asPage('GET', id)).body, bare)
  t.deepEqual((await asPage('GET', `${id}?fields=${ALL}`)).body, {
    ...bare,
    form_id: formId,
    is_organic: true,
    platform: 'fb',
    custom_disclaimer_responses: [
      { checkbox_key: 'yes', is_checked: '1' },
      { checkbox_key: 'news', is_checked: '' },
      { checkbox_key: 'odd', is_checked: 'maybe' },
    ],
  })
  t.like((await asPage('GET', `${id}?fields=post_submission_check_result`)).body.error, { code: 3 })
  t.is((await asPage('GET', `${id}?fields=shoes`)).body.error.code, 100)
  t.like((await graph('GET', id)).body.error, { code: 100, error_subcode: 33 })
  await close()
})

// [sandbox.leads-and-ads.5]
test('the number of the person is the answer about a phone, unless another was given', async (t) => {
  const { page, asPage, submit, control, close } = await startLeads()
  const { formId } = (
    await control('POST', `/official/pages/${page.pageId}/forms`, { questions: [{ key: 'email', type: 'EMAIL' }] })
  ).body
  const answers = async (parts: object) => (await asPage('GET', await submit(parts))).body.field_data
  t.deepEqual(await answers({ formId, answers: { email: 'a@example.com' } }), [
    { name: 'email', values: ['a@example.com'] },
    { name: 'phone_number', values: ['+5511990000001'] },
  ])
  t.deepEqual(await answers({ formId, answers: { phone_number: [] } }), [{ name: 'phone_number', values: [] }])
  t.deepEqual(await answers({ answers: { tel: '' } }), [{ name: 'tel', values: [''] }])
  t.is((await control('POST', '/peers/5511990000001/leads', { formId: '9' })).body.code, 'FORM_NOT_FOUND')
  t.is((await control('POST', '/peers/1/leads', { formId })).status, 400)
  t.is((await control('POST', '/peers/5511990000001/leads', { formId, createdAt: 'yesterday' })).status, 400)
  await close()
})

// [sandbox.leads-and-ads.1]
test('leads of a form are listed newest first, filtered by time, by cursors that hold while others come', async (t) => {
  const { formId, asPage, submit, control, close } = await startLeads()
  const made: string[] = []
  for (let day = 1; day <= 5; day++) made.push(await submit({ createdAt: `2026-01-0${day}T00:00:00Z` }))
  const at = (day: number) => Date.parse(`2026-01-0${day}T00:00:00Z`) / 1000
  const list = async (more: Record<string, string>) =>
    (await asPage('GET', `${formId}/leads?${new URLSearchParams(more).toString()}`)).body
  const ids = async (filters: object[]) =>
    (await list({ filtering: JSON.stringify(filters) })).data.map(({ id }: any) => made.indexOf(id) + 1)
  t.deepEqual(await ids([]), [5, 4, 3, 2, 1])
  t.deepEqual(
    await ids([
      { field: 'time_created', operator: 'GREATER_THAN', value: at(2) },
      { field: 'time_created', operator: 'LESS_THAN', value: at(5) },
    ]),
    [4, 3],
  )
  t.deepEqual(await ids([{ field: 'time_created', operator: 'GREATER_THAN_OR_EQUAL', value: String(at(4)) }]), [5, 4])
  for (const filtering of [
    'x',
    '{}',
    '[5]',
    '[{"field":"ad_id","operator":"LESS_THAN","value":1}]',
    '[{"field":"time_created","operator":"EQUAL","value":1}]',
    '[{"field":"time_created","operator":"LESS_THAN","value":"x"}]',
  ]) {
    t.is((await list({ filtering })).error.code, 100, filtering)
  }
  const first = await list({ limit: '2', fields: 'id' })
  t.deepEqual(first.data, [{ id: made[4] }, { id: made[3] }])
  await submit()
  const second = await list({ limit: '2', after: first.paging.cursors.after })
  t.deepEqual(
    second.data.map(({ id }: any) => id),
    [made[2], made[1]],
  )
  const third = await list({ limit: '2', after: second.paging.cursors.after })
  t.deepEqual([third.data.length, third.paging.next], [1, undefined])
  t.is((await control('GET', `/requests?op=leads.list&path=${formId}`)).body.total, 12)
  await close()
})

test('faults hit what is asked of Pages, forms and leads by its name', async (t) => {
  const { page, formId, asPage, asApp, submit, control, close } = await startLeads()
  const id = await submit()
  const asked: Record<string, () => Promise<{ status: number; body: any }>> = {
    'page.read': () => asPage('GET', page.pageId),
    'page.apps': () => asPage('GET', `${page.pageId}/subscribed_apps`),
    'page.unsubscribe': () => asPage('DELETE', `${page.pageId}/subscribed_apps`),
    'page.forms': () => asPage('GET', `${page.pageId}/leadgen_forms`),
    'form.read': () => asPage('GET', formId),
    'leads.list': () => asPage('GET', `${formId}/leads`),
    'lead.read': () => asPage('GET', id),
    'app.webhook': () => asApp('GET', `${page.appId}/subscriptions`),
    'ads.accounts': () => asPage('GET', 'me/adaccounts'),
  }
  for (const [op, ask] of Object.entries(asked)) {
    await control('POST', '/faults', { match: { op }, error: '80005', headers: { 'retry-after': '7' } })
    t.is((await ask()).body.error.code, 80_005, op)
    t.is((await ask()).status, 200, op)
  }
  await control('POST', '/faults', { match: { op: 'lead.read', path: `/official/v24.0/${id}` }, drop: 'after' })
  await t.throwsAsync(asPage('GET', id))
  await close()
})

test('a reset forgets Pages, leads and ads', async (t) => {
  const { page, asPage, submit, control, close } = await startLeads()
  await submit()
  await control('POST', '/official/ads', { name: 'Ad', adset: { name: 'Set' }, campaign: { name: 'Campaign' } })
  await control('POST', '/reset')
  t.deepEqual((await control('GET', '/official/pages')).body, { pages: [] })
  t.deepEqual((await control('GET', '/official/ads')).body, { ads: [], adAccounts: [] })
  t.is((await asPage('GET', page.pageId)).body.error.code, 190)
  await close()
})
