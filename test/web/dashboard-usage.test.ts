import { readFileSync } from 'node:fs'
import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { OFFICIAL, PAIRED } from '../helpers/number-scenes.ts'
import type { Script } from '../helpers/people-scenes.ts'
import { daysOf } from '../../web/dashboard/pages/usage/usage.ts'

const stage = new DashboardStage(test)
const HOSTILE = `<img src=x onerror=alert(1)> \u202E${'w'.repeat(1_000)}`

const WEBHOOK = { name: HOSTILE, url: 'https://acme.example/hook', active: true, events: ['*'], channelNumberIds: [] }
const POOR = { ...OFFICIAL.health, qualityRating: 'RED', officialStatus: 'FLAGGED' }

/** What a number or a day used, with `texts` messages of one type that came in. */
const used = (texts: number) => ({
  messages: { inbound: texts, outbound: 5, byType: { image: 5, text: texts } },
  calls: { inbound: 1, outbound: 2, seconds: 90 },
  recordings: { count: 1, bytes: 2_500_000 },
  deliveries: { succeeded: 8, failed: 2, attempts: 12 },
  conversations: { MARKETING: 3, UTILITY: 0, AUTHENTICATION: 0, SERVICE: 0 },
})
const RANGE = { from: '2026-02-27', to: '2026-03-01' }
const BY_DAY = 'GET /api/v1/usage?startDate=2026-02-27&groupBy=day'
const BY_NUMBER = 'GET /api/v1/usage?startDate=2026-02-27&groupBy=number'
const ADDRESS = '/dashboard/usage?startDate=2026-02-27'
const USED: Script = {
  [BY_DAY]: {
    body: {
      ...RANGE,
      groupBy: 'day',
      items: [
        { day: '2026-02-27', ...used(15) },
        { day: '2026-03-01', ...used(5) },
      ],
      total: used(1_200),
    },
  },
  [BY_NUMBER]: {
    body: {
      ...RANGE,
      groupBy: 'number',
      items: [
        { channelNumberId: 'num_2', ...used(15) },
        { channelNumberId: 'num_gone', ...used(5) },
      ],
      total: used(20),
    },
  },
}
const SCRIPT: Script = {
  ...USED,
  'GET /api/v1/numbers': {
    body: [PAIRED, OFFICIAL, { ...OFFICIAL, id: 'num_3', name: HOSTILE, health: POOR }],
  },
  'GET /api/overview': {
    body: {
      failing: [
        { webhookId: 'wh_1', failed24h: 12 },
        { webhookId: 'wh_2', failed24h: 1 },
      ],
    },
  },
  'GET /api/v1/webhooks': {
    body: [
      { ...WEBHOOK, id: 'wh_1', disabledReason: null },
      { ...WEBHOOK, id: 'wh_2', name: null, disabledReason: 'FAILING' },
      { ...WEBHOOK, id: 'wh_3', name: 'Billing', disabledReason: 'GONE' },
      { ...WEBHOOK, id: 'wh_4', name: 'Well', disabledReason: null },
    ],
  },
  'GET /api/v1/templates?officialStatus=REJECTED&page=1&pageSize=1': { body: { templates: [], total: 2 } },
  'GET /api/v1/templates?officialStatus=DISABLED&page=1&pageSize=1': { body: { templates: [], total: 0 } },
}
const UNUSED = { ...RANGE, items: [], total: used(0) }
const WELL: Script = {
  'GET /api/v1/usage': { body: UNUSED },
  'GET /api/v1/numbers': { body: [{ ...PAIRED, state: 'OPEN', isFullyConnected: true }] },
  'GET /api/overview': { body: { failing: [] } },
  'GET /api/v1/webhooks': { body: [] },
}

/** The link and the words of a concern. */
async function concern(id: string): Promise<readonly [string | null, string]> {
  const row = stage.page.locator(`[data-attention] [data-id="${id}"]`)
  await row.waitFor()
  const links = row.locator('a')
  return [(await links.count()) === 0 ? null : await links.getAttribute('href'), await row.innerText()]
}

