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

/** What the embed's server says about a session. */
interface EmbedScript {
  /** Origins that may frame its documents; null means none. */
  allowedOrigins: readonly string[] | null
  /** Origins named in the documents' data; null means the same ones. */
  namedOrigins: readonly string[] | null
  /** The answer of `diagnose` for an origin; null cuts the answer off. */
  diagnose: (origin: string) => object | null
  /** Whether its documents send nothing, as with scripts switched off. */
  isMute: boolean
}

/** Origins of host pages. `/?csp=` and `?coep=` set these headers; `?bare` leaves the script out. */
export interface Hosts {
  readonly host: string
  /** The same server under another host name, and another port of the same host name. */
  readonly otherHost: string
  readonly otherPort: string
}

/**
 * A service of which only the side of the frames is real, on an origin of its own, with servers of host pages. A test
 * scripts what the frames do.
 */
export interface ScriptedEmbed extends Hosts {
  /** The origin of script, API and frames. */
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

/** A host page, with a record of what it did. */
export interface HostPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Console output of the page and its frames. */
  readonly written: string[]
  /** Every request of every frame: its address and Referer. */
  readonly asked: string[]
  /** Names and values of callbacks, as `record` in the page saw them: `onReady`, `onPaired {"numberId...}`. */
  seen(): Promise<string[]>
  /**
   * Advances the time of the page and its frames in short steps until a check holds, because drawing takes some of it.
   */
  passes(what: string, check: () => boolean | Promise<boolean>): Promise<unknown>
  /** The document in the frame, once the handshake is done. */
  met(index?: number): Promise<Frame>
}

/** Runs in the page: options with recorded callbacks, and what a call throws at once. */
const RECORDING = `
globalThis.seen = []
globalThis.recorded = (options) => Object.assign(options, Object.fromEntries(['onReady', 'onError', 'onPaired', 'onExpired', 'onClose', 'onUnreadCount', 'onConversationOpened', 'onSessionExpired']
  .map((name) => [name, (...values) => seen.push([name, ...values.map((value) => JSON.stringify(value instanceof Error ? { code: value.code, message: value.message, hint: value.hint } : value))].join(' '))])))
globalThis.codeOf = (call) => { try { call(); return null } catch (error) { return error.code } }
`

/** Idle pages, by browser: opening a page costs a test more than what it does there. */
const idle = new WeakMap<Browser, Page[]>()

/** Opens a page with controlled time in a context of its own, so that a slow frame does not run into a timeout. */
async function newHostPage(browser: Browser, prepare: string): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: false })
  const page = await context.newPage()
  await page.clock.install()
  // A time in the future, because the clock cannot be set back.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.addInitScript({ content: `if (window === top) {${RECORDING}${prepare}}` })
  return page
}

/** Removes everything that a test left in its page. */
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

/** Opens a host page: an idle one, unless a script must run before the page. */
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
