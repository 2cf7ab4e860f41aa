import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage, sessionOf } from '../helpers/dashboard-stage.ts'
import type { Script } from '../helpers/people-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)

const CHECKLIST = {
  numberConnected: true,
  messageSent: false,
  callPlaced: false,
  webhookDelivered: false,
  brandingSet: false,
  embedMinted: false,
}
const OVERVIEW = {
  numbers: { OPEN: 2, CONNECTING: 1, CLOSE: 0 },
  checklist: CHECKLIST,
  failing: [{ webhookId: 'wh_1', failed24h: 3 }],
  liveCalls: 1,
  sandbox: { controlUrl: 'http://localhost:3002/control' },
}
const SCRIPT: Script = { 'GET /api/overview': { body: OVERVIEW } }

inBrowser('the overview can be read by all in each language, light and dark, and fits 320 px', async (t) => {
  const wrong = await stage.looks('/dashboard', SCRIPT, async () => {
    await stage.page.locator('[data-step]').first().waitFor()
    const menu = stage.page.locator('[data-action=menu]')
    if (await menu.isVisible()) await menu.click()
  })
  t.deepEqual(wrong, [])
})

inBrowser('the overview counts numbers and calls, names what fails, and says what to do next', async (t) => {
  await stage.open('/dashboard', SCRIPT)
  await stage.shows('overview')
  t.is(await stage.page.innerText('[data-figure=OPEN] dd'), '2')
  t.is(await stage.page.innerText('[data-figure=liveCalls] dd'), '1')
  t.is(await stage.page.getAttribute('[data-id=wh_1] a', 'href'), '/dashboard/webhooks/wh_1')
  t.is(await stage.page.getAttribute('[data-next]', 'data-next'), 'messageSent')
  t.is(await stage.page.getAttribute('[data-sandbox]', 'href'), OVERVIEW.sandbox.controlUrl)
  await titled('Overview · Channel Messaging')
})

inBrowser('the overview follows live news without a reload', async (t) => {
  await stage.open('/dashboard', SCRIPT)
  await stage.page.locator('[data-figure=liveCalls]').waitFor()
  stage.script({ 'GET /api/overview': { body: { ...OVERVIEW, liveCalls: 7 } } })
  await stage.tell('call', { id: 'call_1', status: 'RINGING', direction: 'INBOUND' })
  await stage.page.locator('[data-figure=liveCalls] dd', { hasText: '7' }).waitFor()
  t.pass()
})

inBrowser('what cannot be read says so, and is there once it is asked for again', async (t) => {
  await stage.open('/dashboard', { 'GET /api/overview': { status: 503, body: { error: 'away', code: 'UNAVAILABLE' } } })
  await stage.page.locator('[data-fault=SERVER]').waitFor()
  t.deepEqual(await stage.violations(), [])
  stage.script(SCRIPT)
  await stage.page.click('[data-fault] [data-action=retry]')
  await stage.page.locator('[data-step]').first().waitFor()
  t.is(await stage.page.locator('[data-fault]').count(), 0)
})

