import test from 'ava'
import * as fc from 'fast-check'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openLeadApp, upstreamDigits } from '../helpers/lead-app.ts'
import { AWAY, no, THROTTLED, TOKEN_DEAD } from '../helpers/scripted-pages.ts'
import { counted } from '../helpers/size.ts'
import { PAGES, linking } from './lead-page-calls.ts'

// Serial, because concurrent tests share the single session of an embedded database, and on a busy machine a test could
// wait for longer than a statement may take.
const database = sharedDatabase(test, openTestDatabase)

// [leads.scope.7] [leads.routes.5]
test.serial('Pages are of one tenant, and the header narrows to those of one number', async (t) => {
  const app = await openLeadApp(t, database())
  const other = await openLeadApp(t, database())
  const second = await app.addNumber()
  const [one, two] = [await app.link(), await app.link(second)]
  const narrowed = { headers: { 'x-channel-number-id': second.number.id } }
  const ids = async (options = {}) =>
    (await app.send('GET', PAGES, undefined, options)).body.map(({ pageId }: { pageId: string }) => pageId)
  t.deepEqual([await ids(), await ids(narrowed)], [[one.pageId, two.pageId], [two.pageId]])
  t.deepEqual((await other.send('GET', PAGES)).body, [])
  const asked = app.world.pages.asked.length
  const form = one.forms[0]?.formId
  const bodies: Record<string, unknown> = {
    PATCH: { pageAccessToken: one.tokens[0] },
    PUT: { consentKey: null, autoSend: null },
    POST: {},
  }
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '?refresh=1'],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/forms'],
    ['PUT', `/forms/${form}`],
    ['POST', `/forms/${form}/backfill`],
    ['GET', `/forms/${form}/backfill`],
  ] as const) {
    const refusal = { status: 404, body: { code: 'LEAD_PAGE_NOT_FOUND' } }
    t.like(
      await app.send(method, `${PAGES}/${one.pageId}${path}`, bodies[method], narrowed),
      refusal,
      `${method} ${path} of another number`,
    )
    t.like(
      await other.send(method, `${PAGES}/${one.pageId}${path}`, bodies[method]),
      refusal,
      `${method} ${path} of another tenant`,
    )
    t.like(
      await app.send(method, `${PAGES}/${upstreamDigits()}${path}`, bodies[method]),
      refusal,
      `${method} ${path} of nobody`,
    )
    t.like(await app.send(method, `${PAGES}/${one.pageId}${path}`, bodies[method], { key: app.own.key }), {
      status: 403,
      body: { code: 'NUMBER_SCOPE_NOT_ALLOWED' },
    })
  }
  t.deepEqual([app.world.pages.asked.length, other.world.pages.asked], [asked, []])
  t.is((await ids()).length, 2)
})

// [leads.routes.5]
test.serial(
  'refresh=1 asks upstream now: name, token and where the app delivers; without it nothing is asked',
  async (t) => {
    const app = await openLeadApp(t, database())
    const page = await app.link()
    const path = `${PAGES}/${page.pageId}`
    const asked = () => app.world.pages.asked.slice(3).map(({ op }) => op)
    for (const query of ['', '?refresh=0']) t.is((await app.send('GET', path + query)).body.pageName, page.pageName)
    t.deepEqual(asked(), [])
    page.pageName = 'Renamed'
    page.webhook = { kind: 'read', value: 'OTHER_CALLBACK' }
    t.like((await app.send('GET', `${path}?refresh=1`)).body, {
      pageName: 'Renamed',
      webhook: { status: 'OTHER_CALLBACK' },
      isTokenValid: true,
    })
    t.deepEqual(asked(), ['read', 'appWebhook'])
    const tokens = page.tokens
    page.tokens = []
    t.like(await app.send('GET', `${path}?refresh=1`), {
      status: 200,
      body: { isTokenValid: false, pageName: 'Renamed' },
    })
    t.like((await app.send('GET', PAGES)).body, [{ isTokenValid: false }])
    page.tokens = tokens
    app.world.woken.length = 0
    t.like((await app.send('GET', `${path}?refresh=1`)).body, { isTokenValid: true })
    t.deepEqual(app.world.woken, ['leads'], 'what waits for the token is fetched at once')
    page.tokens = []
    await app.send('GET', `${path}?refresh=1`)
    page.tokens = tokens
    t.like(
      (await app.send('PATCH', path, { appSecret: page.appSecret })).body,
      { isTokenValid: true },
      'as it is when it is taken with another secret',
    )
    for (const [said, status, code] of [
      [AWAY, 502, 'OFFICIAL_ERROR'],
      [THROTTLED, 429, 'OFFICIAL_ERROR'],
      [{ kind: 'refused', no: no(10, 'No permission') }, 422, 'LEAD_PAGE_REJECTED'],
    ] as const) {
      app.world.pages.script = { read: () => said }
      t.like(await app.send('GET', `${path}?refresh=1`), { status, body: { code } })
    }
    t.is((await app.send('GET', `${path}?refresh=2`)).status, 400)
  },
)

