import test from 'ava'
import { createHmac } from 'node:crypto'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import {
  changePage,
  failLeads,
  leadRequests,
  leadsOf,
  linkBody,
  linkPage,
  readPage,
  seedPage,
  submitLead,
  untilLead,
} from '../helpers/lead-service.ts'
import type { SeededPage } from '../helpers/lead-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { OfficialNumber } from '../helpers/official-service.ts'
import { call } from '../helpers/service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let number: OfficialNumber
let device: PairedNumber

test.before(async () => {
  service = await joinService()
  ;[number, device] = await Promise.all([connectOfficial(service), service.pairNumber()])
})

const link = (page: SeededPage, fields: object = {}, key = service.tenantKey) =>
  service.api('POST', '/v1/lead-pages', key, { ...linkBody(page, number), ...fields })

/** Asks the upstream directly, as the app itself would. */
function upstream(method: string, { appId, appSecret }: SeededPage, body?: unknown) {
  return call(method, `http://127.0.0.1:${service.ports['sandboxPort']}/official/v24.0/${appId}/subscriptions`, {
    headers: { authorization: `Bearer ${appId}|${appSecret}` },
    ...(body === undefined ? {} : { body }),
  })
}

// [leads.linking.4]
test('a dead token, one of another Page and a wrong app secret are LEAD_PAGE_REJECTED with upstream’s code and words, and nothing is stored or subscribed', async (t) => {
  const [page, other] = [await seedPage(service), await seedPage(service)]
  for (const fields of [
    { pageAccessToken: 'EAAdead' },
    { pageAccessToken: other.pageAccessToken },
    { appSecret: 'wrong' },
  ]) {
    const { status, body } = await link(page, fields)
    t.deepEqual(
      [status, body.code, typeof body.details?.upstreamCode, typeof body.details?.upstreamMessage],
      [422, 'LEAD_PAGE_REJECTED', 'number', 'string'],
      JSON.stringify({ fields, body }),
    )
    t.false(JSON.stringify(body).includes(fields.pageAccessToken ?? 'EAA'))
  }
  await changePage(service, page, { isTokenExpired: true })
  t.like(await link(page), { status: 422, body: { details: { upstreamCode: 190 } } })
  t.is((await service.api('GET', `/v1/lead-pages/${page.pageId}`, service.tenantKey)).body.code, 'LEAD_PAGE_NOT_FOUND')
  t.deepEqual(await leadRequests(service, 'page.subscribe', page.pageId), [])
})

// [leads.linking.6]
test('an upstream that fails while a Page is being linked is 502, and nothing is stored', async (t) => {
  const page = await seedPage(service)
  for (const [op, id] of [
    ['page.read', page.pageId],
    ['page.subscribe', page.pageId],
    ['app.subscribe', page.appId],
  ] as const) {
    await failLeads(service, op, id, { status: 500 })
    t.like(await link(page), { status: 502, body: { code: 'OFFICIAL_ERROR' } }, op)
    t.is((await service.api('GET', `/v1/lead-pages/${page.pageId}`, service.tenantKey)).status, 404)
  }
  t.is((await link(page)).status, 201)
})

// [leads.linking.3]
test('a Page of an app that delivers elsewhere is linked and says so, and the other callback stays', async (t) => {
  const page = await seedPage(service)
  // A number's webhook address, which answers a challenge too.
  const elsewhere = {
    object: 'page',
    callback_url: `${service.base}/webhooks/official/${number.id}`,
    verify_token: number.verifyToken,
    fields: 'feed',
  }
  t.is((await upstream('POST', page, elsewhere)).status, 200)
  t.like(await link(page), { status: 201, body: { webhook: { status: 'OTHER_CALLBACK' } } })
  const { body } = await upstream('GET', page)
  t.like(body.data, [{ object: 'page', callback_url: elsewhere.callback_url }])
})

// [leads.linking.5]
test('a Page of an app that may not be subscribed is linked as NOT_SUBSCRIBED', async (t) => {
  const page = await seedPage(service)
  await failLeads(service, 'app.subscribe', page.appId, { error: '10' })
  t.like(await link(page), { status: 201, body: { webhook: { status: 'NOT_SUBSCRIBED' } } })
  t.like((await service.api('GET', `/v1/lead-pages/${page.pageId}?refresh=1`, service.tenantKey)).body, {
    webhook: { status: 'NOT_SUBSCRIBED' },
  })
})

