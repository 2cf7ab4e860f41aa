import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { attempt, HOOKS, logOf, WEBHOOK } from '../helpers/hook-scenes.ts'

const stage = new DashboardStage(test)
const PATH = '/dashboard/webhooks/wh_1'
const API = '/api/v1/webhooks/wh_1'

/** Bodies of the requests of a kind. */
function sent(what: string): unknown[] {
  return stage.asked.filter((asked) => asked.what === what).map(({ body }) => body)
}

inBrowser('the page of a webhook can be read by all in each language, and fits 320 px', async (t) => {
  const off = { ...WEBHOOK, active: false, disabledReason: 'GONE' }
  const script = { ...HOOKS, [`GET ${API}`]: { body: off }, [`POST ${API}/test`]: { body: attempt(9) } }
  const wrong = await stage.looks(PATH, script, async () => {
    await stage.page.locator('[data-log]').first().waitFor()
    await stage.page.click('[data-action=test]')
    await stage.page.locator('[data-test=FAILED]').waitFor()
    await stage.page.click('summary')
    await stage.page.selectOption('select[name=range]', 'own')
    await stage.page.locator('input[name=since]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.hooks.3] [dashboard.webhooks.5]
inBrowser('a webhook is paused and resumed, and the page says at once how it stands', async (t) => {
  await stage.open(PATH, {
    ...HOOKS,
    [`PATCH ${API}`]: (body) => ({ body: { ...WEBHOOK, ...(body as object) } }),
  })
  await stage.page.locator('main[data-id=wh_1][data-status=ACTIVE]').waitFor()
  await stage.page.click('[data-action=pause]')
  await stage.page.locator('main[data-status=PAUSED] [data-off=PAUSED]').waitFor()
  await stage.page.click('[data-action=resume]')
  await stage.page.locator('main[data-status=ACTIVE]').waitFor()
  t.deepEqual(sent(`PATCH ${API}`), [{ active: false }, { active: true }])
})

// [webhooks.retries.4] [webhooks.retries.5]
inBrowser('a webhook that the service switched off says why and when, and is switched on again', async (t) => {
  for (const [reason, why] of [
    ['GONE', /answered 410/],
    ['FAILING', /5 days/],
  ] as const) {
    await stage.open(PATH, {
      ...HOOKS,
      [`GET ${API}`]: { body: { ...WEBHOOK, active: false, disabledReason: reason } },
      [`PATCH ${API}`]: { body: WEBHOOK },
    })
    const card = stage.page.locator(`main[data-status=DISABLED] [data-off=${reason}]`)
    t.regex(await card.innerText(), why)
    t.is(await card.locator('time').getAttribute('datetime'), WEBHOOK.lastTriggered, 'the delivery that did it')
    await stage.page.click('[data-action=resume]')
    await stage.page.locator('main[data-status=ACTIVE]').waitFor()
    t.deepEqual(sent(`PATCH ${API}`), [{ active: true }])
  }
})

inBrowser('a webhook whose last delivery failed says how much failed', async (t) => {
  const overview = { body: { failing: [{ webhookId: 'wh_1', failed24h: 12 }] } }
  await stage.open(PATH, { ...HOOKS, 'GET /api/overview': overview })
  const failing = stage.page.locator('main[data-status=FAILING] [data-failing="12"]')
  t.regex(await failing.innerText(), /12 deliveries failed/)
})

// [webhooks.routes.6]
inBrowser('a test event shows what the receiver answered: taken, refused, or nothing', async (t) => {
  await stage.open(PATH, {
    ...HOOKS,
    [`POST ${API}/test`]: { body: attempt(9, { status: 'SUCCESS', statusCode: 202, response: 'thanks <b>' }) },
  })
  await stage.page.click('[data-action=test]')
  t.is(await stage.page.innerText('[data-test=SUCCESS]'), 'thanks <b>')
  t.regex(await stage.page.innerText('main'), /took the test event: 202, in 41 ms/)
  stage.script({ [`POST ${API}/test`]: { body: attempt(9, { statusCode: 500, response: '' }) } })
  await stage.page.click('[data-action=test]')
  await stage.page.locator('[data-test=FAILED]').waitFor()
  t.regex(await stage.page.innerText('main'), /with 500, in 41 ms/)
  stage.script({ [`POST ${API}/test`]: { body: attempt(9, { statusCode: 0, response: 'connect ECONNREFUSED' }) } })
  await stage.page.click('[data-action=test]')
  await stage.page.locator('[data-test=FAILED]', { hasText: 'ECONNREFUSED' }).waitFor()
  t.regex(await stage.page.innerText('main'), /No answer to the test event/)
})

// [dashboard.hooks.4] [webhooks.routes.7]
inBrowser('the secret is rotated once the name is typed, and both secrets are explained', async (t) => {
  const rotated = { id: 'wh_1', secret: 'whsec_bmV3', previousSecretExpiresAt: '2026-11-22T10:00:00.000Z' }
  await stage.open(PATH, { ...HOOKS, [`POST ${API}/secret`]: { body: rotated } })
  await stage.page.click('[data-action=rotate]')
  t.regex(await stage.page.innerText('dialog'), /24 hours/)
  t.deepEqual(await stage.violations(), [])
  await stage.page.fill('input[name=confirm]', 'orders')
  t.true(await stage.page.isDisabled('[data-action=confirm]'))
  await stage.page.fill('input[name=confirm]', 'Orders')
  await stage.page.click('[data-action=confirm]')
  t.is(await stage.page.innerText('[data-secret]'), 'whsec_bmV3')
  t.is(await stage.page.locator('dialog').count(), 0)
  t.is(await stage.page.locator('[aria-labelledby=secret] time').getAttribute('datetime'), '2026-11-22T10:00:00.000Z')
})

inBrowser('a webhook is deleted once its name is typed; one without a name is confirmed by its id', async (t) => {
  await stage.open(PATH, {
    ...HOOKS,
    [`GET ${API}`]: { body: { ...WEBHOOK, name: null } },
    [`DELETE ${API}`]: { body: { deleted: true, id: 'wh_1' } },
  })
  await stage.page.click('[data-action=delete]')
  t.true(await stage.page.isDisabled('[data-action=confirm]'))
  await stage.page.fill('input[name=confirm]', 'wh_1')
  await stage.page.click('[data-action=confirm]')
  await stage.shows('webhooks')
  t.is(sent(`DELETE ${API}`).length, 1)
  t.is(new URL(stage.page.url()).pathname, '/dashboard/webhooks')
})

// [webhooks.routes.4] [dashboard.hooks.2]
inBrowser('name, address and events are changed in a form that begins with what is there', async (t) => {
  await stage.open(PATH, {
    ...HOOKS,
    [`PATCH ${API}`]: (body) => ({ body: { ...WEBHOOK, ...(body as object) } }),
  })
  await stage.page.click('summary')
  const form = stage.page.locator('form[data-form=webhook]')
  t.true(await form.locator('input[value="call.ended"]').isChecked())
  await form.locator('input[value="call.ended"]').uncheck()
  await form.locator('input[value="*"]').check()
  await form.locator('input[name=name]').fill('')
  await form.locator('[data-action=save]').click()
  await stage.page.locator('h1', { hasText: 'Unnamed webhook' }).waitFor()
  t.deepEqual(sent(`PATCH ${API}`), [{ name: null, url: WEBHOOK.url, events: ['*', 'message.received'] }])
})

// [dashboard.webhooks.2]
inBrowser('all events that failed in a range are redelivered, and their number is told', async (t) => {
  await stage.open(PATH, { ...HOOKS, [`POST ${API}/redeliver`]: { status: 202, body: { queued: 3 } } })
  await stage.page.click('[data-action=redeliver-failed]')
  await stage.page.locator('.said', { hasText: '3 events are queued.' }).waitFor()
  await stage.page.selectOption('select[name=range]', 'own')
  await stage.page.fill('input[name=since]', '2026-11-20T08:00')
  await stage.page.fill('input[name=until]', '2026-11-20T09:30')
  stage.script({ [`POST ${API}/redeliver`]: { status: 409, body: { error: 'off', code: 'WEBHOOK_INACTIVE' } } })
  await stage.page.click('[data-action=redeliver-failed]')
  await stage.page.locator('[data-code=WEBHOOK_INACTIVE]').waitFor()
  const [first, second] = sent(`POST ${API}/redeliver`) as { since: string; until?: string }[]
  t.is(first?.until, undefined)
  t.true(Math.abs(Date.now() - 24 * 3_600_000 - Date.parse(first?.since ?? '')) < 600_000, 'the last 24 hours')
  t.deepEqual(second, { since: '2026-11-20T08:00:00.000Z', until: '2026-11-20T09:30:00.000Z' })
})

inBrowser('a webhook that is not there says so in place of the page', async (t) => {
  const gone = { status: 404, body: { error: 'no', code: 'WEBHOOK_NOT_FOUND' } }
  await stage.open(PATH, { ...HOOKS, [`GET ${API}`]: gone, [`GET ${API}/logs`]: gone })
  await stage.page.locator('[data-code=WEBHOOK_NOT_FOUND]').waitFor()
  t.is(await stage.page.locator('[data-action=delete]').count(), 0)
})

inBrowser('a webhook that nothing was sent to yet says so', async (t) => {
  await stage.open(PATH, { ...HOOKS, [`GET ${API}/logs`]: logOf() })
  await stage.page.locator('[data-empty]', { hasText: 'No attempt yet' }).waitFor()
  t.deepEqual(await stage.violations(), [])
})
