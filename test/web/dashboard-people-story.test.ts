import test from 'ava'
import type { Browser, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { PASSWORD } from '../helpers/people.ts'
import type { Service } from '../helpers/service.ts'
import { inLogs, joinService } from '../helpers/shared-service.ts'

let service: Service
let browser: Browser
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A window of a browser of its own, without any session. */
async function openWindow(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  return await context.newPage()
}

/** Signs the account in to its people by a login link. */
async function openPeople(page: Page): Promise<string> {
  const tenant = await askToCreateTenant(service.dataDir, 'Acme of the people')
  const link = tenant && (await askToMintLogin(service.dataDir, tenant.tenantId))
  if (!link) throw new Error('no gateway runs')
  await page.goto(link.url)
  await page.locator('main[data-page=overview]').waitFor()
  await page.click('nav a[href="/dashboard/people"]')
  await page.locator('[data-empty]').first().waitFor()
  return new URL(page.url()).origin
}

// [dashboard.people.2] [dashboard.people.3] [dashboard.people.4] [people.owners.3]
inBrowser('somebody is invited, signs in, gets another role, and is signed out once removed', async (t) => {
  const [own, other] = [await openWindow(), await openWindow()]
  const origin = await openPeople(own)
  const email = `bea.${crypto.randomUUID()}@example.com`
  await own.click('[data-action=new]')
  await own.fill('form[data-form=user] [name=email]', email)
  await own.fill('form[data-form=user] [name=name]', 'Bea <i>')
  await own.selectOption('form[data-form=user] [name=role]', 'ADMIN')
  await own.click('form[data-form=user] [data-action=create]')
  const link = await own.innerText('[data-secret]')
  const row = own.locator('.team [data-id^=usr_]')
  await row.and(own.locator('[data-status=INVITED]')).waitFor()

  await other.goto(link)
  await other.locator('main[data-state=invite]').waitFor()
  await other.fill('input[name=password]', PASSWORD)
  await other.fill('input[name=repeated]', PASSWORD)
  await other.click('form button[type=submit]')
  await other.locator('main[data-state=account]').waitFor()
  await other.goto(`${origin}/dashboard/people`)
  await other.locator('.team [data-status=ACTIVE]', { hasText: '(you)' }).waitFor()
  await other.locator('.sessions [data-id]').first().waitFor()
  t.is(await other.locator('.sessions [data-id]').count(), 1)

  await row.locator('[data-action=edit]').click()
  await own.selectOption('dialog [name=role]', 'ANALYST')
  await own.click('dialog [data-action=save]')
  await row.locator('[data-role=ANALYST]').waitFor()
  await other.reload()
  await other.locator('h1', { hasText: 'Your role may not see this' }).waitFor()

  await row.locator('[data-action=delete]').click()
  await own.fill('input[name=confirm]', email)
  await own.click('dialog [data-action=confirm]')
  await row.waitFor({ state: 'detached' })
  await other.reload()
  await other.locator('main[data-page=login][data-state=sign-in]').waitFor()
  t.deepEqual(await inLogs(service, [link.split('#')[1] ?? '', PASSWORD]), [])
})
