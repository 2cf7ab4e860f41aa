import test from 'ava'
import type { Route } from 'playwright-core'
import { DEFAULT_BRANDING } from '../../src/domain/branding.ts'
import { themeWarnings } from '../../src/domain/contrast.ts'
import { inBrowser } from '../helpers/browser.ts'
import { PIXEL } from '../helpers/brands-seen.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { Said, Script } from '../helpers/people-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)
const HOSTILE = '<img src=x onerror="document.title=1">\u0645\u0631\u062D\u0628\u0627'
const BRAND = { ...DEFAULT_BRANDING, companyName: 'Acme', subtitle: 'Pair it', primaryColor: '#7c3aed' }
const SCRIPT: Script = { 'GET /api/v1/branding': { body: { branding: BRAND } } }
const screen = () => stage.page.frameLocator('iframe[data-preview]')

async function opened(script: Script = SCRIPT): Promise<void> {
  await stage.open('/dashboard/branding', script)
  await stage.page.locator('form[data-form=branding]').waitFor()
  await screen().locator('main[data-state=qr][data-view=page]').waitFor()
}

/** Answers a PUT as the service does: what was sent is what it then has. */
function keeps(body: unknown): Said {
  const branding = body as typeof BRAND
  return { body: { branding, warnings: themeWarnings(branding) } }
}

inBrowser('the branding editor can be read by all in each language, light and dark, and fits 320 px', async (t) => {
  const brand = { ...BRAND, primaryColor: '#ffee00', companyName: 'W'.repeat(60), subtitle: HOSTILE }
  const wrong = await stage.looks(
    '/dashboard/branding',
    { 'GET /api/v1/branding': { body: { branding: brand } } },
    () => screen().locator('[data-title]', { hasText: 'WWW' }).waitFor(),
  )
  t.deepEqual(wrong, [])
})

// [dashboard.branding.1] [branding.routes.2]
inBrowser('the form of the brand holds every field by its API name, and saves what it holds', async (t) => {
  await opened()
  t.deepEqual(
    (
      await stage.page
        .locator('form[data-form=branding] [name]')
        .evaluateAll((fields: any[]) => fields.map(({ name }) => name as string))
    ).toSorted(),
    Object.keys(DEFAULT_BRANDING).toSorted(),
  )
  await stage.page.fill('[name=companyName]', '  Nova  ')
  await stage.page.fill('[name=subtitle]', '')
  await stage.page.fill('[name=backgroundColor]', '#101820')
  await stage.page.check('[name=hidePilotStatusBranding]')
  await stage.page.locator('[data-unsaved]').waitFor()
  stage.script({ 'PUT /api/v1/branding': keeps })
  await stage.page.click('[data-action=save]')
  await stage.page.locator('.line', { hasText: 'Saved.' }).waitFor()
  const sent = stage.asked.find(({ what }) => what === 'PUT /api/v1/branding')
  t.deepEqual(sent?.body, {
    ...BRAND,
    companyName: 'Nova',
    subtitle: null,
    backgroundColor: '#101820',
    hidePilotStatusBranding: true,
  })
  t.is(sent?.headers['x-csrf-token'], 'csrf-1')
  t.is(await stage.page.inputValue('[name=companyName]'), 'Nova')
  t.is(await stage.page.locator('[data-unsaved]').count(), 0)
  t.deepEqual(await stage.violations(), [])
})

inBrowser(
  'what the service has against a field of the brand stands beside that field, and nothing is lost',
  async (t) => {
    await opened()
    await stage.page.fill('[name=primaryColor]', 'purple')
    const details = [{ path: 'primaryColor', message: 'must be #RRGGBB' }]
    stage.script({
      'PUT /api/v1/branding': { status: 400, body: { error: 'Validation failed', code: 'VALIDATION_ERROR', details } },
    })
    await stage.page.click('[data-action=save]')
    t.is(await stage.page.innerText('.field:has([name=primaryColor]) [data-field-fault]'), 'must be #RRGGBB')
    t.is(await stage.page.getAttribute('[name=primaryColor]', 'aria-invalid'), 'true')
    t.is(await stage.page.inputValue('[name=primaryColor]'), 'purple')
    t.deepEqual(await stage.violations(), [])
  },
)