inBrowser('usage and health can be read by all in each language', async (t) => {
  const wrong = await stage.looks(ADDRESS, SCRIPT, async () => {
    await stage.page.locator('[data-id="num_2 REJECTED"]').waitFor()
    await stage.page.locator('[data-table=categories]').waitFor()
    await stage.page.locator('.list [data-id=num_gone]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.usage.1]
inBrowser('what needs attention now is listed with the way to where it is dealt with', async (t) => {
  await stage.open('/dashboard/usage', SCRIPT)
  const rejected = await concern('num_2 REJECTED')
  t.is(rejected[0], '/dashboard/templates?number=num_2&status=REJECTED')
  t.regex(rejected[1], /Vendas[^]*2 templates were rejected/)
  t.is((await concern('wh_1'))[0], '/dashboard/webhooks/wh_1')
  t.regex((await concern('wh_1'))[1], /12 deliveries failed/)
  t.regex((await concern('wh_2'))[1], /acme\.example[^]*failed for too long/)
  t.regex((await concern('wh_3'))[1], /Billing[^]*address is gone/)
  t.is((await concern('num_1 0'))[0], '/dashboard/numbers/num_1')
  t.regex((await concern('num_1 0'))[1], /is not connected/)
  t.regex((await concern('num_3 2'))[1], /FLAGGED/)
  t.regex((await concern('num_3 3'))[1], /RED/)
  t.deepEqual(
    await stage.page
      .locator('[data-attention] [data-id]')
      .evaluateAll((all: any[]) => all.map((one) => one.dataset.id)),
    ['num_1 0', 'num_3 3', 'wh_2', 'wh_3', 'wh_1', 'num_3 2', 'num_2 REJECTED'],
    'what is bad comes first, and nothing else needs attention',
  )
  const asked = stage.asked.filter(({ what }) => what === 'GET /api/v1/templates')
  t.deepEqual(
    asked.map(({ headers }) => headers['x-channel-number-id']),
    ['num_2', 'num_2'],
    'templates of an account are asked for once',
  )
})

// [dashboard.usage.1]
inBrowser('an account that is well is told so, until a number loses its connection', async (t) => {
  await stage.open('/dashboard/usage', WELL)
  await stage.page.locator('[data-attention]', { hasText: 'Nothing needs attention' }).waitFor()
  // The first stream has the page read anew; the frame on the next one is all that tells of the change.
  await Promise.all([
    stage.page.waitForResponse((response) => response.url().endsWith('/api/v1/numbers')),
    stage.tell('call', { id: 'call_1', status: 'RINGING', direction: 'OUTBOUND' }),
  ])
  await stage.tell('number', { id: 'num_1', state: 'CLOSE', isFullyConnected: false, calling: null })
  await concern('num_1 0')
  await stage.page.locator('.list [data-id=num_1][data-state=CLOSE]').waitFor()
  t.deepEqual(await stage.violations(), [])
})

inBrowser('of many numbers that need attention only those in sight are drawn', async (t) => {
  const many = Array.from({ length: 1_000 }, (_, at) => ({ ...PAIRED, id: `num_${at}` }))
  await stage.open('/dashboard/usage', { ...WELL, 'GET /api/v1/numbers': { body: many } })
  await concern('num_0 0')
  t.true((await stage.page.locator('[data-attention] [data-id]').count()) < 100)
  t.deepEqual(await stage.violations(), [])
})

inBrowser('who may not see webhooks is told that one fails, without a link', async (t) => {
  await stage.open('/dashboard/usage', SCRIPT, 'ANALYST')
  const [path, text] = await concern('wh_1')
  t.is(path, null)
  t.regex(text, /wh_1[^]*12 deliveries failed/)
  t.false(stage.asked.some(({ what }) => what === 'GET /api/v1/webhooks'))
})

// [dashboard.usage.2]
inBrowser('each number stands with its quality and its limit', async (t) => {
  await stage.open('/dashboard/usage', SCRIPT)
  const row = stage.page.locator('.list [data-id=num_2][data-state]')
  await row.waitFor()
  t.regex(await row.innerText(), /Connected[^]*GREEN[^]*TIER_250/)
  t.regex(await stage.page.locator('.list [data-id=num_1]').innerText(), /Not connected[^]*No rating/)
})

inBrowser('what could not be read is said, and is asked for again', async (t) => {
  await stage.open('/dashboard/usage', { ...WELL, 'GET /api/overview': { status: 500, body: { error: 'no' } } })
  await stage.page.locator('[data-attention] [data-fault=SERVER]').waitFor()
  t.is(await stage.page.getByText('Nothing needs attention').count(), 0)
  stage.script(WELL)
  await stage.page.click('[data-attention] [data-action=retry]')
  await stage.page.getByText('Nothing needs attention').waitFor()
})

/** The text of each cell of a table, a row a line. */
async function table(name: string): Promise<string[]> {
  const rows = stage.page.locator(`[data-table=${name}] tr`)
  await rows.first().waitFor()
  return await rows.evaluateAll((all: any[]) =>
    all.map((row) => [...row.cells].map((cell: any) => cell.innerText).join(' | ')),
  )
}

/** The height of the columns of a chart, those of the same series from the first day on. */
async function heights(name: string, series: 'lower' | 'upper' | 'bad'): Promise<number[]> {
  const bars = stage.page.locator(`[data-chart=${name}] rect.usage-${series}`)
  return await bars.evaluateAll((all: any[]) => all.map((bar) => Number(bar.getAttribute('height'))))
}

// [dashboard.usage.3]
inBrowser('messages, calls and deliveries of each day are charts, with a table of the same figures', async (t) => {
  await stage.open(ADDRESS, SCRIPT)
  t.deepEqual(await table('messages'), [
    'Day | Received | Sent',
    'Mar 1, 2026 | 5 | 5',
    'Feb 28, 2026 | 0 | 0',
    'Feb 27, 2026 | 15 | 5',
  ])
  t.deepEqual(await table('calls'), [
    'Day | Received | Placed | Seconds answered',
    'Mar 1, 2026 | 1 | 2 | 90',
    'Feb 28, 2026 | 0 | 0 | 0',
    'Feb 27, 2026 | 1 | 2 | 90',
  ])
  t.is((await table('deliveries'))[1], 'Mar 1, 2026 | 8 | 2 | 12')
  t.deepEqual(await heights('messages', 'lower'), [75, 0, 25])
  t.deepEqual(await heights('messages', 'upper'), [25, 0, 25])
  t.deepEqual(await heights('deliveries', 'bad'), [20, 0, 20])
  t.is(await stage.page.getAttribute('[data-chart=messages]', 'role'), 'img')
  t.deepEqual(await table('types'), ['Type | Count', 'text | 1,200', 'image | 5'])
  t.deepEqual(await table('categories'), ['Category | Count', 'Marketing | 3'])
  const figures = await stage.page
    .locator('[data-figure]')
    .evaluateAll((all: any[]) => all.map((one) => `${one.dataset.figure} ${one.querySelector('dd').innerText}`))
  t.deepEqual(figures, [
    'received 1,200',
    'sent 5',
    'calls 3',
    'answered 1.5 min',
    'succeeded 8',
    'failed 2',
    'recordings 1',
    'bytes 2.5 MB',
  ])
})

// [dashboard.usage.3] [dashboard.usage.4]
inBrowser('usage is of the dates in the address, which the fields show, and by number', async (t) => {
  await stage.open(ADDRESS, SCRIPT)
  const { page } = stage
  t.regex(await page.locator('.list [data-id=num_2]:not([data-state])').innerText(), /Vendas[^]*15 received, 5 sent/)
  t.regex(await page.locator('.list [data-id=num_gone]').innerText(), /num_gone removed/)
  t.is(await page.inputValue('[name=startDate]'), '2026-02-27')
  t.is(await page.inputValue('[name=endDate]'), '2026-03-01', 'the last day that the service took')
  stage.script({ 'GET /api/v1/usage': { body: UNUSED } })
  await page.fill('[name=endDate]', '2026-02-28')
  await page.locator('[data-empty]', { hasText: 'Nothing was used' }).waitFor()
  t.regex(page.url(), /startDate=2026-02-27&endDate=2026-02-28/)
  stage.script({
    'GET /api/v1/usage': { status: 400, body: { error: 'at most 366 days', code: 'INVALID_DATE_RANGE' } },
  })
  await page.fill('[name=startDate]', '2020-01-01')
  await page.locator('[data-code=INVALID_DATE_RANGE]', { hasText: 'at most 366 days' }).first().waitFor()
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.usage.5] [dashboard.exports.1]
inBrowser('the days are saved as a file, with a column for each type of message', async (t) => {
  await stage.open(ADDRESS, SCRIPT)
  const [file] = await Promise.all([stage.page.waitForEvent('download'), stage.page.click('[data-action=export]')])
  t.is(file.suggestedFilename(), 'usage-2026-02-27-2026-03-01.csv')
  const [head = '', ...rows] = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  t.true(head.startsWith('\uFEFFDay,Messages: Received,Messages: Sent,'), head)
  t.true(head.endsWith(',Messages: image,Messages: text'), head)
  t.deepEqual(rows, [
    '2026-02-27,15,5,1,2,90,8,2,12,1,2500000,3,0,0,0,5,15',
    '2026-02-28,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0',
    '2026-03-01,5,5,1,2,90,8,2,12,1,2500000,3,0,0,0,5,5',
  ])
})

test('every day of a report is there once, those without use and those of a leap year too', (t) => {
  const days = daysOf({ from: '2028-02-01', to: '2029-01-31', items: [], total: used(0) })
  t.is(days.length, 366)
  t.is(new Set(days.map(({ id }) => id)).size, 366)
  t.deepEqual([days[28]?.id, days.at(-1)?.id], ['2028-02-29', '2029-01-31'])
})

test('over a long time only the days that were used are shown, so no year that is half typed draws thousands', (t) => {
  const items = ['2027-12-31', '2028-06-01'].map((day) => ({ day, ...used(1) }))
  const days = daysOf({ from: '0002-01-01', to: '2029-01-31', items, total: used(2) })
  t.deepEqual(days, [
    { id: '2027-12-31', used: used(1) },
    { id: '2028-06-01', used: used(1) },
  ])
})
