import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { frameOf, HOOKS, HOSTILE, NUMBERS, WEBHOOK } from '../helpers/hook-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)
const PATH = '/dashboard/webhooks'

/** The values of the checkboxes of events that are offered. */
async function offered(selector = 'input[name=events]'): Promise<string[]> {
  return await stage.page.locator(selector).evaluateAll((boxes: any[]) => boxes.map(({ value }) => value as string))
}

inBrowser('the list of webhooks and its form can be read by all, and fit 320 px', async (t) => {
  const failing = { 'GET /api/overview': { body: { failing: [{ webhookId: 'wh_1', failed24h: 3 }] } } }
  const wrong = await stage.looks(PATH, { ...HOOKS, ...failing }, async () => {
    await stage.page.locator('[data-id=wh_1][data-status=FAILING]').waitFor()
    await stage.page.click('[data-action=new]')
    await stage.page.selectOption('select[name=channelNumberId]', 'num_2')
    await stage.page.locator('input[name=events][value=messages]').waitFor()
  })
  t.deepEqual(wrong, [])
})

inBrowser('of 10,000 webhooks only those in sight are drawn, and the last one can be reached', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ ...WEBHOOK, id: `wh_${at}`, name: `Hook ${at}` }))
  await stage.open(PATH, { ...HOOKS, 'GET /api/v1/webhooks': { body: many }, 'GET /api/v1/numbers': { body: NUMBERS } })
  await stage.page.locator('[data-id=wh_0]').waitFor()
  t.true((await stage.page.locator('.row[data-id]').count()) < 200)
  await stage.page.locator('.rows').evaluate((rows: any) => rows.scrollTo(0, rows.scrollHeight))
  await stage.page.locator('[data-id=wh_9999]').waitFor()
  t.true((await stage.page.locator('.row[data-id]').count()) < 200)
})

inBrowser('an account without webhooks is told what one is for', async (t) => {
  await stage.open(PATH, { ...HOOKS, 'GET /api/v1/webhooks': { body: [] } })
  await stage.page.locator('[data-empty]').waitFor()
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.hooks.3] [dashboard.webhooks.5]
inBrowser('each row says whether its webhook works, fails, is paused or was switched off', async (t) => {
  const webhooks = [
    WEBHOOK,
    { ...WEBHOOK, id: 'wh_2', active: false },
    { ...WEBHOOK, id: 'wh_3', active: false, disabledReason: 'GONE' },
    { ...WEBHOOK, id: 'wh_4' },
  ]
  const overview = { body: { failing: [{ webhookId: 'wh_4', failed24h: 7 }] } }
  await stage.open(PATH, { ...HOOKS, 'GET /api/v1/webhooks': { body: webhooks }, 'GET /api/overview': overview })
  await stage.page.locator('[data-id=wh_4][data-status=FAILING]', { hasText: '7 failed in 24 h' }).waitFor()
  const statuses = await stage.page
    .locator('.row[data-id]')
    .evaluateAll((rows: any[]) => rows.map(({ dataset }) => dataset.status as string))
  t.deepEqual(statuses, ['ACTIVE', 'PAUSED', 'DISABLED', 'FAILING'])
})

// [dashboard.pages.4]
inBrowser('a webhook that begins to fail is marked without a reload', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.page.locator('[data-id=wh_1][data-status=ACTIVE]').waitFor()
  // Once the first stream stands, everything is read anew.
  await stage.tell('call', { id: 'call_1', status: 'RINGING', direction: 'INBOUND' })
  await until('the list is read anew', () =>
    stage.asked.filter(({ what }) => what === 'GET /api/overview').length === 2 ? true : null,
  )
  stage.script({ 'GET /api/overview': { body: { failing: [{ webhookId: 'wh_1', failed24h: 1 }] } } })
  await stage.tell('event', frameOf('evt_2'))
  await stage.page.locator('[data-id=wh_1][data-status=FAILING]').waitFor()
  t.pass()
})

