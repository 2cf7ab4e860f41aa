import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import * as schema from '../../src/http/routes/lead-pages/schema.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { formOf, openLeadApp, upstreamDigits } from '../helpers/lead-app.ts'
import { AWAY, THROTTLED } from '../helpers/scripted-pages.ts'

// Serial, because concurrent tests share the single session of an embedded database, and on a busy machine a test could
// wait for longer than a statement may take.
const database = sharedDatabase(test, openTestDatabase)
const BODY = {
  header: { type: 'NONE' },
  body: { text: 'Hello {{customer}}, this is {{shop}}.' },
  footer: null,
  buttons: [],
  carousel: null,
}

/** A linked Page with a form, and a template of its number. */
async function open(t: ExecutionContext) {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const formId = page.forms[0]?.formId ?? ''
  const path = `/v1/lead-pages/${page.pageId}/forms`
  const made = await app.send(
    'POST',
    '/v1/templates',
    { name: 'welcome', category: 'UTILITY', language: 'en', body: BODY, examples: { customer: 'Ana', shop: 'Acme' } },
    { key: app.own.key },
  )
  if (made.status !== 201) throw new Error(made.text)
  const autoSend = {
    templateId: made.body.id,
    variables: { customer: { field: 'full_name', fallback: 'there' }, shop: { value: 'Acme' } },
    onlyWithConsent: true,
    skipRecentConversationDays: 7,
  }
  const put = (body: unknown, id = formId) => app.send('PUT', `${path}/${id}`, body)
  const settings = async () => {
    const { forms } = (await app.send('GET', path)).body
    const { consentKey, autoSend: answered } = forms.find((form: { formId: string }) => form.formId === formId)
    return { consentKey, autoSend: answered }
  }
  return { ...app, page, formId, path, templateId: made.body.id as string, autoSend, put, settings }
}

// [leads.routes.8] [leads.pages.2]
test.serial('forms are read upstream now, every page of them, with what is set for each', async (t) => {
  const { send, page, formId, path, autoSend, put, world } = await open(t)
  page.forms = [
    ...page.forms,
    ...Array.from({ length: 6 }, (_, n) =>
      formOf(page.pageId, { formName: n === 0 ? null : `Form ${n}`, status: 'ARCHIVED' }),
    ),
  ]
  world.pages.perPage = 3
  t.is((await put({ consentKey: 'may_message', autoSend })).status, 200)
  const { status, body } = await send('GET', path)
  t.is(status, 200)
  t.deepEqual(schema.forms.parse(body), body)
  t.deepEqual(
    body.forms.map((form: { formId: string }) => form.formId),
    page.forms.map((form) => form.formId),
  )
  t.deepEqual(body.forms[0], {
    formId,
    formName: 'Test drive',
    pageId: page.pageId,
    status: 'ACTIVE',
    questions: page.forms[0]?.questions,
    checkboxes: page.forms[0]?.checkboxes,
    consentKey: 'may_message',
    autoSend,
    hasBackfill: false,
  })
  t.like(body.forms[1], { formName: null, status: 'ARCHIVED', consentKey: null, autoSend: null, hasBackfill: false })
  t.is(world.pages.asked.filter(({ op }) => op === 'forms').length, 3)
})

test.serial('a listing of forms that does not end is ended', async (t) => {
  const { send, page, path, world } = await open(t)
  world.pages.script = { forms: () => ({ kind: 'read', value: { forms: page.forms, next: 'again' } }) }
  world.pages.asked.length = 0
  t.is((await send('GET', path)).status, 200)
  t.is(world.pages.asked.length, 50)
})

