import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { frameOf, HOOKS, HOSTILE } from '../helpers/hook-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)
const PATH = '/dashboard/events'
const STORED = 'GET /api/v1/events'

/** The ids of the events in a list. */
async function ids(list: 'live' | 'stored'): Promise<string[]> {
  return await stage.page
    .locator(`[aria-labelledby=${list}] .row[data-id]`)
    .evaluateAll((rows: any[]) => rows.map(({ dataset }) => dataset.id as string))
}

/** An event as it is stored, by its place. */
function stored(at: number): object {
  return frameOf(`evt_${String(at).padStart(26, '0')}`)
}

inBrowser('the page of events can be read by all in each language, and fits 320 px', async (t) => {
  const wrong = await stage.looks(PATH, { ...HOOKS, [STORED]: { body: { events: [stored(1)] } } }, async () => {
    await stage.shows('events')
    await stage.tell('event', frameOf('evt_live', 'num_2'))
    await stage.page.click('[aria-labelledby=stored] [data-action=read]')
    await stage.page.locator('[aria-labelledby=stored] .row[data-id]').waitFor()
    await stage.page.click('[data-id=evt_live] .as-link')
    await stage.page.locator('dialog pre').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.pages.4]
inBrowser('events show as they happen, newest first, with the name of their number', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.shows('events')
  await stage.page.locator('[data-tail=live] [data-empty]').waitFor()
  await stage.tell('event', frameOf('evt_1'), frameOf('evt_2', 'num_2', 'call.ended'), frameOf('evt_1'))
  await stage.page.locator('[data-id=evt_2]', { hasText: 'Sales <b>' }).waitFor()
  t.deepEqual(await ids('live'), ['evt_2', 'evt_1'], 'an event that is told twice is one row')
  t.is(await stage.page.locator('[data-id=evt_2] time').getAttribute('datetime'), '2026-11-20T10:00:00.000Z')
})

inBrowser('live events are filtered by name and number, which stay in the address', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.shows('events')
  await stage.page.locator('select[name=number] option[value=num_2]').waitFor({ state: 'attached' })
  await stage.tell('event', frameOf('evt_1'), frameOf('evt_2', 'num_2'), frameOf('evt_3', 'num_2', 'call.ended'))
  await stage.page.locator('[data-id=evt_3]').waitFor()
  await stage.page.selectOption('select[name=number]', 'num_2')
  await until('the number is chosen', async () => ((await ids('live')).length === 2 ? true : null))
  await stage.page.selectOption('select[name=event]', 'call.ended')
  await until('the name is chosen', async () => ((await ids('live')).length === 1 ? true : null))
  t.deepEqual(await ids('live'), ['evt_3'])
  t.is(new URL(stage.page.url()).search, '?number=num_2&event=call.ended')
  await stage.page.selectOption('select[name=event]', 'message.read')
  await stage.page.locator('[data-empty]', { hasText: 'Nothing like this' }).waitFor()
})

inBrowser('a paused tail stands still and counts what waits, which shows once it goes on', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.shows('events')
  await stage.tell('event', frameOf('evt_1'))
  await stage.page.locator('[data-id=evt_1]').waitFor()
  await stage.page.click('[data-tail] [data-action=pause]')
  await stage.tell('event', frameOf('evt_2'), frameOf('evt_3'))
  await stage.page.locator('[data-held="2"]', { hasText: '2 new events wait.' }).waitFor()
  t.deepEqual(await ids('live'), ['evt_1'])
  t.deepEqual(await stage.violations(), [])
  await stage.page.click('[data-tail] [data-action=go-on]')
  await stage.page.locator('[data-id=evt_3]').waitFor()
  t.deepEqual(await ids('live'), ['evt_3', 'evt_2', 'evt_1'])
})

inBrowser('a service without a stream says that live events are not there', async (t) => {
  await stage.open(PATH, { ...HOOKS, 'GET /api/stream': { status: 404, body: { error: 'no' } } })
  await stage.page.locator('[data-tail] .warn-text').waitFor()
  t.deepEqual(await stage.violations(), [])
})

