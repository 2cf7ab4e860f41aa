import pg from 'pg'
import { chromium } from 'playwright-core'
import type { FrameLocator, Page } from 'playwright-core'
import { install, postJson } from '../programs.ts'
import type { Installation } from '../programs.ts'
import { startHostPage } from './mount.ts'

const MESSAGES = 10_000
const DIGITS = '5511977780010'
const PEER = '5511990000001'
/** [inbox.budgets.2]: the longest task in ms, and the most message elements. */
const LONGEST_MS = 100
const MOST_ELEMENTS = 150
/** Our choice, in CSS pixels: one turn of a fast wheel. */
const TURN = 3_000

/**
 * Rows as an import of a phone's history stores them: both directions, one every ten minutes, in the conversation of
 * the received message; `$1` is their number.
 */
const PAST = `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, from_name, to_address, external_id, created_at)
  select 'msg_0' || lpad(n::text, 25, '0'), m.tenant_id, m.number_id, m.provider, m.conversation_id, m.conversation_type, case when n % 3 = 0 then 'OUTBOUND' else 'INBOUND' end,
    case when n % 3 = 0 then 'READ' else 'RECEIVED' end, m.type, replace(m.content, '"the last"', '"Message ' || n || repeat(' with some words', (n % 9)::integer) || '"'), m.from_address, m.from_name,
    m.to_address, 'past.' || n, m.created_at - (${MESSAGES} - n) * interval '10 minutes'
  from messages m, generate_series(0, ${MESSAGES - 2}) n where m.number_id = $1`

/** Creates a number with a conversation of MESSAGES messages; resolves to its id. */
async function longHistory({ gateway, tenantKey, databaseUrl }: Installation): Promise<string> {
  const [api, control] = [`http://127.0.0.1:${gateway.port}/v1`, `http://127.0.0.1:${gateway.sandboxPort}/control`]
  const { id, apiKey } = await postJson<{ id: string; apiKey: { key: string } }>(
    `${api}/numbers`,
    { name: 'Bench', number: DIGITS },
    { 'x-api-key': tenantKey },
  )
  const tried = async (attempt: () => Promise<boolean>): Promise<void> => {
    while (!(await attempt()))
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
  }
  await tried(async () => (await fetch(`${control}/devices/${DIGITS}/scan`, { method: 'POST' })).ok)
  await tried(
    async () =>
      (
        await fetch(`${control}/peers/${PEER}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ to: DIGITS, text: 'the last' }),
        })
      ).ok,
  )
  await tried(async () => {
    const answer = await fetch(`${api}/messages/history`, { headers: { 'x-api-key': apiKey.key } })
    return ((await answer.json()) as { total?: number }).total === 1
  })
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  await client.query(PAST, [id])
  await client.query('analyze messages')
  await client.end()
  return id
}

interface Seen {
  readonly most: number
  readonly tasksMs: readonly number[]
}

/** Runs in the frame before its scripts and notes long tasks, which browsers report above 50 ms. */
const WATCH =
  'globalThis.tasksMs = []; try { new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) tasksMs.push(duration) }).observe({ type: "longtask", buffered: true }) } catch {}'

async function seenOf(frame: FrameLocator): Promise<Seen> {
  return await frame.locator('main').evaluate((main: any) => ({
    most: main.querySelectorAll('[data-message]').length,
    tasksMs: main.ownerDocument.defaultView.tasksMs.splice(0),
  }))
}

function tell(what: string, startMs: number, { most, tasksMs }: Seen): void {
  const longest = Math.max(0, ...tasksMs)
  const over = tasksMs.filter((ms) => ms > LONGEST_MS).length
  console.log(
    `${what.padEnd(22)} ${(performance.now() - startMs).toFixed(0).padStart(6)} ms, longest task ${longest.toFixed(0)} ms, ${over} over ${LONGEST_MS} ms; ${most} elements, target ${MOST_ELEMENTS}`,
  )
}

/** Turns the wheel until a message is drawn; resolves to the most elements that were drawn on the way. */
async function wheelTo(page: Page, frame: FrameLocator, delta: number, text: string): Promise<Seen> {
  const goal = frame.locator('[data-message]', { hasText: text })
  const tasksMs: number[] = []
  let most = 0
  for (let turn = 0; turn < 20_000; turn++) {
    await page.mouse.wheel(0, delta)
    if (turn % 10 !== 0) continue
    const seen = await seenOf(frame)
    tasksMs.push(...seen.tasksMs)
    most = Math.max(most, seen.most)
    if ((await goal.count()) > 0) break
  }
  return { most, tasksMs }
}

async function measure(page: Page, frame: FrameLocator): Promise<void> {
  const message = (text: string) => frame.locator('[data-message]', { hasText: text }).first()
  let startMs = performance.now()
  await frame.locator('main[data-state=ready]').waitFor()
  tell('inbox to ready', startMs, await seenOf(frame))
  startMs = performance.now()
  await frame.locator('[data-conversation]').first().click()
  await message('the last').waitFor()
  tell('first show', startMs, await seenOf(frame))
  await message('the last').hover()
  startMs = performance.now()
  tell('scrolled to the top', startMs, await wheelTo(page, frame, -TURN, 'Message 0'))
  startMs = performance.now()
  tell('scrolled to the end', startMs, await wheelTo(page, frame, TURN, 'the last'))
  startMs = performance.now()
  await frame.locator('input[data-search]').fill('Message 4711')
  await frame.locator('.found [data-conversation]').last().click()
  await message('Message 4711').waitFor()
  tell('jump by search', startMs, await seenOf(frame))
  startMs = performance.now()
  await frame.locator('[data-action=newest]').click()
  await message('the last').waitFor()
  tell('back to the newest', startMs, await seenOf(frame))
}

/**
 * Measures a history of 10,000 messages in the inbox: the first drawing, scrolling through all of it both ways, a jump
 * by search, and the longest task of each.
 */
export async function measureHistory(): Promise<void> {
  const installation = await install('postgres', { LOG_LEVEL: 'error' })
  const embedUrl = `http://localhost:${installation.gateway.port}`
  const host = await startHostPage(embedUrl)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const body = { surface: 'chat', channelNumberIds: [await longHistory(installation)], allowedOrigins: [host.origin] }
    const { token } = await postJson<{ token: string }>(
      `http://127.0.0.1:${installation.gateway.port}/v1/embed/sessions`,
      body,
      { 'x-api-key': installation.tenantKey },
    )
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
    page.setDefaultTimeout(120_000)
    await page.addInitScript(WATCH)
    await page.goto(host.origin)
    await page.evaluate(`Channel.chat.mount('#target', { token: ${JSON.stringify(token)}, height: 780 })`)
    await measure(page, page.frameLocator('iframe'))
  } finally {
    await browser.close()
    host.stop()
    await installation.close()
  }
}
