import test from 'ava'
import type { Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { submitWish, WISHES, YES } from '../helpers/answered-leads.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { seedPage, type SeededPage } from '../helpers/lead-service.ts'
import { newPeer, untilInbox } from '../helpers/message-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { readyTemplate } from '../helpers/template-service.ts'

const DAY_MS = 86_400_000
let service: Service
let number: PairedNumber
let seeded: SeededPage
let page: Page
/** Errors of scripts, and what the policy of a page refused. */
const faults: string[] = []
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const tenant = await askToCreateTenant(service.dataDir, 'Acme of the leads')
  if (!tenant) throw new Error('no gateway runs')
  number = await service.pairNumber({}, tenant.key)
  seeded = await seedPage(service, { forms: [WISHES] })
  await readyTemplate(service, number, 'wishes', {
    body: { body: { text: 'Hello {{customer}}, you wish: {{wish}}. See you!' } },
    examples: { customer: 'Ana', wish: 'a car' },
  })
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  context.on('weberror', (error) => faults.push(error.error().message))
  await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused ${what}`))
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
  )
  page = await context.newPage()
  await page.goto((await askToMintLogin(service.dataDir, tenant.tenantId))?.url ?? '')
  await page.locator('main[data-page=overview]').waitFor()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

// [dashboard.leads.6] [dashboard.leads.7]
inBrowser('a Page is linked in the dashboard, and its form gets consent and an answer', async (t) => {
  await page.click('nav a[href="/dashboard/leads"]')
  await page.click('[data-action=pages]')
  await page.click('[data-action=new]')
  for (const name of ['pageId', 'pageAccessToken', 'appId', 'appSecret'] as const)
    await page.fill(`form[data-form=lead-page] [name=${name}]`, seeded[name])
  await page.click('[data-action=create]')
  await page.locator('main[data-page=lead-page][data-status=SUBSCRIBED]').waitFor()
  await page.click(`[data-id="${seeded.formId}"] [data-action=edit]`)
  const settings = page.locator('form[data-form=lead-form]')
  await settings.locator('[name=consentKey]').selectOption('may_message')
  await settings.locator('[name="autoSend.templateId"]').selectOption({ label: 'wishes (en)' })
  await settings.locator('[name="autoSend.variables.customer.field"]').selectOption('full_name')
  await settings.locator('[name="autoSend.variables.wish.value"]').fill('the best')
  await settings.locator('[data-action=save]').click()
  await page.locator(`[data-id="${seeded.formId}"]`, { hasText: 'By a template' }).waitFor()
  t.deepEqual(faults, [])
})

// [dashboard.leads.1] [dashboard.leads.3] [dashboard.leads.4] [dashboard.inbox.5] [dashboard.pages.4]
inBrowser(
  'a person submits the form: the lead and its answer appear without a reload, and lead to the conversation',
  async (t) => {
    await page.click('nav a[href="/dashboard/leads"]')
    await page.locator('main[data-page=leads] [data-empty]').waitFor()
    const peer = newPeer()
    await submitWish(service, seeded, peer, YES)
    const row = page.locator('.row[data-status=sent]', { hasText: 'Ana Lima' })
    await row.waitFor()
    t.is(await row.locator('[data-consent]').innerText(), 'Given')
    t.is((await untilInbox(service, peer, number, 1))[0].text, 'Hello Ana Lima, you wish: the best. See you!')
    await row.locator('a').first().click()
    await page.locator('[data-field=wish]', { hasText: 'A red one' }).waitFor()
    await page.click('[data-action=conversation]')
    const frame = page.frameLocator('[data-inbox] iframe')
    await frame.locator('[data-message]', { hasText: 'you wish: the best' }).waitFor()
    t.deepEqual(faults, [])
  },
)

// [dashboard.leads.5]
inBrowser('a lead is erased once its name is typed, and is gone from the list', async (t) => {
  await page.click('nav a[href="/dashboard/leads"]')
  await page.locator('.row', { hasText: 'Ana Lima' }).locator('a').first().click()
  await page.click('[data-action=delete]')
  await page.fill('input[name=confirm]', 'Ana Lima')
  await page.click('[data-action=confirm]')
  await page.locator('main[data-page=leads] [data-empty]').waitFor()
  t.deepEqual(faults, [])
})

// [dashboard.leads.2] [dashboard.leads.9]
inBrowser('earlier leads are imported with what became of them, and the list shows them', async (t) => {
  const before = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  for (const days of [3, 4]) await submitWish(service, seeded, newPeer(), { isSilent: true, createdAt: before(days) })
  await page.click('[data-action=pages]')
  await page.click(`[data-id="${seeded.pageId}"] a`)
  await page.click(`[data-id="${seeded.formId}"] [data-action=edit]`)
  await page.click('form[data-form=backfill] [data-action=create]')
  await page.locator('[data-import][data-status=DONE]').waitFor()
  t.is(await page.innerText('[data-count=imported]'), '2')
  await page.click('[data-import] a')
  await page.locator('main[data-page=leads] .row[data-status=none]').nth(1).waitFor()
  t.is(await page.locator('.row[data-id]').count(), 2)
  t.regex(page.url(), new RegExp(`formId=${seeded.formId}`))
  t.deepEqual(faults, [])
})
