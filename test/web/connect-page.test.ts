import test from 'ava'
import type { Browser, Page } from 'playwright-core'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { overFor, refusalOf, serveScriptedLink, SHOWN_CODE, statusOf, wellScript } from '../helpers/scripted-link.ts'
import type { LinkScript, ScriptedLink } from '../helpers/scripted-link.ts'
import { until } from '../helpers/until.ts'
import { newStillPage, passes } from '../helpers/still-pages.ts'
import type { StillPage } from '../helpers/still-pages.ts'

const OPEN = statusOf({ state: 'OPEN' })
const PAUSED = statusOf({ state: 'CLOSE', reason: 'QR_EXPIRED' })

let link: ScriptedLink
let browser: Browser
/**
 * The page that most tests share, because opening a page takes longer than what they do there. A page with options of
 * its own is closed with its test.
 */
let shared: StillPage
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  link = await serveScriptedLink()
  ends.push(() => link.close())
  browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  shared = await newStillPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})
test.afterEach.always(async () => {
  for (const context of browser?.contexts() ?? []) {
    if (context !== shared.context) await context.close()
  }
  shared?.context.removeAllListeners('request')
})

/**
 * Opens the page over a script: the shared page, or a new one when there are options. The page before it stops its
 * requests.
 */
async function openPage(
  script: Partial<LinkScript> = {},
  address = '',
  options: Parameters<Browser['newContext']>[0] | null = null,
): Promise<StillPage> {
  const opened = options === null ? shared : await newStillPage(browser, options)
  await opened.page.goto('about:blank')
  tell(script)
  await opened.page.goto(link.url + address)
  return opened
}

function tell(script: Partial<LinkScript>): void {
  link.asked.length = 0
  Object.assign(link.script, wellScript(), script)
}

function askedFor(path: string): number {
  return link.asked.filter((one) => one.includes(path)).length
}

/** Waits for a state while the page's clock stands still. */
async function shows(page: Page, state: string): Promise<void> {
  await page.locator(`main[data-state=${state}]`).waitFor()
}

/** Lets time pass until the page has polled once more. */
async function poll(page: Page): Promise<void> {
  const before = askedFor('/status')
  await passes(page, 'the page has polled', () => askedFor('/status') > before)
}

inBrowser('a page asks for the status every 2 s; hidden it asks for nothing, seen again at once', async (t) => {
  const { page } = await openPage()
  await shows(page, 'qr')
  t.is(askedFor('/status'), 0)
  await poll(page)
  await poll(page)
  const hide = (state: string) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    )
  await hide('hidden')
  await page.clock.runFor(20_000)
  t.is(askedFor('/status'), 2)
  await hide('visible')
  await until('it asks at once', () => askedFor('/status') === 3)
})

inBrowser('a page that nobody sees starts no pairing before it is seen', async (t) => {
  const { page } = await openPage({ view: 'never' })
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
  )
  await until('the link was asked for', () => askedFor('/self') > 0)
  tell({})
  await page.clock.runFor(20_000)
  await shows(page, 'ready')
  t.is(askedFor('POST'), 0)
  await page.locator('[data-action=connect]').click()
  await shows(page, 'qr')
})

// [pages.polling.2]
inBrowser('at its end a code gives way to the next without a reload, and the change is said', async (t) => {
  const { page } = await openPage({ status: statusOf({ ...SHOWN_CODE, expiresInMs: 45_000 }) })
  await shows(page, 'qr')
  t.is(await page.locator('[role=timer]').textContent(), 'New code in 0:47')
  await poll(page)
  tell({ status: statusOf({ ...SHOWN_CODE, qrcodeBase64: `${SHOWN_CODE.qrcodeBase64}#next`, expiresInMs: 20_000 }) })
  await poll(page)
  await until('the next code shows', async () =>
    (await page.locator('[data-qr]').getAttribute('src'))?.endsWith('#next'),
  )
  await passes(
    page,
    'the change is said',
    async () => (await page.locator('main > [role=status]').textContent()) === 'A new code is shown',
  )
  tell({ status: 'never' })
  await page.clock.runFor(21_000)
  await page.locator('[data-qr]').waitFor({ state: 'detached' })
  t.is(await page.locator('main').getAttribute('data-state'), 'qr')
})

