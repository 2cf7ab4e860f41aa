import { createHmac } from 'node:crypto'
import test from 'ava'
import { FORM, startLeads } from './lead-playground.ts'

// [sandbox.leads-and-ads.1] [sandbox.leads-and-ads.3] [sandbox.leads-and-ads.8]
test('one seed makes a Page with its token, its app and its forms', async (t) => {
  const { page, asPage, control, close } = await startLeads()
  for (const name of ['pageId', 'appId']) t.regex(page[name], /^\d+$/)
  t.true(page.pageAccessToken.length > 20)
  t.deepEqual((await asPage('GET', `${page.pageId}?fields=id,name`)).body, { id: page.pageId, name: 'Shop' })
  t.deepEqual((await control('GET', '/official/pages')).body.pages, [page])
  const shared = (await control('POST', '/official/pages', { appId: page.appId, appSecret: 'new secret' })).body
  t.like(shared, { appId: page.appId, appSecret: 'new secret', forms: [] })
  t.is((await control('GET', '/official/pages')).body.pages[0].appSecret, 'new secret')
  t.is((await control('POST', '/official/pages', { forms: [{ questions: [{}] }] })).status, 400)
  await close()
})

test('a Page opens by its own token, and by no other', async (t) => {
  const { page, graph, control, seeded, asPage, formId, close } = await startLeads()
  const other = (await control('POST', '/official/pages')).body
  for (const token of [seeded.accessToken, other.pageAccessToken, `${page.appId}|${page.appSecret}`]) {
    for (const path of [page.pageId, `${page.pageId}/leadgen_forms`, formId, `${formId}/leads`])
      t.like((await graph('GET', path, undefined, token)).body.error, { code: 100, error_subcode: 33 })
  }
  t.like((await graph('GET', seeded.phoneId, undefined, page.pageAccessToken)).body.error, {
    code: 100,
    error_subcode: 33,
  })
  t.is((await asPage('GET', page.pageId)).status, 200)
  await control('PATCH', `/official/pages/${page.pageId}`, { isTokenExpired: true })
  t.like((await asPage('GET', page.pageId)).body.error, { code: 190, error_subcode: 463 })
  await control('PATCH', `/official/pages/${page.pageId}`, { isTokenExpired: false, accessToken: 'another' })
  t.is((await asPage('GET', page.pageId)).body.error.code, 190)
  t.is((await graph('GET', page.pageId, undefined, 'another')).status, 200)
  t.is((await control('PATCH', '/official/pages/9', {})).body.code, 'PAGE_NOT_FOUND')
  await close()
})

test('a proof of the app secret is checked where one is sent, and stays out of the ledger', async (t) => {
  const { page, asPage, graph, seeded, control, close } = await startLeads()
  const proofOf = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest('hex')
  const good = proofOf(page.pageAccessToken, page.appSecret)
  t.is((await asPage('GET', `${page.pageId}?appsecret_proof=${good}`)).status, 200)
  for (const wrong of ['', 'x', proofOf(page.pageAccessToken, seeded.appSecret), proofOf('other', page.appSecret)]) {
    t.like((await asPage('GET', `${page.pageId}?appsecret_proof=${wrong}`)).body.error, {
      code: 100,
      message: 'Invalid appsecret_proof provided in the API argument',
    })
  }
  t.is(
    (await graph('GET', `${seeded.phoneId}?appsecret_proof=${proofOf(seeded.accessToken, seeded.appSecret)}`)).status,
    200,
  )
  t.is((await graph('GET', `${seeded.phoneId}?appsecret_proof=${good}`)).status, 400)
  const [request] = (await control('GET', `/requests?path=${page.pageId}`)).body.requests
  t.deepEqual([request.op, request.fields], ['page.read', { has_appsecret_proof: true }])
  await close()
})

// [sandbox.leads-and-ads.1]
test('an app hears of the fields of a Page that were named last', async (t) => {
  const { page, asPage, control, close } = await startLeads()
  const apps = `${page.pageId}/subscribed_apps`
  t.deepEqual((await asPage('GET', apps)).body, { data: [] })
  t.deepEqual((await asPage('POST', apps, { subscribed_fields: ['feed', 'leadgen'] })).body, { success: true })
  t.like((await asPage('GET', apps)).body.data[0], { id: page.appId, subscribed_fields: ['feed', 'leadgen'] })
  t.is((await asPage('POST', `${apps}?subscribed_fields=leadgen`)).status, 200)
  t.deepEqual((await asPage('GET', apps)).body.data[0].subscribed_fields, ['leadgen'])
  for (const wrong of [{}, { subscribed_fields: '' }, { subscribed_fields: 'leadgen,shoes' }])
    t.is((await asPage('POST', apps, wrong)).body.error.code, 100)
  await control('PATCH', `/official/pages/${page.pageId}`, { subscribedFields: ['feed', 'name'] })
  t.deepEqual((await asPage('GET', apps)).body.data[0].subscribed_fields, ['feed', 'name'])
  t.deepEqual((await asPage('DELETE', apps)).body, { success: true })
  t.deepEqual((await asPage('GET', apps)).body, { data: [] })
  t.deepEqual((await control('GET', '/requests?op=page.subscribe')).body.total, 5)
  await close()
})

