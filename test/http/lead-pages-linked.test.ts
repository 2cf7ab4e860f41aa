import test from 'ava'
import * as schema from '../../src/http/routes/lead-pages/schema.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openLeadApp, upstreamDigits } from '../helpers/lead-app.ts'
import { AWAY, no, THROTTLED } from '../helpers/scripted-pages.ts'
import { PAGES, linking } from './lead-page-calls.ts'

const database = sharedDatabase(test, openTestDatabase)

// [leads.routes.5] [leads.pages.1] [leads.linking.1] [leads.webhook.1]
test.serial(
  'a Page is linked: its token proved, the Page subscribed, then its app, in this order, and nothing secret comes back',
  async (t) => {
    const app = await openLeadApp(t, database())
    const page = app.addPage({ pageName: 'Acme' })
    const { status, body } = await app.send('POST', PAGES, linking(app, page))
    t.is(status, 201)
    t.deepEqual(schema.createdPage.parse(body), body)
    t.deepEqual(body, {
      pageId: page.pageId,
      pageName: 'Acme',
      channelNumberId: app.own.number.id,
      appId: '77001',
      webhook: { url: 'http://localhost:3000/webhooks/official/pages/77001', status: 'SUBSCRIBED' },
      isTokenValid: true,
      pendingLeads: 0,
      lastLeadAt: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      verifyToken: 'verify-77001',
    })
    t.deepEqual(
      app.world.pages.asked.map(({ op, args }) => [op, ...args]),
      [
        ['read'],
        ['subscribe'],
        ['subscribeApp', 'http://localhost:3000/webhooks/official/pages/77001', 'verify-77001'],
      ],
    )
    t.true(page.isSubscribed)
    const { verifyToken: _, ...shown } = body
    const [read, list] = [await app.send('GET', `${PAGES}/${page.pageId}`), await app.send('GET', PAGES)]
    t.deepEqual([read.body, list.body], [shown, [shown]])
    const [row] = await database().query<{ row: string }>(
      'select row_to_json(p)::text as row from lead_pages p where page_id = $1',
      [page.pageId],
    )
    for (const secret of [page.tokens[0] ?? '', page.appSecret])
      t.false(`${row?.row}${read.text}${list.text}${app.log.text()}`.includes(secret))
  },
)

test.serial(
  'an OFFICIAL number lends its app; without one to lend, what is missing is named and upstream is not asked',
  async (t) => {
    const app = await openLeadApp(t, database())
    const lent = { appId: upstreamDigits(), appSecret: 'lent-secret' }
    const [full, half, none] = [
      await app.addOfficial(lent),
      await app.addOfficial({ appId: '5005', appSecret: null }),
      await app.addOfficial({ appId: null, appSecret: null }),
    ]
    const page = app.addPage({ appSecret: 'lent-secret' })
    const link = (channelNumberId: string, fields: Record<string, unknown> = {}) =>
      app.send('POST', PAGES, { pageId: page.pageId, pageAccessToken: page.tokens[0], channelNumberId, ...fields })
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
  },
)

test.serial(
  "a refused token, Page or app secret is LEAD_PAGE_REJECTED with the upstream's code and words, and nothing is stored",
  async (t) => {
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
  },
)

test.serial(
  'an upstream that is away is 502, one that throttles 429 with when to come again; nothing is stored',
  async (t) => {
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
  },
)

test.serial(
  'an app that delivers elsewhere, or may not be subscribed, is linked all the same, and says so',
  async (t) => {
    const app = await openLeadApp(t, database())
    for (const status of ['OTHER_CALLBACK', 'NOT_SUBSCRIBED', 'SUBSCRIBED'] as const) {
      const { body } = await app.send(
        'POST',
        PAGES,
        linking(app, app.addPage({ webhook: { kind: 'read', value: status } })),
      )
      t.is(body.webhook.status, status)
    }
  },
)

// [leads.scope.2] [leads.routes.4]
test.serial('a Page is linked once in the installation, and whose it is stays untold', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const other = await openLeadApp(t, database())
  const same = other.world.pages.add(page.pageId, { tokens: ['theirs'] })
  for (const [by, theirs] of [
    [app, page],
    [other, same],
  ] as const) {
    const { status, body, text } = await by.send('POST', PAGES, linking(by, theirs))
    t.deepEqual([status, body.code, body.details], [409, 'LEAD_PAGE_ALREADY_LINKED', undefined])
    for (const secret of [app.own.number.id, app.own.number.number, app.tenantId, page.appId])
      t.false(text.includes(secret))
  }
  t.false(same.isSubscribed, 'nothing was changed upstream')
  t.is(
    (await other.send('POST', PAGES, linking(other, same, { pageAccessToken: 'none-of-it' }))).status,
    422,
    'who holds no token is not told that it is linked',
  )
  t.like(await app.send('DELETE', `${PAGES}/${page.pageId}`), { status: 200, body: { deleted: true, id: page.pageId } })
  t.is((await other.send('POST', PAGES, linking(other, same))).status, 201)
})

test.serial('when ten callers link a Page at once, one of them succeeds', async (t) => {
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
  t.deepEqual(
    [first.status, again.status, again.text, again.headers.get('idempotency-replayed')],
    [201, 201, first.text, 'true'],
  )
})

test.serial('the number of a linking is the one that body and header agree on, of the tenant', async (t) => {
  const app = await openLeadApp(t, database())
  const other = await openLeadApp(t, database())
  const second = await app.addNumber()
  const page = app.addPage()
  const link = async (channelNumberId: unknown, header?: string) => {
    const { status, body } = await app.send(
      'POST',
      PAGES,
      linking(app, page, { channelNumberId }),
      header === undefined ? {} : { headers: { 'x-channel-number-id': header } },
    )
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
    { pageId: undefined },
    { pageId: Number(page.pageId) },
    { pageId: 'me' },
    { pageId: '../1' },
    { pageId: '0' },
    { pageId: '' },
    { pageId: '1'.repeat(33) },
    { pageAccessToken: undefined },
    { pageAccessToken: '' },
    { pageAccessToken: 'a b' },
    { pageAccessToken: 'a\r\nx: y' },
    { pageAccessToken: 'x'.repeat(4_097) },
    { pageAccessToken: 7 },
    { appId: 77 },
    { appId: 'me/x' },
    { appSecret: 'x'.repeat(257) },
    { appSecret: 'é' },
  ]
  for (const fields of wrong)
    t.like(
      await app.send('POST', PAGES, linking(app, page, fields)),
      { status: 400, body: { code: undefined } },
      JSON.stringify(fields),
    )
  for (const body of [[], 'x', 7, null]) t.is((await app.send('POST', PAGES, body)).status, 400, JSON.stringify(body))
  t.deepEqual([app.world.pages.asked, (await app.send('GET', PAGES)).body], [[], []])
})