// [pages.hooks.1] [pages.hooks.2]
inBrowser('keys alone: the other method, copy, and back; the focus goes to each new heading', async (t) => {
  const { page } = await openPage()
  await shows(page, 'qr')
  const focused = () => page.evaluate('document.activeElement.dataset.action ?? document.activeElement.localName')
  await page.keyboard.press('Tab')
  t.is(await focused(), 'show-code')
  await page.keyboard.press('Enter')
  await shows(page, 'code')
  t.is(await focused(), 'h1')
  t.is(await page.locator('[data-code]').textContent(), 'K7QM-4XRD')
  await page.keyboard.press('Tab')
  t.is(await focused(), 'copy')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.is(await page.evaluate('navigator.clipboard.readText()'), 'K7QM-4XRD')
  await passes(page, 'the button can copy again', () => page.getByRole('button', { name: 'Copy code' }).isVisible())
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await shows(page, 'qr')
  tell({ status: PAUSED })
  await poll(page)
  await shows(page, 'paused')
  t.is(await focused(), 'h1')
  tell({})
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await shows(page, 'qr')
})

// [pages.states.10]
inBrowser('a finger begins with the code, a link of a method with that method', async (t) => {
  for (const [address, state, hasTouch] of [
    ['', 'code', true],
    ['/qr', 'qr', true],
    ['', 'qr', false],
    ['/code', 'code', false],
    ['/code?mode=button', 'code', false],
  ] as const) {
    const { page } = await openPage(
      { branding: { button: {} } },
      `${address}${address.includes('?') ? '' : '?mode=page'}`,
      hasTouch ? { hasTouch: true, isMobile: true } : null,
    )
    await shows(page, state)
    t.is(await page.locator('main').getAttribute('data-view'), 'page', address)
  }
})

inBrowser('without a network the code stays while it is valid, and the page goes on by itself', async (t) => {
  const { page, context } = await openPage()
  await shows(page, 'qr')
  await context.setOffline(true)
  await shows(page, 'offline')
  t.is(await page.locator('[data-qr]').count(), 1)
  await page.locator('[data-action=retry]').waitFor()
  await page.clock.runFor(48_000)
  await page.locator('[data-qr]').waitFor({ state: 'detached' })
  await shows(page, 'offline')
  await context.setOffline(false)
  // A request from the moment when the network came back may still have failed. Then the page repeats it in its usual
  // time.
  await passes(page, 'the page goes on by itself', () => page.locator('main[data-state=qr]').isVisible())
  t.pass()
})

inBrowser('a service that fails is asked again by itself, and by the person at once', async (t) => {
  const { page } = await openPage({ connect: refusalOf(503) })
  await shows(page, 'failed')
  const before = askedFor('POST')
  await passes(page, 'it tries again', () => askedFor('POST') > before)
  tell({})
  await page.locator('[data-action=retry]').click()
  await shows(page, 'qr')
  t.pass()
})

// [pages.states.6] [pages.hooks.2]
inBrowser('success takes the person to where the link says, with the outcome, after 3 s', async (t) => {
  const { page } = await openPage({ status: OPEN })
  await shows(page, 'qr')
  await poll(page)
  await shows(page, 'connected')
  const href = 'https://acme.example/done?a=1&status=connected&numberId=num_1'
  t.is(await page.locator('[data-action=continue]').getAttribute('href'), href)
  await page.clock.runFor(2_900)
  t.true(page.url().startsWith(link.origin))
  await page.clock.runFor(200)
  await page.waitForURL(href)
})

