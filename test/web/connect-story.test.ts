import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import test from 'ava'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { builtPages } from '../helpers/pages.ts'
import { makeCall, printedCalls } from '../helpers/printed-curls.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'
import { OF_LINK, PIXEL, seenOf, toldOf, OF_TENANT, OF_SESSION } from '../helpers/brands-seen.ts'

/**
 * The connect page over a running service, with the sandbox's phones. connect-states and connect-page test each state
 * by itself.
 */
let service: Service
let number: PairedNumber
let browser: Browser
let made = 0
const ends: (() => unknown)[] = []
test.before(async () => {
  await builtPages()
  service = await joinService()
  number = await service.pairNumber()
})
test.after.always(async () => {
  for (const end of ends) await end()
})

interface Link {
  readonly url: string
  readonly digits: string
  readonly numberId: string
  readonly phone: (act: string, body?: object) => Promise<unknown>
}

async function newLink(about: object = {}, digits: string = String(Number(number.digits) + ++made)): Promise<Link> {
  const { body } = await service.api('POST', '/v1/numbers/remote-pairing', service.tenantKey, {
    name: 'Front desk',
    number: digits,
    redirectUrl: 'https://acme.example/done?a=1',
    ...about,
  })
  const url = `${service.base}/connect/${body.remotePairingToken}`
  return {
    url,
    digits,
    numberId: body.numberId,
    phone: (act, sent) => service.control('POST', `/devices/${digits}/${act}`, sent),
  }
}

/** A new browser context that records what the page must not do. */
async function newWindow(): Promise<{ context: BrowserContext; faults: string[] }> {
  browser ??= await openBrowser({ teardown: (end: () => unknown) => ends.push(end) } as never)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const faults: string[] = []
  await context.route('https://acme.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Acme</title>' }),
  )
  context.on('request', (request) => {
    if (!request.isNavigationRequest() && !request.url().startsWith(service.base) && !request.url().startsWith('data:'))
      faults.push(`asked ${request.url()}`)
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused ${what}`))
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
  )
  return { context, faults }
}

function shows(page: Page, state: string): Promise<void> {
  return page.locator(`main[data-state=${state}]`).waitFor()
}

inBrowser(
  'a customer opens a link under the brand of its tenant, scans, and is taken back; the link is used then',
  async (t) => {
    const { context, faults } = await newWindow()
    const link = await newLink({
      branding: { companyName: 'Acme <b>Dental</b>', primaryColor: '#7a1fa2', supportUrl: 'https://acme.example/help' },
    })
    const page = await context.newPage()
    await page.goto(`${link.url}?title=Acme%20Clinics&lang=pt`)
    await shows(page, 'qr')
    t.is(await page.locator('[data-title]').textContent(), 'Acme Clinics')
    t.is(await page.title(), 'Acme <b>Dental</b>')
    t.is(await page.locator('h1').textContent(), 'Escaneie o código com seu celular')
    await page.locator('[data-action=show-code]').click()
    t.regex((await page.locator('[data-code]').textContent()) ?? '', /^\w{4}-\w{4}$/)
    await link.phone('scan', { holdMs: 600_000 })
    await shows(page, 'linking')
    await link.phone('scan')
    await shows(page, 'connected')
    await page.waitForURL(`https://acme.example/done?a=1&status=connected&numberId=${link.numberId}`)
    await page.goto(link.url)
    await shows(page, 'already-connected')
    t.deepEqual(faults, [])
    await context.close()
  },
)

inBrowser('reading the page, by GET and HEAD, starts nothing: a preview of a link uses up no code', async (t) => {
  const link = await newLink()
  for (const method of ['GET', 'HEAD'])
    for (const path of ['', '/qr', '/code', '?mode=button'])
      t.is((await fetch(link.url + path, { method })).status, 200)
  t.is((await service.control('GET', `/requests?number=${link.digits}`)).body.total, 0)
})

