import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import sharp from 'sharp'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { serveScriptedLink, statusOf, wellScript } from '../helpers/scripted-link.ts'

const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

/** The pictures of the documents: what each shows, and its size. */
const TAKEN = [
  { name: 'connect-qr', address: '/qr', script: {}, state: 'qr', width: 1120, height: 700, colorScheme: 'light' },
  { name: 'connect-qr-dark', address: '/qr', script: {}, state: 'qr', width: 1120, height: 700, colorScheme: 'dark' },
  {
    name: 'connect-code-phone',
    address: '/code',
    script: {},
    state: 'code',
    width: 390,
    height: 800,
    colorScheme: 'light',
  },
  {
    name: 'connect-connected-phone',
    address: '',
    script: { status: statusOf({ state: 'OPEN' }) },
    state: 'connected',
    width: 390,
    height: 800,
    colorScheme: 'light',
  },
] as const

inBrowser('pictures of the connect page are taken for the docs (WRITE_PICTURES=1 keeps them)', async (t) => {
  const link = await serveScriptedLink()
  t.teardown(() => link.close())
  const browser = await openBrowser(t)
  for (const { name, address, script, state, width, height, colorScheme } of TAKEN) {
    Object.assign(link.script, wellScript(), script)
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
    await context.route('https://acme.example/**', (route) => route.fulfill({ status: 204 }))
    const page = await context.newPage()
    await page.goto(link.url + address)
    await page.locator(`main[data-state=${state}]`).waitFor()
    const picture = sharp(await page.screenshot({ animations: 'disabled' })).png({
      palette: true,
      compressionLevel: 9,
      effort: 10,
    })
    t.like(await picture.metadata(), { width, height })
    if (process.env['WRITE_PICTURES'] === '1') {
      mkdirSync(PICTURES, { recursive: true })
      await picture.toFile(`${PICTURES}${name}.png`)
    }
    await context.close()
  }
})

test('every picture of the connect page is there and is shown in the docs', (t) => {
  const docs = readFileSync(fileURLToPath(new URL('../../docs/branding.md', import.meta.url)), 'utf8')
  for (const { name } of TAKEN) {
    t.true(existsSync(`${PICTURES}${name}.png`), name)
    t.true(docs.includes(`pictures/${name}.png`), name)
  }
})
