import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TestFn } from 'ava'
import type { BrowserContext, Page, Request, Route } from 'playwright-core'
import { permissionsOf, type Role } from '../../src/domain/permissions.ts'
import { openBrowser, usesBrowser } from './browser.ts'
import type { Client } from './http-app.ts'
import type { Said, Script } from './people-scenes.ts'
import { servePages } from './pages.ts'
import { sized } from './size.ts'
import { World } from './world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const SIGNED_OUT: Said = { status: 401, body: { error: 'no' } }
/** Of what no script of a test tells. */
const MISSING: Said = { status: 404, body: { error: 'No such route', code: 'ROUTE_NOT_FOUND' } }

/** The session of a person with a role. */
export function sessionOf(role: Role): object {
  return {
    tenant: { id: 'ten_1', name: 'Acme & Söhne' },
    csrfToken: 'csrf-1',
    expiresAt: '2027-01-01T00:00:00.000Z',
    user: { id: 'usr_1', email: 'ana@acme.example', name: 'Ana', role },
    permissions: [...permissionsOf(role)],
  }
}

/** A request that a page sent to the API. */
export interface AskedOf {
  /** Method and path without its query. */
  readonly what: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The dashboard in a browser, with an API that each test scripts. */
export class DashboardStage {
  page!: Page
  origin = ''
  /** Behind the pages, whose API tests script: it answers the frames that pages show. */
  readonly world = new World()
  client!: Client
  readonly asked: AskedOf[] = []
  /** Errors of scripts, and what the policy of the page refused. */
  readonly faults: string[] = []
  #script: Script = {}
  #streams: Route[] = []
  #looked = 0

  readonly #ends: (() => unknown)[] = []
  #isReady = false

  /**
   * Opens a browser before the first test of a file, and closes it after the last. It is not the one that files share,
   * because hooks run at once, and that one could be closed before what stands in it.
   */
  constructor(test: TestFn) {
    test.beforeEach(async () => {
      if (usesBrowser && !this.#isReady) await this.#begin()
      this.asked.length = 0
      this.faults.length = 0
    })
    test.after.always(async () => {
      for (const end of this.#ends.toReversed()) await end()
    })
  }

  async #begin(): Promise<void> {
    this.#isReady = true
    const keep = { teardown: (end: () => unknown) => void this.#ends.push(end) }
    this.client = await servePages(keep, this.world)
    this.origin = this.client.url
    const context = await (
      await openBrowser(keep)
    ).newContext({
      reducedMotion: 'reduce',
      locale: 'en',
      timezoneId: 'UTC',
      viewport: { width: 1_280, height: 800 },
    })
    await this.#prepare(context)
  }

  async #prepare(context: BrowserContext): Promise<void> {
    context.on('weberror', (error) => this.faults.push(error.error().message))
    await context.exposeFunction('refusedByPolicy', (what: string) => this.faults.push(`refused ${what}`))
    await context.addInitScript(
      'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
    )
    await context.route(`${this.origin}/api/**`, (route) => this.#answer(route))
    this.page = await context.newPage()
  }

  /**
   * Opens a path. `script` answers `METHOD /path`, or `METHOD /path?query` where the query matters; nobody is signed in
   * unless it answers `GET /api/session`, which `as` does for a role.
   */
  async open(path: string, script: Script = {}, as: Role | null = 'OWNER'): Promise<void> {
    await this.page.goto('about:blank')
    this.asked.length = 0
    this.#streams = []
    this.#script = { ...(as === null ? {} : { 'GET /api/session': { body: sessionOf(as) } }), ...script }
    await this.page.goto(this.origin + path)
  }

  /** Changes what the API answers from now on. */
  script(more: Script): void {
    this.#script = { ...this.#script, ...more }
  }

  /** Waits until a page of the dashboard stands. */
  async shows(name: string): Promise<void> {
    await this.page.locator(`main[data-page=${name}]:not([aria-busy=true])`).waitFor()
  }

  /** Tells frames to the page, whose stream then ends, and is opened again. */
  async tell(type: string, ...frames: readonly object[]): Promise<void> {
    const stream = await this.#stream()
    const told = frames.map((data, at) => `event: ${type}\nid: ${Date.now()}-${at}\ndata: ${JSON.stringify(data)}\n\n`)
    await stream.fulfill({ contentType: 'text/event-stream', body: told.join('') })
  }

  /** What axe says against the page as it stands, whether it is wider than the window, and all other faults. */
  async violations(): Promise<string[]> {
    await this.page.evaluate(AXE)
    const found = await this.page.evaluate(async (tags) => {
      const { violations } = await (globalThis as any).axe.run({ runOnly: tags, resultTypes: ['violations'] })
      return violations.map(
        (violation: any) => `${violation.id}: ${violation.nodes.map((node: any) => node.html).join(' | ')}`,
      ) as string[]
    }, TAGS)
    const fits = await this.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
    return [...found, ...(fits ? [] : ['wider than the window']), ...this.faults]
  }

  /**
   * Looks at the page in each language, light and dark, at 320 px and at 1,280 px, after `ready`; gives all that is
   * wrong with it. A slow machine looks twice at each page, and at every second page in the other languages.
   */
  async looks(path: string, script: Script, ready: () => Promise<unknown>): Promise<string[]> {
    const wrong: string[] = []
    this.#looked += 1
    const looks = sized(
      LOOKS,
      LOOKS.filter((_, nth) => nth % 2 === this.#looked % 2),
    )
    for (const [lang, colorScheme, width] of looks) {
      await this.page.emulateMedia({ colorScheme })
      await this.page.setViewportSize({ width, height: 800 })
      await this.open(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, script)
      await ready()
      const found = await this.violations()
      wrong.push(...found.map((one) => `${lang}, ${colorScheme}, ${width} px: ${one}`))
    }
    await this.page.emulateMedia({ colorScheme: 'light' })
    await this.page.setViewportSize({ width: 1_280, height: 800 })
    return wrong
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const { pathname, search, searchParams } = new URL(request.url())
    const what = `${request.method()} ${pathname}`
    if (what === 'GET /api/stream' && !(what in this.#script)) {
      this.#streams.push(route)
      this.#waiting.shift()?.()
      return
    }
    const body = bodyOf(request)
    this.asked.push({ what, query: Object.fromEntries(searchParams), headers: request.headers(), body })
    const scripted =
      this.#script[what + search] ?? this.#script[what] ?? (what.endsWith('/api/session') ? SIGNED_OUT : MISSING)
    const { status = 200, headers = {}, body: said = {} } = typeof scripted === 'function' ? scripted(body) : scripted
    await route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(said) })
  }

  readonly #waiting: (() => void)[] = []

  /** The stream that the page holds open. */
  async #stream(): Promise<Route> {
    const held = this.#streams.shift()
    if (held !== undefined) return held
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return await this.#stream()
  }
}

/** The body of a request: JSON, else its text. */
function bodyOf(request: Request): unknown {
  return (request.headers()['content-type'] ?? 'application/json').startsWith('application/json')
    ? (request.postDataJSON() as unknown)
    : request.postData()
}

/**
 * Every language, both colour schemes and both widths, without trying each with each. Every second one alone has both
 * schemes and both widths.
 */
const LOOKS: readonly (readonly [lang: string, colorScheme: 'light' | 'dark', width: number])[] = [
  ['en', 'light', 320],
  ['pt', 'dark', 320],
  ['en', 'dark', 1_280],
  ['es', 'light', 1_280],
]
