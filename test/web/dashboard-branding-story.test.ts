import test from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { PIXEL, seenOf } from '../helpers/brands-seen.ts'
import { builtPages } from '../helpers/pages.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

/** Brands of an account, edited in the dashboard, beside the page of a link of that account. */
let service: Service
let context: BrowserContext
let editor: Page
let visitor: Page
let link: string
let origin: string
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  await builtPages()
  service = await joinService()
  const tenant = await askToCreateTenant(service.dataDir, 'Acme of the brands')
  if (!tenant) throw new Error('no gateway runs')
  const login = await askToMintLogin(service.dataDir, tenant.tenantId)
  if (!login) throw new Error('no gateway runs')
  origin = new URL(login.url).origin
  const { body } = await service.api('POST', '/v1/numbers/remote-pairing', tenant.key, {
    name: 'Front desk',
    number: '5511977770001',
  })
  link = `${origin}/connect/${body.remotePairingToken}`
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  await context.route('https://acme.example/**', (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }))
  editor = await context.newPage()
  visitor = await context.newPage()
  await editor.goto(login.url)
  await editor.locator('main[data-page=overview]').waitFor()
  await editor.goto(`${origin}/dashboard/branding`)
  await editor.locator('form[data-form=branding]').waitFor()
  const preview = editor.frameLocator('iframe[data-preview]').locator('main[data-state=qr]')
  await preview.waitFor()
  // The page heard each message first, because it listened first.
  await preview.evaluate('addEventListener("message", ({ data }) => { globalThis.heard = data.payload })')
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Numbers that look random and are the same in each run: a linear congruential generator (Numerical Recipes). */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const NAMES = ['Acme', 'Ünïcödé & Söhne', '<b>Bold</b>', '\u0645\u0631\u062D\u0628\u0627', 'W'.repeat(60), '']
const LINES = ['Pair your phone', '"quoted" \u{1F4F1}', 'x'.repeat(120), '']

/** A brand as somebody types it, each field empty now and then. */
function brandOf(roll: (sides: number) => number): Record<string, string> {
  const color = (): string => (roll(4) === 0 ? '' : `#${roll(0x1000000).toString(16).padStart(6, '0')}`)
  const pick = (from: readonly string[]): string => from[roll(from.length)] ?? ''
  return {
    companyName: pick(NAMES),
    subtitle: pick(LINES),
    primaryColor: color(),
    backgroundColor: color(),
    logoUrl: pick(['https://acme.example/logo.png', '']),
    supportUrl: pick(['https://acme.example/help?a=1&b=<2>', '']),
    defaultRedirectUrl: pick(['https://acme.example/done', '']),
  }
}

/** What is drawn in the preview once it was told this brand, view and theme. */
async function drawn(typed: Readonly<Record<string, string>>, mode: 'page' | 'button', theme: 'light' | 'dark') {
  await editor.selectOption('[data-preview-of=mode]', mode)
  await editor.selectOption('[data-preview-of=theme]', theme)
  const frame = editor.frames().find((one) => one.url().includes('/connect/preview'))
  if (frame === undefined) throw new Error('there is no preview')
  const wanted = {
    ...Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || null])),
    mode,
    theme,
  }
  const isTold = `Object.entries(${JSON.stringify(wanted)}).every(([name, value]) => globalThis.heard?.[name] === value)`
  await until('the preview was told it', async () => await frame.evaluate<boolean>(isTold))
  await frame.locator(`main[data-view=${mode}][data-state=${mode === 'page' ? 'qr' : 'ready'}]`).waitFor()
  return await frame.evaluate(seenOf)
}

/** What a visitor of the link sees. */
async function shown(mode: 'page' | 'button', theme: 'light' | 'dark') {
  await visitor.emulateMedia({ colorScheme: theme })
  await visitor.goto(`${link}?mode=${mode}&lang=en`)
  await visitor.locator(`main[data-view=${mode}][data-state=${mode === 'page' ? 'qr' : 'ready'}]`).waitFor()
  return await visitor.locator('body').evaluate(seenOf)
}

// [dashboard.branding.1] [dashboard.branding.2] [pages.preview.3]
inBrowser('ten random brands look in the preview, unsaved, as the link shows them once they are saved', async (t) => {
  const roll = dice(20)
  const looks = [
    ['page', 'light'],
    ['page', 'dark'],
    ['button', 'light'],
    ['button', 'dark'],
  ] as const
  for (let brand = 0; brand < 10; brand++) {
    const typed = brandOf(roll)
    for (const [name, value] of Object.entries(typed)) await editor.fill(`[name=${name}]`, value)
    await editor.setChecked('[name=hidePilotStatusBranding]', roll(2) === 0)
    const previews = []
    for (const [mode, theme] of looks) previews.push(await drawn(typed, mode, theme))
    const saved = editor.waitForResponse((answer) => answer.request().method() === 'PUT')
    await editor.click('[data-action=save]')
    const answer = await saved
    t.is(answer.status(), 200, JSON.stringify(typed))
    const { warnings } = (await answer.json()) as { warnings: { message: string }[] }
    for (const [at, [mode, theme]] of looks.entries())
      t.deepEqual(previews[at], await shown(mode, theme), `${mode}, ${theme}: ${JSON.stringify(typed)}`)
    t.deepEqual(
      await editor.locator('[data-warning]').allInnerTexts(),
      warnings.map(({ message }) => message),
    )
  }
})

// [dashboard.branding.4] [branding.routes.3]
inBrowser('an uploaded logo is in the preview at once, and on the link once it is saved', async (t) => {
  await editor.setInputFiles('[data-logo-upload] input', { name: 'l.png', mimeType: 'image/png', buffer: PIXEL })
  const logo = editor.frameLocator('iframe[data-preview]').locator(`[data-logo][src^="${origin}/branding/logos/"]`)
  await editor.selectOption('[data-preview-of=mode]', 'page')
  await logo.waitFor()
  const saved = editor.waitForResponse((answer) => answer.request().method() === 'PUT')
  await editor.click('[data-action=save]')
  t.is((await saved).status(), 200)
  t.is((await shown('page', 'light')).logoUrl, await logo.getAttribute('src'))
})
