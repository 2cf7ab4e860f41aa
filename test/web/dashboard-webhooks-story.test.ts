import test from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { answerWith, Receiver } from '../helpers/receiver.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service
let context: BrowserContext
let page: Page
let receiver: Receiver
let login: string
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const tenant = await askToCreateTenant(service.dataDir, 'Acme of the webhooks')
  if (!tenant) throw new Error('no gateway runs')
  await service.pairNumber({}, tenant.key)
  receiver = await Receiver.open()
  ends.push(() => receiver.close())
  const link = await askToMintLogin(service.dataDir, tenant.tenantId)
  login = link?.url ?? ''
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  page = await context.newPage()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

// [dashboard.webhooks.2] [dashboard.webhooks.3] [webhooks.routes.9]
inBrowser('what a broken receiver refused is delivered again from the dashboard once it is mended', async (t) => {
  const url = receiver.endpoint('/hooks', answerWith(500))
  await page.goto(login)
  await page.locator('main[data-page=overview]').waitFor()
  await page.click('nav a[href="/dashboard/webhooks"]')
  await page.click('[data-action=new]')
  await page.fill('form[data-form=webhook] input[name=url]', url)
  await page.fill('form[data-form=webhook] input[name=name]', 'Orders')
  await page.check('input[name=events][value="message.received"]')
  await page.click('[data-action=create]')
  t.regex(await page.innerText('[data-secret]'), /^whsec_/)

  await page.click('.row[data-id] a')
  await page.locator('main[data-page=webhook][data-status=ACTIVE]').waitFor()
  await page.click('[data-action=test]')
  await page.locator('[data-test=FAILED]', { hasText: 'answered 500' }).waitFor()
  const failed = page.locator('[data-log][data-status=FAILED]').first()
  t.regex(await failed.innerText(), /webhook\.test[^]*500/)

  receiver.endpoint('/hooks', answerWith(200))
  await failed.locator('[data-action=redeliver]').click()
  const delivered = page.locator('[data-log][data-status=SUCCESS]').first()
  t.regex(await delivered.innerText(), /webhook\.test[^]*200/)
  await delivered.locator('.as-link').click()
  t.regex(await page.locator('dialog pre').first().innerText(), /"event": "webhook\.test"/)
  const [first, second] = receiver.at('/hooks')
  t.is(second?.id, first?.id, 'the same event')
})
