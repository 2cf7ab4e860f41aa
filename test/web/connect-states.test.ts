import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { overFor, refusalOf, serveScriptedLink, SHOWN_CODE, statusOf, wellScript } from '../helpers/scripted-link.ts'
import type { LinkScript, ScriptedLink } from '../helpers/scripted-link.ts'
import { sized } from '../helpers/size.ts'
import { until } from '../helpers/until.ts'
import { STATES, BRANDED, placesOfParts, isHit } from '../helpers/connect-scenes.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The further rules of axe that the colours of a brand or of a scheme can break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
const LANGUAGES = ['en', 'pt', 'es']
const SCHEMES = ['light', 'dark'] as const

let link: ScriptedLink
/** One page for the whole file, because a new browser context takes longer than most tests. */
let page: Page
let context: BrowserContext
/** What the page did although it must not: requests to other hosts, violations of its policy, errors. */
const faults: string[] = []
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  link = await serveScriptedLink()
  ends.push(() => link.close())
  const browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
  context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  await watch()
  page = await context.newPage()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})
test.beforeEach(() => {
  faults.length = 0
})
test.afterEach.always(async () => {
  if (!usesBrowser) return
  await page.goto('about:blank')
  await context.unrouteAll()
})

async function watch(): Promise<void> {
  // A connected page goes on to another address after 3 s, however far its test has come by then. Here it stays.
  await context.addInitScript(
    'navigation.addEventListener("navigate", (event) => event.destination.url.startsWith("https://acme.example/") && event.preventDefault())',
  )
  context.on('request', (request) => {
    if (!request.isNavigationRequest() && !request.url().startsWith(link.origin) && !request.url().startsWith('data:'))
      faults.push(`asked ${request.url()}`)
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused ${what}`))
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
  )
}

/** Waits for a state. It lets the page's time pass, because some states come with a later poll. */
async function reached(state: string): Promise<void> {
  const main = page.locator('main')
  await main.waitFor()
  await until(`the page is ${state}`, async () => {
    if ((await main.getAttribute('data-state')) === state) return true
    await page.clock.fastForward(500)
    return false
  })
}

/** What axe reports about the page as it is. Its source is loaded once into each document. */
async function violations(runOnly: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE)
  return page.evaluate(async (rules) => {
    const { violations: found } = await (globalThis as any).axe.run({ runOnly: rules, resultTypes: ['violations'] })
    return found.map(
      (violation: any) =>
        `${violation.id}: ${violation.nodes.map((node: any) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
    )
  }, runOnly)
}

function tell(script: Partial<LinkScript>): void {
  Object.assign(link.script, wellScript(), script)
}

/** Leads the page to a state. The skeleton appears after a moment, and its text with it. */
async function show([state, script, address = '']: (typeof STATES)[number], lang: string): Promise<void> {
  tell(script)
  await page.goto(`${link.url}${address}?lang=${lang}`)
  await reached(state)
  await page.clock.fastForward(1_000)
  await atRest()
}

/** Waits until one-time animations have ended. */
async function atRest(): Promise<void> {
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one.effect.getTiming().iterations === 1).map((one) => one.finished.catch(() => null))).then(() => null)',
  )
}

/** Changes the colour scheme that the person wishes. The page is redrawn then, and its colours change gradually. */
async function wish(colorScheme: (typeof SCHEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await until(`the page is ${colorScheme}`, () =>
    page.evaluate(`document.documentElement.style.getPropertyValue('color-scheme') === '${colorScheme}'`),
  )
  await atRest()
}

interface Look {
  readonly state: (typeof STATES)[number]
  readonly lang: string
  readonly scheme: (typeof SCHEMES)[number]
}

/** In a fast gate, every state in every language; otherwise each state once. Languages and schemes take turns. */
const LOOKS = STATES.flatMap((state, at): Look[] =>
  sized(LANGUAGES, [LANGUAGES[at % LANGUAGES.length] ?? 'en']).map((lang, nth) => ({
    state,
    lang,
    scheme: SCHEMES[(at + nth) % SCHEMES.length] ?? 'light',
  })),
)

inBrowser(
  'in en, pt and es every state can be read by all, light and dark, fits 320 px, breaks no policy and asks no other host',
  async (t) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.clock.install()
    for (const { state, lang, scheme } of LOOKS) {
      const about = `${state[0]} in ${lang} ${scheme} ${JSON.stringify(state[1])}`
      await page.emulateMedia({ colorScheme: scheme })
      await show(state, lang)
      t.is(await page.locator('html').getAttribute('lang'), lang)
      t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${about} is wider than 320 px`)
      t.deepEqual(await violations(TAGS), [], about)
    }
    // A page that is shown follows what is wished from then on.
    for (const scheme of SCHEMES) {
      await wish(scheme)
      t.deepEqual(await violations(OF_COLOURS), [], scheme)
    }
    t.deepEqual(faults, [])
  },
)

inBrowser('yellow on white, grey on grey, black on black: what a brand wishes can be read', async (t) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const [at, [primaryColor, backgroundColor]] of (
    [
      ['#ffff00', '#ffffff'],
      ['#888888', '#808080'],
      ['#000000', '#000000'],
      ['#ffffff', '#ffff00'],
    ] as const
  ).entries()) {
    const looks = [
      ...BRANDED,
      [{ branding: { button: { textColor: primaryColor } } }, '[data-action=connect]'] as const,
    ]
    for (const [script, shown] of sized(looks, looks.slice(at, at + 1))) {
      tell({
        ...script,
        branding: { primaryColor, backgroundColor, supportUrl: 'https://acme.example/help', ...script.branding },
      })
      await page.goto(link.url)
      await page.locator(shown).waitFor()
      t.deepEqual(await violations(OF_COLOURS), [], `${primaryColor} on ${backgroundColor}: ${shown}`)
    }
  }
})

// [pages.states.3]
inBrowser(
  'the code is black on white with room around it, 240 px or more, in a dark theme and on a small screen',
  async (t) => {
    tell({ branding: { backgroundColor: '#101010', primaryColor: '#ff8800' } })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${link.url}/qr`)
    const qr = page.locator('[data-qr]')
    await qr.waitFor()
    const box = await qr.boundingBox()
    t.true((box?.width ?? 0) >= 240 && (box?.height ?? 0) >= 240, JSON.stringify(box))
    t.is(await qr.getAttribute('src'), SHOWN_CODE.qrcodeBase64)
    t.is(
      await page.evaluate('getComputedStyle(document.querySelector("[data-qr]").parentElement).backgroundColor'),
      'rgb(255, 255, 255)',
    )
  },
)

