import { existsSync } from 'node:fs'
import type { ExecutionContext } from 'ava'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

/** Debian's; another one by CHROMIUM_PATH. */
export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
export const hasBrowser = existsSync(CHROMIUM)

/** A browser that asks nobody anything by itself; it ends with the test. */
export async function openBrowser(t: ExecutionContext): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  t.teardown(() => browser.close())
  return browser
}