// [pages.states.6] [pages.hooks.2]
inBrowser(
  'a person who chooses to stay is not redirected, nor is one whose number was already connected',
  async (t) => {
    const { page } = await openPage({ status: OPEN })
    await shows(page, 'qr')
    await poll(page)
    await page.locator('[data-action=stay]').click()
    await page.clock.runFor(60_000)
    t.is(await page.locator('[data-action=continue]').count(), 1)
    tell({ connect: refusalOf(409) })
    await page.reload()
    await shows(page, 'already-connected')
    await page.clock.runFor(60_000)
    t.is(
      await page.locator('[data-action=continue]').getAttribute('href'),
      'https://acme.example/done?a=1&status=connected&numberId=num_1',
    )
    t.is(await page.locator('[data-action=stay]').count(), 0)
  },
)

// [pages.states.8] [pages.hooks.1]
inBrowser('a link that is over says so, names help, and leads back with what became of it', async (t) => {
  for (const [reason, state] of [
    ['EXPIRED', 'expired'],
    ['REVOKED', 'revoked'],
  ] as const) {
    const { page } = await openPage({ view: overFor(reason) })
    await shows(page, state)
    t.is(await page.locator('[data-action=continue]').getAttribute('href'), `https://acme.example/done?status=${state}`)
    t.is(await page.locator('[data-support]').getAttribute('href'), 'https://acme.example/help')
  }
  const { page } = await openPage({ view: overFor('UNKNOWN') })
  await shows(page, 'invalid')
  t.is(await page.locator('[data-action=continue]').count(), 0)
})

inBrowser('a redirect that is no address of the web is no link', async (t) => {
  const { page } = await openPage({ view: overFor('EXPIRED', 'javascript:alert(1)') })
  await shows(page, 'expired')
  t.is(await page.locator('[data-action=continue]').count(), 0)
})

// [pages.addresses.6] [pages.hooks.1]
inBrowser('a link with a button shows it alone, starts nothing, and leads to the page at its QR code', async (t) => {
  const { page } = await openPage(
    { branding: { button: { label: 'Link phone', backgroundColor: '#123456', borderRadius: 20 } } },
    '?title=Acme&mode=none',
  )
  const button = page.locator('main[data-view=button] [data-action=connect]')
  await button.waitFor()
  await page.clock.runFor(20_000)
  t.is(askedFor('POST'), 0)
  t.is(await button.innerText(), 'Link phone')
  t.deepEqual(
    await page.evaluate(
      `(() => { const { backgroundColor, borderRadius, color } = getComputedStyle(document.querySelector('[data-action=connect]')); return [backgroundColor, borderRadius, color] })()`,
    ),
    ['rgb(18, 52, 86)', '20px', 'rgb(255, 255, 255)'],
  )
  await button.click()
  await shows(page, 'qr')
  t.is(page.url(), `${link.url}/qr?title=Acme`)
})

inBrowser('the query forces the one view or the other', async (t) => {
  for (const [button, mode, view] of [
    [{}, 'page', 'page'],
    [null, 'button', 'button'],
    [{}, 'other', 'button'],
    [null, 'other', 'page'],
  ] as const) {
    const { page } = await openPage({ branding: { button } }, `?mode=${mode}`)
    await page.locator(`main[data-view=${view}]:is([data-state=qr], [data-state=ready])`).waitFor()
    t.is(await page.locator('main').getAttribute('data-view'), view)
  }
})