// [dashboard.pages.6]
inBrowser('what a role may not do is not offered, and a page that it may not see says so', async (t) => {
  await stage.open('/dashboard', SCRIPT, 'ANALYST')
  await stage.shows('overview')
  t.is(await stage.page.locator('[data-next]').count(), 0, 'an analyst takes none of the steps')
  await stage.open('/dashboard/keys', SCRIPT, 'AGENT')
  await stage.page.locator('h1', { hasText: 'Your role may not see this' }).waitFor()
  t.is(await stage.page.locator('nav a[href="/dashboard/keys"]').count(), 0)
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.pages.5]
inBrowser('without a session a page leads to the login, which says nothing of it and leads back to it', async (t) => {
  await stage.open('/dashboard/numbers/num_1?tab=x&lang=es', {}, null)
  await stage.page.locator('main[data-page=login][data-state=sign-in]').waitFor()
  t.is(new URL(stage.page.url()).searchParams.get('next'), '/dashboard/numbers/num_1?tab=x&lang=es')
  t.is(await stage.page.getAttribute('html', 'lang'), 'es')
  stage.script({ 'GET /api/session': { body: sessionOf('OWNER') }, 'POST /api/session': { body: sessionOf('OWNER') } })
  await stage.page.fill('input[name=email]', 'ana@acme.example')
  await stage.page.fill('input[name=password]', 'four words put together')
  await stage.page.click('button[type=submit]')
  await stage.page.waitForURL(`${stage.origin}/dashboard/numbers/num_1?tab=x&lang=es`)
  await stage.page.locator('nav[aria-label]').waitFor()
  t.is(await stage.page.getAttribute('html', 'lang'), 'es')
})

inBrowser('nothing in the address of a login leads to another site: who signs in comes to the dashboard', async (t) => {
  const evil = 'https://evil.example/dashboard'
  const query = ['next', 'redirect', 'redirect_uri', 'return_to', 'returnTo', 'url', 'continue']
    .map((name, at) => `${name}=${encodeURIComponent(['//evil.example', evil, 'javascript:alert(1)'][at % 3] ?? '')}`)
    .join('&')
  const signedIn: Script = { ...SCRIPT, 'POST /api/session': { body: sessionOf('OWNER') } }
  for (const path of [`/login?${query}`, `/login?${query}#${evil}`]) {
    await stage.open(path, signedIn)
    await stage.shows('overview')
    t.is(stage.page.url(), `${stage.origin}/dashboard`, path)
    t.false((await stage.page.content()).includes('evil.example'), path)
  }
})

// [dashboard.pages.7]
inBrowser('signing out ends the session; one that is over leads to the login and back', async (t) => {
  await stage.open('/dashboard', { ...SCRIPT, 'DELETE /api/session': { body: { ended: true } } })
  await stage.shows('overview')
  stage.script({ 'GET /api/session': { status: 401, body: { error: 'no' } } })
  await stage.page.click('[data-action=sign-out]')
  await stage.page.waitForURL(`${stage.origin}/login`)
  t.is(stage.asked.find(({ what }) => what === 'DELETE /api/session')?.headers['x-csrf-token'], 'csrf-1')
  const over = { status: 401, body: { error: 'no' } }
  await stage.open('/dashboard', { 'GET /api/overview': over })
  await stage.page.locator('[data-fault=SIGNED_OUT]').waitFor()
  t.is(stage.page.url(), `${stage.origin}/dashboard`, 'the session still stands, so that the login would lead back')
  stage.script({ 'GET /api/session': over })
  await stage.page.click('[data-fault] [data-action=retry]')
  await stage.page.waitForURL(`${stage.origin}/login?next=%2Fdashboard`)
})

inBrowser('a service that does not answer says so in place of the dashboard, and is asked again', async (t) => {
  await stage.open('/dashboard', { ...SCRIPT, 'GET /api/session': { status: 500, body: { error: 'no' } } })
  await stage.page.locator('[data-fault=SERVER]').waitFor()
  t.deepEqual(await stage.violations(), [])
  stage.script({ 'GET /api/session': { body: sessionOf('OWNER') } })
  await stage.page.click('[data-action=retry]')
  await stage.shows('overview')
})

inBrowser('the keyboard comes past the navigation, and finds the page that it is on', async (t) => {
  await stage.open('/dashboard', SCRIPT)
  await stage.shows('overview')
  await stage.page.keyboard.press('Tab')
  t.is(await stage.page.evaluate('document.activeElement.className'), 'skip')
  await stage.page.keyboard.press('Enter')
  t.is(await stage.page.evaluate('document.activeElement.tagName'), 'H1')
  t.is(await stage.page.getAttribute('nav a[href="/dashboard"]', 'aria-current'), 'page')
  t.is(stage.page.url(), `${stage.origin}/dashboard`)
})

inBrowser('a lost stream is told in one line, and a service without one is asked no more', async (t) => {
  await stage.open('/dashboard', SCRIPT)
  await stage.shows('overview')
  await stage.tell('number', { id: 'num_1', state: 'OPEN', isFullyConnected: true, calling: null })
  await stage.page.locator('[data-live=lost]').waitFor()
  t.deepEqual(await stage.violations(), [])
  await stage.open('/dashboard', { ...SCRIPT, 'GET /api/stream': { status: 404, body: { error: 'no' } } })
  await stage.page.locator('[data-step]').first().waitFor()
  await stage.page.reload()
  await stage.page.locator('[data-step]').first().waitFor()
  t.is(await stage.page.locator('[data-live]').count(), 0)
  t.is(stage.asked.filter(({ what }) => what === 'GET /api/stream').length, 2, 'once for each load')
})

/** Waits for a title, which a page sets after it is drawn. */
async function titled(title: string): Promise<void> {
  await until(`the title is ${title}`, async () => (await stage.page.title()) === title)
}

inBrowser(
  'pages follow each other without a document, each with its heading, its title and its place in history',
  async (t) => {
    const { page } = stage
    await stage.open('/dashboard?lang=pt', { ...SCRIPT, 'GET /api/v1/numbers': { body: [] } })
    await stage.shows('overview')
    await page.evaluate('globalThis.isSameDocument = true')
    await page.click('nav a[href="/dashboard/numbers"]')
    await stage.shows('numbers')
    t.is(page.url(), `${stage.origin}/dashboard/numbers?lang=pt`)
    t.is(await page.evaluate('document.activeElement.tagName'), 'H1')
    await titled('Números · Channel Messaging')
    t.is(await page.getAttribute('nav a[aria-current]', 'href'), '/dashboard/numbers')
    await page.goBack()
    await stage.shows('overview')
    await titled('Visão geral · Channel Messaging')
    await page.goForward()
    await stage.shows('numbers')
    t.true(await page.evaluate('globalThis.isSameDocument'))
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.click('nav a[href="/dashboard/keys"]', { modifiers: ['ControlOrMeta'] }),
    ])
    await other.close()
    t.is(page.url(), `${stage.origin}/dashboard/numbers?lang=pt`, 'a link that is opened elsewhere leads nowhere here')
  },
)

