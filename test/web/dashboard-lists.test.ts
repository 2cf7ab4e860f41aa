import { readFileSync } from 'node:fs'
import test from 'ava'
import { csvOf } from '../../web/dashboard/ground/csv.ts'
import { lineOfFault } from '../../web/dashboard/pages/flow/json-fault.ts'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { DRAFT, FAULT } from '../helpers/flows-shown.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const AT = '2026-11-01T10:00:00.000Z'
const HOSTILE = `<img src=x onerror=alert(1)> \u202E${'w'.repeat(4_000)}`
const ANSWER = {
  id: 'fres_1',
  contactNumber: '5511990000001',
  contactName: '=HYPERLINK("https://evil.example")',
  response: { day: '2026-01-12', note: HOSTILE },
  submittedAt: AT,
}
const LEAD = {
  id: 'lead_1',
  pageId: '7',
  pageName: 'Shop',
  formId: '1',
  formName: HOSTILE,
  adId: null,
  adName: null,
  fullName: 'Ana "Nana", of Acme',
  email: 'ana@acme.example',
  phone: '+5511999990000',
  fields: [],
  consentGiven: true,
  autoSendStatus: 'sent',
  autoSendReason: null,
  redacted: false,
  isOrganic: true,
  createdAt: AT,
}
const REDACTED = { ...LEAD, id: 'lead_2', fullName: null, email: null, phone: null, redacted: true, formName: null }

const AD = {
  sourceId: '1',
  sourceType: 'ad',
  conversations: 40,
  messages: 1,
  lastHeadline: HOSTILE,
  lastMessageAt: AT,
  adName: 'Spring',
}

const SCRIPT: Script = {
  'GET /api/v1/numbers': {
    body: ['num_1', 'num_2'].map((id) => ({ id, name: 'Desk', number: '5511999990001', provider: 'x', state: 'OPEN' })),
  },
  'GET /api/v1/flows': { body: { flows: [DRAFT], total: 1 } },
  'GET /api/v1/flows/flow_1': { body: DRAFT },
  'GET /api/v1/flows/flow_1/json': { body: { flowJson: '{\n  "version": "7.1"\n}' } },
  'GET /api/v1/flows/flow_1/responses': { body: { responses: [ANSWER], total: 1 } },
  'GET /api/v1/referrals/summary': {
    body: { ads: [AD, { ...AD, sourceId: '2', conversations: 10, adName: null }], truncated: true },
  },
  'GET /api/v1/numbers/num_1/ad-access': { body: { shared: false, adAccounts: [], checkedAt: null } },
  'GET /api/v1/leads': { body: { leads: [LEAD, REDACTED], total: 2 } },
}

/** Presses the button that saves a list as a file, and reads the file. */
async function saved(): Promise<string> {
  const [file] = await Promise.all([stage.page.waitForEvent('download'), stage.page.click('[data-action=export]')])
  return readFileSync(await file.path(), 'utf8')
}

test('cells of a file are quoted where they must be, and none is run as a formula', (t) => {
  t.is(
    csvOf([
      ['a', 'b,c', 'd"e', 'f\ng'],
      ['=1+1', '+55', '-1', '@x'],
    ]),
    `a,"b,c","d""e","f\ng"\r\n'=1+1,'+55,'-1,'@x\r\n`,
  )
})

test('a text that is no JSON is known by the line where it stops to be one', (t) => {
  t.is(lineOfFault('{"a": 1}'), null)
  t.is(lineOfFault('{\n  "a": 1,\n  "b": x\n}'), 3)
  t.is(lineOfFault('{\n  "a": 1'), 2)
  for (const text of ['', '[1,]', '{"a" 1}', '[1}', '{,}', '01', '"\\x"', '[1] 2', '{"a": [}', 'nul'])
    t.is(lineOfFault(`\n${text}`), 2, text)
  for (const text of ['[]', '{}', '[[], {}, -1.5e3, "\\u00e9", null]', ' "a" ', '{"a": {"b": [true, false]}}'])
    t.is(lineOfFault(text), null, text)
  t.is(lineOfFault(`{"a": "${'w\\n'.repeat(10_000_000)}"`), 1, 'a string of 30 MB')
})

inBrowser('Flows, one of them, ads and leads can be read by all in each language', async (t) => {
  const { page } = stage
  const wrong = [
    await stage.looks('/dashboard/flows', SCRIPT, () => page.locator('[data-id=flow_1]').waitFor()),
    await stage.looks('/dashboard/flows/flow_1?number=num_1', SCRIPT, async () => {
      await page.locator('[data-id=fres_1]').waitFor()
      await page.locator('[name=flowJson]').waitFor()
    }),
    await stage.looks('/dashboard/ads', SCRIPT, () => page.locator('[data-chart]').waitFor()),
    await stage.looks('/dashboard/leads', SCRIPT, () => page.locator('[data-id=lead_2]').waitFor()),
  ]
  t.deepEqual(wrong, [[], [], [], []])
})

