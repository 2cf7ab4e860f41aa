import test from 'ava'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { newPeer, untilInbox, write } from '../helpers/message-service.ts'
import { clientAt, person } from '../helpers/people.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { inLogs, joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let tenant: { readonly tenantId: string; readonly key: string }
let numbers: readonly [PairedNumber, PairedNumber]
let page: Page
let frame: FrameLocator
/** What the policies of page and frame refused, and errors of scripts. */
const faults: string[] = []
/** Secrets of embed tokens that the frame showed the service. */
const secrets = new Set<string>()
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const made = await askToCreateTenant(service.dataDir, 'Acme of the inbox')
  if (!made) throw new Error('no gateway runs')
  tenant = made
  numbers = [await service.pairNumber({}, tenant.key), await service.pairNumber({}, tenant.key)]
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  context.on('weberror', (error) => faults.push(error.error().message))
  context.on('request', (request) => {
    const [, secret] = /^Bearer emb_\w+\.(.+)$/.exec(request.headers()['authorization'] ?? '') ?? []
    if (secret !== undefined) secrets.add(secret)
  })
  await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused ${what}`))
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
  )
  page = await context.newPage()
  frame = page.frameLocator('[data-inbox] iframe')
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** The live embed sessions of the tenant. */
async function sessions(): Promise<readonly { readonly channelNumberIds: readonly string[] }[]> {
  return (await service.api('GET', '/v1/embed/sessions', tenant.key)).body.sessions
}

function conversation(text: string): Locator {
  return frame.locator('[data-conversation]', { hasText: text })
}

// [dashboard.inbox.1] [dashboard.inbox.2]
inBrowser(
  'a peer writes, the dashboard shows it in the inbox of all numbers, and what is answered there arrives at the peer',
  async (t) => {
    const link = await askToMintLogin(service.dataDir, tenant.tenantId)
    await page.goto(link?.url ?? '')
    await page.locator('main[data-page=overview]').waitFor()
    await page.click('nav a[href="/dashboard/inbox"]')
    await frame.locator('main[data-state=empty][data-connection=live]').waitFor()
    const [first, second] = numbers
    const [peer, other] = [newPeer(), newPeer()]
    await write(service, peer, first, { text: 'do you deliver on Saturdays' })
    await write(service, other, second, { text: 'is this the second number' })
    await page.locator('[data-unread="2"]').waitFor()
    await conversation('is this the second number').waitFor()
    await conversation('do you deliver').click()
    await frame.locator('[data-message]', { hasText: 'do you deliver on Saturdays' }).waitFor()
    await frame.locator('[data-composer]').fill('we do, until noon')
    await frame.locator('[data-action=send]').click()
    t.is((await untilInbox(service, peer, first, 1))[0].text, 'we do, until noon')
    await page.locator('[data-unread="1"]').waitFor()
    t.deepEqual(faults, [])
  },
)

// [dashboard.inbox.1] [dashboard.inbox.3]
inBrowser('the filter shows one number alone, and nothing of a session is left once the page is left', async (t) => {
  const [, second] = numbers
  await page.selectOption('select[name=numberId]', second.id)
  await conversation('is this the second number').waitFor()
  t.is(await frame.locator('[data-conversation]').count(), 1)
  const ids = await until('the session before is ended', async () => {
    const live = await sessions()
    return live.length === 1 ? live.flatMap(({ channelNumberIds }) => channelNumberIds) : null
  })
  t.deepEqual(ids, [second.id])
  await page.reload()
  await conversation('is this the second number').waitFor()
  await page.click('nav a[href="/dashboard"]')
  await page.locator('main[data-page=overview]').waitFor()
  await until('every session is ended', async () => (await sessions()).length === 0)
  t.true(secrets.size >= 3)
  t.deepEqual(await inLogs(service, [...secrets]), [])
  t.deepEqual(faults, [])
})

// [dashboard.inbox.6] [handling.scope.3]
inBrowser(
  'a conversation is assigned to a colleague with a note, who sees both at once and answers it, and the peer sees the answer alone',
  async (t) => {
    const [first] = numbers
    const peer = newPeer()
    await write(service, peer, first, { text: 'my parcel is broken' })
    const ana = await person(clientAt(service.base), { tenantKey: { raw: tenant.key } }, 'AGENT')
    const { origin } = new URL(page.url())
    const [name = '', value = ''] = ana.cookie.split('=')
    const context = await page.context().browser()!.newContext({ reducedMotion: 'reduce', locale: 'en' })
    await context.addCookies([{ name, value, url: origin }])
    const hers = await context.newPage()
    await hers.goto(`${origin}/dashboard/inbox?handling=1`)
    await hers.locator('[data-handling] [data-none]').waitFor()
    await page.goto(`${origin}/dashboard/inbox?handling=1`)
    await conversation('my parcel is broken').click()
    await page.locator('[data-handling^=conv_]').waitFor()
    await page.fill('textarea[name=text]', 'Send a new one')
    await page.click('form[data-form=note] [data-action=send]')
    await page.selectOption('select[name=userId]', { label: ana.email })
    await hers.click('[data-handling] [data-action=open]')
    await hers.locator('[data-handling^=conv_] .note', { hasText: 'Send a new one' }).first().waitFor()
    await hers.locator('.note', { hasText: 'The account' }).waitFor()
    t.is(await hers.locator('select[name=userId]').inputValue(), ana.id)
    const frameOfHers = hers.frameLocator('[data-inbox] iframe')
    await frameOfHers.locator('[data-composer]').fill('a new one is on its way')
    await frameOfHers.locator('[data-action=send]').click()
    t.is((await untilInbox(service, peer, first, 1))[0].text, 'a new one is on its way')
    t.is(await frameOfHers.getByText('Send a new one').count(), 0, 'no note is in the frame')
    await hers.fill('textarea[name=text]', 'Done')
    await hers.click('form[data-form=note] [data-action=send]')
    await page.locator('.note', { hasText: 'Done' }).filter({ hasText: ana.email }).waitFor()
    await context.close()
    t.deepEqual(faults, [])
  },
)
