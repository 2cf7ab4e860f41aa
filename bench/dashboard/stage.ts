import { chromium, type Page } from 'playwright-core'
import { awaited } from '../awaited.ts'
import { postJson, type Installation } from '../programs.ts'

const DIGITS = '5511977780021'
/** A gateway with a connected number, and a browser that is signed in to it. */
export interface Stage {
  readonly installation: Installation
  readonly page: Page
  /** Where the browser reaches the gateway: a name of this machine, which browsers trust with a microphone. */
  readonly origin: string
  readonly number: { readonly id: string; readonly key: string; readonly digits: string }
  /** Asks the sandbox's control API. */
  control<T = any>(method: string, path: string, body?: object): Promise<T>
  close(): Promise<void>
}

export async function openStage(installation: Installation): Promise<Stage> {
  const { gateway, tenantKey } = installation
  const origin = `http://localhost:${gateway.port}`
  const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${gateway.sandboxPort}/control${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as T
  }
  const { id, apiKey } = await postJson<{ id: string; apiKey: { key: string } }>(
    `${origin}/v1/numbers`,
    { name: 'Bench', number: DIGITS },
    { 'x-api-key': tenantKey },
  )
  await awaited('the code', () => control('POST', `/devices/${DIGITS}/scan`))
  await awaited('the connection', async () => {
    const answer = await fetch(`${origin}/v1/numbers/${id}/status`, { headers: { 'x-api-key': tenantKey } })
    return ((await answer.json()) as { state: string }).state === 'OPEN' ? true : null
  })
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
    number: { id, key: apiKey.key, digits: DIGITS },
    control,
    close: () => browser.close(),
  }
}