inBrowser('two tabs at once show one code, and both see its end', async (t) => {
  const { context, faults } = await newWindow()
  const link = await newLink()
  const [one, other] = [await context.newPage(), await context.newPage()]
  await Promise.all([one.goto(link.url), other.goto(`${link.url}/qr`)])
  await Promise.all([shows(one, 'qr'), shows(other, 'qr')])
  // Each page learns of the next code by its own poll.
  await until(
    'both show one code',
    async () =>
      (await one.locator('[data-qr]').getAttribute('src')) === (await other.locator('[data-qr]').getAttribute('src')),
  )
  await link.phone('scan')
  const over = 'main:is([data-state=connected], [data-state=already-connected])'
  await Promise.all([one.locator(over).waitFor(), other.locator(over).waitFor()])
  t.deepEqual(faults, [])
  await context.close()
})

// [pages.states.5] [pages.states.7] [pages.hooks.2]
inBrowser('the page reports unusual actions of the phone, and the person can continue from there', async (t) => {
  const { context, faults } = await newWindow()
  const link = await newLink()
  const page = await context.newPage()
  await page.goto(link.url)
  await shows(page, 'qr')
  await link.phone('expire')
  await shows(page, 'paused')
  await page.locator('[data-action=new-code]').click()
  await shows(page, 'qr')
  await link.phone('scan', { as: '551130000009' })
  await shows(page, 'failed')
  t.is(await page.locator('h1').textContent(), 'That was another phone')
  await page.locator('[data-action=retry]').click()
  await shows(page, 'qr')
  await link.phone('scan', { passkey: true })
  await shows(page, 'passkey')
  await page.locator('[data-action=new-code]').click()
  await shows(page, 'qr')
  await newLink({}, link.digits)
  await shows(page, 'revoked')
  t.is(
    await page.locator('[data-action=continue]').getAttribute('href'),
    'https://acme.example/done?a=1&status=revoked',
  )
  t.deepEqual(faults, [])
  await context.close()
})