// [pages.redirect.3] [pages.hooks.1]
inBrowser('texts of a brand are texts, whatever they hold; the name and the masked number always show', async (t) => {
  const hostile = '<img src=x onerror=alert(1)>'
  tell({
    branding: {
      companyName: hostile,
      subtitle: '{{7*7}}</script><script>alert(1)</script>',
      hidePilotStatusBranding: true,
      button: { label: hostile },
    },
  })
  page.once('dialog', () => faults.push('a dialog'))
  await page.goto(`${link.url}?mode=page&title=x`)
  await page.locator('[data-qr]').waitFor()
  t.is(await page.locator('[data-title]').textContent(), hostile)
  t.is(await page.locator('[data-subtitle]').textContent(), '{{7*7}}</script><script>alert(1)</script>')
  t.is(await page.locator('[data-number]').textContent(), '*********7777')
  t.regex(await page.locator('main').innerText(), /Front desk/)
  t.is(await page.locator('[data-attribution]').count(), 0)
  await page.goto(link.url)
  t.regex(await page.locator('[data-action=connect]').innerText(), /<img src=x onerror=alert\(1\)>/)
  t.deepEqual(faults, [])
})

// [branding.theme.9]
inBrowser('a logo that does not load is left out', async (t) => {
  await context.route('https://acme.example/**', (route) =>
    route.request().url().endsWith('good.png')
      ? route.fulfill({
          contentType: 'image/png',
          body: Buffer.from(SHOWN_CODE.qrcodeBase64.split(',')[1] ?? '', 'base64'),
        })
      : route.fulfill({ status: 404 }),
  )
  tell({ branding: { logoUrl: 'https://acme.example/good.png' } })
  await page.goto(link.url)
  await page.locator('[data-logo]').waitFor()
  tell({ branding: { logoUrl: 'https://acme.example/missing.png' } })
  await page.goto(link.url)
  await page.locator('[data-qr]').waitFor()
  await page.locator('[data-logo]').waitFor({ state: 'detached' })
  t.pass()
})

