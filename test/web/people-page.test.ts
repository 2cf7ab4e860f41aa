import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'ava'
import type { Page, Route } from 'playwright-core'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { World } from '../helpers/world.ts'
import { servePages } from '../helpers/pages.ts'
import { sized } from '../helpers/size.ts'
import {
  SANDBOX,
  NOBODY,
  STATES,
  LOGIN_TOKEN,
  SIGNED_IN,
  SESSION,
  WRONG,
  USER,
  INTERACTION,
  ASKED,
  CLIENT,
  GRANT,
} from '../helpers/people-scenes.ts'
import type { Script, Said } from '../helpers/people-scenes.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let origin: string
let page: Page
let script: Script = {}
/** The requests to the API: `method path`, CSRF token and body. */
const asked: {
  readonly what: string
  readonly csrf: string | undefined
  readonly body: unknown
  readonly url: string
}[] = []
const faults: string[] = []
const ends: (() => unknown)[] = []
test.before(async (t) => {
  if (!usesBrowser) return
  const keep = { teardown: (end: () => unknown) => void ends.push(end) }
  origin = (await servePages({ ...t, ...keep } as never, new World(), { sandboxUrl: SANDBOX })).url
  const browser = await openBrowser(keep)
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  context.on('weberror', (error) => faults.push(error.error().message))
  await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused ${what}`))
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
  )
  await context.route(`${origin}/api/**`, answer)
  await context.route('https://assistant.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Assistant</title>' }),
  )
  page = await context.newPage()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})
test.beforeEach(() => {
  asked.length = 0
  faults.length = 0
})

async function answer(route: Route): Promise<void> {
  const request = route.request()
  const what = `${request.method()} ${new URL(request.url()).pathname.replace(/i{43}/, '{id}')}`
  const body = request.postDataJSON() as unknown
  asked.push({ what, csrf: request.headers()['x-csrf-token'], body, url: request.url() })
  const scripted = script[what] ?? NOBODY
  const { status = 200, headers = {}, body: said = {} } = typeof scripted === 'function' ? scripted(body) : scripted
  await route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(said) })
}

async function open(path: string, said: Script): Promise<void> {
  await page.goto('about:blank')
  // Drops requests that the page before sent at its end.
  asked.length = 0
  script = said
  await page.goto(origin + path)
}

async function shows(state: string): Promise<void> {
  await page.locator(`main[data-state=${state}]`).waitFor()
}

/** Addresses that are refused and that the build has no page for. */
const REFUSED = ['/nowhere', '/oauth/authorize?client_id=x&redirect_uri=https://x.example']

inBrowser(
  'signing in, invitations and consent can be read by all in en, pt and es, light and dark, fit 320 px and break no policy',
  async (t) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const languages = ['en', 'pt', 'es']
    for (const [at, [state, path, said]] of STATES.entries()) {
      // Schemes take turns, so that the gate sees each state in both.
      for (const [nth, lang] of sized(languages, [languages[at % 3] ?? 'en']).entries()) {
        const colorScheme = (at + nth) % 2 === 0 ? 'light' : 'dark'
        await page.emulateMedia({ colorScheme })
        const [before = '', fragment] = path.split('#')
        await open(`${before}?lang=${lang}${fragment === undefined ? '' : `#${fragment}`}`, said)
        await shows(state)
        const about = `${state} at ${path} in ${lang}, ${colorScheme}`
        t.deepEqual(await faultsOfPage(), [], about)
        t.is(await page.getAttribute('html', 'lang'), lang)
      }
    }
  },
)

/** What axe reports about the page, and whether it is wider than the screen. */
async function faultsOfPage(): Promise<string[]> {
  await page.evaluate(AXE)
  const found = await page.evaluate(async (tags) => {
    const { violations } = await (globalThis as any).axe.run({ runOnly: tags, resultTypes: ['violations'] })
    return violations.map(
      (violation: any) => `${violation.id}: ${violation.nodes.map((node: any) => node.html).join(' | ')}`,
    ) as string[]
  }, TAGS)
  return [
    ...found,
    ...((await page.evaluate<boolean>('document.documentElement.scrollWidth <= 320')) ? [] : ['overflows']),
    ...faults,
  ]
}

// [sessions.hooks.1]
inBrowser(
  'scripts find the login page, its state and its form, whose fields are named as those of the route',
  async (t) => {
    await open('/login', {})
    const form = page.locator('main[data-page=login][data-state=sign-in] form[data-form=login]')
    await form.waitFor()
    const names = await form.locator('input').evaluateAll((all: any[]) => all.map(({ name }) => name))
    t.deepEqual(names, ['email', 'password', 'tenantKey'])
  },
)

inBrowser(
  'an address that refuses is drawn as the pages are: it can be read by all, light and dark, and fits 320 px (case 12)',
  async (t) => {
    await page.setViewportSize({ width: 320, height: 640 })
    for (const path of REFUSED) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(origin + path)
        t.deepEqual(await faultsOfPage(), [], `${path}, ${colorScheme}`)
        t.true(await page.isVisible('h1'))
        t.is(
          await page.evaluate('getComputedStyle(document.body).backgroundColor'),
          colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(15, 21, 19)',
        )
      }
    }
  },
)

