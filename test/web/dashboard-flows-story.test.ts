import { randomInt } from 'node:crypto'
import test from 'ava'
import type { Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { FLOW_JSON, submitFlow } from '../helpers/flow-service.ts'
import { newPeer, untilInbox } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { sendFlowFrom } from '../helpers/sent-flows.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { readyTemplate } from '../helpers/template-service.ts'

let service: Service
let number: OfficialNumber
let page: Page
/** Errors of scripts, and what the policy of a page refused. */
const faults: string[] = []
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const tenant = await askToCreateTenant(service.dataDir, 'Acme of the Flows')
  if (!tenant) throw new Error('no gateway runs')
  number = await connectOfficial(service, { appId: String(randomInt(1e12, 9e12)) }, tenant.key)
  await readyTemplate(service, number, 'order_sent')
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

// [dashboard.flows.1] [dashboard.flows.2] [dashboard.flows.3] [dashboard.flows.4]
inBrowser('a Flow is written, mended at its lines, published, and answered while its page is open', async (t) => {
  const good = JSON.stringify(JSON.parse(FLOW_JSON), null, 2)
  await page.click('nav a[href="/dashboard/flows"]')
  await page.click('[data-action=new]')
  await page.fill('[name=name]', 'Who are you?')
  await page.fill('[name=flowJson]', good.replace('"TextInput"', '"TextInputs"'))
  await page.click('[data-action=create]')
  await page.locator('[data-line] [data-action=jump]').first().click()
  await page.locator('[data-mark]').first().waitFor()
  await page.click('[data-action=publish]')
  await page.fill('input[name=confirm]', 'Who are you?')
  await page.click('[data-action=confirm]')
  await page.locator('[data-refused] [data-line]').first().waitFor()
  await page.fill('[name=flowJson]', good)
  await page.click('form[data-form=flow] [data-action=save]')
  await page.locator('form[data-form=flow] [data-line]').first().waitFor({ state: 'detached' })
  await page.click('[data-action=publish]')
  await page.fill('input[name=confirm]', 'Who are you?')
  await page.click('[data-action=confirm]')
  await page.locator('[data-status=PUBLISHED]').waitFor()
  const { peer } = await sendFlowFrom(service, number, (await page.getAttribute('main', 'data-id')) ?? '')
  await submitFlow(service, peer, number, { name: 'Ana Lima' })
  await page.locator('.row[data-id]', { hasText: 'Ana Lima' }).waitFor()
  t.deepEqual(faults, [])
})

// [dashboard.templates.6] [dashboard.pages.4]
inBrowser('a template is sent to a phone from its page, which shows that it was read', async (t) => {
  const peer = newPeer()
  await page.click('nav a[href="/dashboard/templates"]')
  await page.locator('.row a', { hasText: 'order_sent' }).click()
  await page.fill('[name="variables.customer"]', 'Bob')
  await page.fill('[name=destinationNumber]', `+${peer}`)
  await page.click('[data-action=send]')
  await page.locator('[data-message][data-status=READ]').waitFor()
  t.is((await untilInbox(service, peer, number, 1))[0].text, 'Hello Bob, your order is on its way.')
  t.deepEqual(faults, [])
})
