import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'ava'
import sharp from 'sharp'
import { encode } from 'uqr'
import { phoneUrl, requestOf } from '../../web/connect/request.ts'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { serveScriptedLink, statusOf, wellScript } from '../helpers/scripted-link.ts'
import { newStillPage, passes } from '../helpers/still-pages.ts'

const TOKEN = 'rp_00000000000000000000000000'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const ORIGIN = 'https://pair.example'

// [pages.addresses.10]
test('the address for a phone is the credentials link, with the look and the language alone', (t) => {
  const url = (path: string, query = '') => phoneUrl(requestOf(path, query), ORIGIN)
  for (const end of ['', '/', '/qr', '/code']) t.is(url(`/connect/${TOKEN}${end}`), `${ORIGIN}/connect/${TOKEN}/code`)
  t.is(
    url(`/connect/${TOKEN}`, '?title=A%26B&mode=button&redirectUrl=https://evil.example&lang=pt'),
    `${ORIGIN}/connect/${TOKEN}/code?title=A%26B&lang=pt`,
  )
})

/** The modules of a QR code as they are drawn, row by row: `#` is dark. The picture shows `size` of them a side. */
async function modulesOf(picture: Buffer, size: number): Promise<string[]> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  const pixelAt = (module: number, length: number) => Math.floor(((module + 0.5) * length) / size)
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => {
      const at = pixelAt(y, info.height) * info.width + pixelAt(x, info.width)
      return (data[at * info.channels] ?? 255) < 128 ? '#' : ' '
    }).join(''),
  )
}

// [pages.addresses.9] [pages.addresses.10] [pages.hooks.2]
inBrowser('the page is opened on a phone by a QR code over it, which no other request learns of', async (t) => {
  const link = await serveScriptedLink()
  t.teardown(() => link.close())
  const { page } = await newStillPage(await openBrowser(t), { colorScheme: 'dark' })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto(`${link.url}/qr?title=A%26B&lang=en`)
  await page.locator('[data-action=on-phone]').click()
  await page.locator('dialog[data-on-phone][open]').waitFor()
  const { size, data } = encode(`${link.url}/code?title=A%26B&lang=en`, { ecc: 'M', border: 4 })
  const picture = await page.locator('dialog svg[role=img]').screenshot({ animations: 'disabled' })
  t.deepEqual(
    await modulesOf(picture, size),
    data.map((row) => row.map((isDark) => (isDark ? '#' : ' ')).join('')),
  )
  t.deepEqual(
    addresses.filter((url) => url.includes(link.token)),
    [`${link.url}/qr?title=A%26B&lang=en`],
  )
  await page.evaluate(AXE)
  const found = page.evaluate(
    "axe.run('dialog', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id }) => id))",
  )
  await page.clock.runFor(1_000)
  t.deepEqual(await found, [])
  await page.setViewportSize({ width: 320, height: 640 })
  t.true(await page.locator('dialog').evaluate<boolean, any>((dialog) => dialog.scrollWidth <= dialog.clientWidth))
  await page.setViewportSize({ width: 1_280, height: 800 })
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  t.is(await page.evaluate('document.activeElement.dataset.action'), 'on-phone')

  await page.locator('[data-action=on-phone]').click()
  Object.assign(link.script, wellScript(), { status: statusOf({ state: 'OPEN' }) })
  await passes(page, 'it is connected', () => page.locator('main[data-state=connected]').isVisible())
  t.is(await page.locator('dialog, [data-action=on-phone]').count(), 0)
})

inBrowser('a finger and a frame are offered no other phone', async (t) => {
  const link = await serveScriptedLink()
  t.teardown(() => link.close())
  const browser = await openBrowser(t)
  const { page: touched } = await newStillPage(browser, { hasTouch: true, isMobile: true })
  await touched.goto(link.url)
  await touched.locator('main[data-state=code]').waitFor()
  const { page: host } = await newStillPage(browser, {})
  await host.goto(`${link.origin}/host`)
  await host.evaluate((src) => {
    const { document } = globalThis as any
    document.body.append(Object.assign(document.createElement('iframe'), { src }))
  }, link.url)
  const framed = host.frameLocator('iframe')
  await framed.locator('main[data-state=qr]').waitFor()
  for (const place of [touched, framed]) {
    await place.locator('[data-attribution]').waitFor()
    t.is(await place.locator('[data-action=on-phone]').count(), 0)
  }
})