// [leads.auto-send.1]
test.serial(
  'both settings are replaced, what is absent with nothing; a name of a template is kept as its id',
  async (t) => {
    const { autoSend, templateId, put, settings } = await open(t)
    t.deepEqual(await settings(), { consentKey: null, autoSend: null })
    t.like((await put({ consentKey: 'may_message', autoSend: { ...autoSend, templateId: 'welcome' } })).body, {
      consentKey: 'may_message',
      autoSend,
    })
    t.deepEqual(await settings(), { consentKey: 'may_message', autoSend })
    const short = { templateId, variables: autoSend.variables, onlyWithConsent: false }
    t.deepEqual((await put({ autoSend: short })).body.autoSend, { ...short, skipRecentConversationDays: 0 })
    t.deepEqual(await settings(), { consentKey: null, autoSend: { ...short, skipRecentConversationDays: 0 } })
    t.is((await put({ consentKey: 'newsletter' })).status, 200)
    t.deepEqual(await settings(), { consentKey: 'newsletter', autoSend: null })
    t.is((await put({})).status, 200)
    t.deepEqual(await settings(), { consentKey: null, autoSend: null })
  },
)

// [leads.stored.11] [leads.auto-send.1] [leads.auto-send.2] [leads.auto-send.3]
test.serial(
  "settings that name something the form or template does not have are refused by name, in the contract's order, and change nothing",
  async (t) => {
    const { addPage, addNumber, send, autoSend, templateId, put, settings } = await open(t)
    t.is((await put({ consentKey: 'may_message', autoSend })).status, 200)
    const refused = async (
      body: unknown,
      status: number,
      code: string | undefined,
      paths?: readonly string[],
      id?: string,
    ) => {
      const reply = await put(body, id)
      t.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(body)} ${reply.text}`)
      if (paths)
        t.deepEqual(
          reply.body.details.map(({ path }: { path: string }) => path),
          paths,
        )
      t.deepEqual(await settings(), { consentKey: 'may_message', autoSend })
      return reply.body.details
    }
    const foreign = addPage().forms[0]?.formId ?? ''
    const unknown = { consentKey: 'none', autoSend: { templateId: newId('tpl'), variables: {} } }
    for (const id of [foreign, upstreamDigits(), 'me', 'x%2F..'])
      await refused(unknown, 404, 'LEAD_FORM_NOT_FOUND', undefined, id)
    await refused(unknown, 404, 'TEMPLATE_NOT_FOUND')
    await refused({ consentKey: 'none', autoSend: { ...autoSend, templateId: 'none' } }, 404, 'TEMPLATE_NOT_FOUND')
    const second = await addNumber()
    const ofAnother = await send(
      'POST',
      '/v1/templates',
      { name: 'other', category: 'UTILITY', language: 'en', body: 'Hi' },
      { key: second.key },
    )
    await refused(
      { consentKey: null, autoSend: { templateId: ofAnother.body.id, onlyWithConsent: false } },
      404,
      'TEMPLATE_NOT_FOUND',
    )
    t.deepEqual(await refused({ consentKey: 'none', autoSend: { templateId } }, 400, 'MISSING_TEMPLATE_VARIABLES'), {
      missing: ['customer', 'shop'],
    })
    t.deepEqual(
      await refused(
        {
          consentKey: 'none',
          autoSend: { ...autoSend, variables: { shop: { value: ' ' }, customer: { field: 'none' } } },
        },
        400,
        'MISSING_TEMPLATE_VARIABLES',
      ),
      { missing: ['shop'] },
    )
    await refused({ consentKey: 'none', autoSend: null }, 400, undefined, ['consentKey'])
    await refused({ consentKey: 'full_name', autoSend: null }, 400, undefined, ['consentKey'])
    const strange = { ...autoSend.variables, customer: { field: 'none' } }
    await refused({ consentKey: 'may_message', autoSend: { ...autoSend, variables: strange } }, 400, undefined, [
      'autoSend.variables.customer.field',
    ])
    await refused({ consentKey: null, autoSend }, 400, undefined, ['autoSend.onlyWithConsent'])
    await refused({ consentKey: null, autoSend: { templateId, variables: autoSend.variables } }, 400, undefined, [
      'autoSend.onlyWithConsent',
    ])
    const bodies: [unknown, string][] = [
      [{ consentKey: 7 }, 'consentKey'],
      [{ autoSend: [] }, 'autoSend'],
      [{ autoSend: { variables: {} } }, 'autoSend.templateId'],
      [{ autoSend: { ...autoSend, onlyWithConsent: 'yes' } }, 'autoSend.onlyWithConsent'],
      ...[-1, 91, 1.5, '7', null].map((skipRecentConversationDays): [unknown, string] => [
        { autoSend: { ...autoSend, skipRecentConversationDays } },
        'autoSend.skipRecentConversationDays',
      ]),
      ...[{}, { field: 'a', value: 'b' }, { fallback: 'x' }, { value: 'b', fallback: 'x' }, 'full_name', null].map(
        (customer): [unknown, string] => [
          { autoSend: { ...autoSend, variables: { customer } } },
          'autoSend.variables.customer',
        ],
      ),
    ]
    for (const [body, path] of bodies) await refused(body, 400, undefined, [path])
  },
)

test.serial('upstream that is away or throttles is told, and a dead token is remembered', async (t) => {
  const { world, send, page, path, formId, put } = await open(t)
  const asks = [
    () => send('GET', path),
    () => put({ consentKey: null, autoSend: null }),
    () => send('POST', `${path}/${formId}/backfill`),
  ]
  for (const [said, status, code] of [
    [AWAY, 502, 'OFFICIAL_ERROR'],
    [THROTTLED, 429, 'OFFICIAL_ERROR'],
  ] as const) {
    world.pages.script = { forms: () => said, form: () => said }
    for (const ask of asks) t.like(await ask(), { status, body: { code } })
  }
  world.pages.script = {}
  page.tokens = []
  t.like((await send('GET', `/v1/lead-pages/${page.pageId}`)).body, { isTokenValid: true })
  for (const ask of asks)
    t.like(await ask(), { status: 422, body: { code: 'LEAD_PAGE_REJECTED', details: { upstreamCode: 190 } } })
  t.like((await send('GET', `/v1/lead-pages/${page.pageId}`)).body, { isTokenValid: false })
})

test.serial(
  "when the upstream does not say to which Page a form belongs, the Page's listing of forms tells",
  async (t) => {
    const { page, formId, put, addPage } = await open(t)
    page.forms = page.forms.map((form) => ({ ...form, pageId: null }))
    t.is((await put({ consentKey: 'may_message' })).status, 200)
    const other = addPage()
    other.forms = other.forms.map((form) => ({ ...form, pageId: null }))
    t.is((await put({}, other.forms[0]?.formId)).body.code, 'LEAD_FORM_NOT_FOUND')
    t.is((await put({ consentKey: 'may_message' }, formId)).status, 200)
  },
)

// [leads.pages.3]
test.serial(
  'an import takes the last 90 days unless it is told which, one at a time, and shows how far it is',
  async (t) => {
    const { world, send, stores, page, path, formId } = await open(t)
    const backfill = `${path}/${formId}/backfill`
    t.like(await send('GET', backfill), { status: 404, body: { code: 'BACKFILL_NOT_FOUND' } })
    world.woken.length = 0
    const { status, body } = await send('POST', backfill)
    t.is(status, 202)
    t.deepEqual(schema.backfill.parse(body), body)
    const nowMs = world.clock.now()
    t.deepEqual(body, {
      id: body.id,
      pageId: page.pageId,
      formId,
      status: 'RUNNING',
      since: new Date(nowMs - 90 * 86_400_000).toISOString(),
      until: new Date(nowMs).toISOString(),
      read: 0,
      imported: 0,
      duplicates: 0,
      waitingUntil: null,
      errorCode: null,
      errorMessage: null,
      startedAt: new Date(nowMs).toISOString(),
      finishedAt: null,
    })
    t.regex(body.id, /^lbf_[0-9a-z]{26}$/)
    t.deepEqual(world.woken, ['backfills'])
    t.like(await send('POST', backfill, { since: '2025-12-01' }), {
      status: 409,
      body: { code: 'BACKFILL_RUNNING', details: { id: body.id } },
    })
    t.deepEqual((await send('GET', backfill)).body, body)
    t.true((await send('GET', path)).body.forms[0].hasBackfill)
    const [taken] = await stores.leadBackfills.take(10, 1_000).then((all) => all.filter(({ id }) => id === body.id))
    if (!taken) return t.fail()
    await stores.leadBackfills.advance(taken, { read: 100, imported: 90, duplicates: 10, cursor: null }, 1_000)
    t.like((await send('GET', backfill)).body, {
      status: 'DONE',
      read: 100,
      imported: 90,
      duplicates: 10,
      finishedAt: new Date(nowMs).toISOString(),
    })
    const again = await send('POST', backfill, { since: '2025-12-01', until: '2025-12-02' })
    t.like(again, { status: 202, body: { since: '2025-12-01T00:00:00.000Z', until: '2025-12-02T23:59:59.999Z' } })
    return t.is((await send('GET', backfill)).body.id, again.body.id)
  },
)

test.serial('dates of an import: wrong or reversed ones are INVALID_DATE_RANGE and start nothing', async (t) => {
  const { send, page, path, formId, world } = await open(t)
  const backfill = `${path}/${formId}/backfill`
  const asked = world.pages.asked.length
  const wrong = [
    { since: 'yesterday' },
    { since: '' },
    { until: 1_735_689_600 },
    { since: {} },
    { until: '2025-02-30' },
    { since: '2025-06-02', until: '2025-06-01' },
    { since: '2030-01-01' },
    { until: '0000-01-01' },
    { since: '2025-06-02T00:00:00.001Z', until: '2025-06-02T00:00:00Z' },
    { since: '10000-01-01' },
  ]
  for (const body of wrong)
    t.like(
      await send('POST', backfill, body),
      { status: 400, body: { code: 'INVALID_DATE_RANGE' } },
      JSON.stringify(body),
    )
  t.is((await send('POST', backfill, [])).status, 400)
  t.is(world.pages.asked.length, asked)
  t.is((await send('GET', backfill)).body.code, 'BACKFILL_NOT_FOUND')
  for (const id of [upstreamDigits(), 'me'])
    t.is((await send('POST', `${path}/${id}/backfill`)).body.code, 'LEAD_FORM_NOT_FOUND')
  const oldest = await send('POST', backfill, { until: '0001-01-01T00:00:00Z' })
  t.like(oldest, { status: 202, body: { since: '0001-01-01T00:00:00.000Z', until: '0001-01-01T00:00:00.000Z' } })
  t.is(page.forms.length, 1)
})

test.serial('an import of a Page that is unlinked and linked by another tenant is not shown there', async (t) => {
  const { send, page, path, formId, ...app } = await open(t)
  t.is((await send('POST', `${path}/${formId}/backfill`)).status, 202)
  t.is((await send('DELETE', `/v1/lead-pages/${page.pageId}`)).status, 200)
  const other = await openLeadApp(t, database())
  const linked = other.world.pages.add(page.pageId, { tokens: ['theirs'], forms: page.forms })
  await other.send('POST', '/v1/lead-pages', {
    pageId: page.pageId,
    pageAccessToken: 'theirs',
    channelNumberId: other.own.number.id,
    appId: '1',
    appSecret: linked.appSecret,
  })
  t.is((await other.send('GET', `${path}/${formId}/backfill`)).body.code, 'BACKFILL_NOT_FOUND')
  t.false((await other.send('GET', path)).body.forms[0].hasBackfill)
  t.is((await send('GET', `${path}/${formId}/backfill`)).body.code, 'LEAD_PAGE_NOT_FOUND')
  t.is((await app.stores.leadBackfills.newest(app.tenantId, page.pageId, formId))?.errorCode, 'LEAD_PAGE_REMOVED')
})
