import test from 'ava'
import type { Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { newPeer, sendText, untilInbox, write } from '../helpers/message-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let tenant: { readonly tenantId: string; readonly key: string }
let number: PairedNumber
let page: Page
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const made = await askToCreateTenant(service.dataDir, 'Acme of the usage')
  if (!made) throw new Error('no gateway runs')
  tenant = made
  number = await service.pairNumber({}, tenant.key)
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })).newPage()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

async function figure(name: string): Promise<string> {
  return await page.innerText(`[data-figure=${name}] dd`)
}

// [dashboard.usage.3] [dashboard.usage.4] [dashboard.usage.1]
inBrowser('what is received and sent stands in the usage of today, until the number is lost too', async (t) => {
  const peer = newPeer()
  await write(service, peer, number, { text: 'one' })
  await write(service, peer, number, { text: 'two' })
  await sendText(service, number, peer, 'an answer')
  await untilInbox(service, peer, number, 1)
  await until('both are counted', async () => {
    const { body } = await service.api('GET', '/v1/usage', tenant.key)
    return body.total.messages.inbound === 2
  })
  await page.goto((await askToMintLogin(service.dataDir, tenant.tenantId))?.url ?? '')
  await page.locator('main[data-page=overview]').waitFor()
  await page.click('nav a[href="/dashboard/usage"]')
  await page.locator('[data-figure=received]').waitFor()
  t.deepEqual([await figure('received'), await figure('sent')], ['2', '1'])
  await page.locator(`.list [data-id=${number.id}]`, { hasText: '2 received, 1 sent' }).waitFor()
  await page.locator('[data-table=types]', { hasText: 'text' }).waitFor()
  await page.getByText('Nothing needs attention').waitFor()
  await service.api('POST', `/v1/numbers/${number.id}/logout`, tenant.key)
  await page.locator('[data-attention] [data-id]', { hasText: 'is not connected' }).waitFor()
})
