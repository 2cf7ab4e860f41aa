import test from 'ava'
import type { ExecutionContext } from 'ava'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { readBundle } from '../../../src/http/openapi/scalar-bundle.ts'
import { hasBrowser, openBrowser } from '../../helpers/browser.ts'
import { serve, World } from '../../helpers/http-app.ts'
import type { Client } from '../../helpers/http-app.ts'

const inBrowser = hasBrowser ? test.serial : test.serial.skip
/** A machine that is busy takes long to read a script of 4 MB. */
const PATIENCE = { timeout: 120_000 }

test('the page runs the script beside it and nothing else, from wherever it was reached', async (t) => {
  const client = await serve(t, new World())
  const { status, text, headers } = await client.send('GET', '/docs')
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /^text\/html/)
  t.deepEqual([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag), ['<script src="docs/reference.js">'])
  t.notRegex(text, /https?:|\/\//)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) t.true(policy.split('; ').includes(rule), rule)
})

test('behind a prefix, requests of the page go to that prefix', async (t) => {
  const client = await serve(t, new World(), { baseUrl: 'https://api.example/gateway' })
  const { text } = await client.send('GET', '/docs')
  t.true(text.includes('&quot;servers&quot;:[{&quot;url&quot;:&quot;/gateway&quot;}]'))
})

test('the script is sent packed to who takes that, and unpacked to others', async (t) => {
  const client = await serve(t, new World())
  const [packed, plain] = await Promise.all(['gzip, br', 'identity'].map((encoding) => client.send('GET', '/docs/reference.js', { headers: { 'accept-encoding': encoding } })))
  t.is(packed?.headers.get('content-encoding'), 'gzip')
  t.is(plain?.headers.get('content-encoding'), null)
  for (const answer of [packed, plain]) {
    t.is(answer?.headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.is(answer?.headers.get('vary'), 'accept-encoding')
  }
  t.is(plain?.text, packed?.text)
  t.is(plain?.text, gunzipSync(await readBundle()).toString())
  t.regex(plain?.text ?? '', /createApiReference/)
})

interface Opened {
  readonly page: Page
  /** Requests to other hosts than the page's own, and what the console complained of. */
  readonly faults: string[]
}

async function openDocs(t: ExecutionContext, client: Client, options: BrowserContextOptions): Promise<Opened> {
  const browser = await openBrowser(t)
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE.timeout)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${client.url}/`) && !request.url().startsWith('data:')) faults.push(`request to ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${client.url}/docs`, PATIENCE)
  await page.getByRole('heading', { level: 1, name: 'Channel Messaging Service' }).waitFor()
  return { page, faults }
}

inBrowser('in a browser the page asks no other host, finds a route, and tries it with the key that was typed in', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { page, faults } = await openDocs(t, client, { viewport: { width: 1440, height: 900 } })
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('combobox', { name: /search/i }).last().fill('signing secret')
  await page.getByRole('option', { name: /Replace the signing secret/ }).or(page.getByRole('link', { name: /Replace the signing secret/ })).first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('input[placeholder^="QUx"]').first().fill(world.tenantKey.raw)
  await page.getByRole('link', { name: 'Numbers', exact: true }).first().click()
  await page.getByRole('button', { name: 'Test Request (get /v1/numbers)', exact: true }).click()
  const answered = page.waitForResponse(`${client.url}/v1/numbers`)
  await page.getByRole('button', { name: 'Send Request' }).or(page.getByRole('button', { name: /^Send/ })).first().click()
  const response = await answered
  t.is(response.status(), 200)
  t.is(response.request().headers()['x-api-key'], world.tenantKey.raw)
  t.is((await response.json() as unknown[]).length, 1)
  await page.getByText('5511988887777').first().waitFor()
  t.deepEqual(faults, [])
})

/** Of the library itself, out of reach of its settings: see docs/decisions/0014-reference-page.md. */
const OF_THE_LIBRARY = new Set(['aria-input-field-name', 'aria-required-attr', 'button-name'])

for (const colorScheme of ['light', 'dark'] as const) {
  inBrowser(`the page passes WCAG 2.2 AA in ${colorScheme}, wide and narrow, but for what is the library's own`, async (t) => {
    const client = await serve(t, new World())
    const { page, faults } = await openDocs(t, client, { viewport: { width: 1440, height: 900 }, colorScheme })
    await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const found: { id: string, targets: string[] }[] = await page.evaluate(`axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
        .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) })))`)
      t.deepEqual(found.filter(({ id }) => !OF_THE_LIBRARY.has(id)), [], `${width}`)
      t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `nothing sticks out at ${width}`)
    }
    t.deepEqual(faults, [])
  })
}