// [pages.addresses.6]
inBrowser(
  'in a bare frame nothing leaves the frame: links open windows of their own, and nobody is taken on',
  async (t) => {
    const { page } = await openPage({ status: OPEN }, '?mode=page')
    const framed = async (address: string) => {
      await page.goto(`${link.origin}/host`)
      await page.evaluate(
        `{ const frame = document.createElement('iframe'); frame.src = '${link.url}${address}'; document.body.append(frame) }`,
      )
      return page.frameLocator('iframe')
    }
    const whole = await framed('/qr')
    await whole.locator('main[data-state=qr]').waitFor()
    await poll(page)
    await whole.locator('main[data-state=connected]').waitFor()
    await page.clock.runFor(60_000)
    t.is(await whole.locator('[data-action=continue]').getAttribute('target'), '_blank')
    t.true(link.asked.some((one) => one.endsWith('/branding?embed=1')))
    const button = await framed('?mode=button')
    t.is(await button.locator('[data-action=connect]').getAttribute('target'), '_blank')
  },
)

// [pages.addresses.9] [pages.headers.7]
inBrowser('the token goes as a credential: no request but the document has it in its address', async (t) => {
  const { page, context } = await openPage()
  const urls: string[] = []
  context.on('request', (request) => urls.push(request.url()))
  await page.reload()
  await shows(page, 'qr')
  await poll(page)
  t.deepEqual(
    urls.filter((url) => url.includes(link.token)),
    [link.url],
  )
  t.deepEqual(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'), ['', 0, 0])
})

// [pages.addresses.5] [pages.hooks.1]
inBrowser(
  "without a link the page is an example that says so and asks for nothing, and looks as the service's own page around it says",
  async (t) => {
    const { page } = await openPage()
    const preview = `${link.origin}/connect/preview`
    await page.goto(preview)
    await shows(page, 'qr')
    link.asked.length = 0
    t.is(await page.locator('[data-title]').textContent(), 'Channel Messaging')
    t.is(await page.locator('[data-preview]').textContent(), 'A preview: this code connects nothing')
    await page.locator('[data-action=show-code]').click()
    t.is(await page.locator('[data-code]').textContent(), 'ABCD-1234')
    await page.clock.runFor(60_000)
    await shows(page, 'code')

    await page.goto(`${link.origin}/host`)
    await page.evaluate(
      `{ const frame = document.createElement('iframe'); frame.src = '${preview}'; document.body.append(frame) }`,
    )
    const frame = page.frameLocator('iframe >> nth=0')
    await frame.locator('main[data-state=qr]').waitFor()
    const say = (payload: object, target = 'frames[0]') =>
      page.evaluate(
        `${target}.postMessage(${JSON.stringify({ source: 'channel-embed', v: 1, type: 'preview', payload })}, '*')`,
      )
    await say({
      companyName: 'Acme',
      subtitle: 'x'.repeat(200),
      primaryColor: '#7c3aed',
      supportUrl: 'javascript:alert(1)',
      hidePilotStatusBranding: true,
    })
    await frame.locator('[data-title]', { hasText: 'Acme' }).waitFor()
    t.deepEqual(
      [
        await frame.locator('[data-subtitle]').count(),
        await frame.locator('[data-support]').count(),
        await frame.locator('[data-attribution]').count(),
      ],
      [0, 0, 0],
    )
    t.is(await frame.locator('html').evaluate((root: any) => root.style.getPropertyValue('--primary')), '#7c3aed')
    await say({ companyName: 'Acme', button: { label: 'Link phone', size: 'huge' } })
    const button = frame.locator('main[data-view=button] [data-action=connect]')
    t.is(await button.innerText(), 'Link phone')
    // A frame of another site beside the page sends the same message, but it is not the page's parent.
    await page.evaluate(
      `{ const frame = document.createElement('iframe'); frame.srcdoc = '<script>parent.frames[0].postMessage({ source: "channel-embed", v: 1, type: "preview", payload: { companyName: "Evil" } }, "*"); parent.hasSaid = true</script>'; document.body.append(frame) }`,
    )
    await page.waitForFunction('globalThis.hasSaid')
    await button.click()
    await frame.locator('main[data-view=page][data-state=qr]').waitFor()
    t.is(await frame.locator('[data-title]').textContent(), 'Acme')
    t.deepEqual(link.asked, [])
  },
)
