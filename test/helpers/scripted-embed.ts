import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { ExecutionContext } from 'ava'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { builtPages } from './pages.ts'
import { until } from './until.ts'

const ROOT = new URL('../../', import.meta.url)
const SCRIPT_TYPE = {
  'content-type': 'text/javascript; charset=utf-8',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}
const JSON_TYPE = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }

async function serveOn(
  t: Pick<ExecutionContext, 'teardown'>,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<number> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as { port: number }).port
}

/** What the embed's server says of a session. */
interface EmbedScript {
  /** Who may frame its documents; `null`: nobody. */
  allowedOrigins: readonly string[] | null
  /** Those its documents' data name; null: the same. */
  namedOrigins: readonly string[] | null
  /** What `diagnose` answers of an origin; null: the answer is cut off. */
  diagnose: (origin: string) => object | null
  /** Its documents say nothing: scripts are switched off. */
  isMute: boolean
}

/** Origins of host pages. `/?csp=` and `?coep=` ask for these headers, `?bare` leaves the script out. */
export interface Hosts {
  readonly host: string
  /** The same server by another name, and another server by the same name. */
  readonly otherHost: string
  readonly otherPort: string
}

/**
 * A service of which only the frames' side is real, on an origin of its own, and servers of host pages. A test says
 * what its frames do.
 */
export interface ScriptedEmbed extends Hosts {
  /** Origin of script, API and frames. */
  readonly embed: string
  readonly script: EmbedScript
  /** Every request to the embed, with its Referer. */
  readonly requests: string[]
}

const FRAME = `
import { meetHost } from '/web/ui/frame/handshake.ts'
const { allowedOrigins } = JSON.parse(document.getElementById('page-data').textContent)
globalThis.heard = []
const host = await meetHost({ surface: location.pathname.slice(1), allowedOrigins, refusalOf: async (token) => globalThis.refusal ?? null })
host.listen((message) => heard.push(message))
globalThis.host = host
`

export async function serveScriptedEmbed(t: Pick<ExecutionContext, 'teardown'>): Promise<ScriptedEmbed> {
  const bytes = (await builtPages()).files.get('embed/embed.js')?.bytes
  const script: EmbedScript = {
    allowedOrigins: [],
    namedOrigins: null,
    diagnose: () => ({ ok: true, reason: null, hint: '' }),
    isMute: false,
  }
  const requests: string[] = []
  const port = await serveOn(t, async (request, response) => {
    const url = new URL(request.url ?? '/', embed)
    requests.push(`${url.href} ${request.headers.referer ?? ''}`)
    if (url.pathname === '/embed.js') return response.writeHead(200, SCRIPT_TYPE).end(bytes)
    if (url.pathname === '/embed/config.json')
      return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ chatUrl: embed, connectUrl: embed, latest: '1' }))
    if (url.pathname === '/frame.js') return response.writeHead(200, SCRIPT_TYPE).end(FRAME)
    if (url.pathname.startsWith('/web/'))
      return response
        .writeHead(200, SCRIPT_TYPE)
        .end(stripTypeScriptTypes(await readFile(new URL(`.${url.pathname}`, ROOT), 'utf8')))
    if (url.pathname === '/api/public/embed/diagnose') return diagnose(url, response)
    return response.writeHead(200, frameHeaders(script)).end(frameDocument(script))
  })
  const embed = `http://embed.localhost:${port}`

  function diagnose(url: URL, response: ServerResponse): void {
    const said = script.diagnose(url.searchParams.get('origin') ?? '')
    if (said === null) response.destroy()
    else response.writeHead(200, JSON_TYPE).end(JSON.stringify(said))
  }

  return { embed, ...(await serveHosts(t, embed)), script, requests }
}

/** Serves host pages that load the script from an address. */
export async function serveHosts(t: Pick<ExecutionContext, 'teardown'>, service: string): Promise<Hosts> {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { searchParams } = new URL(request.url ?? '/', 'http://host')
    const headers = {
      'content-type': 'text/html',
      ...headerOf('content-security-policy', searchParams.get('csp')),
      ...headerOf('cross-origin-embedder-policy', searchParams.get('coep')),
    }
    const tag = searchParams.has('bare') ? '' : `<script src="${service}/embed.js" crossorigin></script>`
    response
      .writeHead(200, headers)
      .end(
        `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><button id="before">before</button><div id="target"></div>${tag}`,
      )
  }
  const [port, otherPort] = [await serveOn(t, answer), await serveOn(t, answer)]
  return {
    host: `http://127.0.0.1:${port}`,
    otherHost: `http://localhost:${port}`,
    otherPort: `http://127.0.0.1:${otherPort}`,
  }
}

