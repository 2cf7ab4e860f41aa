import type { ExecutionContext } from 'ava'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

interface Opened {
  readonly page: Page
  /** Requests to other hosts than the page's own, and errors on the console. */
  readonly faults: string[]
}

async function openDocs(t: ExecutionContext, client: Client, options: BrowserContextOptions): Promise<Opened> {
  const browser = await openBrowser(t)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${client.url}/`) && !request.url().startsWith('data:'))
      faults.push(`request to ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${client.url}/docs`)
  await page.getByRole('heading', { level: 1, name: 'Channel Messaging Service' }).waitFor()
  return { page, faults }
}

inBrowser(
  'in a browser the page asks no other host, finds a route, and tries it with the key that was typed in',
  async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const { page, faults } = await openDocs(t, client, { viewport: { width: 1440, height: 900 } })
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page
      .getByRole('combobox', { name: /search/i })
      .last()
      .fill('signing secret')
    await page
      .getByRole('option', { name: /Replace the signing secret/ })
      .or(page.getByRole('link', { name: /Replace the signing secret/ }))
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.locator('input[placeholder^="QUx"]').first().fill(world.tenantKey.raw)
    await page.getByRole('link', { name: 'Numbers', exact: true }).first().click()
    await page.getByRole('button', { name: 'Test Request (get /v1/numbers)', exact: true }).click()
    const answered = page.waitForResponse(`${client.url}/v1/numbers`)
    await page
      .getByRole('button', { name: 'Send Request' })
      .or(page.getByRole('button', { name: /^Send/ }))
      .first()
      .click()
    const response = await answered
    t.is(response.status(), 200)
    t.is(response.request().headers()['x-api-key'], world.tenantKey.raw)
    t.is(((await response.json()) as unknown[]).length, 1)
    await page.getByText('5511988887777').first().waitFor()
    t.deepEqual(faults, [])
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  inBrowser(
    `the page passes WCAG 2.2 AA in ${colorScheme}, wide and narrow, with nothing passed over (case 10)`,
    async (t) => {
      const client = await serve(t, new World())
      const { page, faults } = await openDocs(t, client, { viewport: { width: 1440, height: 900 }, colorScheme })
      await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const found: { id: string; targets: string[] }[] =
          await page.evaluate(`axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
        .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) })))`)
        t.deepEqual(found, [], `${width}`)
        t.true(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          `nothing sticks out at ${width}`,
        )
      }
      t.deepEqual(faults, [])
    },
  )
}