// [dashboard.hooks.2] [dashboard.hooks.4] [dashboard.hooks.5]
inBrowser('a webhook is created from its form, and its secret is shown once', async (t) => {
  const created = { ...WEBHOOK, id: 'wh_9', name: 'New one', secret: 'whsec_c2VjcmV0' }
  await stage.open(PATH, { ...HOOKS, 'POST /api/v1/webhooks': { status: 201, body: created } })
  await stage.shows('webhooks')
  await stage.page.click('[data-action=new]')
  const form = stage.page.locator('form[data-form=webhook]')
  await form.locator('input[name=url]').fill(WEBHOOK.url)
  await form.locator('input[name=name]').fill(' New one ')
  await form.locator('input[name=events][value="message.received"]').check()
  await form.locator('input[name=events][value="lead.received"]').check()
  await form.locator('[data-action=create]').click()
  t.is(await stage.page.innerText('[data-secret]'), 'whsec_c2VjcmV0')
  t.deepEqual(stage.asked.find(({ what }) => what === 'POST /api/v1/webhooks')?.body, {
    url: WEBHOOK.url,
    name: 'New one',
    events: ['message.received', 'lead.received'],
    channelNumberId: 'num_1',
  })
  await stage.page.locator('[data-id=wh_9]').waitFor()
  t.is(await form.count(), 0)
  t.deepEqual(await stage.violations(), [])
  await stage.page.reload()
  await stage.page.locator('[data-id=wh_1]').waitFor()
  t.is(await stage.page.locator('[data-secret]').count(), 0)
})

// [webhooks.object.7] [events.subscription.1] [events.subscription.2]
inBrowser('the events that are offered are those of the kind of number, opt-in ones marked', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.page.click('[data-action=new]')
  await stage.page.locator('input[name=events]').first().waitFor()
  const ofDevice = await offered()
  t.is(ofDevice[0], '*')
  t.true(ofDevice.includes('message.group') && !ofDevice.includes('message.reply') && !ofDevice.includes('messages'))
  t.false(ofDevice.includes('webhook.test'), 'its button sends it')
  t.deepEqual(await offered('[data-opt-in] input'), ['lead.received'])
  await stage.page.selectOption('select[name=channelNumberId]', 'num_2')
  await stage.page.locator('input[name=events][value=messages]').waitFor()
  const ofOfficial = await offered()
  t.true(ofOfficial.includes('message.reply') && !ofOfficial.includes('message.received'))
  t.deepEqual(await offered('[data-opt-in] input'), ['message.reply', 'lead.received'])
})

inBrowser('what the service has against a new webhook stands beside its field or in words', async (t) => {
  const refused = { error: 'private', code: 'WEBHOOK_URL_FORBIDDEN' }
  await stage.open(PATH, { ...HOOKS, 'POST /api/v1/webhooks': { status: 400, body: refused } })
  await stage.page.click('[data-action=new]')
  await stage.page.fill('input[name=url]', 'http://10.0.0.1/')
  await stage.page.click('[data-action=create]')
  const fault = stage.page.locator('[data-code=WEBHOOK_URL_FORBIDDEN]')
  t.regex(await fault.innerText(), /private network/)
  t.deepEqual(await stage.violations(), [])
  t.is(await stage.page.inputValue('input[name=url]'), 'http://10.0.0.1/', 'what was typed stays')
})

inBrowser('an account without numbers is led to them, and a role that may only read is offered nothing', async (t) => {
  await stage.open(PATH, { ...HOOKS, 'GET /api/v1/numbers': { body: [] } })
  await stage.page.click('[data-action=new]')
  await stage.page.locator('[data-empty] a[href="/dashboard/numbers"]').waitFor()
  t.is(await stage.page.locator('form[data-form=webhook]').count(), 0)
  await stage.open(PATH, HOOKS, 'AGENT')
  await stage.page.locator('h1', { hasText: 'Your role may not see this' }).waitFor()
})

inBrowser('names and addresses of webhooks are text, whatever they say', async (t) => {
  const webhook = { ...WEBHOOK, name: HOSTILE, url: 'javascript:alert(1)' }
  await stage.open(PATH, { ...HOOKS, 'GET /api/v1/webhooks': { body: [webhook] } })
  await stage.page.locator('[data-id=wh_1]').waitFor()
  t.is(await stage.page.locator('main img, main script, a[href^=javascript]').count(), 0)
  t.deepEqual(await stage.violations(), [])
})