function headerOf(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value }
}

function frameHeaders({ allowedOrigins }: EmbedScript): Record<string, string> {
  const policy = `default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors ${allowedOrigins?.join(' ') ?? "'none'"}`
  return {
    'content-type': 'text/html',
    'content-security-policy': policy,
    'cross-origin-embedder-policy': 'credentialless',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  }
}

function frameDocument({ allowedOrigins, namedOrigins, isMute }: EmbedScript): string {
  const data = JSON.stringify({ allowedOrigins: namedOrigins ?? allowedOrigins ?? [] })
  return `<!doctype html><title>Frame</title><script type="application/json" id="page-data">${data}</script><button id="inside">inside</button>${isMute ? '' : '<script type="module" src="/frame.js"></script>'}`
}

/** A host page, and all that was seen of it. */
export interface HostPage {
  readonly page: Page
  readonly context: BrowserContext
  /** What it wrote on the console, frames too. */
  readonly written: string[]
  /** Every request of every frame: its address and Referer. */
  readonly asked: string[]
  /** Names and values of callbacks, as `record` in the page saw them: `onReady`, `onPaired {"numberId":...}`. */
  seen(): Promise<string[]>
  /** Lets the time of the page and its frames pass in short steps until something is so: what they draw takes some. */
  passes(what: string, check: () => boolean | Promise<boolean>): Promise<unknown>
  /** The document in the frame, once it has met its host. */
  met(index?: number): Promise<Frame>
}

/** In the page: options of which every callback is recorded, and what is thrown at once. */
const RECORDING = `
globalThis.seen = []
globalThis.recorded = (options) => Object.assign(options, Object.fromEntries(['onReady', 'onError', 'onPaired', 'onExpired', 'onClose', 'onUnreadCount', 'onConversationOpened', 'onSessionExpired']
  .map((name) => [name, (...values) => seen.push([name, ...values.map((value) => JSON.stringify(value instanceof Error ? { code: value.code, message: value.message, hint: value.hint } : value))].join(' '))])))
globalThis.codeOf = (call) => { try { call(); return null } catch (error) { return error.code } }
`

/** Pages that no test uses, by their browser: a page of its own costs a test more than what it does there. */
const idle = new WeakMap<Browser, Page[]>()

/**
 * A page whose time passes only as the test says, in a context of its own: however slowly a frame is loaded, it is not
 * given up.
 */
async function newHostPage(browser: Browser, prepare: string): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: false })
  const page = await context.newPage()
  await page.clock.install()
  // Later than it can be by then: a clock is not put back.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.addInitScript({ content: `if (window === top) {${RECORDING}${prepare}}` })
  return page
}

/** Leaves nothing of a test in its page. */
async function tidied(page: Page): Promise<void> {
  const context = page.context()
  page.removeAllListeners()
  await page.unrouteAll()
  await context.unrouteAll()
  context.removeAllListeners('request')
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.clearCookies()
  await page.goto('about:blank')
}

async function givenBack(browser: Browser, page: Page): Promise<void> {
  await tidied(page)
  idle.set(browser, [...(idle.get(browser) ?? []), page])
}

/** Opens a host page: one that a test before has left, unless something is to be prepared in it. */
export async function openHostPage(
  t: ExecutionContext,
  browser: Browser,
  url: string,
  prepare: string = '',
): Promise<HostPage> {
  const page = (prepare === '' ? idle.get(browser)?.pop() : undefined) ?? (await newHostPage(browser, prepare))
  const context = page.context()
  t.teardown(() => (prepare === '' ? givenBack(browser, page) : context.close()))
  const written: string[] = []
  const asked: string[] = []
  context.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
  page.on('console', (message) => written.push(message.text()))
  page.on('pageerror', (error) => written.push(`uncaught ${error.message}`))
  await page.goto(url)
  return {
    page,
    context,
    written,
    asked,
    seen: () => page.evaluate('seen'),
    passes: (what, check) => until(what, async () => (await check()) || (await page.clock.runFor(20), false)),
    met: (index = 0) =>
      until('the frame has met its host', async () => {
        const frame = page.frames().filter((one) => one !== page.mainFrame())[index]
        return frame && (await frame.evaluate('!!globalThis.host').catch(() => false)) ? frame : null
      }),
  }
}