inBrowser('a login link is used up from the fragment, which goes to no server and into no history', async (t) => {
  await open(`/login#${LOGIN_TOKEN}`, { ...SIGNED_IN, 'POST /api/session': { body: SESSION } })
  await page.waitForURL(`${origin}/dashboard`)
  t.deepEqual(asked[0], {
    what: 'POST /api/session',
    csrf: undefined,
    body: { loginToken: LOGIN_TOKEN },
    url: `${origin}/api/session`,
  })
  await page.locator('[data-user]').waitFor()
  t.true((await page.textContent('[data-user]'))?.includes('Ana'))
})

inBrowser('a password that is wrong is said to be, and so is how long to wait', async (t) => {
  await open('/login', {
    'POST /api/session': (body) =>
      (body as { email: string }).email === 'busy@acme.example'
        ? { status: 429, headers: { 'retry-after': '540' } }
        : WRONG,
  })
  await shows('sign-in')
  await page.fill('input[name=email]', 'ana@acme.example')
  await page.fill('input[name=password]', 'not this one at all')
  await page.click('button[type=submit]')
  t.true((await page.textContent('[data-fault=WRONG]'))?.includes('not right'))
  t.deepEqual(asked.at(-1)?.body, { email: 'ana@acme.example', password: 'not this one at all' })
  await page.fill('input[name=email]', 'busy@acme.example')
  await page.click('button[type=submit]')
  t.true((await page.textContent('[data-fault=BUSY]'))?.includes('9 minutes'))
})

inBrowser(
  'a page that is open at another address than the service is reached at says so, and speaks of no role',
  async (t) => {
    const elsewhere: Said = { status: 403, body: { error: 'no', code: 'CSRF_REJECTED' } }
    await open('/login', { 'POST /api/session': elsewhere })
    await shows('sign-in')
    await page.fill('input[name=email]', 'ana@acme.example')
    await page.fill('input[name=password]', 'four words put together')
    await page.click('button[type=submit]')
    t.true((await page.textContent('[data-fault=ELSEWHERE]'))?.includes('at another address'))
    await open('/invite#inv_secret', { 'POST /api/invitations/read': elsewhere })
    await shows('invite')
    t.true(await page.isVisible('[data-fault=ELSEWHERE]'))
  },
)