// [dashboard.pages.9] [dashboard.leads.1] [dashboard.exports.1]
inBrowser('leads of the number in the address are listed between dates, and saved as a file', async (t) => {
  await stage.open('/dashboard/leads?number=num_2&startDate=2026-10-01', SCRIPT)
  const { page } = stage
  await page.locator('[data-id=lead_1][data-status=sent]', { hasText: 'Nana' }).waitFor()
  t.is(await page.locator('[data-id=lead_2] [data-redacted]').count(), 1)
  const file = await saved()
  t.true(file.startsWith('\uFEFFId,'))
  t.true(file.includes(`lead_1,"Ana ""Nana"", of Acme",ana@acme.example,'+5511999990000,`), file.slice(0, 200))
  t.like(stage.asked.filter(({ what }) => what === 'GET /api/v1/leads').at(-1), {
    query: { startDate: '2026-10-01', pageSize: '100' },
    headers: { 'x-channel-number-id': 'num_2' },
  })
  stage.script({ 'GET /api/v1/leads': { status: 500, body: { error: 'no' } } })
  await page.click('[data-action=export]')
  await page.locator('[data-fault=SERVER]').waitFor()
  stage.script({ 'GET /api/v1/leads': { body: { leads: [], total: 0 } } })
  await page.fill('[name=endDate]', '2026-11-02')
  await page.locator('[data-empty]').waitFor()
  t.regex(page.url(), /endDate=2026-11-02/)
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.pages.9] [dashboard.flows.1]
inBrowser(
  'the document of a draft shows what is wrong with it at its lines, and is saved when it is JSON',
  async (t) => {
    await stage.open('/dashboard/flows', SCRIPT)
    const { page } = stage
    await page.click('[data-id=flow_1][data-status=DRAFT] a')
    t.regex(await page.locator('[data-line="10"]').innerText(), /Line 10.*Invalid value/)
    t.is(await page.getAttribute('[data-preview-link]', 'href'), DRAFT.previewUrl)
    await page.fill('[name=flowJson]', '{\n  "version": 7.1,\n}')
    await page.locator('[data-json-line="3"]').waitFor()
    t.true(await page.isDisabled('form[data-form=flow] [data-action=save]'))
    stage.script({
      'POST /api/v1/flows/flow_1/json': { status: 422, body: { error: 'Wrong', code: 'FLOW_JSON_INVALID' } },
      'GET /api/v1/flows/flow_1': { body: { ...DRAFT, validationErrors: [{ ...FAULT, line_start: 2 }] } },
    })
    await page.fill('[name=flowJson]', '{}')
    await page.click('form[data-form=flow] [data-action=save]')
    await page.locator('[data-code=FLOW_JSON_INVALID]').waitFor()
    await page.locator('[data-line="2"]').waitFor()
    t.deepEqual(stage.asked.find(({ what }) => what.startsWith('POST'))?.body, { flowJson: '{}' })
  },
)

// [dashboard.flows.2] [dashboard.flows.3] [dashboard.exports.1]
inBrowser('a Flow is published once its name is typed; its answers are a table, and a file', async (t) => {
  await stage.open('/dashboard/flows/flow_1?number=num_1', SCRIPT)
  const { page } = stage
  await page.locator('[data-id=fres_1]', { hasText: '2026-01-12' }).waitFor()
  t.true((await saved()).includes(`"'=HYPERLINK(""https://evil.example"")",5511990000001,`))
  await page.click('[data-action=publish]')
  t.true(await page.isDisabled('[data-action=confirm]'))
  stage.script({
    'POST /api/v1/flows/flow_1/publish': { body: { ...DRAFT, officialStatus: 'PUBLISHED' } },
    'GET /api/v1/flows/flow_1': { body: { ...DRAFT, officialStatus: 'PUBLISHED', validationErrors: [] } },
  })
  await page.fill('input[name=confirm]', 'Book a visit')
  await page.click('[data-action=confirm]')
  await page.locator('[data-status=PUBLISHED]').waitFor()
  t.deepEqual(stage.asked.find(({ what }) => what.startsWith('POST'))?.body, { confirm: true })
  t.is(await page.locator('[name=flowJson]').count(), 0, 'what is published cannot be changed')
  t.is(await page.locator('[data-action=deprecate]').count(), 1)
  t.deepEqual(await stage.violations(), [])
})

// [flows.routes.6]
inBrowser('a draft without a document can be given one; one that cannot be read is not overwritten', async (t) => {
  const DOCUMENT = 'GET /api/v1/flows/flow_1/json'
  await stage.open('/dashboard/flows/flow_1?number=num_1', {
    ...SCRIPT,
    [DOCUMENT]: { status: 502, body: { error: 'The network does not answer' } },
  })
  const { page } = stage
  await page.locator('[data-fault=SERVER]').waitFor()
  t.is(await page.locator('[name=flowJson]').count(), 0)
  stage.script({
    [DOCUMENT]: { body: { flowJson: null } },
    'POST /api/v1/flows/flow_1/json': { body: { validationErrors: [] } },
  })
  await page.click('[data-fault=SERVER] [data-action=retry]')
  await page.locator('[name=flowJson]').waitFor()
  t.is(await page.inputValue('[name=flowJson]'), '')
  t.is(await page.locator('[data-json-line]').count(), 0, 'nothing is wrong with what was not begun')
  t.true(await page.isDisabled('form[data-form=flow] [data-action=save]'))
  await page.fill('[name=flowJson]', '{}')
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.click('form[data-form=flow] [data-action=save]'),
  ])
  t.deepEqual(stage.asked.find(({ what }) => what.startsWith('POST'))?.body, { flowJson: '{}' })
})

