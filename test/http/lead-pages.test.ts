import test from 'ava'
import * as fc from 'fast-check'
import * as schema from '../../src/http/routes/lead-pages/schema.ts'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openLeadApp, upstreamDigits } from '../helpers/lead-app.ts'
import type { LeadApp } from '../helpers/lead-app.ts'
import { AWAY, no, THROTTLED, TOKEN_DEAD } from '../helpers/scripted-pages.ts'
import type { ScriptedPage } from '../helpers/scripted-pages.ts'
import { sized } from '../helpers/size.ts'

// One after another: of tests that share the one session of an embedded database, all wait for all, on a busy machine longer than a statement may take.
const database = sharedDatabase(test, openTestDatabase)
const PAGES = '/v1/lead-pages'

/** What links a Page to the number of the application. */
function linking({ own }: LeadApp, page: ScriptedPage, fields: Record<string, unknown> = {}) {
  return { pageId: page.pageId, pageAccessToken: page.tokens[0], channelNumberId: own.number.id, appId: '77001', appSecret: page.appSecret, ...fields }
}

test.serial('a Page is linked: its token proved, the Page subscribed, then its app, in this order, and nothing secret comes back', async (t) => {
  const app = await openLeadApp(t, database())
  const page = app.addPage({ pageName: 'Acme' })
  const { status, body } = await app.send('POST', PAGES, linking(app, page))
  t.is(status, 201)
  t.deepEqual(schema.createdPage.parse(body), body)
  t.deepEqual(body, {
    pageId: page.pageId, pageName: 'Acme', channelNumberId: app.own.number.id, appId: '77001', webhook: { url: 'http://localhost:3000/webhooks/official/pages/77001', status: 'SUBSCRIBED' },
    isTokenValid: true, pendingLeads: 0, lastLeadAt: null, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', verifyToken: 'verify-77001',
  })
  t.deepEqual(app.world.pages.asked.map(({ op, args }) => [op, ...args]), [['read'], ['subscribe'], ['subscribeApp', 'http://localhost:3000/webhooks/official/pages/77001', 'verify-77001']])
  t.true(page.isSubscribed)
  const { verifyToken: _, ...shown } = body
  const [read, list] = [await app.send('GET', `${PAGES}/${page.pageId}`), await app.send('GET', PAGES)]
  t.deepEqual([read.body, list.body], [shown, [shown]])
  const [row] = await database().query<{ row: string }>('select row_to_json(p)::text as row from lead_pages p where page_id = $1', [page.pageId])
  for (const secret of [page.tokens[0] ?? '', page.appSecret]) t.false(`${row?.row}${read.text}${list.text}${app.log.text()}`.includes(secret))
})

test.serial('an OFFICIAL number lends its app; without one to lend, what is missing is named and upstream is not asked', async (t) => {
  const app = await openLeadApp(t, database())
  const lent = { appId: upstreamDigits(), appSecret: 'lent-secret' }
  const [full, half, none] = [await app.addOfficial(lent), await app.addOfficial({ appId: '5005', appSecret: null }), await app.addOfficial({ appId: null, appSecret: null })]
  const page = app.addPage({ appSecret: 'lent-secret' })
  const link = (channelNumberId: string, fields: Record<string, unknown> = {}) => app.send('POST', PAGES, { pageId: page.pageId, pageAccessToken: page.tokens[0], channelNumberId, ...fields })
  const missing = async (channelNumberId: string, fields: Record<string, unknown>, paths: readonly string[]) => {
    const { status, body } = await link(channelNumberId, fields)
    t.deepEqual([status, body.code, body.details?.map(({ path }: { path: string }) => path)], [400, undefined, paths])
  }
  await missing(app.own.number.id, {}, ['appId', 'appSecret'])
  await missing(app.own.number.id, { appId: '5005' }, ['appSecret'])
  await missing(app.own.number.id, { appSecret: 'x' }, ['appId'])
  await missing(none.number.id, {}, ['appId', 'appSecret'])
  await missing(half.number.id, {}, ['appSecret'])
  await missing(full.number.id, { appId: '5005' }, ['appSecret'])
  t.deepEqual(app.world.pages.asked, [])
  const linked = await link(full.number.id, { appId: null, appSecret: null })
  t.deepEqual([linked.status, linked.body.appId], [201, lent.appId])
})

