import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { OFFICIAL, PAIRED } from '../helpers/number-scenes.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const HOSTILE = `<img src=x onerror=alert(1)> \u202E${'w'.repeat(1_000)}`

const WEBHOOK = { name: HOSTILE, url: 'https://acme.example/hook', active: true, events: ['*'], channelNumberIds: [] }
const POOR = { ...OFFICIAL.health, qualityRating: 'RED', officialStatus: 'FLAGGED' }
const SCRIPT: Script = {
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
const WELL: Script = {
  'GET /api/v1/numbers': { body: [{ ...PAIRED, state: 'OPEN', isFullyConnected: true }] },
  'GET /api/overview': { body: { failing: [] } },
  'GET /api/v1/webhooks': { body: [] },
}

/** The link and the words of a concern. */
async function concern(id: string): Promise<readonly [string | null, string]> {
  const row = stage.page.locator(`[data-concern="${id}"]`)
  await row.waitFor()
  const links = row.locator('a')
  return [(await links.count()) === 0 ? null : await links.getAttribute('href'), await row.innerText()]
}

inBrowser('usage and health can be read by all in each language', async (t) => {
  const ready = () => stage.page.locator('[data-concern="num_2 REJECTED"]').waitFor()
  t.deepEqual(await stage.looks('/dashboard/usage', SCRIPT, ready), [])
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
  t.is(await stage.page.locator('[data-concern]').count(), 7, 'nothing else needs attention')
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
  const row = stage.page.locator('.list [data-id=num_2]')
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
