import test from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import type { Service } from '../helpers/service.ts'
import { inLogs, joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let context: BrowserContext
let page: Page
let tenant: { readonly tenantId: string; readonly key: string }
let origin: string
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const made = await askToCreateTenant(service.dataDir, 'Acme of the dashboard')
  if (!made) throw new Error('no gateway runs')
  tenant = made
  origin = new URL(await loginLink()).origin
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  page = await context.newPage()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A link as `npm run login` prints it (docs/dashboard.md). */
async function loginLink(): Promise<string> {
  const link = await askToMintLogin(service.dataDir, tenant.tenantId)
  if (link === null) throw new Error('no gateway runs')
  return link.url
}

/** What the browser keeps for scripts: storage, cookies that they can read, and the address. */
async function readable(): Promise<string> {
  return await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
  )
}

// [dashboard.pages.3] [dashboard.pages.8]
inBrowser('a login link leads to the dashboard, which leaves nothing of it behind', async (t) => {
  const link = await loginLink()
  const secret = link.split('#')[1] ?? ''
  await page.goto(link)
  await page.locator('main[data-page=overview]').waitFor()
  t.is(page.url(), `${origin}/dashboard`)
  t.is(await page.innerText('[data-tenant]'), 'Acme of the dashboard')
  t.is(await readable(), JSON.stringify([{}, {}, '', `${origin}/dashboard`, null]))
  await page.reload()
  await page.locator('main[data-page=overview]').waitFor()
  t.deepEqual(await inLogs(service, [secret]), [])
  await page.goBack()
  t.false(page.url().includes(secret))
})

// [dashboard.pages.3] [dashboard.pages.5] [dashboard.pages.7]
inBrowser('a deep link survives the sign-in by key, and signing out ends what it opened', async (t) => {
  await context.clearCookies()
  await page.goto(`${origin}/dashboard?from=mail`)
  await page.locator('main[data-page=login][data-state=sign-in]').waitFor()
  await page.click('summary')
  await page.fill('input[name=tenantKey]', tenant.key)
  await page.click('form[data-form=login] button[type=submit]')
  await page.locator('main[data-page=overview]').waitFor()
  t.is(page.url(), `${origin}/dashboard?from=mail`)
  t.false((await readable()).includes(tenant.key))
  const cookies = await context.cookies()
  t.deepEqual(
    cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]),
    [['cms_session', true, 'Strict']],
  )
  await page.click('[data-action=sign-out]')
  await page.locator('main[data-page=login][data-state=sign-in]').waitFor()
  t.is(page.url(), `${origin}/login`)
  const [kept] = cookies
  const answer = await fetch(`${service.base}/api/session`, { headers: { cookie: `${kept?.name}=${kept?.value}` } })
  t.is(answer.status, 401, 'the cookie opens nothing any more')
})

inBrowser(
  'signing out leads to the login alone, also when another answer says first that nobody is signed in',
  async (t) => {
    await page.goto(await loginLink())
    await page.locator('main[data-page=overview]').waitFor()
    const [over, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/session', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const response = await route.fetch()
      over.resolve()
      await told.promise
      await route.fulfill({ response })
    })
    await page.click('[data-action=sign-out]')
    await over.promise
    const unknown = page.waitForResponse((answer) => answer.url().endsWith('/api/session') && answer.status() === 401)
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
    await unknown
    await page.evaluate('fetch("/api/session").then(({ status }) => status)')
    told.resolve()
    await page.locator('main[data-page=login][data-state=sign-in]').waitFor()
    t.is(page.url(), `${origin}/login`)
    await page.unroute('**/api/session')
  },
)

// [dashboard.numbers.1] [dashboard.numbers.6]
inBrowser('a number is added, connected with its phone, gets a new key, and is removed', async (t) => {
  const digits = '5511955512345'
  await page.goto(await loginLink())
  await page.locator('main[data-page=overview]').waitFor()
  await page.click('nav a[href="/dashboard/numbers"]')
  await page.click('main[data-page=numbers] [data-action=new]')
  await page.fill('form[data-form=number] input[name=name]', 'Front desk')
  await page.fill('form[data-form=number] input[name=number]', digits)
  await page.click('[data-action=create]')
  await page.locator('[data-qr]').waitFor()
  const key = (await page.textContent('[data-secret]')) ?? ''
  t.is((await service.api('GET', '/v1/status', key)).status, 200)
  await until(
    'the code is scanned',
    async () => (await service.control('POST', `/devices/${digits}/scan`)).status < 300,
  )
  const { numberId } = (await service.api('GET', '/v1/status', key)).body
  await service.untilState(numberId, 'OPEN', tenant.key)
  await page.goto(`${origin}/dashboard/numbers/${numberId}`)
  await page.locator(`main[data-page=number][data-id=${numberId}][data-state=OPEN]`).waitFor()

  await page.goto(`${origin}/dashboard/keys`)
  await page.click(`[data-id=${numberId}] [data-action=reveal]`)
  t.is(await page.textContent(`[data-id=${numberId}] [data-secret]`), key)
  await page.click(`[data-id=${numberId}] [data-action=rotate]`)
  await page.fill('input[name=confirm]', 'Front desk')
  await page.click('[data-action=confirm]')
  await page.locator('.secret [data-secret]').waitFor()
  const newer = (await page.textContent('.secret [data-secret]')) ?? ''
  t.is((await service.api('GET', '/v1/status', key)).status, 401)
  t.is((await service.api('GET', '/v1/status', newer)).status, 200)

  await page.goto(`${origin}/dashboard/numbers/${numberId}`)
  await page.click('[data-action=delete]')
  await page.fill('input[name=confirm]', 'Front desk')
  await page.click('[data-action=confirm]')
  await page.locator('main[data-page=numbers] [data-empty]').waitFor()
  t.is((await service.api('GET', '/v1/status', newer)).status, 401)
  t.deepEqual(await inLogs(service, [key, newer]), [])
})

// [dashboard.keys.2] [sessions.login.13]
inBrowser(
  'the key of the account is replaced, the old one stops at once, and who replaced it stays signed in',
  async (t) => {
    await page.goto(await loginLink())
    await page.locator('main[data-page=overview]').waitFor()
    await page.click('nav a[href="/dashboard/keys"]')
    await page.click('[data-tenant-key] [data-action=rotate]')
    await page.fill('input[name=confirm]', 'Acme of the dashboard')
    await page.click('[data-action=confirm]')
    await page.locator('[data-tenant-key] [data-secret]').waitFor()
    const newer = (await page.textContent('[data-tenant-key] [data-secret]')) ?? ''
    t.is((await service.api('GET', '/v1/numbers', tenant.key)).status, 401)
    t.is((await service.api('GET', '/v1/numbers', newer)).status, 200)
    await page.reload()
    await page.locator('main[data-page=keys] [data-last4]').first().waitFor()
    t.true((await page.innerText('[data-tenant-key] [data-last4]')).endsWith(newer.slice(-4)))
    t.false((await page.content()).includes(newer))
  },
)
