import test from 'ava'
import type { Browser, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { openDatabaseProxy } from '../helpers/database-proxy.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'

const ANSWERS = '5511990000001'
const RINGS_ONLY = '5511990000003'

let service: Service
let browser: Browser
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await Service.start({ isSplit: true })
  ends.push(() => service.stop())
  browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

interface Account {
  readonly tenantKey: string
  readonly number: PairedNumber
  /** Signed in, with the calls open. */
  readonly page: Page
}

/** An account with a number, and its calls in a browser that reaches the service at `origin`. */
async function onCalls(t: { teardown(end: () => unknown): void }, origin: string): Promise<Account> {
  const tenant = await askToCreateTenant(service.dataDir, 'Acme')
  const login = tenant && (await askToMintLogin(service.dataDir, tenant.tenantId))
  if (!login) throw new Error('no gateway runs')
  const number = await service.pairNumber({}, tenant.key)
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(new URL(`/login${new URL(login.url).hash}`, origin).href)
  await page.locator('main[data-page=overview]').waitFor()
  await page.click('nav a[href="/dashboard/calls"]')
  await page.locator('main[data-page=calls] [data-empty]').waitFor()
  // Sees a call that stands there twice even for one drawing, and whether the document is still the same.
  await page.evaluate(`globalThis.twice = []; new MutationObserver(() => {
    const ids = [...document.querySelectorAll('.rows [data-id]')].map((row) => row.dataset.id)
    twice.push(...ids.filter((id, at) => ids.indexOf(id) !== at))
  }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
  return { tenantKey: tenant.key, number, page }
}

/** What ends a call at the phone of its peer. */
async function phoneOf(number: PairedNumber, callId: string): Promise<() => Promise<unknown>> {
  const { body } = await service.api('GET', `/v1/calls/${callId}`, number.key)
  return () => service.control('POST', `/calls/${body.externalCallId}/hangup`)
}

async function shows(page: Page, callId: string, status: string): Promise<void> {
  await page.locator(`.rows [data-id=${callId}][data-status=${status}]`).waitFor()
}

async function rows(page: Page): Promise<(string | null)[]> {
  return await page.locator('.rows [data-id]').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')))
}

inBrowser(
  'kill -9 of the gateway under the calls: the page says so, catches up, and shows no call twice',
  async (t) => {
    const { tenantKey, number, page } = await onCalls(t, service.base)
    const [stays = '', ends = ''] = await service.acceptedCalls(number, 2)
    await shows(page, stays, 'ACCEPTED')
    await shows(page, ends, 'ACCEPTED')
    const hangUp = await phoneOf(number, ends)
    await service.gateway.kill('SIGKILL')
    await page.locator('[data-live=lost]').waitFor()
    await hangUp()
    await service.startGateway({ PORT: String(service.ports['port']) })
    await page.locator('[data-live=lost]').waitFor({ state: 'detached' })
    await service.untilState(number.id, 'OPEN', tenantKey)
    const { status, errorCode } = await service.untilCall(number, ends, ['COMPLETED', 'FAILED'])
    t.deepEqual([status, errorCode], ['COMPLETED', null])
    await shows(page, ends, 'COMPLETED')
    await shows(page, stays, 'ACCEPTED')
    const { id: later } = await service.placeCall(number, RINGS_ONLY)
    await shows(page, later, 'RINGING')
    await service.endCall(number, stays)
    await shows(page, stays, 'COMPLETED')
    t.deepEqual((await rows(page)).toSorted(), [later, stays, ends].toSorted())
    t.deepEqual(await page.evaluate('twice'), [])
    await service.endCall(number, later)
  },
)

inBrowser('a stream that is cut under the calls: the page says so, catches up, and shows no call twice', async (t) => {
  const way = await openDatabaseProxy(service.base)
  t.teardown(() => way.close())
  const { number, page } = await onCalls(t, way.url)
  const [stays = '', ends = ''] = await service.acceptedCalls(number, 2)
  await shows(page, stays, 'ACCEPTED')
  await shows(page, ends, 'ACCEPTED')
  const hangUp = await phoneOf(number, ends)
  way.set('refuse')
  await page.locator('[data-live=lost]').waitFor()
  await hangUp()
  const { id: began } = await service.placeCall(number, ANSWERS)
  await service.untilCall(number, began, ['ACCEPTED'])
  await service.untilCall(number, ends, ['COMPLETED'])
  way.set('forward')
  await page.locator('[data-live=lost]').waitFor({ state: 'detached' })
  await shows(page, ends, 'COMPLETED')
  await shows(page, began, 'ACCEPTED')
  const shown = await rows(page)
  t.is(shown[0], began)
  t.deepEqual(shown.toSorted(), [began, stays, ends].toSorted())
  t.deepEqual(await page.evaluate('twice'), [])
  for (const id of [stays, began]) await service.endCall(number, id)
})
