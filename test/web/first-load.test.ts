import type { ExecutionContext } from 'ava'
import type { Browser } from 'playwright-core'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { signIn } from '../helpers/dashboard.ts'
import { World } from '../helpers/world.ts'
import { servePages } from '../helpers/pages.ts'

/** For each document: its address, what shows that the page is ready, and the files that it must not load before. */
const PAGES = [
  ['/connect/rp_00000000000000000000000000', 'main[data-state=invalid] h1'],
  ['/connect?h=', 'main[data-state=invalid] h1'],
  ['/chat', 'main[data-state=error] .notice'],
  ['/login', 'main[data-state=sign-in] h1'],
  ['/dashboard', 'main[data-page=overview] h1'],
  ['/dashboard/numbers', 'main[data-page=numbers] h1'],
  ['/dashboard/keys', 'main[data-page=keys] h1'],
] as const

/** What caused a request, as the browser reports it (Chrome DevTools Protocol, Network.Initiator). */
interface Initiator {
  readonly url?: string
  readonly stack?: Stack
}
interface Stack {
  readonly callFrames: readonly { readonly url: string }[]
  readonly parent?: Stack
}

function askerOf({ url, stack }: Initiator): string | undefined {
  let from = stack
  while (from?.callFrames.length === 0) from = from.parent
  return url ?? from?.callFrames[0]?.url
}

/**
 * Opens a page until it is ready. Returns its document and its files, each with the number of requests that came one
 * after the other before it.
 */
async function loaded(
  browser: Browser,
  url: string,
  stands: string,
  locale: string,
  cookie: string | null,
): Promise<{ readonly html: string; readonly files: ReadonlyMap<string, number> }> {
  const context = await browser.newContext({ locale })
  const [name = '', value = ''] = cookie?.split('=') ?? []
  if (cookie !== null) await context.addCookies([{ name, value, url: new URL(url).origin }])
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  const rounds = new Map<string, number>()
  network.on('Network.requestWillBeSent', ({ request, initiator }) => {
    rounds.set(request.url, (rounds.get(askerOf(initiator) ?? '') ?? 0) + 1)
  })
  await network.send('Network.enable')
  const document = await page.goto(url)
  await page.locator(stands).waitFor()
  const html = (await document?.text()) ?? ''
  await context.close()
  return {
    html,
    files: new Map(
      [...rounds].flatMap(([file, round]) =>
        file.includes('/assets/') ? [[file.slice(file.indexOf('/assets/')), round] as const] : [],
      ),
    ),
  }
}

inBrowser(
  'a page stands after two requests, one behind the other: its document, and in any language all that it runs',
  async (t: ExecutionContext) => {
    const world = new World()
    const client = await servePages(t, world)
    const { url } = client
    const { cookie } = await signIn(client, world)
    const browser = await openBrowser(t)
    for (const [path, stands] of PAGES) {
      for (const [locale, query, lang] of [
        ['pt-BR', '', 'pt'],
        ['en', 'lang=es', 'es'],
      ] as const) {
        const { html, files } = await loaded(
          browser,
          `${url}${path}${query === '' ? '' : path.includes('?') ? `&${query}` : `?${query}`}`,
          stands,
          locale,
          path.startsWith('/dashboard') ? cookie : null,
        )
        t.true(html.includes(`<html lang="${lang}"`), path)
        t.deepEqual(
          [...files].filter(([, round]) => round !== 2),
          [],
          `${path} in ${lang}`,
        )
        const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
        t.deepEqual([...files.keys()].toSorted(), named.toSorted(), `${path} in ${lang}: no more than it needs`)
      }
    }
  },
)
