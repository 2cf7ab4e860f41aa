import { existsSync } from 'node:fs'
import test from 'ava'
import type { ExecutionContext, TestFn } from 'ava'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { PATIENCE_MS, within } from './until.ts'

/** Where Chromium or Chrome is by the habit of their packages. */
const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** The one that CHROMIUM_PATH names, else an installed one. */
const CHROMIUM = process.env['CHROMIUM_PATH'] || USUAL.find((path) => existsSync(path)) || ''
const hasBrowser = existsSync(CHROMIUM)
/** Set where a browser is known to be there: then none is a fault, not a reason to skip. */
const isRequired = process.env['REQUIRE_BROWSER'] === '1'
if (!hasBrowser && !isRequired)
  process.stderr.write(
    `\n  NO BROWSER: tests that need one are skipped. Install Chromium, or name one by CHROMIUM_PATH (now: ${CHROMIUM || 'none found'})\n\n`,
  )

/** Whether tests in a browser run at all. */
export const usesBrowser = hasBrowser || isRequired

/**
 * Declares a test in a browser, one at a time within its file: skipped where there is none, failed with
 * REQUIRE_BROWSER=1.
 */
export const inBrowser = usesBrowser ? test.serial : test.serial.skip

/**
 * A browser that asks nobody anything by itself, whose pages are waited for as long as all else is; it ends with the
 * test. `more`: arguments of its command.
 */
export async function openBrowser(
  t: Pick<ExecutionContext, 'teardown'>,
  more: readonly string[] = [],
): Promise<Browser> {
  if (!hasBrowser)
    throw new Error('REQUIRE_BROWSER is set, and there is no browser: install Chromium, or name one by CHROMIUM_PATH')
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    timeout: PATIENCE_MS,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
  // What a page is waited for hangs or comes: how fast the machine is decides nothing.
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  t.teardown(() => within('the browser closes', browser.close()))
  return browser
}

/** The browser that is open for files of this thread. */
let shared: { readonly opening: Promise<Browser>; users: number; readonly ends: (() => unknown)[] } | null = null

function joinBrowser(): Promise<Browser> {
  const ends: (() => unknown)[] = []
  shared ??= { opening: openBrowser({ teardown: (end: () => unknown) => void ends.push(end) }), users: 0, ends }
  shared.users += 1
  return shared.opening
}

async function leaveBrowser(): Promise<void> {
  if (!shared || --shared.users > 0) return
  const { ends } = shared
  shared = null
  for (const end of ends) await end()
}

/**
 * Opens before the tests of a file and closes behind them; answers how to get it. Files that share a thread share it:
 * what each opens in it ends with its tests. Nothing is opened where there is no browser.
 */
export function sharedBrowser(test: TestFn): () => Browser {
  let opened: Browser | null = null
  test.before(async () => {
    if (usesBrowser) opened = await joinBrowser()
  })
  test.after.always(leaveBrowser)
  return () => {
    if (!opened) throw new Error('the browser of the tests is not open')
    return opened
  }
}
