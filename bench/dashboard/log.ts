import { postJson } from '../programs.ts'
import type { Stage } from './stage.ts'

const ROWS = 10_000
/** Target, in ms: the longest task while the log is scrolled. */
const LONGEST_MS = 100
/** Our choice, in CSS pixels: one turn of a fast wheel. */
const TURN = 3_000
const MOST_TURNS = 1_000

/** Runs before the scripts of the page and notes long tasks, which browsers report above 50 ms. */
const WATCH =
  'globalThis.tasksMs = []; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) tasksMs.push(duration) }).observe({ type: "longtask", buffered: true })'

/** ROWS attempts, newest first, whose durations count them. */
function attempts(webhookId: string): object[] {
  return Array.from({ length: ROWS }, (_, n) => ({
    id: `wlog_${String(n).padStart(26, '0')}`,
    webhookId,
    event: 'message.received',
    eventId: `evt_${String(n).padStart(26, '0')}`,
    attempt: 1 + (n % 12),
    status: n % 3 === 0 ? 'SUCCESS' : 'FAILED',
    statusCode: n % 3 === 0 ? 200 : 503,
    payload: '{}',
    response: '',
    durationMs: n,
    createdAt: new Date(Date.now() - n * 1_000).toISOString(),
  }))
}

/**
 * Scrolls a log of 10,000 attempts to its end and back, and notes the longest task. The page gets them at once, because
 * what is read page by page waits for the service most of the time.
 */
export async function measureLog({ page, origin, number }: Stage): Promise<void> {
  const { id } = await postJson<{ id: string }>(
    `${origin}/v1/webhooks`,
    { url: `${origin}/nowhere`, events: ['message.received'] },
    { 'x-api-key': number.key },
  )
  const body = JSON.stringify({ logs: attempts(id) })
  await page.route('**/api/v1/webhooks/*/logs*', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: route.request().url().includes('before=') ? '{"logs":[]}' : body,
    }),
  )
  await page.addInitScript(WATCH)
  let startMs = performance.now()
  await page.goto(`${origin}/dashboard/webhooks/${id}`)
  const tell = async (what: string): Promise<void> => {
    const tasksMs = await page.evaluate<number[]>('tasksMs.splice(0)')
    const over = tasksMs.filter((ms) => ms > LONGEST_MS).length
    console.log(
      `${what.padEnd(22)} ${(performance.now() - startMs).toFixed(0)} ms, longest task ${Math.max(0, ...tasksMs).toFixed(0)} ms, ${over} over ${LONGEST_MS} ms; ${await page.locator('[data-log]').count()} of ${ROWS} rows drawn`,
    )
  }
  const log = page.locator('.list [role=list]').last()
  await page.locator('[data-log]').first().waitFor()
  await tell('log to its first row')
  for (const [what, delta, last] of [
    ['log to its end', TURN, ROWS - 1],
    ['log back to its start', -TURN, 0],
  ] as const) {
    // At its end the list hands the wheel on to the page, which moves it away from the mouse.
    await log.hover()
    startMs = performance.now()
    await page.evaluate('void tasksMs.splice(0)')
    const goal = page.locator(`[data-log$="_${String(last).padStart(26, '0')}"]`)
    for (let turn = 0; turn < MOST_TURNS && (await goal.count()) === 0; turn++) await page.mouse.wheel(0, delta)
    if ((await goal.count()) === 0) throw new Error('the wheel did not turn the log')
    await tell(what)
  }
}
