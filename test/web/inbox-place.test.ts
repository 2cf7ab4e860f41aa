import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Browser, Locator, Page } from 'playwright-core'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openInboxApp, receivedBy } from '../http/inbox-app.ts'
import type { InboxApp } from '../http/inbox-app.ts'
import { openInboxPage, serveInboxHost } from '../helpers/inbox-page.ts'
import type { InboxPage } from '../helpers/inbox-page.ts'
import { servePages } from '../helpers/pages.ts'
import { until } from '../helpers/until.ts'

/** [inbox.budgets.2] */
const MOST_ELEMENTS = 150
const MOST_DRIFT_PX = 2
const NEAR_TOP_PX = 40
/** In pixels: taller than any thread here. A browser stops at the end. */
const BEYOND_END_PX = 1e7

const database = sharedDatabase(test, openTestDatabase)
let browser: Browser
const ends: (() => unknown)[] = []

test.before(async () => {
  if (usesBrowser) browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) })
})
test.after.always(async () => {
  for (const end of ends) await end()
})

/**
 * Rows like those of an imported history, in both directions: up to 10,000 messages before the received one, in its
 * conversation. `$4` is a digit that makes the ids differ between tests.
 */
const PAST = `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, from_name, to_address, external_id, created_at)
  select 'msg_' || $4::text || lpad(n::text, 25, '0'), m.tenant_id, m.number_id, m.provider, m.conversation_id, m.conversation_type, case when n % 3 = 0 then 'OUTBOUND' else 'INBOUND' end,
    case when n % 3 = 0 then 'READ' else 'RECEIVED' end, m.type, replace(m.content, 'the last', 'Message ' || n || repeat(' with some words', (n % 9)::integer)), m.from_address, m.from_name,
    m.to_address, 'past.' || n, m.created_at - (10000 - n) * interval '10 minutes'
  from messages m, generate_series($2::integer, $3::integer) n where m.number_id = $1 and m.external_id not like 'past.%'`

/** An inbox over rows, without a whole service. */
async function inboxOf(t: ExecutionContext, app: InboxApp): Promise<InboxPage> {
  const around = await serveInboxHost(t, { base: app.client.url })
  return await openInboxPage(browser, around, { token: await app.token({ allowedOrigins: [around.origin] }) })
}

