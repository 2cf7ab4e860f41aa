import { existsSync } from 'node:fs'
import test from 'ava'
import type { ExecutionContext, TestFn } from 'ava'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { chromiumPath } from '../../tools/demo/chromium.ts'
import { PATIENCE_MS, within } from './until.ts'

const CHROMIUM = chromiumPath()
const hasBrowser = existsSync(CHROMIUM)
/** Set on machines that must have a browser: a missing one then fails the tests instead of skipping them. */
const isRequired = process.env['REQUIRE_BROWSER'] === '1'
if (!hasBrowser && !isRequired)
  process.stderr.write(
    `\n  NO BROWSER: tests that need one are skipped. Install Chromium, or name one by CHROMIUM_PATH (now: ${CHROMIUM || 'none found'})\n\n`,
  )

/** Whether browser tests run at all. */
export const usesBrowser = hasBrowser || isRequired

/**
 * Declares a browser test. Browser tests of a file run one at a time; they are skipped without a browser, and fail
 * without one when REQUIRE_BROWSER=1.
 */
export const inBrowser = usesBrowser ? test.serial : test.serial.skip

/**
 * Opens a browser that sends no requests of its own and waits for pages as long as all other waits; it closes with the
 * test. `more` are arguments of its command line.
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
  // The speed of the machine must not decide a test, so a page may take as long as any other wait.
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  t.teardown(() => within('the browser closes', browser.close()))
  return browser
}

/** The browser that files of this thread share; null when none is open. */
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
 * Opens the browser before the tests of a file and closes it after them; returns how to get it. Files of one thread
 * share it, so each test closes what it opens in it. Nothing is opened when there is no browser.
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