// [sandbox.leads-and-ads.1]
test('the webhook of an app is set by its id and secret, past the challenge, and shown', async (t) => {
  const { page, asPage, asApp, graph, receiver, close } = await startLeads()
  const path = `${page.appId}/subscriptions`
  const wanted = {
    object: 'page',
    callback_url: receiver.url,
    verify_token: receiver.verifyToken,
    fields: 'leadgen,feed',
  }
  t.deepEqual((await asApp('GET', path)).body, { data: [] })
  t.is((await asPage('GET', path)).body.error.code, 15)
  t.is((await graph('GET', path, undefined, `${page.appId}|wrong`)).body.error.code, 190)
  for (const [wrong, code] of [
    [{ object: 'user' }, 100],
    [{ fields: '' }, 100],
    [{ fields: 'shoes' }, 100],
    [{ callback_url: 'x' }, 100],
    [{ verify_token: '' }, 100],
    [{ verify_token: 'wrong' }, 2200],
  ] as const) {
    t.is((await asApp('POST', path, { ...wanted, ...wrong })).body.error.code, code)
  }
  t.deepEqual((await asApp('GET', path)).body, { data: [] })
  t.deepEqual((await asApp('POST', path, wanted)).body, { success: true })
  t.deepEqual((await asApp('GET', path)).body.data, [
    {
      object: 'page',
      callback_url: receiver.url,
      active: true,
      fields: [
        { name: 'leadgen', version: 'v24.0' },
        { name: 'feed', version: 'v24.0' },
      ],
    },
  ])
  t.is((await graph('GET', '9/subscriptions')).body.error.code, 100)
  await close()
})

// [sandbox.leads-and-ads.1] [sandbox.leads-and-ads.4]
test('forms are listed newest first with what is asked for, and changed from outside', async (t) => {
  const { page, formId, asPage, control, close } = await startLeads()
  const added = (
    await control('POST', `/official/pages/${page.pageId}/forms`, { name: 'Second', questions: [{ key: 'a' }] })
  ).body
  t.like(added, {
    name: 'Second',
    status: 'ACTIVE',
    questions: [{ key: 'a', label: 'a', type: 'CUSTOM' }],
    checkboxes: [],
  })
  const fields =
    'id,name,status,page_id,questions{key,label,type},legal_content{custom_disclaimer{checkboxes{key,text,is_required}}}'
  const { data } = (await asPage('GET', `${page.pageId}/leadgen_forms?fields=${fields}`)).body
  t.deepEqual(
    data.map(({ id }: any) => id),
    [added.formId, formId],
  )
  t.deepEqual(data[0], {
    id: added.formId,
    name: 'Second',
    status: 'ACTIVE',
    page_id: page.pageId,
    questions: [{ key: 'a', label: 'a', type: 'CUSTOM' }],
    legal_content: {},
  })
  t.deepEqual(data[1], {
    id: formId,
    name: 'Sign up',
    status: 'ACTIVE',
    page_id: page.pageId,
    questions: FORM.questions.map(({ key, label = key, type }) => ({ key, label, type })),
    legal_content: {
      custom_disclaimer: {
        checkboxes: [
          { key: 'yes', text: 'I agree', is_required: true },
          { key: 'news', text: '', is_required: false },
        ],
      },
    },
  })
  t.deepEqual(Object.keys((await asPage('GET', formId)).body), ['id', 'name', 'status', 'locale'])
  t.is((await asPage('GET', `${formId}?fields=shoes`)).body.error.code, 100)
  t.is((await asPage('GET', `${formId}?fields=name{`)).body.error.code, 100)
  const first = (await asPage('GET', `${page.pageId}/leadgen_forms?limit=1`)).body
  t.deepEqual(
    (await asPage('GET', `${page.pageId}/leadgen_forms?limit=1&after=${first.paging.cursors.after}`)).body.data[0].id,
    formId,
  )
  t.like((await control('PATCH', `/official/forms/${formId}`, { status: 'ARCHIVED' })).body, {
    status: 'ARCHIVED',
    name: 'Sign up',
    questions: data[1].questions,
  })
  t.like((await control('PATCH', `/official/forms/${formId}`, { questions: [] })).body, {
    status: 'ARCHIVED',
    questions: [],
    checkboxes: [{ key: 'yes' }, { key: 'news' }],
  })
  t.is((await control('PATCH', '/official/forms/9', {})).body.code, 'FORM_NOT_FOUND')
  await close()
})