inBrowser('a page whose files are gone says so, and is loaded again', async (t) => {
  const { page } = stage
  await stage.open('/dashboard', { ...SCRIPT, 'GET /api/v1/numbers': { body: [] } })
  await stage.shows('overview')
  await page.route('**/assets/*', (route) => route.fulfill({ status: 404 }))
  await page.click('nav a[href="/dashboard/numbers"]')
  await page.locator('h1', { hasText: 'This page did not load' }).waitFor()
  await page.unroute('**/assets/*')
  await page.click('[data-action=retry]')
  await stage.shows('numbers')
  t.is(page.url(), `${stage.origin}/dashboard/numbers`)
})

inBrowser('a page that the history shows as it was is left once nobody is signed in', async (t) => {
  await stage.open('/dashboard', SCRIPT)
  await stage.shows('overview')
  const shown = 'dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))'
  await stage.page.evaluate(shown)
  stage.script({ 'GET /api/session': { status: 401, body: { error: 'no' } } })
  await stage.page.evaluate(shown)
  await stage.page.waitForURL(`${stage.origin}/login?next=%2Fdashboard`)
  t.is(stage.asked.filter(({ what }) => what === 'GET /api/session').length >= 3, true)
})

inBrowser('a page that the history shows as it was after somebody signed out is left again', async (t) => {
  await stage.open('/dashboard', { ...SCRIPT, 'DELETE /api/session': { body: { ended: true } } })
  await stage.shows('overview')
  stage.script({ 'GET /api/session': { status: 401, body: { error: 'no' } } })
  // An answer without content leaves the page where it is, as one that the history brings back.
  await stage.page.route('**/login', (route) => route.fulfill({ status: 204 }))
  const led = stage.page.waitForResponse('**/login')
  await stage.page.click('[data-action=sign-out]')
  await led
  await stage.page.unroute('**/login')
  await stage.page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
  await stage.page.waitForURL(`${stage.origin}/login?next=%2Fdashboard`)
  t.pass()
})