test.serial('what upstream refuses of token, Page or app secret is LEAD_PAGE_REJECTED with its code and words, and nothing is stored', async (t) => {
  const app = await openLeadApp(t, database())
  const [page, other] = [app.addPage(), app.addPage()]
  const refused = async (fields: Record<string, unknown>, upstreamCode: number | null, words: RegExp) => {
    const { status, body } = await app.send('POST', PAGES, linking(app, page, fields))
    t.deepEqual([status, body.code, body.details.upstreamCode], [422, 'LEAD_PAGE_REJECTED', upstreamCode])
    t.regex(body.details.upstreamMessage, words)
    t.deepEqual(Object.keys(body.details), ['upstreamCode', 'upstreamMessage'])
  }
  await refused({ pageAccessToken: 'dead' }, 190, /access token/)
  await refused({ pageAccessToken: other.tokens[0] }, null, /another Page/)
  await refused({ appSecret: 'wrong' }, 100, /appsecret_proof/)
  app.world.pages.script = { subscribe: () => ({ kind: 'refused', no: no(200, 'Permissions error') }) }
  await refused({}, 200, /Permissions error/)
  t.deepEqual((await app.send('GET', PAGES)).body, [])
  t.is(app.world.pages.asked.filter(({ op }) => op === 'subscribeApp').length, 0)
  t.false(page.isSubscribed)
})

test.serial('an upstream that is away is 502, one that throttles 429 with when to come again; nothing is stored', async (t) => {
  const app = await openLeadApp(t, database())
  const page = app.addPage()
  for (const op of ['read', 'subscribe', 'subscribeApp'] as const) {
    app.world.pages.script = { [op]: () => AWAY }
    t.like(await app.send('POST', PAGES, linking(app, page)), { status: 502, body: { code: 'OFFICIAL_ERROR' } }, op)
    app.world.pages.script = { [op]: () => THROTTLED }
    const throttled = await app.send('POST', PAGES, linking(app, page))
    t.like(throttled, { status: 429, body: { code: 'OFFICIAL_ERROR' } }, op)
    t.is(throttled.headers.get('retry-after'), '60')
  }
  t.deepEqual((await app.send('GET', PAGES)).body, [])
})

test.serial('an app that delivers elsewhere, or may not be subscribed, is linked all the same, and says so', async (t) => {
  const app = await openLeadApp(t, database())
  for (const status of ['OTHER_CALLBACK', 'NOT_SUBSCRIBED', 'SUBSCRIBED'] as const) {
    const { body } = await app.send('POST', PAGES, linking(app, app.addPage({ webhook: { kind: 'read', value: status } })))
    t.is(body.webhook.status, status)
  }
})

test.serial('a Page is linked once in the installation, and whose it is stays untold', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const other = await openLeadApp(t, database())
  const same = other.world.pages.add(page.pageId, { tokens: ['theirs'] })
  for (const [by, theirs] of [[app, page], [other, same]] as const) {
    const { status, body, text } = await by.send('POST', PAGES, linking(by, theirs))
    t.deepEqual([status, body.code, body.details], [409, 'LEAD_PAGE_ALREADY_LINKED', undefined])
    for (const secret of [app.own.number.id, app.own.number.number, app.tenantId, page.appId]) t.false(text.includes(secret))
  }
  t.false(same.isSubscribed, 'nothing was changed upstream')
  t.is((await other.send('POST', PAGES, linking(other, same, { pageAccessToken: 'none-of-it' }))).status, 422, 'who holds no token is not told that it is linked')
  t.like(await app.send('DELETE', `${PAGES}/${page.pageId}`), { status: 200, body: { deleted: true, id: page.pageId } })
  t.is((await other.send('POST', PAGES, linking(other, same))).status, 201)
})

test.serial('of ten who link a Page at once one does', async (t) => {
  const app = await openLeadApp(t, database())
  const page = app.addPage()
  const replies = await Promise.all(Array.from({ length: 10 }, () => app.send('POST', PAGES, linking(app, page))))
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [201, ...Array<number>(9).fill(409)])
  t.is((await app.send('GET', PAGES)).body.length, 1)
})

test.serial('the same linking with one Idempotency-Key is one linking', async (t) => {
  const app = await openLeadApp(t, database())
  const page = app.addPage()
  const link = () => app.send('POST', PAGES, linking(app, page), { headers: { 'idempotency-key': 'link-1' } })
  const [first, again] = [await link(), await link()]
  t.deepEqual([first.status, again.status, again.text, again.headers.get('idempotency-replayed')], [201, 201, first.text, 'true'])
})

