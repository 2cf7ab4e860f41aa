import { chromium, type Page } from 'playwright-core'
import { controlOf, pairNumber, type Control } from '../paired-number.ts'
import type { Installation } from '../programs.ts'

const DIGITS = '5511977780021'
/** A gateway with a connected number, and a browser that is signed in to it. */
export interface Stage {
  readonly installation: Installation
  readonly page: Page
  /** Where the browser reaches the gateway: a name of this machine, which browsers trust with a microphone. */
  readonly origin: string
  readonly number: { readonly id: string; readonly key: string; readonly digits: string }
  /** Asks the sandbox's control API. */
  readonly control: Control
  close(): Promise<void>
}

export async function openStage(installation: Installation): Promise<Stage> {
  const { gateway, tenantKey } = installation
  const origin = `http://localhost:${gateway.port}`
  const number = await pairNumber(installation, DIGITS)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--autoplay-policy=no-user-gesture-required'],
  })
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${origin}/login`)
  await page.evaluate(async (key) => {
    const body = JSON.stringify({ tenantKey: key })
    await fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }, tenantKey)
  return {
    installation,
    page,
    origin,
    number,
    control: controlOf(gateway),
    close: () => browser.close(),
  }
}
