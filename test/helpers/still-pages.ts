import type { Browser, BrowserContext, Page } from 'playwright-core'
import { until } from './until.ts'

/** A page with controlled time, in a context of its own. */
export interface StillPage {
  readonly page: Page
  readonly context: BrowserContext
}

/** Opens a page whose time passes only as the test says. */
export async function newStillPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
): Promise<StillPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await context.route('https://acme.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Acme</title>' }),
  )
  const page = await context.newPage()
  await page.clock.install({ time: 0 })
  // A time in the future, because the clock cannot be set back.
  await page.clock.pauseAt(3_600_000)
  return { page, context }
}

/**
 * Lets the page's time pass until a check holds, because a page starts some waits only once it has drawn, or read an
 * answer.
 */
export async function passes(page: Page, what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await check()) return true
    await page.clock.runFor(200)
    return false
  })
}
