import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { attempt, frameOf, HOOKS, HOSTILE, logOf } from '../helpers/hook-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)
const PATH = '/dashboard/webhooks/wh_1'
const LOGS = 'GET /api/v1/webhooks/wh_1/logs'

/** The ids of the attempts that are drawn. */
async function drawn(): Promise<string[]> {
  return await stage.page
    .locator('[data-log]')
    .evaluateAll((rows: any[]) => rows.map(({ dataset }) => dataset.log as string))
}

/** The selector of an attempt's row. */
function row(of: number): string {
  return `[data-log=${attempt(of).id}]`
}

// [dashboard.hooks.4]
inBrowser('each attempt is a row with event, status, code, duration, attempt and time', async (t) => {
  await stage.open(PATH, { ...HOOKS, [LOGS]: logOf(attempt(2), attempt(1, { status: 'SUCCESS', statusCode: 0 })) })
  const cells = await stage.page.locator(`${row(2)}[data-status=FAILED]`).innerText()
  for (const text of ['message.received', 'failed', '500', '41 ms', '2']) t.true(cells.includes(text), text)
  t.is(await stage.page.locator(`${row(2)} time`).getAttribute('datetime'), attempt(2).createdAt)
  t.is(await stage.page.locator(`${row(1)}[data-status=SUCCESS]`).count(), 1)
})

inBrowser('of 10,000 attempts only those in sight are drawn', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, at) => attempt(10_000 - at))
  await stage.open(PATH, { ...HOOKS, [LOGS]: logOf(...many) })
  await stage.page.locator(row(10_000)).waitFor()
  t.true((await drawn()).length < 200)
  await stage.page.locator('.rows').evaluate((rows: any) => rows.scrollTo(0, rows.scrollHeight / 2))
  await until('rows of the middle are drawn', async () => {
    const at = Number((await drawn())[0]?.slice(4))
    return at > 3_000 && at < 7_000 ? true : null
  })
  t.true((await drawn()).length < 200)
})

// [dashboard.webhooks.1]
inBrowser('the log is filtered by status, which stays in the address, and goes on when its end is seen', async (t) => {
  const first = Array.from({ length: 50 }, (_, at) => attempt(100 - at))
  await stage.open(`${PATH}?status=FAILED`, {
    ...HOOKS,
    [LOGS]: logOf(attempt(1, { status: 'SUCCESS' })),
    [`${LOGS}?limit=50&status=FAILED`]: logOf(...first),
    [`${LOGS}?limit=50&status=FAILED&before=${attempt(51).id}`]: logOf(attempt(50)),
  })
  await stage.page.locator(row(100)).waitFor()
  await stage.page.locator('[data-action=more]').scrollIntoViewIfNeeded()
  await stage.page.locator(row(50)).waitFor()
  t.is((await drawn()).length, 51)
  t.is(await stage.page.locator('[data-action=more]').count(), 0)
  await stage.page.selectOption('select[name=status]', '')
  await stage.page.locator(row(1)).waitFor()
  t.deepEqual(await drawn(), [attempt(1).id])
  t.is(new URL(stage.page.url()).search, '')
})

// [webhooks.routes.9] [dashboard.hooks.5]
inBrowser('an attempt is redelivered from its row, and the new attempt appears by itself', async (t) => {
  const redeliver = `POST /api/v1/webhooks/wh_1/logs/${attempt(2).id}/redeliver`
  await stage.open(PATH, { ...HOOKS, [redeliver]: { status: 202, body: { status: 'QUEUED' } } })
  await stage.page.click(`${row(2)} [data-action=redeliver]`)
  await stage.page.locator('.said').waitFor()
  stage.script({ [LOGS]: logOf(attempt(3, { status: 'SUCCESS', statusCode: 200 }), attempt(2), attempt(1)) })
  await stage.page.locator(`${row(3)}[data-status=SUCCESS]`).waitFor()
  t.is(stage.asked.filter(({ what }) => what === redeliver).length, 1)
  t.is((await drawn())[0], attempt(3).id)
})

inBrowser('a redelivery that is refused says why, in the row and in the detail', async (t) => {
  const refused = { status: 409, body: { error: 'off', code: 'WEBHOOK_INACTIVE' } }
  await stage.open(PATH, { ...HOOKS, [`POST /api/v1/webhooks/wh_1/logs/${attempt(2).id}/redeliver`]: refused })
  await stage.page.click(`${row(2)} [data-action=redeliver]`)
  await stage.page.locator('[aria-labelledby=log] > [data-code=WEBHOOK_INACTIVE]').waitFor()
  await stage.page.click(`${row(2)} .as-link`)
  await stage.page.click('dialog [data-action=redeliver]')
  await stage.page.locator('dialog [data-code=WEBHOOK_INACTIVE]').waitFor()
  t.pass()
})