// [leads.routes.5]
test.serial(
  'refresh=1 of the list asks of every Page; one that is refused stays as it is, and an upstream that is away is told',
  async (t) => {
    const app = await openLeadApp(t, database())
    const pages = []
    for (let n = 0; n < 6; n++) pages.push(await app.link())
    for (const page of pages) page.pageName = `New ${page.pageId}`
    const [first, second] = pages
    if (first) first.tokens = []
    app.world.pages.script = {
      read: ({ pageId }) => (pageId === second?.pageId ? { kind: 'refused', no: no(10, 'No permission') } : undefined),
    }
    const { body } = await app.send('GET', `${PAGES}?refresh=1`)
    t.deepEqual(
      body.map(({ isTokenValid }: { isTokenValid: boolean }) => isTokenValid),
      [false, true, true, true, true, true],
    )
    t.deepEqual(
      body.map(({ pageName }: { pageName: string }) => pageName.startsWith('New')),
      [false, false, true, true, true, true],
    )
    app.world.pages.script = { read: () => AWAY }
    t.like(await app.send('GET', `${PAGES}?refresh=1`), { status: 502, body: { code: 'OFFICIAL_ERROR' } })
  },
)

// [leads.routes.6] [leads.fetching.7]
test.serial(
  'a new token is checked as the first was, a refused one changes nothing, and what waits is fetched at once',
  async (t) => {
    const app = await openLeadApp(t, database())
    const page = await app.link()
    const path = `${PAGES}/${page.pageId}`
    await app.stores.leadNotices.accept(page.appId, page.appSecret, [
      { leadgenId: upstreamDigits(), pageId: page.pageId, formId: null, adId: null },
    ])
    await app.stores.leadPages.tokenDied(page.pageId, 1)
    t.like((await app.send('GET', path)).body, { isTokenValid: false, pendingLeads: 1 })
    t.deepEqual(await app.stores.leadNotices.take(10, 10, { by: 'taker', leaseMs: 1_000 }), [])
    app.world.woken.length = 0
    const other = app.addPage()
    for (const pageAccessToken of ['dead', other.tokens[0]])
      t.like(await app.send('PATCH', path, { pageAccessToken }), { status: 422, body: { code: 'LEAD_PAGE_REJECTED' } })
    t.like(await app.send('PATCH', path, { appSecret: 'wrong' }), { status: 422 })
    t.like((await app.send('GET', path)).body, { isTokenValid: false })
    t.deepEqual(app.world.woken, [])
    page.tokens.push('second')
    app.world.pages.asked.length = 0
    t.like(await app.send('PATCH', path, { pageAccessToken: 'second' }), {
      status: 200,
      body: { isTokenValid: true, pendingLeads: 1 },
    })
    t.deepEqual(
      app.world.pages.asked.map(({ op, credentials }) => [op, credentials.accessToken]),
      [
        ['read', 'second'],
        ['subscribe', 'second'],
        ['subscribeApp', 'second'],
      ],
    )
    t.deepEqual(app.world.woken, ['leads'])
    t.is((await app.stores.leadPages.load(page.pageId))?.secrets.accessToken, 'second')
  },
)

