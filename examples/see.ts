/** A message of a sandbox peer to the inbox in the page of an example, and what a person sees there. */
import { existsSync } from 'node:fs'
import { chromiumPath } from '../tools/demo/chromium.ts'
import type { Stage, StageNumber } from './stage.ts'

/** A peer of the sandbox that says back what it is told. */
const PEER = '5511990000005'
const QUESTION = 'Are you open on Saturday?'
const ANSWER = 'Yes, from 9 to 14'
/** our choice: a machine that is busy may take minutes. */
const PATIENCE_MS = 120_000

/** Has a peer write to the number; does nothing where the stage has no sandbox. */
export async function peerWrites({ control }: Stage, { digits }: StageNumber): Promise<void> {
  await control?.rest.post(`/control/peers/${PEER}/messages`, { to: digits, text: QUESTION })
}

/**
 * Opens the page in a browser without a window, has a peer write, answers in the inbox, waits for what the peer says
 * back, and writes a picture of the page to `file`. Throws when there is no browser, or a message does not show.
 */
export async function seeInbox(
  stage: Stage,
  number: StageNumber,
  { url, file }: { readonly url: string; readonly file: string },
): Promise<void> {
  const executablePath = chromiumPath()
  if (!existsSync(executablePath)) throw new Error('there is no Chromium to look with: CHROMIUM_PATH names one')
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath, args: ['--disable-background-networking'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1_000, height: 780 } })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(url)
    await peerWrites(stage, number)
    const inbox = page.frameLocator('iframe')
    await inbox.locator('[data-conversation]', { hasText: QUESTION }).click()
    await inbox.locator('[data-message]', { hasText: QUESTION }).waitFor()
    await inbox.locator('[data-composer]').fill(ANSWER)
    await inbox.locator('[data-action=send]').click()
    // The second is what the peer says back.
    await inbox.locator('[data-message]', { hasText: ANSWER }).nth(1).waitFor()
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
  }
  console.log(`  The inbox shows what the peer wrote, and its answer: ${file}`)
}