// [dashboard.webhooks.3] [dashboard.pages.4]
inBrowser('attempts appear as events of the number happen, read at most once in 1.5 s', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.page.locator(row(2)).waitFor()
  const reads = () => stage.asked.filter(({ what }) => what === LOGS).length
  // Once the first stream stands, everything is read anew.
  await stage.tell('event', frameOf('evt_0', 'num_2'))
  await until('the log is read anew', () => (reads() === 2 ? true : null))
  stage.script({ [LOGS]: logOf(attempt(3, { status: 'SUCCESS' }), attempt(2), attempt(1)) })
  await stage.tell('event', frameOf('evt_1'), frameOf('evt_2'), frameOf('evt_3'))
  await stage.page.locator(row(3)).waitFor()
  t.is(reads(), 3, 'three events at once are one read')
})

inBrowser('new attempts leave in place what was scrolled to', async (t) => {
  const first = Array.from({ length: 50 }, (_, at) => attempt(100 - at))
  await stage.open(PATH, {
    ...HOOKS,
    [LOGS]: logOf(...first),
    [`${LOGS}?limit=50&before=${attempt(51).id}`]: logOf(attempt(50), attempt(49)),
    'POST /api/v1/webhooks/wh_1/test': { body: attempt(101) },
  })
  await stage.page.locator('[data-action=more]').scrollIntoViewIfNeeded()
  await stage.page.locator(row(49)).waitFor()
  stage.script({ [LOGS]: logOf(attempt(101), ...first.slice(0, 49)) })
  await stage.page.click('[data-action=test]')
  await stage.page.locator(row(101)).waitFor()
  const ids = await drawn()
  t.is(ids.length, 53)
  t.deepEqual([ids[0], ids[1], ids[52]], [attempt(101).id, attempt(100).id, attempt(49).id])
})

inBrowser('the detail shows payload and answer as text, and copies payload and command', async (t) => {
  await stage.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await stage.open(PATH, HOOKS)
  await stage.page.click(`${row(2)} .as-link`)
  const [payload, response] = await stage.page.locator('dialog pre').allInnerTexts()
  t.is(response, 'no such table')
  t.is(
    payload,
    `{\n  "id": "evt_1",\n  "data": {\n    "text": "it's here",\n    "long": 12345678901234567890\n  }\n}`,
    'the digits of a long number stay',
  )
  await stage.page.click('dialog button:has-text("Copy payload")')
  await stage.page.locator('dialog button:has-text("Copied")').waitFor()
  t.is(await stage.page.evaluate('navigator.clipboard.readText()'), attempt(2).payload)
  await stage.page.click('dialog button:has-text("Copy as curl")')
  const copied = await until('the command is copied', async () => {
    const text = await stage.page.evaluate<string>('navigator.clipboard.readText()')
    return text.startsWith('curl') ? text : null
  })
  t.true(copied.includes(`--data-raw '{"id":"evt_1","data":{"text":"it'\\''s here"`), copied)
})

inBrowser('the detail closes by Esc, which gives the focus back, and can be read by all', async (t) => {
  const look = async () => {
    await stage.page.locator('[data-log]').first().waitFor()
    await stage.page.click(`${row(2)} .as-link`)
    // It is in the page a moment before it is open, and takes no key before that.
    await stage.page.locator('dialog[open] pre').first().waitFor()
  }
  t.deepEqual(await stage.looks(PATH, HOOKS, look), [])
  await stage.open(PATH, HOOKS)
  await look()
  await stage.page.keyboard.press('Escape')
  await stage.page.locator('dialog').waitFor({ state: 'detached' })
  t.is(await stage.page.evaluate('document.activeElement.className'), 'as-link')
})

// [dashboard.webhooks.4]
inBrowser('payloads and answers are never HTML, hide nothing, and do not widen the page', async (t) => {
  const hostile = attempt(2, { payload: HOSTILE, response: HOSTILE, event: HOSTILE.slice(0, 200) })
  await stage.page.setViewportSize({ width: 320, height: 800 })
  await stage.open(PATH, { ...HOOKS, [LOGS]: logOf(hostile), 'POST /api/v1/webhooks/wh_1/test': { body: hostile } })
  await stage.page.click('[data-action=test]')
  await stage.page.locator('[data-test=FAILED] pre').waitFor()
  t.deepEqual(await stage.violations(), [])
  await stage.page.click(`${row(2)} .as-link`)
  await stage.page.locator('dialog pre').first().waitFor()
  t.deepEqual(await stage.violations(), [])
  t.is(await stage.page.locator('main img, main script, dialog img, dialog script').count(), 0)
  const text = await stage.page.locator('dialog pre').first().innerText()
  t.true(text.startsWith('<img src=x') && text.includes(String.raw`\u202eWWW`) && !text.includes('\u202e'))
  t.true(await stage.page.evaluate('document.querySelector("dialog").scrollWidth <= innerWidth'))
  await stage.page.setViewportSize({ width: 1_280, height: 800 })
})

inBrowser('a payload that privacy withheld says so', async (t) => {
  await stage.open(PATH, { ...HOOKS, [LOGS]: logOf(attempt(2, { payload: '', response: '' })) })
  await stage.page.click(`${row(2)} .as-link`)
  t.regex(await stage.page.innerText('dialog'), /privacy mode/)
  t.is(await stage.page.locator('dialog pre').count(), 0)
})