// [leads.routes.6]
test.serial('a Page moves to another number of the tenant without upstream being asked, and to no other', async (t) => {
  const app = await openLeadApp(t, database())
  const other = await openLeadApp(t, database())
  const page = await app.link()
  const path = `${PAGES}/${page.pageId}`
  const second = await app.addNumber()
  const asked = app.world.pages.asked.length
  t.like(await app.send('PATCH', path, { channelNumberId: other.own.number.id }), {
    status: 404,
    body: { code: 'NUMBER_NOT_FOUND' },
  })
  t.like(
    await app.send(
      'PATCH',
      path,
      { channelNumberId: second.number.id },
      { headers: { 'x-channel-number-id': app.own.number.id } },
    ),
    { status: 400, body: { code: 'NUMBER_MISMATCH' } },
  )
  t.like((await app.send('PATCH', path, {})).body, { channelNumberId: app.own.number.id })
  t.like((await app.send('PATCH', path, { channelNumberId: second.number.id })).body, {
    channelNumberId: second.number.id,
  })
  t.is(app.world.pages.asked.length, asked)
})

// [leads.routes.7]
test.serial('a Page is unlinked whatever upstream says to it, and its leads stay', async (t) => {
  const app = await openLeadApp(t, database())
  for (const said of [
    undefined,
    TOKEN_DEAD,
    AWAY,
    THROTTLED,
    { kind: 'refused', no: no(200, 'Permissions error') },
  ] as const) {
    const page = await app.link()
    const lead = await app.addLead(page)
    app.world.pages.script = said === undefined ? {} : { unsubscribe: () => said }
    t.like(await app.send('DELETE', `${PAGES}/${page.pageId}`), {
      status: 200,
      body: { deleted: true, id: page.pageId },
    })
    t.is(page.isSubscribed, said !== undefined)
    for (const method of ['GET', 'DELETE'])
      t.is((await app.send(method, `${PAGES}/${page.pageId}`)).body.code, 'LEAD_PAGE_NOT_FOUND')
    t.is((await app.send('GET', `/v1/leads/${lead.id}`, undefined, { key: app.own.key })).status, 200)
  }
})

// [leads.scope.4]
test.serial('a Page goes with its number', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link(await app.addNumber())
  t.is((await app.send('GET', PAGES)).body.length, 1)
  await app.stores.numbers.remove(
    app.tenantId,
    (await app.stores.leadPages.load(page.pageId))?.page.channelNumberId ?? app.own.number.id,
  )
  t.deepEqual((await app.send('GET', PAGES)).body, [])
  t.is((await app.send('POST', PAGES, linking(app, page))).status, 201)
})

test.serial('no body or path of a Page is a fault of ours', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: ANY_LETTER }),
    fc.constantFrom(
      page.pageId,
      page.tokens[0],
      app.own.number.id,
      'full_name',
      'may_message',
      '2026-01-01',
      null,
      true,
      0,
    ),
  )
  const fields = fc.dictionary(
    fc.constantFrom(
      'pageId',
      'pageAccessToken',
      'channelNumberId',
      'appId',
      'appSecret',
      'consentKey',
      'autoSend',
      'templateId',
      'variables',
      'since',
      'until',
      '__proto__',
    ),
    value,
  )
  const text = fc.oneof(
    fc.string({ unit: ANY_LETTER, maxLength: 40 }).map((part) => encodeURIComponent(part.toWellFormed())),
    fc.constant(page.pageId),
    fc.constantFrom('me', '..', '%2e%2e'),
  )
  const autoSend = fc.record({
    templateId: value,
    variables: fc.dictionary(
      fc.string(),
      fc.oneof(value, fc.record({ field: value, fallback: value }), fc.record({ value })),
    ),
    onlyWithConsent: value,
    skipRecentConversationDays: value,
  })
  await fc.assert(
    fc.asyncProperty(fields, autoSend, text, text, async (body, answered, pageId, formId) => {
      const replies = await Promise.all([
        app.send('POST', PAGES, body),
        app.send('PATCH', `${PAGES}/${pageId}`, body),
        app.send('PUT', `${PAGES}/${page.pageId}/forms/${formId}`, { ...body, autoSend: answered }),
        app.send('POST', `${PAGES}/${pageId}/forms/${formId}/backfill`, body),
        app.send('GET', `${PAGES}/${pageId}/forms/${formId}/backfill`),
      ])
      return replies.every(({ status }) => status < 500)
    }),
    { numRuns: counted(60, 15) },
  )
  t.pass()
})