/** Serves the folder of the documents on an origin of its own, as `python3 -m http.server -d docs` does. */
async function serveDocs(): Promise<string> {
  const server = createServer(
    (request, response) =>
      void (async () => {
        const bytes = await readFile(new URL(`../../docs${request.url?.split('?')[0]}`, import.meta.url)).catch(
          () => null,
        )
        response.writeHead(bytes === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(bytes)
      })(),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://localhost:${(server.address() as { port: number }).port}`
}

inBrowser(
  'the example page of the documents shows link and inbox from an origin of its own, by the calls that the documents print',
  async (t) => {
    const origin = await serveDocs()
    const { chatUrl } = (await (await fetch(`${service.base}/embed/config.json`)).json()) as { chatUrl: string }
    const [connectSession, link, chatSession, ...more] = printedCalls('docs/embed.md', {
      BASE_URL: service.base,
      TENANT_KEY: service.tenantKey,
    })
    if (!connectSession || !link || !chatSession) throw new Error('the document prints three calls')
    t.deepEqual(more, [])
    const here = <T extends { readonly allowedOrigins: readonly string[] }>(body: T) => ({
      ...body,
      allowedOrigins: body.allowedOrigins.map((one) => (one === 'http://localhost:8080' ? origin : one)),
    })
    t.is((await makeCall(connectSession, here)).status, 201)
    const digits = String(Number(number.digits) + ++made)
    const minted = await makeCall(link, (body) => ({ ...body, number: digits }))
    t.is(minted.status, 201)

    const { context, faults } = await newWindow()
    const page = await context.newPage()
    const log = (text: string) => page.locator('#log').filter({ hasText: text }).waitFor()
    const show = async (what: string, token: string) => {
      await page.locator('#token').fill(token)
      await page.locator(`[data-call=${what}]`).click()
    }
    await page.goto(`${origin}/embed-example.html#${chatUrl}`)
    t.is(await page.locator('#origin').textContent(), origin)
    await show('mount', minted.body.remotePairingToken)
    await page.frameLocator('#place iframe').locator('main[data-state=qr]').waitFor()
    await show('open', minted.body.remotePairingUrl)
    await page.frameLocator('dialog iframe').locator('main[data-state=qr]').waitFor()
    t.is(await page.locator('#place iframe').count(), 0)
    await service.control('POST', `/devices/${digits}/scan`)
    await log(`onPaired {"numberId":"${minted.body.numberId}"`)

    await page.getByRole('button', { name: 'Close' }).click()
    await log('onClose')

    const session = await makeCall(chatSession, (body) => ({ ...here(body), channelNumberIds: [minted.body.numberId] }))
    t.is(session.status, 201)
    await show('chat', session.body.token)
    await page.frameLocator('#place iframe').locator('main[data-state=empty]').waitFor()
    await log('onUnreadCount 0')
    t.deepEqual(
      faults.filter((fault) => !fault.startsWith(`asked ${chatUrl}/`)),
      [],
    )
    await context.close()
  },
)

// [branding.fields.1] [branding.fields.2] [branding.fields.3] [branding.fields.4] [branding.fields.5]
// [branding.fields.6] [branding.fields.8] [branding.precedence.10] [branding.theme.8] [branding.theme.9]
// [branding.button.2] [pages.hooks.1]
inBrowser(
  'a page draws what the route of its look says, whoever of tenant, link, embed session and query says it',
  async (t) => {
    const origin = await serveDocs()
    const [plain, branded] = [await newLink(), await newLink({ branding: OF_LINK })]
    const { context } = await newWindow()
    await context.route('https://acme.example/*.png', (route) =>
      route.fulfill({ contentType: 'image/png', body: PIXEL }),
    )
    const page = await context.newPage()
    const looks: unknown[] = []

    async function check(
      link: Link,
      query: Record<string, string>,
      view: 'page' | 'button',
      isFramed: boolean,
    ): Promise<void> {
      const address = `${link.url}?${new URLSearchParams({ ...query, mode: view }).toString()}`
      await page.goto(isFramed ? `${origin}/embed-example.html` : address)
      if (isFramed)
        await page.evaluate(
          `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)} }))`,
        )
      const shown = isFramed ? page.frameLocator('iframe') : page
      await shown
        .locator(
          view === 'page' ? 'main[data-view=page][data-state=qr]' : 'main[data-view=button] [data-action=connect]',
        )
        .waitFor()
      const told = (await (
        await fetch(
          `${service.base}/v1/connect/${link.url.split('/').at(-1)}/branding?${new URLSearchParams({ ...query, ...(isFramed ? { embed: '1' } : {}) }).toString()}`,
        )
      ).json()) as any
      t.deepEqual(
        await shown.locator('main').evaluate(seenOf),
        toldOf(told, 'Channel Messaging', view),
        JSON.stringify({ query, view, isFramed }),
      )
      looks.push([
        told.branding.companyName,
        told.branding.subtitle,
        told.branding.logoUrl,
        told.branding.button?.label ?? null,
      ])
    }

    const query = {
      title: 'Query Ltd',
      subtitle: 'x'.repeat(200),
      bg: '222222',
      logo: 'https://acme.example/query.png',
      support: 'javascript:alert(1)',
      primary: 'yellow',
      hideBranding: '1',
      redirectUrl: 'https://evil.example/',
    }
    await check(plain, {}, 'page', false)
    t.is((await service.api('PUT', '/v1/branding', service.tenantKey, OF_TENANT)).status, 200)
    await check(plain, {}, 'page', false)
    await check(branded, {}, 'page', false)
    await check(branded, {}, 'button', false)
    const minted = await service.api('POST', '/v1/embed/sessions', service.tenantKey, {
      surface: 'connect',
      channelNumberIds: [branded.numberId],
      allowedOrigins: [origin],
      brandingOverride: OF_SESSION,
    })
    t.is(minted.status, 201)
    await check(branded, {}, 'page', true)
    await check(branded, {}, 'button', true)
    await check(branded, query, 'page', true)
    await check(branded, query, 'page', false)
    const tenantLogo = OF_TENANT.logoUrl
    t.deepEqual(looks, [
      [null, null, null, null],
      ['Tenant Ltd', 'By the tenant', tenantLogo, null],
      ['Link Ltd', null, tenantLogo, 'Of the link'],
      ['Link Ltd', null, tenantLogo, 'Of the link'],
      ['Session Ltd', null, null, 'Of the session'],
      ['Session Ltd', null, null, 'Of the session'],
      ['Query Ltd', null, query.logo, 'Of the session'],
      ['Query Ltd', null, query.logo, 'Of the link'],
    ])
    t.is(
      (
        await service.api(
          'PUT',
          '/v1/branding',
          service.tenantKey,
          Object.fromEntries(Object.keys(OF_TENANT).map((field) => [field, null])),
        )
      ).status,
      200,
    )
    await context.close()
  },
)
