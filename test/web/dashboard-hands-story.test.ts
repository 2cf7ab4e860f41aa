import test from 'ava'
import type { Browser } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { HANDS } from '../helpers/hands.ts'
import { answerWith, Receiver } from '../helpers/receiver.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

const PEER = '5511990000001'
/** What it answers is tried again after an hour ([webhooks.retries.3]), so that nothing but a person sends it again. */
const BROKEN = answerWith(503, { 'retry-after': '3600' })

let service: Service
let browser: Browser
let receiver: Receiver
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  receiver = await Receiver.open()
  ends.push(() => receiver.close())
  browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A link that signs in to a new account. */
async function loginLink(name: string): Promise<string> {
  const tenant = await askToCreateTenant(service.dataDir, name)
  const login = tenant && (await askToMintLogin(service.dataDir, tenant.tenantId))
  if (!login) throw new Error('no gateway runs')
  return login.url
}

for (const [at, [name, handsOf]] of HANDS.entries()) {
  // [dashboard.hooks.2] [dashboard.hooks.3] [dashboard.hooks.4] [dashboard.numbers.1] [dashboard.webhooks.3]
  inBrowser(`by ${name} alone: from the link to a number, a webhook that is mended, a new key, and out`, async (t) => {
    const digits = `551195551240${at}`
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
    t.teardown(() => context.close())
    const page = await context.newPage()
    const { press, check, type } = handsOf(page)
    const shows = (selector: string): Promise<void> => page.locator(selector).first().waitFor()

    await page.goto(await loginLink(`Acme of ${name}`))
    await shows('main[data-page=overview]')
    await page.evaluate('globalThis.isSame = true')

    await press('nav a[href="/dashboard/numbers"]')
    await press('main[data-page=numbers] [data-action=new]')
    await type('form[data-form=number] input[name=name]', 'Front desk')
    await type('form[data-form=number] input[name=number]', digits)
    await press('form[data-form=number] [data-action=create]')
    await shows('[data-qr]')
    const key = (await page.textContent('[data-created] [data-secret]')) ?? ''
    await press('nav a[href="/dashboard"]')
    await shows('main[data-page=overview] [data-figure=OPEN]')
    await press('[data-action=scan]')
    await page.locator('[data-figure=OPEN] dd', { hasText: '1' }).waitFor()
    await press('nav a[href="/dashboard/numbers"]')
    await shows('main[data-page=numbers] .row[data-state=OPEN]')

    const path = `/hooks/${at}`
    const url = receiver.endpoint(path, BROKEN)
    await press('nav a[href="/dashboard/webhooks"]')
    await press('main[data-page=webhooks] [data-action=new]')
    await type('form[data-form=webhook] input[name=url]', url)
    await type('form[data-form=webhook] input[name=name]', 'Orders')
    await check('form[data-form=webhook] input[name=events][value="message.received"]')
    await press('form[data-form=webhook] [data-action=create]')
    await press('main[data-page=webhooks] .row[data-id] a')
    await shows('main[data-page=webhook][data-status=ACTIVE]')
    await service.control('POST', `/peers/${PEER}/messages`, { to: digits, type: 'text', text: 'Is it there?' })
    await shows('[data-log][data-status=FAILED]')
    receiver.endpoint(path, answerWith(200))
    await press('[data-log][data-status=FAILED] [data-action=redeliver]')
    await shows('[data-log][data-status=SUCCESS]')
    const [refused, taken, ...more] = receiver.at(path)
    t.deepEqual([taken?.id, more], [refused?.id, []], 'the same event, once more')

    await press('nav a[href="/dashboard/keys"]')
    await press('main[data-page=keys] .row[data-id] [data-action=rotate]')
    await type('dialog input[name=confirm]', 'Front desk')
    await press('dialog [data-action=confirm]')
    await shows('.secret [data-secret]')
    const newer = (await page.textContent('.secret [data-secret]')) ?? ''
    t.is((await service.api('GET', '/v1/status', key)).status, 401)
    t.is((await service.api('GET', '/v1/status', newer)).status, 200)

    t.true(await page.evaluate<boolean>('globalThis.isSame'), 'nothing was loaded again')
    await press('[data-action=sign-out]')
    await shows('main[data-page=login][data-state=sign-in]')
    const { href } = new URL('/api/session', page.url())
    t.is((await context.request.get(href)).status(), 401)
  })
}