test.serial('the number of a linking is the one that body and header agree on, of the tenant', async (t) => {
  const app = await openLeadApp(t, database())
  const other = await openLeadApp(t, database())
  const second = await app.addNumber()
  const page = app.addPage()
  const link = async (channelNumberId: unknown, header?: string) => {
    const { status, body } = await app.send('POST', PAGES, linking(app, page, { channelNumberId }), header === undefined ? {} : { headers: { 'x-channel-number-id': header } })
    return [status, body.code ?? body.channelNumberId]
  }
  t.deepEqual(await link(undefined), [400, 'NUMBER_REQUIRED'])
  t.deepEqual(await link(null), [400, 'NUMBER_REQUIRED'])
  t.deepEqual(await link(7), [400, undefined])
  for (const foreign of [other.own.number.id, 'num_00000000000000000000000000', 'x']) {
    t.deepEqual(await link(foreign), [404, 'NUMBER_NOT_FOUND'])
    t.deepEqual(await link(undefined, foreign), [404, 'NUMBER_NOT_FOUND'])
  }
  t.deepEqual(await link(app.own.number.id, second.number.id), [400, 'NUMBER_MISMATCH'])
  t.deepEqual(app.world.pages.asked, [])
  t.deepEqual(await link(undefined, second.number.id), [201, second.number.id])
})

test.serial('no strange body links a Page', async (t) => {
  const app = await openLeadApp(t, database())
  const page = app.addPage()
  const wrong = [
    { pageId: undefined }, { pageId: Number(page.pageId) }, { pageId: 'me' }, { pageId: '../1' }, { pageId: '0' }, { pageId: '' }, { pageId: '1'.repeat(33) }, { pageAccessToken: undefined }, { pageAccessToken: '' },
    { pageAccessToken: 'a b' }, { pageAccessToken: 'a\r\nx: y' }, { pageAccessToken: 'x'.repeat(4_097) }, { pageAccessToken: 7 }, { appId: 77 }, { appId: 'me/x' }, { appSecret: 'x'.repeat(257) }, { appSecret: 'é' },
  ]
  for (const fields of wrong) t.like(await app.send('POST', PAGES, linking(app, page, fields)), { status: 400, body: { code: undefined } }, JSON.stringify(fields))
  for (const body of [[], 'x', 7, null]) t.is((await app.send('POST', PAGES, body)).status, 400, JSON.stringify(body))
  t.deepEqual([app.world.pages.asked, (await app.send('GET', PAGES)).body], [[], []])
})

test.serial('Pages are of one tenant, and the header narrows to those of one number', async (t) => {
  const app = await openLeadApp(t, database())
  const other = await openLeadApp(t, database())
  const second = await app.addNumber()
  const [one, two] = [await app.link(), await app.link(second)]
  const narrowed = { headers: { 'x-channel-number-id': second.number.id } }
  const ids = async (options = {}) => (await app.send('GET', PAGES, undefined, options)).body.map(({ pageId }: { pageId: string }) => pageId)
  t.deepEqual([await ids(), await ids(narrowed)], [[one.pageId, two.pageId], [two.pageId]])
  t.deepEqual((await other.send('GET', PAGES)).body, [])
  const asked = app.world.pages.asked.length
  const form = one.forms[0]?.formId
  const bodies: Record<string, unknown> = { PATCH: { pageAccessToken: one.tokens[0] }, PUT: { consentKey: null, autoSend: null }, POST: {} }
  for (const [method, path] of [['GET', ''], ['GET', '?refresh=1'], ['PATCH', ''], ['DELETE', ''], ['GET', '/forms'], ['PUT', `/forms/${form}`], ['POST', `/forms/${form}/backfill`], ['GET', `/forms/${form}/backfill`]] as const) {
    const refusal = { status: 404, body: { code: 'LEAD_PAGE_NOT_FOUND' } }
    t.like(await app.send(method, `${PAGES}/${one.pageId}${path}`, bodies[method], narrowed), refusal, `${method} ${path} of another number`)
    t.like(await other.send(method, `${PAGES}/${one.pageId}${path}`, bodies[method]), refusal, `${method} ${path} of another tenant`)
    t.like(await app.send(method, `${PAGES}/${upstreamDigits()}${path}`, bodies[method]), refusal, `${method} ${path} of nobody`)
    t.like(await app.send(method, `${PAGES}/${one.pageId}${path}`, bodies[method], { key: app.own.key }), { status: 403, body: { code: 'NUMBER_SCOPE_NOT_ALLOWED' } })
  }
  t.deepEqual([app.world.pages.asked.length, other.world.pages.asked], [asked, []])
  t.is((await ids()).length, 2)
})

