import test from 'ava'
import type { Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { seedAd } from '../helpers/lead-service.ts'
import { newPeer, write } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service
let number: OfficialNumber
let page: Page
/** Errors of scripts. */
const faults: string[] = []
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const tenant = await askToCreateTenant(service.dataDir, 'Acme of the ads')
  if (!tenant) throw new Error('no gateway runs')
  number = await connectOfficial(service, {}, tenant.key)
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  context.on('weberror', (error) => faults.push(error.error().message))
  page = await context.newPage()
  await page.goto((await askToMintLogin(service.dataDir, tenant.tenantId))?.url ?? '')
  await page.locator('main[data-page=overview]').waitFor()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

// [dashboard.ads.1] [dashboard.ads.2] [dashboard.ads.3] [dashboard.ads.4] [dashboard.pages.4]
inBrowser(
  'somebody clicks on an ad: it appears without a reload, leads to the conversation, and is named once it is shared',
  async (t) => {
    const ad = await seedAd(service)
    await page.click('nav a[href="/dashboard/ads"]')
    await page.locator('main[data-page=ads] [data-empty]').waitFor()
    await write(service, newPeer(), number, {
      text: 'I saw your ad',
      referral: { source_type: 'ad', source_id: ad.adId, source_url: 'https://fb.me/x', headline: 'Run lighter' },
    })
    const row = page.locator(`[data-id="${ad.adId}"]`)
    await row.getByText('Run lighter').waitFor()

    await page.fill('form[data-form=ad-access] [name=accessToken]', ad.accessToken)
    await page.click('form[data-form=ad-access] [data-action=save]')
    await page.locator(`[data-shared=true] [data-id="${ad.adAccountId}"]`).waitFor()
    // Names are asked for in the background.
    await row.getByText('Spring').waitFor()
    await row.locator('[data-action=people]', { hasText: '1 conversation' }).click()
    await page.locator('[data-open] .row', { hasText: 'I saw your ad' }).locator('[data-conversation]').click()
    const frame = page.frameLocator('[data-inbox] iframe')
    await frame.locator('[data-message]', { hasText: 'I saw your ad' }).waitFor()
    t.deepEqual(faults, [])
  },
)