// [inbox.features.1] [inbox.hooks.3]
inBrowser(
  'of 10,000 messages only the visible ones are drawn, the place stays while older ones load, and a search leads to the first one',
  async (t) => {
    const app = await openInboxApp(t, database(), servePages)
    await receivedBy(app, app.one, { isUnread: false }, 'the last')
    await database().chores.query(PAST, [app.one.number.id, 0, 9_998, '0'])
    const inbox = await inboxOf(t, app)
    const { frame, page } = inbox
    const held = await holdOlder(page)
    const message = (text: string) => frame.locator('[data-message]', { hasText: text })
    await frame.locator('[data-conversation]').click()
    await message('the last').waitFor()
    const scroller = frame.locator('[data-thread]')
    let most = 0
    const look = async (): Promise<void> => {
      most = Math.max(most, await frame.locator('[data-message]').count())
    }
    for (let nth = 0; nth < 5; nth++) {
      const letIn = await olderAskedFor(scroller, held)
      const seen = await scroller.evaluate(seenIn)
      letIn()
      await until('older ones are there', () =>
        scroller.evaluate((element: any, height) => element.scrollHeight > height, seen.height),
      )
      const drift = Math.abs((await scroller.evaluate(topOf, seen.id)) - seen.top)
      t.true(drift <= MOST_DRIFT_PX, `page ${nth} moved what is seen by ${drift} px`)
      // Only the last message of the thread may have padding at its bottom. If the last drawn one had it, the place
      // would move whenever another one is drawn last.
      t.deepEqual(
        await frame
          .locator('[data-message]')
          .evaluateAll(
            (all: any[]) =>
              all.filter(
                (one) =>
                  (globalThis as any).getComputedStyle(one).paddingBottom !== '0px'
                  && !/the last/.test(one.textContent),
              ).length,
          ),
        0,
      )
      await look()
    }
    t.is(await message('the last').count(), 0)

    await frame.locator('input[data-search]').fill('Message 137 with')
    const found = frame.locator('.found [data-conversation]', { hasText: 'Message 137 with' })
    t.notRegex(await found.locator('time').innerText(), /:/, 'a day, as it is long ago')
    await found.click()
    await frame.locator('[data-message]:focus', { hasText: 'Message 137 with' }).waitFor()
    await look()
    const letIn = await olderAskedFor(scroller, held)
    await until('the end of what was read is seen', async () => {
      await scroller.evaluate(goTo, BEYOND_END_PX)
      return (await message('Message 162').count()) > 0
    })
    letIn()
    await message('Message 164').waitFor({ state: 'attached' })
    await page.unroute(OLDER)
    for (const letThrough of held) letThrough()
    await until('the first is there', async () => {
      await scroller.evaluate((element: any) => {
        element.scrollTop = 0
      })
      await look()
      return (await frame.locator(`[data-message=msg_${'0'.repeat(26)}]`).count()) === 1
    })
    await until('as many newer ones are read', async () => {
      await scroller.evaluate((element: any) => {
        element.scrollTop = element.scrollHeight
      })
      await look()
      return (await message('Message 290').count()) > 0
    })
    await frame.locator('[data-action=newest]').click()
    await message('the last').waitFor()
    await look()
    t.true(most <= MOST_ELEMENTS, `${most} elements`)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

inBrowser(
  'an import beside an open thread is drawn as far as it is seen, leaves no gap, and can be read back, however much of it the stream told (case 28)',
  async (t) => {
    const app = await openInboxApp(t, database(), servePages)
    await receivedBy(app, app.one, { isUnread: false }, 'the last')
    const inbox = await inboxOf(t, app)
    const { frame } = inbox
    const idOf = (n: number): string => `msg_1${String(n).padStart(25, '0')}`
    const message = (n: number): Locator => frame.locator(`[data-message=${idOf(n)}]`)
    await frame.locator('[data-conversation]').click()
    await frame.locator('[data-message]', { hasText: 'the last' }).waitFor()
    // First more changes than the stream sends at once, then as many as it does send.
    for (const [from, to] of [
      [0, 9_699],
      [9_700, 9_998],
    ] as const) {
      await database().chores.query(PAST, [app.one.number.id, from, to, '1'])
      app.feed.wake()
      await message(to).waitFor({ state: 'attached' })
    }
    const seen = new Set<string>()
    let most = 0
    const lookUp = async (): Promise<void> => {
      const ids: string[] = await frame
        .locator('[data-message]')
        .evaluateAll((all: any[]) => all.map(({ dataset }) => dataset.message))
      most = Math.max(most, ids.length)
      for (const id of ids) seen.add(id)
      await frame.locator('[data-thread]').evaluate(goUp)
    }
    await until('what the stream did not tell is read', async () => {
      for (let step = 0; step < 10; step++) await lookUp()
      return seen.has(idOf(9_600))
    })
    t.deepEqual(
      Array.from({ length: 399 }, (_, at) => 9_600 + at).filter((n) => !seen.has(idOf(n))),
      [],
    )
    t.true(most <= MOST_ELEMENTS, `${most} elements`)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

/** The longest text that is accepted, as a single word. */
const HUGE = 'W'.repeat(100_000)

inBrowser(
  'an unread thread opens at the line before its first unread message; of a huge one the beginning shows, and what follows is near (case 15)',
  async (t) => {
    const app = await openInboxApp(t, database(), servePages)
    await receivedBy(app, app.one, { isUnread: false }, 'the last')
    // More messages than a page: the older ones load while it opens, which must move nothing.
    await database().chores.query(PAST, [app.one.number.id, 9_900, 9_998, '2'])
    await receivedBy(app, app.one, {}, HUGE)
    for (let n = 0; n < 39; n++) await receivedBy(app, app.one, {}, `unread ${n}`)
    const inbox = await inboxOf(t, app)
    const { frame } = inbox
    const held = await holdOlder(inbox.page)
    await frame.locator('[data-conversation]').click()
    const message = (text: string): Locator => frame.locator('[data-message]', { hasText: text }).first()
    const [scroller, line, huge, next] = [
      frame.locator('[data-thread]'),
      frame.locator('.unread-line'),
      message('WWW'),
      message('unread 0'),
    ]
    await frame.locator('[data-action=read-more]').waitFor()
    const letIn = await until('older ones are asked for', () => held.shift())
    const { height } = await scroller.evaluate(placeOf)
    const before = await scroller.evaluate((element: any) => element.scrollHeight)
    for (const isAll of [false, true]) {
      if (isAll) {
        letIn()
        await until('older ones are there', () =>
          scroller.evaluate((element: any, px) => element.scrollHeight > px, before),
        )
      }
      const [mark, first, second] = [
        await line.evaluate(placeOf),
        await huge.evaluate(placeOf),
        await next.evaluate(placeOf),
      ]
      t.true(mark.top >= 0 && mark.top < height / 4, `the line is ${mark.top} px below the top`)
      t.true(Math.abs(first.top - mark.top - mark.height) <= 1, 'the first unread message stands behind the line')
      t.true(first.height < height, `it is ${first.height} px of ${height}`)
      t.true(second.top < 2 * height, `what follows is ${second.top} px below the top`)
    }
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

inBrowser(
  'a long text that is opened to its end stays where it is read, at the end of the thread too (case 15)',
  async (t) => {
    const app = await openInboxApp(t, database(), servePages)
    for (let n = 0; n < 12; n++) await receivedBy(app, app.one, { isUnread: false }, `read ${n}`)
    await receivedBy(app, app.one, { isUnread: false }, HUGE)
    const inbox = await inboxOf(t, app)
    const { frame } = inbox
    await frame.locator('[data-conversation]').click()
    const huge = frame.locator('[data-message]', { hasText: 'WWW' })
    await huge.waitFor()
    const before = await huge.evaluate(placeOf)
    await frame.locator('[data-action=read-more]').click()
    await until('all of it shows', async () => (await huge.evaluate(placeOf)).height > 10_000)
    t.true(Math.abs((await huge.evaluate(placeOf)).top - before.top) <= MOST_DRIFT_PX)
    await frame.locator('[data-message]:focus', { hasText: 'WWW' }).waitFor()
    await frame.locator('[data-action=newest]').waitFor()
    await inbox.context.close()
  },
)

const OLDER = '**/messages?*before=*'

/** Holds requests for older messages back. Each function of the array lets one of them in. */
async function holdOlder(page: Page): Promise<(() => void)[]> {
  const held: (() => void)[] = []
  await page.route(OLDER, async (route) => {
    await new Promise<void>((resolve) => {
      held.push(resolve)
    })
    await route.fallback()
  })
  return held
}

/**
 * Scrolls to the top until older messages are asked for. The list returns to its earlier target until everything above
 * is measured.
 */
async function olderAskedFor(scroller: Locator, held: (() => void)[]): Promise<() => void> {
  return await until('older ones are asked for', async () => {
    await scroller.evaluate(goTo, NEAR_TOP_PX)
    return held.shift()
  })
}

/**
 * Runs in the frame. Scrolls `px` pixels below the top of what was loaded, or to the end, and waits until it is drawn.
 */
async function goTo(scroller: any, px: number): Promise<void> {
  scroller.scrollTop = px
  for (let frame = 0; frame < 6; frame++)
    await new Promise((resolve) => {
      ;(globalThis as any).requestAnimationFrame(resolve)
    })
}

/**
 * Runs in the frame. Scrolls up by half a screen at a time, so that every message is seen. Then it waits until the
 * first drawn message stays the same, because a busy machine measures late.
 */
async function goUp(scroller: any): Promise<void> {
  const firstDrawn = (): string => scroller.querySelector('[data-message]')?.dataset.message ?? ''
  scroller.scrollTop -= scroller.clientHeight / 2
  for (let still = 0, before = ''; still < 3;) {
    await new Promise((resolve) => {
      ;(globalThis as any).requestAnimationFrame(resolve)
    })
    still = firstDrawn() === before ? still + 1 : 0
    before = firstDrawn()
  }
}

interface Seen {
  readonly id: string
  readonly top: number
  readonly height: number
}

/**
 * Runs in the frame. The first visible message and its place, once it stays there, because a busy machine measures
 * late.
 */
async function seenIn(scroller: any): Promise<Seen> {
  const look = (): Seen => {
    const edge = scroller.getBoundingClientRect().top
    const seen = [...scroller.querySelectorAll('[data-message]')]
      .map((element: any) => ({ id: element.dataset.message, ...element.getBoundingClientRect().toJSON() }))
      .find(({ top }) => top > edge)
    return { id: seen.id, top: seen.top, height: scroller.scrollHeight }
  }
  for (let before = look(); ;) {
    for (let frame = 0; frame < 6; frame++)
      await new Promise((resolve) => {
        ;(globalThis as any).requestAnimationFrame(resolve)
      })
    const now = look()
    if (now.id === before.id && now.top === before.top && now.height === before.height) return now
    before = now
  }
}

/** Runs in the frame. The place of a message, once inserted ones are drawn and it stays there. */
async function topOf(scroller: any, id: string): Promise<number> {
  for (let before = NaN; ;) {
    for (let frame = 0; frame < 6; frame++)
      await new Promise((resolve) => {
        ;(globalThis as any).requestAnimationFrame(resolve)
      })
    const now: number = scroller.querySelector(`[data-message="${id}"]`).getBoundingClientRect().top
    if (now === before) return now
    before = now
  }
}

/** Runs in the frame. The distance of an element from the top of the thread and its height, once changes are drawn. */
async function placeOf(element: any): Promise<{ readonly top: number; readonly height: number }> {
  for (let frame = 0; frame < 6; frame++)
    await new Promise((resolve) => {
      ;(globalThis as any).requestAnimationFrame(resolve)
    })
  const { top, height } = element.getBoundingClientRect()
  return { top: top - element.closest('[data-thread]').getBoundingClientRect().top, height }
}