inBrowser('an invitation is taken up with a password that was written twice (cases 8, 9, 18)', async (t) => {
  await open('/invite#inv_secret', {
    ...SIGNED_IN,
    'POST /api/invitations/read': { body: { email: USER.email, name: 'Anna', tenant: { name: 'Acme' } } },
    'POST /api/invitations/accept': { body: SESSION },
  })
  await shows('invite')
  t.true((await page.textContent('h1'))?.includes('Acme'))
  t.is(await page.inputValue('input[name=name]'), 'Anna')
  t.is(await page.inputValue('input[autocomplete=username]'), USER.email)
  await page.fill('input[name=name]', 'Ana')
  await page.fill('input[name=password]', 'four words put together')
  await page.fill('input[name=repeated]', 'four words put together!')
  await page.click('button[type=submit]')
  t.false(asked.some(({ what }) => what === 'POST /api/invitations/accept'))
  await page.fill('input[name=repeated]', 'four words put together')
  await page.click('button[type=submit]')
  await shows('account')
  t.deepEqual(asked[0], {
    what: 'POST /api/invitations/read',
    csrf: undefined,
    body: { token: 'inv_secret' },
    url: `${origin}/api/invitations/read`,
  })
  t.deepEqual(asked.find(({ what }) => what === 'POST /api/invitations/accept')?.body, {
    token: 'inv_secret',
    password: 'four words put together',
    name: 'Ana',
  })
  t.is(page.url(), `${origin}/login`)
  const links = await page.locator('.onward a').evaluateAll((all: any[]) => all.map(({ href }) => href))
  t.deepEqual(links, [
    `${origin}/dashboard`,
    `${origin}/docs`,
    `${origin}/docs#tag/embed-sessions`,
    SANDBOX,
    `${origin}/dashboard/people`,
  ])
  for (const link of links.filter((one) => one !== SANDBOX)) t.is((await fetch(link)).status, 200, link)
})

inBrowser('a dead invitation says so before anybody thinks of a password (case 8)', async (t) => {
  await open('/invite#inv_dead', {
    'POST /api/invitations/read': { status: 404, body: { error: 'no', code: 'INVITATION_NOT_FOUND' } },
  })
  await shows('gone')
  t.is(await page.locator('input').count(), 0)
  t.is(await page.getAttribute('[data-action=sign-in]', 'href'), '/login', 'who used it already can sign in')
  await open('/invite#inv_busy', { 'POST /api/invitations/read': { status: 503, body: { error: 'no', code: 'BUSY' } } })
  await shows('invite')
})

inBrowser(
  'who signs in is asked for e-mail and password, which can be shown; the key of the account is behind a word (cases 17, 18)',
  async (t) => {
    await open('/login', { ...SIGNED_IN, 'GET /api/session': NOBODY, 'POST /api/session': { body: SESSION } })
    await shows('sign-in')
    t.false(await page.isVisible('input[name=tenantKey]'))
    await page.click('[data-action=show-password] >> nth=0')
    t.is(await page.getAttribute('input[name=password]', 'type'), 'text')
    await page.click('summary')
    await page.fill('input[name=tenantKey]', 'cms_key')
    script = { ...script, ...SIGNED_IN }
    await page.click('button[type=submit]')
    await page.waitForURL(`${origin}/dashboard`)
    t.deepEqual(asked.find(({ what }) => what === 'POST /api/session')?.body, { tenantKey: 'cms_key' })
    await page.goto(`${origin}/login`)
    await shows('account')
    t.is(await page.inputValue('[data-form=password] input[autocomplete=username]'), USER.email)
  },
)

inBrowser(
  'among many numbers some are searched for, the answer stays within reach, and it says why it cannot be given yet (case 16)',
  async (t) => {
    const numbers = Array.from({ length: 40 }, (_, n) => ({
      id: `num_${n}`,
      name: `Shop ${n} in a street of a long name`,
      number: `55119999900${String(n).padStart(2, '0')}`,
    }))
    await page.setViewportSize({ width: 360, height: 640 })
    await open(INTERACTION, { ...SIGNED_IN, 'GET /api/oauth/interactions/{id}': { body: { ...ASKED, numbers } } })
    await shows('consent')
    t.regex(await page.innerText('[data-why-not]'), /number/)
    t.is(
      await page
        .locator('.choices .choice')
        .evaluateAll(
          (all: any[]) => all.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).length,
        ),
      0,
      'each row holds its lines',
    )
    t.true(
      await page
        .locator('.choices.many')
        .evaluate((list: any) => list.scrollHeight > list.clientHeight && list.clientHeight < 640),
      'the list scrolls by itself',
    )
    const box = await page.locator('[data-action=allow]').boundingBox()
    t.true(box !== null && box.y + box.height <= 640, JSON.stringify(box))
    await page.check('input[value=num_3]')
    t.is(await page.locator('[data-why-not]').count(), 0)
    t.true(await page.isEnabled('[data-action=allow]'))
    await page.fill('input[name=filter]', 'shop 17')
    t.deepEqual(
      await page.locator('input[name=channelNumberIds]').evaluateAll((all: any[]) => all.map(({ value }) => value)),
      ['num_3', 'num_17'],
    )
    await page.fill('input[name=filter]', '99900 25')
    t.deepEqual(
      await page.locator('input[name=channelNumberIds]').evaluateAll((all: any[]) => all.map(({ value }) => value)),
      ['num_3', 'num_25'],
    )
    await page.fill('input[name=filter]', 'nothing of this name')
    t.deepEqual(await page.locator('.choices > *').allInnerTexts(), [
      'Shop 3 in a street of a long name +5511999990003',
      'No number of this name.',
    ])
    await page.uncheck('input[value="chat:read"]')
    t.regex(await page.innerText('[data-why-not]'), /thing/)
    t.deepEqual(faults, [])
  },
)