test('leads of a Page whose token died wait until the Page gets another token', async (t) => {
  const page = await linkPage(service, device)
  await changePage(service, page, { isTokenExpired: true })
  const leadgenId = await submitLead(service, page)
  await until('the token is known to be dead', async () => (await readPage(service, page)).isTokenValid === false)
  t.like(await readPage(service, page), { pendingLeads: 1 })
  t.deepEqual(await leadsOf(service, device, `&pageId=${page.pageId}`), [])
  await changePage(service, page, { isTokenExpired: false, accessToken: 'EAAsecond' })
  t.like(
    await service.api('PATCH', `/v1/lead-pages/${page.pageId}`, service.tenantKey, { pageAccessToken: 'EAAthird' }),
    { status: 422 },
  )
  t.like(
    await service.api('PATCH', `/v1/lead-pages/${page.pageId}`, service.tenantKey, { pageAccessToken: 'EAAsecond' }),
    { status: 200, body: { isTokenValid: true } },
  )
  t.like(await untilLead(service, device, leadgenId), { channelNumberId: device.id })
  t.like(await readPage(service, page), { pendingLeads: 0, isTokenValid: true })
})

test('an app secret is only valid on the webhook path of its own app, and so is a verify token', async (t) => {
  const [page, other] = [await linkPage(service, device), await linkPage(service, device)]
  const body = JSON.stringify({
    object: 'page',
    entry: [
      {
        id: page.pageId,
        time: 1,
        changes: [{ field: 'leadgen', value: { leadgen_id: '77', page_id: page.pageId, form_id: page.formId } }],
      },
    ],
  })
  const post = async ({ appId }: SeededPage, { appSecret }: SeededPage) => {
    const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
    const { status, text } = await fetch(`${service.base}/webhooks/official/pages/${appId}`, {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': signature },
    }).then(async (answer) => ({ status: answer.status, text: await answer.text() }))
    return [status, status === 200 ? JSON.parse(text).stored : null]
  }
  t.deepEqual(
    [await post(page, other), await post(other, page), await post(other, other)],
    [
      [401, null],
      [401, null],
      [200, 0],
    ],
  )
  const verify = async ({ appId }: SeededPage, token: string) =>
    (
      await call(
        'GET',
        `${service.base}/webhooks/official/pages/${appId}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=9`,
      )
    ).status
  t.deepEqual([await verify(page, page.created.verifyToken), await verify(page, other.created.verifyToken)], [200, 403])
  t.is((await readPage(service, page)).pendingLeads, 0)
})

test('leads, Pages and imports of one tenant are nobody else’s, by any key and header', async (t) => {
  const page = await linkPage(service, number)
  const lead = await untilLead(service, number, await submitLead(service, page))
  const stranger = await askToCreateTenant(service.dataDir, 'Stranger')
  if (!stranger) return t.fail('no second tenant')
  const path = `/v1/lead-pages/${page.pageId}`
  const form = `${path}/forms/${page.formId}`
  const routes = [
    ['GET', path],
    ['GET', `${path}?refresh=1`],
    ['PATCH', path, {}],
    ['GET', `${path}/forms`],
    ['PUT', form, {}],
    ['POST', `${form}/backfill`, {}],
    ['GET', `${form}/backfill`],
    ['DELETE', path],
  ] as const
  for (const [method, at, body] of routes) {
    t.is((await service.api(method, at, stranger.key, body)).body.code, 'LEAD_PAGE_NOT_FOUND', `${method} ${at}`)
    t.is(
      (await service.api(method, at, service.tenantKey, body, { 'x-channel-number-id': device.id })).body.code,
      'LEAD_PAGE_NOT_FOUND',
      `${method} ${at}`,
    )
    t.is(
      (await service.api(method, at, stranger.key, body, { 'x-channel-number-id': number.id })).body.code,
      'NUMBER_NOT_FOUND',
      `${method} ${at}`,
    )
    t.is((await service.api(method, at, number.key, body)).body.code, 'NUMBER_SCOPE_NOT_ALLOWED', `${method} ${at}`)
  }
  for (const method of ['GET', 'DELETE']) {
    t.is((await service.api(method, `/v1/leads/${lead.id}`, device.key)).body.code, 'LEAD_NOT_FOUND')
    t.is((await service.api(method, `/v1/leads/${lead.id}`, service.tenantKey)).body.code, 'TENANT_SCOPE_NOT_ALLOWED')
    t.is(
      (
        await service.api(method, `/v1/leads/${lead.id}`, service.tenantKey, undefined, {
          'x-channel-number-id': device.id,
        })
      ).body.code,
      'LEAD_NOT_FOUND',
    )
    t.is(
      (await service.api(method, `/v1/leads/${lead.id}`, stranger.key, undefined, { 'x-channel-number-id': number.id }))
        .body.code,
      'NUMBER_NOT_FOUND',
    )
  }
  t.like((await service.api('POST', '/v1/lead-pages', stranger.key, linkBody(page, number))).body, {
    code: 'NUMBER_NOT_FOUND',
  })
  t.is(
    (
      await service.api('GET', `/v1/leads/${lead.id}`, service.tenantKey, undefined, {
        'x-channel-number-id': number.id,
      })
    ).body.lead.id,
    lead.id,
  )
  return t.is((await readPage(service, page)).channelNumberId, number.id)
})