// [dashboard.branding.2] [pages.preview.1] [pages.preview.2] [pages.preview.3]
inBrowser('the preview is the connect page itself, and follows each key, also what is half typed', async (t) => {
  await opened()
  await screen().locator('[data-title]', { hasText: 'Acme' }).waitFor()
  stage.asked.length = 0
  await stage.page.fill('[name=companyName]', HOSTILE)
  await screen().locator('[data-title]', { hasText: HOSTILE }).waitFor()
  t.is(await screen().locator('[data-title] *').count(), 0, 'a text, not elements')
  const primary = () =>
    screen()
      .locator('html')
      .evaluate((root: any): string => root.style.getPropertyValue('--primary'))
  await stage.page.fill('[name=primaryColor]', '#12345')
  await until('the half colour counts as none', async () => (await primary()) === '#0a7f5a')
  await stage.page.fill('[name=primaryColor]', '#123456')
  await until('the whole colour is drawn', async () => (await primary()) === '#123456')
  t.is(await stage.page.inputValue('input[type=color][aria-label*="buttons"]'), '#123456')
  await stage.page.locator('input[type=color][aria-label*="background"]').fill('#fafafa')
  t.is(await stage.page.inputValue('[name=backgroundColor]'), '#fafafa')
  t.deepEqual(stage.asked, [], 'nothing is asked of the service meanwhile')
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.branding.2] [pages.preview.1]
inBrowser('the preview shows every state of a link, both views, both themes, and the width of a phone', async (t) => {
  await opened()
  const { page } = stage
  await page.fill('[name=defaultRedirectUrl]', 'https://acme.example/done?a=1')
  for (const state of await page.locator('[data-preview-of=state] option').all()) {
    const name = (await state.getAttribute('value')) ?? ''
    await page.selectOption('[data-preview-of=state]', name)
    await screen().locator(`main[data-view=page][data-state=${name}]`).waitFor()
  }
  await page.selectOption('[data-preview-of=state]', 'connected')
  t.is(
    await screen().locator('[data-action=continue]').getAttribute('href'),
    'https://acme.example/done?a=1&status=connected',
  )
  await page.selectOption('[data-preview-of=theme]', 'dark')
  await until(
    'the frame is dark',
    async () =>
      (await screen()
        .locator('html')
        .evaluate((root: any) => root.style.getPropertyValue('--background'))) === '#0f1513',
  )
  await page.selectOption('[data-preview-of=mode]', 'button')
  await screen().locator('main[data-view=button] .outcome').waitFor()
  await page.selectOption('[data-preview-of=state]', 'qr')
  await screen().locator('main[data-view=button][data-state=ready] [data-action=connect]').waitFor()
  await page.selectOption('[data-preview-of=device]', 'phone')
  await until(
    'the frame is as wide as a phone',
    async () => (await screen().locator('html').evaluate('innerWidth')) === 390,
  )
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.branding.3] [branding.routes.7]
inBrowser(
  'a colour that cannot be read is told in the words of the service, before and after it is saved',
  async (t) => {
    await opened({ 'GET /api/v1/branding': { body: { branding: { ...BRAND, primaryColor: null } } } })
    t.is(await stage.page.locator('[data-warning]').count(), 0)
    const colors = { primaryColor: '#ffee00', backgroundColor: null }
    await stage.page.fill('[name=primaryColor]', colors.primaryColor)
    await stage.page.locator('[data-warning=primaryColor]').first().waitFor()
    const told = themeWarnings(colors).map(({ message }) => message)
    t.true(told.length > 0)
    t.deepEqual(await stage.page.locator('[data-warning]').allInnerTexts(), told)
    stage.script({ 'PUT /api/v1/branding': keeps })
    await stage.page.click('[data-action=save]')
    await stage.page.locator('.line', { hasText: 'Saved.' }).waitFor()
    t.deepEqual(await stage.page.locator('[data-warning]').allInnerTexts(), told)
  },
)

// [dashboard.branding.5]
inBrowser('the brand is reset once the name of the account is typed, and every field is empty then', async (t) => {
  await opened()
  await stage.page.click('[data-action=delete]')
  t.true(await stage.page.isDisabled('[data-action=confirm]'))
  await stage.page.fill('input[name=confirm]', 'Acme & Söhne')
  t.deepEqual(await stage.violations(), [])
  stage.script({ 'PUT /api/v1/branding': keeps })
  await stage.page.click('[data-action=confirm]')
  await stage.page.locator('.line', { hasText: 'The brand is reset.' }).waitFor()
  t.deepEqual(stage.asked.find(({ what }) => what === 'PUT /api/v1/branding')?.body, DEFAULT_BRANDING)
  t.is(await stage.page.inputValue('[name=companyName]'), '')
  await screen().locator('[data-title]', { hasText: 'Channel Messaging' }).waitFor()
})

const LOGO = { name: 'logo.png', mimeType: 'image/png', buffer: PIXEL }

// [dashboard.branding.4] [branding.routes.3]
inBrowser(
  'a logo is uploaded as it goes, can be cancelled, and is in preview and form before it is saved',
  async (t) => {
    await opened()
    const { page } = stage
    const held: Route[] = []
    await page.route('**/api/branding/logo', (route) => void held.push(route))
    await page.setInputFiles('[data-logo-upload] input', LOGO)
    await page.locator('[data-logo-upload] progress').waitFor()
    t.deepEqual(await stage.violations(), [])
    await page.click('[data-action=cancel-upload]')
    t.is(await page.locator('[data-logo-upload] progress').count(), 0)
    t.is(await page.locator('[data-logo-upload] [data-fault]').count(), 0, 'who cancels is told nothing')
    await page.unroute('**/api/branding/logo')
    const url = `${stage.origin}/branding/logos/x.png`
    await page.route(url, (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }))
    stage.script({ 'POST /api/branding/logo': { status: 201, body: { url } } })
    await page.setInputFiles('[data-logo-upload] input', LOGO)
    await screen().locator('[data-logo]').waitFor()
    t.is(await page.inputValue('[name=logoUrl]'), url)
    const sent = stage.asked.find(({ what }) => what === 'POST /api/branding/logo')
    t.is(sent?.headers['x-csrf-token'], 'csrf-1')
    t.true(String(sent?.body).includes('name="file"; filename="logo.png"'))
    t.deepEqual(await stage.violations(), [])
  },
)

// [branding.logo.1] [branding.logo.2]
inBrowser('a logo that is too large or no picture is refused in words, and the address stays as it was', async (t) => {
  await opened()
  const fault = stage.page.locator('[data-logo-upload] [data-fault]')
  await stage.page.setInputFiles('[data-logo-upload] input', { ...LOGO, buffer: Buffer.alloc(2_097_153) })
  t.is(await fault.innerText(), 'This file has more than 2 MiB.')
  t.false(
    stage.asked.some(({ what }) => what === 'POST /api/branding/logo'),
    'it is not even sent',
  )
  const refused = { error: 'no', code: 'UNSUPPORTED_MEDIA_TYPE' }
  stage.script({ 'POST /api/branding/logo': { status: 415, body: refused } })
  await stage.page.setInputFiles('[data-logo-upload] input', LOGO)
  await stage.page.locator('[data-code=UNSUPPORTED_MEDIA_TYPE]').waitFor()
  t.is(await fault.innerText(), 'This is no PNG, JPEG or WebP.')
  t.is(await stage.page.inputValue('[name=logoUrl]'), '')
})

// [dashboard.pages.6]
inBrowser('who may not manage numbers sees no branding', async (t) => {
  await stage.open('/dashboard/branding', SCRIPT, 'AGENT')
  await stage.page.locator('h1', { hasText: 'Your role may not see this' }).waitFor()
  t.is(await stage.page.locator('nav a[href="/dashboard/branding"]').count(), 0)
})
