import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { install, median, postJson } from '../programs.ts'
import type { Installation } from '../programs.ts'

/** Target: from mount to ready takes at most this many times as long as an empty frame of the same origin. */
const MOST_TIMES = 4

/** Starts a page of a tenant's product, on an origin of its own. */
export async function startHostPage(embedUrl: string): Promise<{ readonly origin: string; stop(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><title>Host</title><div id="target"></div><script src="${embedUrl}/embed.js"></script>`,
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}

async function mintToken({ gateway, tenantKey }: Installation, origin: string): Promise<string> {
  const [url, headers] = [`http://127.0.0.1:${gateway.port}/v1`, { 'x-api-key': tenantKey }]
  const { id } = await postJson<{ id: string }>(`${url}/numbers`, { name: 'Bench', number: '5511977780009' }, headers)
  const { token } = await postJson<{ token: string }>(
    `${url}/embed/sessions`,
    { surface: 'chat', channelNumberIds: [id], allowedOrigins: [origin] },
    headers,
  )
  return token
}

/** A script that measures the ms from mount to ready. */
function mountOf(token: string): string {
  return `new Promise((resolve) => {
    const fromMs = performance.now()
    Channel.chat.mount('#target', { token: ${JSON.stringify(token)}, onReady: () => resolve(performance.now() - fromMs) })
  })`
}

/** A script that measures the ms until the same document is loaded in a frame that runs no script. */
function emptyOf(embedUrl: string, token: string): string {
  return `new Promise((resolve) => {
    const fromMs = performance.now()
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', '')
    frame.src = ${JSON.stringify(`${embedUrl}/chat?s=${token.split('.')[0]}`)}
    frame.onload = () => resolve(performance.now() - fromMs)
    document.body.append(frame)
  })`
}

async function timesOf(browser: Browser, origin: string, script: string, runs: number): Promise<number[]> {
  const context = await browser.newContext()
  const times: number[] = []
  // The first run fills the cache, as it is on every later visit of a user.
  for (let run = 0; run <= runs; run++) {
    const page = await context.newPage()
    await page.goto(origin)
    times.push(Number(await page.evaluate(script)))
    await page.close()
  }
  await context.close()
  return times.slice(1)
}

/**
 * Compares how long the inbox takes from mount to ready with an empty frame of the same origin, one after the other in
 * the same run.
 */
export async function compareMounts(runs: number): Promise<void> {
  const installation = await install('embedded', { LOG_LEVEL: 'error' })
  const embedUrl = `http://localhost:${installation.gateway.port}`
  const host = await startHostPage(embedUrl)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const token = await mintToken(installation, host.origin)
    const empty = await timesOf(browser, host.origin, emptyOf(embedUrl, token), runs)
    const mounted = await timesOf(browser, host.origin, mountOf(token), runs)
    const [emptyMs, mountedMs] = [median(empty), median(mounted)]
    console.log(
      `${'mount to ready'.padEnd(22)} p50 ${mountedMs.toFixed(0)} ms, an empty frame ${emptyMs.toFixed(0)} ms: ${(mountedMs / emptyMs).toFixed(1)} times, target ${MOST_TIMES}`,
    )
  } finally {
    await browser.close()
    host.stop()
    await installation.close()
  }
}