test.serial('refresh=1 asks upstream now: name, token and where the app delivers; without it nothing is asked', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const path = `${PAGES}/${page.pageId}`
  const asked = () => app.world.pages.asked.slice(3).map(({ op }) => op)
  for (const query of ['', '?refresh=0']) t.is((await app.send('GET', path + query)).body.pageName, page.pageName)
  t.deepEqual(asked(), [])
  page.pageName = 'Renamed'
  page.webhook = { kind: 'read', value: 'OTHER_CALLBACK' }
  t.like((await app.send('GET', `${path}?refresh=1`)).body, { pageName: 'Renamed', webhook: { status: 'OTHER_CALLBACK' }, isTokenValid: true })
  t.deepEqual(asked(), ['read', 'appWebhook'])
  const tokens = page.tokens
  page.tokens = []
  t.like(await app.send('GET', `${path}?refresh=1`), { status: 200, body: { isTokenValid: false, pageName: 'Renamed' } })
  t.like((await app.send('GET', PAGES)).body, [{ isTokenValid: false }])
  page.tokens = tokens
  app.world.woken.length = 0
  t.like((await app.send('GET', `${path}?refresh=1`)).body, { isTokenValid: true })
  t.deepEqual(app.world.woken, ['leads'], 'what waits for the token is fetched at once')
  page.tokens = []
  await app.send('GET', `${path}?refresh=1`)
  page.tokens = tokens
  t.like((await app.send('PATCH', path, { appSecret: page.appSecret })).body, { isTokenValid: true }, 'as it is when it is taken with another secret')
  for (const [said, status, code] of [[AWAY, 502, 'OFFICIAL_ERROR'], [THROTTLED, 429, 'OFFICIAL_ERROR'], [{ kind: 'refused', no: no(10, 'No permission') }, 422, 'LEAD_PAGE_REJECTED']] as const) {
    app.world.pages.script = { read: () => said }
    t.like(await app.send('GET', `${path}?refresh=1`), { status, body: { code } })
  }
  t.is((await app.send('GET', `${path}?refresh=2`)).status, 400)
})

test.serial('refresh=1 of the list asks of every Page; one that is refused stays as it is, and an upstream that is away is told', async (t) => {
  const app = await openLeadApp(t, database())
  const pages = []
  for (let n = 0; n < 6; n++) pages.push(await app.link())
  for (const page of pages) page.pageName = `New ${page.pageId}`
  const [first, second] = pages
  if (first) first.tokens = []
  app.world.pages.script = { read: ({ pageId }) => (pageId === second?.pageId ? { kind: 'refused', no: no(10, 'No permission') } : undefined) }
  const { body } = await app.send('GET', `${PAGES}?refresh=1`)
  t.deepEqual(body.map(({ isTokenValid }: { isTokenValid: boolean }) => isTokenValid), [false, true, true, true, true, true])
  t.deepEqual(body.map(({ pageName }: { pageName: string }) => pageName.startsWith('New')), [false, false, true, true, true, true])
  app.world.pages.script = { read: () => AWAY }
  t.like(await app.send('GET', `${PAGES}?refresh=1`), { status: 502, body: { code: 'OFFICIAL_ERROR' } })
})

test.serial('a new token is checked as the first was, a refused one changes nothing, and what waits is fetched at once', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const path = `${PAGES}/${page.pageId}`
  await app.stores.leadNotices.accept(page.appId, page.appSecret, [{ leadgenId: upstreamDigits(), pageId: page.pageId, formId: null, adId: null }])
  await app.stores.leadPages.tokenDied(page.pageId, 1)
  t.like((await app.send('GET', path)).body, { isTokenValid: false, pendingLeads: 1 })
  t.deepEqual(await app.stores.leadNotices.take(10, 10, { by: 'taker', leaseMs: 1_000 }), [])
  app.world.woken.length = 0
  const other = app.addPage()
  for (const pageAccessToken of ['dead', other.tokens[0]]) t.like(await app.send('PATCH', path, { pageAccessToken }), { status: 422, body: { code: 'LEAD_PAGE_REJECTED' } })
  t.like(await app.send('PATCH', path, { appSecret: 'wrong' }), { status: 422 })
  t.like((await app.send('GET', path)).body, { isTokenValid: false })
  t.deepEqual(app.world.woken, [])
  page.tokens.push('second')
  app.world.pages.asked.length = 0
  t.like(await app.send('PATCH', path, { pageAccessToken: 'second' }), { status: 200, body: { isTokenValid: true, pendingLeads: 1 } })
  t.deepEqual(app.world.pages.asked.map(({ op, credentials }) => [op, credentials.accessToken]), [['read', 'second'], ['subscribe', 'second'], ['subscribeApp', 'second']])
  t.deepEqual(app.world.woken, ['leads'])
  t.is((await app.stores.leadPages.load(page.pageId))?.secrets.accessToken, 'second')
})

