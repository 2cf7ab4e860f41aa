import { createServer } from 'node:http'
import type { ExecutionContext } from 'ava'
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import type { Service } from './service.ts'

/** A tenant's page, on an origin of its own, in which inboxes are mounted. */
export interface InboxHost {
  readonly origin: string
  /** The address of the service's inbox frames, as the service names it. */
  readonly chatUrl: string
}

/** Serves the tenant's page, which loads the SDK from the service as documented. */
export async function serveInboxHost(
  t: Pick<ExecutionContext, 'teardown'>,
  service: Pick<Service, 'base'>,
): Promise<InboxHost> {
  const { chatUrl } = (await (await fetch(`${service.base}/embed/config.json`)).json()) as { chatUrl: string }
  const document = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><body style="margin:0"><div id="inbox" style="height:100vh"></div><script src="${chatUrl}/embed.js"></script></body></html>`
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(document),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => server.close())
  return { chatUrl, origin: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}

/** Creates a session of some numbers for the host. */
export async function mintInbox(
  service: Service,
  host: InboxHost,
  channelNumberIds: readonly string[],
  more: object = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const minted = await service.api('POST', '/v1/embed/sessions', service.tenantKey, {
    surface: 'chat',
    channelNumberIds,
    allowedOrigins: [host.origin],
    ...more,
  })
  if (minted.status !== 201) throw new Error(`nothing was minted: ${minted.text}`)
  return minted.body
}

/** An inbox mounted in the host's page, with a record of what it did. */
export interface InboxPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly frame: FrameLocator
  /** Calls of the SDK's callbacks, such as `onReady` and `onUnreadCount 3`. */
  seen(): Promise<string[]>
  /** Faults: requests to other hosts, policy violations, errors, tokens in visible places. */
  readonly faults: string[]
  /** Secrets of tokens, including refreshed ones; a test that mounts more adds theirs. */
  readonly secrets: Set<string>
}

interface Mounted {
  /** A function becomes the page's `fetchToken`. */
  readonly token: string | (() => Promise<string>)
  /** Options of `chat.mount` besides the token. */
  readonly options?: object
  readonly browser?: BrowserContextOptions
  /** Runs before the inbox begins. */
  readonly prepare?: (context: BrowserContext) => Promise<void>
  /** The `data-state` to wait for; default `ready`. */
  readonly state?: string
}

/** Mounts an inbox with the SDK, and waits until it is drawn. */
export async function openInboxPage(
  browser: Browser,
  host: InboxHost,
  { token, options = {}, browser: how = {}, prepare, state }: Mounted,
): Promise<InboxPage> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en',
    permissions: ['microphone'],
    ...how,
  })
  const secrets = new Set<string>()
  const faults = await watched(context, [host.chatUrl, host.origin], secrets)
  if (typeof token === 'string') secrets.add(secretOf(token))
  else await context.exposeFunction('fetchToken', token)
  await prepare?.(context)
  const page = await context.newPage()
  await page.goto(host.origin)
  await page.evaluate(
    ([chatUrl, mounted]) => {
      const { Channel, seen = [] } = globalThis as any
      const record = (name: string) => (value: unknown) =>
        seen.push(value === undefined ? name : `${name} ${JSON.stringify(value)}`)
      const callbacks = Object.fromEntries(
        ['onReady', 'onUnreadCount', 'onConversationOpened', 'onSessionExpired', 'onError'].map((name) => [
          name,
          record(name),
        ]),
      )
      Channel.init({ baseUrl: chatUrl, chatUrl, connectUrl: chatUrl })
      const { fetchToken } = globalThis as any
      Object.assign(globalThis, {
        seen,
        record,
        handle: Channel.chat.mount('#inbox', {
          ...(fetchToken ? { fetchToken } : {}),
          ...(mounted as object),
          ...callbacks,
        }),
      })
    },
    [host.chatUrl, { ...(typeof token === 'string' ? { token } : {}), ...options }] as const,
  )
  const frame = page.frameLocator('iframe')
  await frame
    .locator(state === undefined ? 'main:is([data-state=ready], [data-state=empty])' : `main[data-state=${state}]`)
    .waitFor()
    .catch(async (error: unknown) => {
      const shown = await frame.locator('body').innerHTML({ timeout: 1000 }).catch(String)
      throw new Error(`the inbox shows ${shown.slice(0, 500)}, and its faults are ${faults.join(', ')}`, {
        cause: error,
      })
    })
  return { page, context, frame, faults, secrets, seen: () => page.evaluate(() => (globalThis as any).seen) }
}

/** Records requests to other hosts, policy violations and errors, and the secret wherever it appears. */
async function watched(context: BrowserContext, origins: readonly string[], secrets: Set<string>): Promise<string[]> {
  const faults: string[] = []
  const names = (text: string): boolean => [...secrets].some((secret) => text.includes(secret))
  context.on('request', (request) => {
    const url = request.url()
    if (!/^(?:data|blob):/.test(url) && !origins.some((origin) => url.startsWith(`${origin}/`)))
      faults.push(`asked ${url}`)
    const { authorization = '', referer = '' } = request.headers()
    if (authorization.startsWith('Bearer emb_')) secrets.add(secretOf(authorization))
    if (names(url) || names(referer)) faults.push(`a secret is in the address of ${url}`)
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' || names(message.text()))
      faults.push(`console: ${message.text()} ${message.location().url}`)
  })
  await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(`refused ${what}`))
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => refusedByPolicy(event.violatedDirective + " " + event.blockedURI))',
  )
  return faults
}

/** The secret part of a token: everything after the id, which grants nothing by itself. */
export function secretOf(token: string): string {
  return token.split('.')[1] ?? token
}

/**
 * Everything that the pages of an inbox and its frames store: documents, cookies and storages. A browser may deny a
 * frame its storage.
 */
export async function keptBy({ page }: InboxPage): Promise<string> {
  const kept = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const page = globalThis as any
        const { outerHTML } = page.document.documentElement
        try {
          return JSON.stringify([outerHTML, page.document.cookie, { ...page.localStorage }, { ...page.sessionStorage }])
        } catch {
          return outerHTML as string
        }
      }),
    ),
  )
  return kept.join('\n')
}
