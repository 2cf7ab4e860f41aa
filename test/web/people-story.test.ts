import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import test from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { CALLBACK, keepOAuth } from '../helpers/kept-oauth.ts'
import { PASSWORD } from '../helpers/people.ts'
import { makeCall, printedCalls } from '../helpers/printed-curls.ts'
import type { Service } from '../helpers/service.ts'
import { inLogs, joinService } from '../helpers/shared-service.ts'

let service: Service
let context: BrowserContext
let page: Page
let invited: Awaited<ReturnType<typeof invite>>
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  await context.route(`${CALLBACK}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Back</title>' }),
  )
  page = await context.newPage()
  invited = await invite()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A tenant with two numbers, and the link that its owner gets, as docs/people.md prints it. */
async function invite() {
  const made = await askToCreateTenant(service.dataDir, 'Acme')
  if (!made) throw new Error('no gateway runs')
  const add = async (name: string, number: string) =>
    (await service.api('POST', '/v1/numbers', made.key, { name, number })).body as {
      readonly id: string
      readonly apiKey: { readonly key: string }
    }
  const numbers = [await add('Front desk', '4930555111'), await add('Sales', '4930555222')] as const
  const [inviting, ...more] = printedCalls('docs/people.md', { BASE_URL: service.base, TENANT_KEY: made.key })
  if (!inviting || more.length > 0) throw new Error('docs/people.md prints another number of calls')
  const { inviteUrl, email } = (await makeCall(inviting)).body as { readonly inviteUrl: string; readonly email: string }
  // The service describes itself by the origin of BASE_URL, and programs compare that.
  return { ...made, numbers, email, inviteUrl, base: new URL(inviteUrl).origin }
}

async function shows(state: string): Promise<void> {
  await page.locator(`main[data-state=${state}]`).waitFor()
}

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`input[name=${name}]`, value)
  await page.click('form button[type=submit]')
}

/** A public client. `sentTo` is the address to which its library sends the person. */
function programOf() {
  const asked: { sentTo?: URL } = {}
  const { kept, provider } = keepOAuth('Assistant', (url) => {
    asked.sentTo = url
  })
  return {
    kept,
    asked,
    transport: () => new StreamableHTTPClientTransport(new URL(`${invited.base}/mcp`), { authProvider: provider }),
    client: () =>
      new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  }
}

inBrowser('an owner takes up an invitation, signs out, and signs in with the password', async (t) => {
  await page.goto(invited.inviteUrl)
  await shows('invite')
  await fill({ name: 'Ann Prado', password: PASSWORD, repeated: PASSWORD })
  await shows('account')
  t.true((await page.textContent('[data-user]'))?.includes('Ann Prado'))
  await page.click('[data-action=sign-out]')
  await shows('sign-in')
  await page.goto(invited.inviteUrl)
  await shows('gone')
  await page.goto(`${invited.base}/login`)
  await shows('sign-in')
  await fill({ email: invited.email.toUpperCase(), password: PASSWORD })
  await page.waitForURL(`${invited.base}/dashboard`)
  t.true((await page.textContent('[data-user]'))?.includes('Ann Prado'))
})

inBrowser(
  'an app that is not known is told to the person in words (case 12); who is signed in finds the sandbox, which says what it can do',
  async (t) => {
    await page.goto(`${invited.base}/oauth/authorize?client_id=x&redirect_uri=https://x.example&response_type=code`)
    t.is(await page.innerText('h1'), 'This app cannot be let in')
    t.regex(await page.innerText('code'), /^invalid_client: /)
    await page.goto(`${invited.base}/login`)
    await shows('account')
    const link = page.locator('.onward a', { hasText: 'Sandbox' })
    t.is(await link.getAttribute('href'), `http://localhost:${service.ports['sandboxPort']}/control`)
    await link.click()
    await page.locator('h1', { hasText: 'Sandbox' }).waitFor()
    await page.click('a[href="/control/devices"]')
    t.regex(await page.innerText('body'), /"devices"/)
  },
)

inBrowser('a program is let in for one number, uses it alone, and is shut out again', async (t) => {
  const [own, other] = invited.numbers
  const { kept, asked, transport, client } = programOf()
  const asking = transport()
  await t.throwsAsync(client().connect(asking), { instanceOf: UnauthorizedError })
  await page.goto(asked.sentTo?.href ?? 'about:blank')
  await shows('consent')
  t.true((await page.textContent('h1'))?.includes('Assistant'))
  await page.check(`input[value=${own.id}]`)
  await page.click('[data-action=allow]')
  await page.waitForURL(`${CALLBACK}**`)
  await asking.finishAuth(new URL(page.url()).searchParams)

  const program = client()
  await program.connect(transport())
  t.teardown(() => program.close().catch(() => {}))
  const status = await program.callTool({ name: 'number_status', arguments: {} })
  t.deepEqual(status.structuredContent, (await service.api('GET', '/v1/status', own.apiKey.key)).body)
  const foreign: any = await program.callTool({ name: 'number_status', arguments: { channelNumberId: other.id } })
  t.is(JSON.parse(foreign.content[0].text).code, 'NUMBER_NOT_FOUND')
  t.deepEqual(
    await inLogs(service, [
      kept.tokens.access_token,
      kept.tokens.refresh_token,
      PASSWORD,
      invited.inviteUrl.split('#')[1] ?? '',
    ]),
    [],
  )

  await page.goto(`${invited.base}/login`)
  await page.click('[data-grant] [data-action=end-grant]')
  await page.locator('[data-grant]').waitFor({ state: 'detached' })
  await t.throwsAsync(program.callTool({ name: 'number_status', arguments: {} }))
})