test.serial('a Page moves to another number of the tenant without upstream being asked, and to no other', async (t) => {
  const app = await openLeadApp(t, database())
  const other = await openLeadApp(t, database())
  const page = await app.link()
  const path = `${PAGES}/${page.pageId}`
  const second = await app.addNumber()
  const asked = app.world.pages.asked.length
  t.like(await app.send('PATCH', path, { channelNumberId: other.own.number.id }), { status: 404, body: { code: 'NUMBER_NOT_FOUND' } })
  t.like(await app.send('PATCH', path, { channelNumberId: second.number.id }, { headers: { 'x-channel-number-id': app.own.number.id } }), { status: 400, body: { code: 'NUMBER_MISMATCH' } })
  t.like((await app.send('PATCH', path, {})).body, { channelNumberId: app.own.number.id })
  t.like((await app.send('PATCH', path, { channelNumberId: second.number.id })).body, { channelNumberId: second.number.id })
  t.is(app.world.pages.asked.length, asked)
})

test.serial('a Page is unlinked whatever upstream says to it, and its leads stay', async (t) => {
  const app = await openLeadApp(t, database())
  for (const said of [undefined, TOKEN_DEAD, AWAY, THROTTLED, { kind: 'refused', no: no(200, 'Permissions error') }] as const) {
    const page = await app.link()
    const lead = await app.addLead(page)
    app.world.pages.script = said === undefined ? {} : { unsubscribe: () => said }
    t.like(await app.send('DELETE', `${PAGES}/${page.pageId}`), { status: 200, body: { deleted: true, id: page.pageId } })
    t.is(page.isSubscribed, said !== undefined)
    for (const method of ['GET', 'DELETE']) t.is((await app.send(method, `${PAGES}/${page.pageId}`)).body.code, 'LEAD_PAGE_NOT_FOUND')
    t.is((await app.send('GET', `/v1/leads/${lead.id}`, undefined, { key: app.own.key })).status, 200)
  }
})

test.serial('a Page goes with its number', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link(await app.addNumber())
  t.is((await app.send('GET', PAGES)).body.length, 1)
  await app.stores.numbers.remove(app.tenantId, (await app.stores.leadPages.load(page.pageId))?.page.channelNumberId ?? app.own.number.id)
  t.deepEqual((await app.send('GET', PAGES)).body, [])
  t.is((await app.send('POST', PAGES, linking(app, page))).status, 201)
})

test.serial('no body or path of a Page is a fault of ours', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: ANY_LETTER }), fc.constantFrom(page.pageId, page.tokens[0], app.own.number.id, 'full_name', 'may_message', '2026-01-01', null, true, 0))
  const fields = fc.dictionary(fc.constantFrom('pageId', 'pageAccessToken', 'channelNumberId', 'appId', 'appSecret', 'consentKey', 'autoSend', 'templateId', 'variables', 'since', 'until', '__proto__'), value)
  const text = fc.oneof(fc.string({ unit: ANY_LETTER, maxLength: 40 }).map((part) => encodeURIComponent(part.toWellFormed())), fc.constant(page.pageId), fc.constantFrom('me', '..', '%2e%2e'))
  const autoSend = fc.record({ templateId: value, variables: fc.dictionary(fc.string(), fc.oneof(value, fc.record({ field: value, fallback: value }), fc.record({ value }))), onlyWithConsent: value, skipRecentConversationDays: value })
  await fc.assert(fc.asyncProperty(fields, autoSend, text, text, async (body, answered, pageId, formId) => {
    const replies = await Promise.all([
      app.send('POST', PAGES, body), app.send('PATCH', `${PAGES}/${pageId}`, body), app.send('PUT', `${PAGES}/${page.pageId}/forms/${formId}`, { ...body, autoSend: answered }),
      app.send('POST', `${PAGES}/${pageId}/forms/${formId}/backfill`, body), app.send('GET', `${PAGES}/${pageId}/forms/${formId}/backfill`),
    ])
    return replies.every(({ status }) => status < 500)
  }), { numRuns: sized(60, 15) })
  t.pass()
})