inBrowser(
  'a link minted with a button never shows the page before it, and the button stands in the middle of its window (case 19)',
  async (t) => {
    tell({ branding: { button: {} } })
    await page.setViewportSize({ width: 1440, height: 800 })
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await context.route('**/branding', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto(link.url)
    const main = page.locator('main[data-state=loading]')
    await main.waitFor()
    t.deepEqual([await main.getAttribute('data-view'), (await main.innerText()).trim()], [null, ''])
    answer()
    const button = await page.locator('main[data-view=button] [data-action=connect]').elementHandle({ timeout: 30_000 })
    const box = await button?.boundingBox()
    t.true(
      box !== null
        && box !== undefined
        && Math.abs(box.x + box.width / 2 - 720) <= 1
        && Math.abs(box.y + box.height / 2 - 400) <= 1,
      JSON.stringify(box),
    )
  },
)

inBrowser('the typed code lies within its card, in the middle, at every width (case 1)', async (t) => {
  tell({})
  await page.goto(`${link.url}/code`)
  await page.locator('[data-code]').waitFor()
  for (const width of [320, 360, 414, 559, 560, 720, 800, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const [left, right] = (await page.evaluate(`(() => {
      const card = document.querySelector('.code-tile').getBoundingClientRect()
      const letters = [...document.querySelectorAll('.code .letter')].map((letter) => letter.getBoundingClientRect())
      return [letters[0].left - card.left, card.right - letters.at(-1).right]
    })()`)) as [number, number]
    t.true(left >= 8 && Math.abs(left - right) <= 1, `${width} px: ${left} left, ${right} right`)
  }
})

// [pages.states.6] [pages.redirect.3]
inBrowser('a used link that is opened again says which number it connected (case 20)', async (t) => {
  tell({ view: overFor('USED') })
  await page.goto(link.url)
  await page.locator('main[data-state=already-connected]').waitFor()
  t.is(await page.locator('[data-number]').textContent(), '*********7777')
  t.regex(await page.locator('main').innerText(), /Front desk/)
})

inBrowser('failures have a colour that success and waiting do not have (case 21)', async (t) => {
  const colours: string[] = []
  for (const [state, script] of [
    ['connected', { status: statusOf({ state: 'OPEN' }) }],
    ['paused', { status: statusOf({ state: 'CLOSE', reason: 'QR_EXPIRED' }) }],
    ['failed', { status: statusOf({ state: 'CLOSE', reason: 'WRONG_NUMBER' }) }],
    ['invalid', { view: overFor('UNKNOWN') }],
  ] as const) {
    await show([state, script], 'en')
    colours.push(
      await page
        .locator('.state-picture')
        .evaluate((picture: any) => (globalThis as any).getComputedStyle(picture).backgroundColor),
    )
  }
  t.is(colours[2], colours[3])
  t.is(new Set(colours).size, 3, colours.join(', '))
})

inBrowser('the pill of a short name is a card for one of several lines: no corner cuts into the words', async (t) => {
  const name = 'A front desk with a very long name that somebody gave it without thinking of phones'
  tell({ view: { body: { ...(wellScript().view as { readonly body: object }).body, name } } })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(link.url)
  const identity = page.locator('.identity')
  await identity.waitFor()
  const [height, radius] = await identity.evaluate((pill: any): [number, number] => [
    pill.clientHeight,
    Number.parseFloat((globalThis as any).getComputedStyle(pill).borderTopLeftRadius),
  ])
  t.true(height > 60 && radius < height / 3, `${radius} px of ${height} px`)
  t.is(await page.locator('[data-number]').textContent(), '*********7777')
})

inBrowser(
  'where the code comes into the page nothing jumps: what was drawn before it is of the same size',
  async (t) => {
    for (const [address, width] of [
      ['/qr', 1280],
      ['/qr', 390],
      ['/code', 1280],
      ['/code', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      tell({})
      let answer = (): void => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await context.route(/\/self\/connect(\?|$)/, async (route) => {
        if (route.request().method() === 'POST') await held
        await route.fallback()
      })
      await page.goto(`${link.url}${address}`)
      await page.locator('main[data-state=loading] .identity').waitFor()
      const before = await page.evaluate(placesOfParts)
      answer()
      await page.locator(address === '/qr' ? '[data-qr]' : '[data-code]').waitFor()
      const after = await page.evaluate(placesOfParts)
      await context.unrouteAll({ behavior: 'wait' })
      t.true(
        before.every((place, at) => Math.abs(place - (after[at] ?? 0)) <= 2),
        `${address} at ${width} px: ${before.join(', ')}; ${after.join(', ')}`,
      )
    }
  },
)

/** What interrupts a code that is still valid: the state that is shown, and what causes it. */
const IN_THE_WAY: readonly (readonly [state: string, come: () => unknown])[] = [
  ['offline', () => context.setOffline(true)],
  ['failed', () => tell({ status: refusalOf(429, { 'retry-after': '30' }) })],
  ['failed', () => tell({ status: refusalOf(503) })],
]

inBrowser(
  'an interruption of a valid code is shown above it, and neither moves nor covers the code and its text',
  async (t) => {
    for (const [at, [width, address]] of (
      [
        [1280, '/qr'],
        [800, '/code'],
        [390, '/code'],
        [320, '/qr'],
      ] as const
    ).entries()) {
      await page.setViewportSize({ width, height: 900 })
      for (const [nth, [state, come]] of IN_THE_WAY.entries()) {
        const lang = LANGUAGES[(at + nth) % LANGUAGES.length] ?? 'en'
        await show([address.slice(1), {}, address], lang)
        const before = await page.evaluate(placesOfParts)
        await come()
        await reached(state)
        const about = `${address} at ${width} px, ${state} in ${lang}`
        t.deepEqual(await page.evaluate(placesOfParts), before, about)
        const { height } = (await page.locator('.notice').boundingBox()) ?? { height: Number.NaN }
        t.true(height <= (before[0] ?? 0), `${about}: a notice of ${height} px above ${before[0]} px`)
        t.true(await page.locator('.notice [data-action=retry]').evaluate(isHit), about)
        await context.setOffline(false)
      }
    }
  },
)