inBrowser('an account without a number is told that there is none, not that none was found', async (t) => {
  await open(INTERACTION, { ...SIGNED_IN, 'GET /api/oauth/interactions/{id}': { body: { ...ASKED, numbers: [] } } })
  await shows('consent')
  t.is(await page.innerText('.choices'), 'There is no number yet that it could work with.')
})

// [oauth.consent.1] [oauth.consent.3]
inBrowser('consent names the client as text, offers what the role has, and leads back with the choice', async (t) => {
  await open(INTERACTION, {
    'GET /api/oauth/interactions/{id}': { body: ASKED },
    'POST /api/session': { body: SESSION },
    'POST /api/oauth/interactions/{id}': { body: { redirectTo: `${CLIENT}?code=c` } },
  })
  await shows('sign-in')
  await page.fill('input[name=email]', USER.email)
  await page.fill('input[name=password]', 'four words put together')
  await page.click('button[type=submit]')
  await shows('consent')
  t.true((await page.textContent('h1'))?.includes('Assistant <img src=x>'))
  t.is(await page.textContent('[data-redirect-host]'), 'assistant.example')
  t.true(await page.isDisabled('input[value="templates:manage"]'))
  // An agent may choose numbers but cannot give access to the whole account.
  t.is(await page.locator('input[name=ofAll]').count(), 0)
  t.true(await page.isDisabled('[data-action=allow]'))
  await page.check('input[value=num_2]')
  await page.click('[data-action=allow]')
  await page.waitForURL(`${CLIENT}?code=c`)
  const { body, csrf } = asked.find(({ what }) => what === 'POST /api/oauth/interactions/{id}') ?? {}
  t.deepEqual(body, { decision: 'allow', scopes: ['chat:read'], channelNumberIds: ['num_2'] })
  t.is(csrf, 'csrf-1')
})

inBrowser('a grant is seen, and ended', async (t) => {
  let grants: object[] = [GRANT]
  await open('/login', {
    ...SIGNED_IN,
    'GET /api/grants': () => ({ body: { grants } }),
    'DELETE /api/grants/grt_1': () => {
      grants = []
      return { body: { deleted: true, id: 'grt_1' } }
    },
  })
  await page.click('[data-grant=grt_1] [data-action=end-grant]')
  await page.locator('[data-grant]').waitFor({ state: 'detached' })
  t.is(await page.locator('.news').textContent(), 'Ended: the app can do nothing more.')
})

inBrowser('the documents are framed by nobody, are no-store and bring no inline script', async (t) => {
  for (const path of ['/login', '/invite', INTERACTION]) {
    const response = await fetch(origin + path)
    t.is(response.status, 200)
    const policy = response.headers.get('content-security-policy') ?? ''
    t.true(
      policy.includes("frame-ancestors 'none'") && policy.includes("script-src 'self'") && !policy.includes('unsafe'),
      policy,
    )
    t.is(response.headers.get('x-frame-options'), 'DENY')
    t.is(response.headers.get('cross-origin-opener-policy'), 'same-origin')
    t.is(response.headers.get('cache-control'), 'no-store')
    t.is(response.headers.get('referrer-policy'), 'no-referrer')
  }
})