inBrowser('stored events are read page by page, each after the last event of the one before', async (t) => {
  const first = Array.from({ length: 100 }, (_, at) => stored(at))
  const last = `evt_${'99'.padStart(26, '0')}`
  await stage.open(`${PATH}?event=message.received&number=num_1`, {
    ...HOOKS,
    [`${STORED}?limit=100&event=message.received`]: { body: { events: first } },
    [`${STORED}?limit=100&after=${last}&event=message.received`]: { body: { events: [stored(100)] } },
  })
  await stage.page.click('[aria-labelledby=stored] [data-action=read]')
  await stage.page.locator('[data-action=more]').scrollIntoViewIfNeeded()
  await until('both pages are read', async () => ((await ids('stored')).length === 101 ? true : null))
  t.is(await stage.page.locator('[data-action=more]').count(), 0)
  const reads = stage.asked.filter(({ what }) => what === STORED)
  t.deepEqual(
    reads.map(({ headers }) => headers['x-channel-number-id']),
    ['num_1', 'num_1'],
  )
})

inBrowser('stored events that cannot be read say so, and are there once asked for again', async (t) => {
  await stage.open(PATH, { ...HOOKS, [STORED]: { status: 503, body: { error: 'away' } } })
  await stage.page.click('[aria-labelledby=stored] [data-action=read]')
  await stage.page.locator('[data-fault=SERVER]').waitFor()
  stage.script({ [STORED]: { body: { events: [] } } })
  await stage.page.click('[data-action=retry]')
  await stage.page.locator('[aria-labelledby=stored] [data-empty]').waitFor()
  t.is(await stage.page.locator('[data-fault]').count(), 0)
})

inBrowser('an event is shown as a whole, as text that hides nothing, and can be copied', async (t) => {
  await stage.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await stage.page.setViewportSize({ width: 320, height: 800 })
  await stage.open(PATH, HOOKS)
  await stage.shows('events')
  const event = frameOf('evt_1', 'num_1', HOSTILE.slice(0, 200), { text: HOSTILE, link: 'javascript:alert(1)' })
  await stage.tell('event', event)
  await stage.page.click('[data-id=evt_1] .as-link')
  const text = await stage.page.locator('dialog pre').innerText()
  t.true(text.includes('<script>') && text.includes(String.raw`\u202eWWW`) && !text.includes('\u202e'))
  t.is(await stage.page.locator('dialog img, dialog script, main img, a[href^=javascript]').count(), 0)
  t.deepEqual(await stage.violations(), [])
  t.true(await stage.page.evaluate('document.querySelector("dialog").scrollWidth <= innerWidth'))
  await stage.page.click('dialog button:has-text("Copy payload")')
  await stage.page.locator('dialog button:has-text("Copied")').waitFor()
  t.deepEqual(JSON.parse(await stage.page.evaluate('navigator.clipboard.readText()')), event)
  await stage.page.setViewportSize({ width: 1_280, height: 800 })
})

inBrowser('of 10,000 stored events only those in sight are drawn', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, at) => stored(at))
  const end = `${STORED}?limit=100&after=evt_${'9999'.padStart(26, '0')}`
  await stage.open(PATH, { ...HOOKS, [STORED]: { body: { events: many } }, [end]: { body: { events: [] } } })
  await stage.page.click('[aria-labelledby=stored] [data-action=read]')
  await until('events are drawn', async () => ((await ids('stored')).length > 0 ? true : null))
  t.true((await ids('stored')).length < 200)
  await stage.page.locator('.rows').evaluate((rows: any) => rows.scrollTo(0, rows.scrollHeight))
  await stage.page.locator(`[data-id=evt_${'9999'.padStart(26, '0')}]`).waitFor()
  t.true((await ids('stored')).length < 200)
})

// [dashboard.webhooks.6]
inBrowser('the tail of a busy account keeps the newest 1,000 events', async (t) => {
  await stage.open(PATH, HOOKS)
  await stage.shows('events')
  await stage.tell('event', ...Array.from({ length: 1_200 }, (_, at) => frameOf(`evt_${at}`)))
  await stage.page.locator('[data-id=evt_1199]').waitFor()
  t.true((await ids('live')).length < 200)
  await stage.page.locator('.hint', { hasText: '1000' }).waitFor()
})