// [flows.states.6]
inBrowser('a Flow whose endpoint fails can be deprecated, and one that is deprecated offers nothing', async (t) => {
  for (const [officialStatus, count] of [
    ['THROTTLED', 1],
    ['BLOCKED', 1],
    ['DEPRECATED', 0],
  ] as const) {
    const script = { ...SCRIPT, 'GET /api/v1/flows/flow_1': { body: { ...DRAFT, officialStatus } } }
    await stage.open('/dashboard/flows/flow_1?number=num_1', script)
    await stage.page.locator(`[data-status=${officialStatus}]`).waitFor()
    t.is(await stage.page.locator('[data-action=deprecate]').count(), count, officialStatus)
  }
})

// [leads.privacy.4] [flows.responses.10]
inBrowser('what the privacy of a number keeps back is said in words', async (t) => {
  const { page } = stage
  await stage.open('/dashboard/leads?number=num_1', {
    ...SCRIPT,
    'GET /api/v1/leads': { body: { leads: [REDACTED], total: 1, notice: 'PII_RETENTION_WINDOW' } },
  })
  await page.locator('[data-notice=PII_RETENTION_WINDOW]', { hasText: 'for some days only' }).waitFor()
  stage.script({
    'GET /api/v1/flows/flow_1/responses': { body: { responses: [], total: 0, notice: 'PII_RELAY_ONLY' } },
  })
  await page.goto(`${stage.origin}/dashboard/flows/flow_1?number=num_1`)
  await page.locator('[data-notice=PII_RELAY_ONLY]', { hasText: 'keeps none of it' }).waitFor()
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.exports.1]
inBrowser('rows that move to the next page while a list is read stand once in the list and in its file', async (t) => {
  const leads = Array.from({ length: 150 }, (_, at) => ({ ...LEAD, id: `lead_${at}`, formName: 'Form' }))
  /** A page, and the next one as it is once one row more came after the first was read. */
  const pages = (size: number): Script => ({
    [`GET /api/v1/leads?page=1&pageSize=${size}`]: { body: { leads: leads.slice(0, size), total: 150 } },
    [`GET /api/v1/leads?page=2&pageSize=${size}`]: { body: { leads: leads.slice(size - 1), total: 150 } },
  })
  await stage.open('/dashboard/leads?number=num_1', { ...SCRIPT, ...pages(100) })
  const file = await saved()
  t.is(file.split('\r\n').filter((row) => row.startsWith('lead_99,')).length, 1)
  t.is(file.split('\r\n').filter((row) => row.startsWith('lead_')).length, 150)
})

inBrowser('a number that has no Flows says so; who may only read them changes nothing', async (t) => {
  await stage.open('/dashboard/flows', {
    ...SCRIPT,
    'GET /api/v1/flows': { status: 422, body: { error: 'Não', code: 'FLOW_REQUIRES_OFFICIAL_NUMBER' } },
  })
  await stage.page.locator('[data-code=FLOW_REQUIRES_OFFICIAL_NUMBER]', { hasText: 'Choose another number' }).waitFor()
  await stage.open('/dashboard/flows/flow_1?number=num_1', SCRIPT, 'ANALYST')
  await stage.page.locator('[data-id=fres_1]').waitFor()
  t.is(await stage.page.locator('[data-action=publish], [name=flowJson]').count(), 0)
})

// [dashboard.ads.1]
inBrowser('what each ad began is a chart and a list, between dates', async (t) => {
  await stage.open('/dashboard/ads?number=num_2&endDate=2026-11-02', SCRIPT)
  const { page } = stage
  await page.locator('[data-id="1"]', { hasText: '40 conversations' }).waitFor()
  t.deepEqual(
    await page.locator('[data-chart] rect').evaluateAll((all: any[]) => all.map((bar) => bar.getAttribute('width'))),
    ['100%', '25%'],
  )
  await page.locator('main', { hasText: 'Narrow the dates' }).waitFor()
  t.like(
    stage.asked.find(({ what }) => what === 'GET /api/v1/referrals/summary'),
    {
      query: { endDate: '2026-11-02' },
      headers: { 'x-channel-number-id': 'num_2' },
    },
  )
  t.deepEqual(await stage.violations(), [])
})
