import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openInboxApp, receivedBy } from '../helpers/inbox-app.ts'
import { mintInbox, openInboxPage, serveInboxHost } from '../helpers/inbox-page.ts'
import type { InboxHost, InboxPage } from '../helpers/inbox-page.ts'
import { builtPages, servePages } from '../helpers/pages.ts'
import { conversation, everyKind, fullInbox, message, scriptInbox } from '../helpers/scripted-inbox.ts'
import type { InboxScript } from '../helpers/scripted-inbox.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** contract 17, Budgets. */
const MOST_ELEMENTS = 150
const MOST_DRIFT_PX = 2
const NEAR_TOP_PX = 40
/** Taller than any thread here: browsers stop at the end. */
const BEYOND_END_PX = 1e7

const database = sharedDatabase(test, openTestDatabase)
let service: Service
let number: PairedNumber
let host: InboxHost
let browser: Browser
const ends: (() => unknown)[] = []

test.before(async () => {
  if (!usesBrowser) return
  const t = { teardown: (end: () => unknown) => void ends.push(end) }
  await builtPages()
  service = await joinService()
  host = await serveInboxHost(t, service)
  browser = await openBrowser(t)
  number = await service.pairNumber()
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** An inbox that is told what a script says. */
async function scripted(change: Partial<InboxScript> = {}, about: { readonly options?: object, readonly browser?: BrowserContextOptions, readonly state?: string } = {}): Promise<InboxPage & { readonly script: InboxScript }> {
  const { token } = await mintInbox(service, host, [number.id])
  const answer = await fetch(`${service.base}/api/public/embed/session`, { headers: { authorization: `Bearer ${token}` } })
  const script = { ...fullInbox(await answer.json() as object), ...change }
  return { script, ...await openInboxPage(browser, host, { token, prepare: (context) => scriptInbox(context, script), ...about }) }
}

async function violations({ page }: InboxPage, options: object): Promise<string[]> {
  const frame = page.frames().find((one) => one !== page.mainFrame())
  await frame?.evaluate(AXE)
  return await frame?.evaluate(async (rules) => {
    const { violations: found } = await (globalThis as any).axe.run(rules)
    return found.map((violation: any) => `${violation.id}: ${violation.nodes.map((node: any) => `${node.html} ${node.failureSummary}`).join(' | ')}`)
  }, options) ?? ['no frame']
}

/** What leads to each state, from a full inbox on a narrow screen. */
const SCENES: readonly (readonly [name: string, script: Partial<InboxScript>, state: string, act?: (inbox: InboxPage) => Promise<void>])[] = [
  ['loading', { session: null }, 'loading'],
  ['error', { session: { status: 503, body: {} } }, 'error'],
  ['empty', { conversations: [] }, 'empty'],
  ['a list', {}, 'ready'],
  ['nothing found', {}, 'ready', async ({ frame }) => {
    await frame.locator('input[data-search]').fill('nothing')
    await frame.locator('.side .notice').waitFor()
  }],
  ['a thread of every kind', {}, 'ready', async ({ frame }) => {
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-failure]').waitFor()
    await frame.locator('[data-action=emoji]').click()
    await frame.locator('.emoji-panel').waitFor()
  }],
  ['a number that is not connected, its window closing', {}, 'ready', async ({ frame }) => {
    await frame.locator('[data-conversation=conv_2]').click()
    await frame.locator('[data-window=closing] [data-composer]').waitFor()
  }],
  ['a template in place of the field', {}, 'ready', async ({ frame }) => {
    await frame.locator('[data-conversation=conv_5]').click()
    await frame.locator('[data-template]').click()
    await frame.locator('[data-preview]').waitFor()
  }],
  ['messages that are not kept, and no network', { messages: [message(1, 1, { content: null, redacted: true })] }, 'ready', async ({ frame, context }) => {
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('.banner').waitFor()
    await context.setOffline(true)
    await frame.locator('main[data-connection=offline]').waitFor()
  }],
  ['a session that is over', {}, 'ready', async ({ frame, page, context }) => {
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-failure]').waitFor()
    await context.route('**/api/public/embed/conversations/**', (route) => route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":"over","code":"TOKEN_REVOKED"}' }))
    await page.evaluate(() => (globalThis as any).handle.openConversation('conv_unknown'))
    await frame.locator('main[data-state=expired]').waitFor()
  }],
]

/** Colours are the same in every language, and reading them is most of the work: they are looked at in one. */
const RULES = { runOnly: TAGS, rules: { 'color-contrast': { enabled: false } } }

/** The page is drawn anew once it has heard of the wish, and its colours go over into each other. */
async function drawnDark({ frame }: InboxPage): Promise<void> {
  const root = frame.locator('html')
  await until('the inbox is dark', () => root.evaluate((element: any) => element.style.colorScheme === 'dark'))
  await root.evaluate(async (element: any) => {
    const moving = element.ownerDocument.getAnimations().filter((one: any) => one.effect.getTiming().iterations === 1)
    await Promise.all(moving.map((one: any) => one.finished.catch(() => null)))
  })
}

inBrowser('every state can be read by all, light and dark, in three languages, and fits 320 px', async (t) => {
  for (const [name, script, state, act] of SCENES) {
    const inbox = await scripted(script, { state, options: { locale: 'en' }, browser: { viewport: { width: 320, height: 640 }, colorScheme: 'light' } })
    await act?.(inbox)
    t.deepEqual(await violations(inbox, { runOnly: TAGS }), [], name)
    await inbox.page.emulateMedia({ colorScheme: 'dark' })
    await drawnDark(inbox)
    t.deepEqual(await violations(inbox, { runOnly: ['color-contrast'] }), [], `${name}, dark`)
    for (const lang of ['pt', 'es']) {
      await inbox.page.evaluate((locale) => (globalThis as any).handle.setLocale(locale), lang)
      const drawn = inbox.frame.locator(`html[lang=${lang}]`)
      await drawn.waitFor()
      t.deepEqual(await violations(inbox, RULES), [], `${name}, ${lang}`)
      t.is(await drawn.evaluate((element: any) => element.scrollWidth), 320, `${name}, ${lang}`)
    }
    await inbox.context.close()
  }
})

inBrowser('a host that speaks by itself is understood: the frame is loading before its init, and takes one as the contract writes it', async (t) => {
  const { id, token } = await mintInbox(service, host, [number.id])
  const context = await browser.newContext({ colorScheme: 'light' })
  const page = await context.newPage()
  const written: string[] = []
  page.on('console', (line) => written.push(line.text()))
  await page.goto(host.origin)
  await page.evaluate(`document.body.innerHTML = '<iframe src="${host.chatUrl}/chat?s=${id}" style="width: 800px; height: 500px"></iframe>'`)
  const frame = page.frameLocator('iframe')
  await frame.locator('main[data-state=loading][data-connection=connecting]').waitFor()
  await page.evaluate(`addEventListener('message', ({ source, origin, data }) => {
    globalThis.way = new MessageChannel()
    if (data.type === 'hello') source.postMessage({ source: 'channel-embed', v: 1, type: 'init', payload: { v: 1, token: '${token}', theme: 'dark', options: { title: 7 } } }, origin, [way.port2])
  }, { once: true })`)
  await frame.locator('main:is([data-state=ready], [data-state=empty])').waitFor()
  t.is(await frame.locator('html').evaluate((element: any) => element.style.colorScheme), 'dark')
  await page.evaluate(`way.port1.postMessage({ source: 'channel-embed', v: 1, type: 'set-theme', payload: { theme: 'light' } })`)
  await until('the theme is set', () => frame.locator('html').evaluate((element: any) => element.style.colorScheme === 'light'))
  t.deepEqual(written, ['[Channel] options: title is left out: it cannot be 7'])
  await context.close()
})

const LONG = 'words '.repeat(400)
const SAID = [
  message(1, 9, { direction: 'INBOUND', content: '*bold* _it_ ~no~ `code`\n```\nfenced\n```' }),
  message(2, 9, { direction: 'INBOUND', content: 'https://en.wikipedia.org/wiki/A_(b) www.shop.example ana@shop.example +55 11 98888-7777' }),
  message(3, 9, { direction: 'INBOUND', content: LONG }),
  message(4, 9, { direction: 'INBOUND', type: 'location', content: null, location: { latitude: -23.5, longitude: -46.6, name: 'Shop', address: 'Rua Augusta 100' } }),
  message(5, 9, { direction: 'INBOUND', content: '\u{1F600}' }),
  message(6, 9, { direction: 'INBOUND', content: 'and text' }),
]

inBrowser('a thread says what phones say: marks, links, places, large emoji, long texts, times, and no ids (cases 6, 13, 14, 15, 22, 23)', async (t) => {
  const group = conversation(1, { type: 'GROUP', from: '99@g.us', fromName: 'Choir', lastMessagePreview: '*bold* news' })
  const inbox = await scripted({ messages: SAID, conversations: [group, conversation(2, { type: 'GROUP', from: '98@g.us', lastMessageType: 'reaction', lastMessagePreview: '👍' })] })
  const { frame } = inbox
  t.deepEqual(await frame.locator('.row-title').allInnerTexts(), ['Choir', 'Group without a name'])
  t.regex(await frame.locator('.row-preview').first().innerText(), /^bold news$/)
  t.is((await frame.locator('.row-preview').nth(1).innerText()).trim(), 'Reacted 👍')
  await frame.locator('[data-conversation=conv_1]').click()
  const at = (n: number): Locator => frame.locator(`[data-message=msg_00000${n}]`)
  await at(1).waitFor({ state: 'attached' })
  t.is(await frame.locator('.thread-name').innerText(), 'Choir\n\nFront desk')
  t.deepEqual(await at(1).locator('b, i, s, code').evaluateAll((all: any[]) => all.map(({ tagName, textContent }) => `${tagName} ${textContent}`)), ['B bold', 'I it', 'S no', 'CODE code', 'CODE fenced'])
  t.deepEqual(await at(2).locator('a').evaluateAll((all: any[]) => all.map((one) => one.getAttribute('href'))), ['https://en.wikipedia.org/wiki/A_(b)', 'https://www.shop.example', 'mailto:ana@shop.example', 'tel:+5511988887777'])
  const shown = await at(3).innerText()
  t.true(shown.length < 900)
  await at(3).locator('[data-action=read-more]').click()
  t.true((await at(3).innerText()).length > LONG.length - 1)
  t.regex(await at(4).innerText(), /Shop[^]*Rua Augusta 100/)
  const [large, plain] = await Promise.all([5, 6].map((n) => at(n).locator('.text').evaluate((text: any) => Number.parseFloat((globalThis as any).getComputedStyle(text).fontSize))))
  t.true((large ?? 0) > 1.8 * (plain ?? 0))
  t.regex(await at(6).locator('time').getAttribute('title') ?? '', /\d{4}.*\d{1,2}:\d{2}:\d{2}/)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('on a phone "back" leads to the list, which shows what was begun and cuts no name for the sake of a number (cases 7, 22, 24)', async (t) => {
  const inbox = await scripted({}, { browser: { viewport: { width: 360, height: 700 } } })
  const { frame, page } = inbox
  t.deepEqual(await frame.locator('.row-title').evaluateAll((all: any[]) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)), [])
  for (const leave of [() => page.evaluate('history.back()'), () => frame.locator('[data-action=back]').click()]) {
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-composer]').fill('half a *sentence*')
    await leave()
    await frame.locator('main.at-list').waitFor()
    t.is(new URL(page.url()).origin, host.origin)
    t.is((await frame.locator('[data-conversation=conv_1] .row-preview').innerText()).replace(/\s+/g, ' '), 'Draft: half a sentence')
  }
  await frame.locator('input[data-search]').fill('a')
  await frame.locator('.side .notice', { hasText: 'one more letter' }).waitFor()
  t.is(await frame.locator('.side [data-conversation]').count(), 0)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

/** Rows as an import of a phone's past leaves them, of both directions, in the conversation of the message that was received: the 10,000 before it, from one to another, named after a digit of the test's own. */
const PAST = `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, from_name, to_address, external_id, created_at)
  select 'msg_' || $4::text || lpad(n::text, 25, '0'), m.tenant_id, m.number_id, m.provider, m.conversation_id, m.conversation_type, case when n % 3 = 0 then 'OUTBOUND' else 'INBOUND' end,
    case when n % 3 = 0 then 'READ' else 'RECEIVED' end, m.type, replace(m.content, 'the last', 'Message ' || n || repeat(' with some words', (n % 9)::integer)), m.from_address, m.from_name,
    m.to_address, 'past.' || n, m.created_at - (10000 - n) * interval '10 minutes'
  from messages m, generate_series($2::integer, $3::integer) n where m.number_id = $1 and m.external_id not like 'past.%'`

/** An inbox over the rows of a long history, without a service around them. */
async function longInbox(t: ExecutionContext): Promise<InboxPage> {
  const app = await openInboxApp(t, database(), servePages)
  await receivedBy(app, app.one, { isUnread: false }, 'the last')
  await database().chores.query(PAST, [app.one.number.id, 0, 9_998, '0'])
  const around = await serveInboxHost(t, { base: app.client.url })
  return await openInboxPage(browser, around, { token: await app.token({ allowedOrigins: [around.origin] }) })
}

inBrowser('of 10,000 messages no more are drawn than are seen, the place is held while older ones come, and a search leads to the first of them', async (t) => {
  const inbox = await longInbox(t)
  const { frame, page } = inbox
  const held = await holdOlder(page)
  const message = (text: string) => frame.locator('[data-message]', { hasText: text })
  await frame.locator('[data-conversation]').click()
  await message('the last').waitFor()
  const scroller = frame.locator('[data-thread]')
  let most = 0
  const look = async (): Promise<void> => { most = Math.max(most, await frame.locator('[data-message]').count()) }
  for (let nth = 0; nth < 5; nth++) {
    const letIn = await olderAskedFor(scroller, held)
    const seen = await scroller.evaluate(seenIn)
    letIn()
    await until('older ones are there', () => scroller.evaluate((element: any, height) => element.scrollHeight > height, seen.height))
    const drift = Math.abs(await scroller.evaluate(topOf, seen.id) - seen.top)
    t.true(drift <= MOST_DRIFT_PX, `page ${nth} moved what is seen by ${drift} px`)
    // Of what is scrolled away the size stays: else the place moved whenever something else is drawn last.
    t.deepEqual(await frame.locator('[data-message]').evaluateAll((all: any[]) => all.filter((one) => (globalThis as any).getComputedStyle(one).paddingBottom !== '0px' && !/the last/.test(one.textContent)).length), 0)
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
    return await message('Message 162').count() > 0
  })
  letIn()
  await message('Message 164').waitFor({ state: 'attached' })
  await page.unroute(OLDER)
  for (const letThrough of held) letThrough()
  await until('the first is there', async () => {
    await scroller.evaluate((element: any) => { element.scrollTop = 0 })
    await look()
    return await frame.locator(`[data-message=msg_${'0'.repeat(26)}]`).count() === 1
  })
  await until('as many newer ones are read', async () => {
    await scroller.evaluate((element: any) => { element.scrollTop = element.scrollHeight })
    await look()
    return await message('Message 290').count() > 0
  })
  await frame.locator('[data-action=newest]').click()
  await message('the last').waitFor()
  await look()
  t.true(most <= MOST_ELEMENTS, `${most} elements`)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('an import beside an open thread is drawn as far as it is seen, leaves no gap, and can be read back, however much of it the stream told (case 28)', async (t) => {
  const app = await openInboxApp(t, database(), servePages)
  await receivedBy(app, app.one, { isUnread: false }, 'the last')
  const around = await serveInboxHost(t, { base: app.client.url })
  const inbox = await openInboxPage(browser, around, { token: await app.token({ allowedOrigins: [around.origin] }) })
  const { frame } = inbox
  const idOf = (n: number): string => `msg_1${String(n).padStart(25, '0')}`
  const message = (n: number): Locator => frame.locator(`[data-message=${idOf(n)}]`)
  await frame.locator('[data-conversation]').click()
  await frame.locator('[data-message]', { hasText: 'the last' }).waitFor()
  // More in a look than the stream tells, and then what it does tell.
  for (const [from, to] of [[0, 9_699], [9_700, 9_998]] as const) {
    await database().chores.query(PAST, [app.one.number.id, from, to, '1'])
    app.feed.wake()
    await message(to).waitFor({ state: 'attached' })
  }
  const seen = new Set<string>()
  let most = 0
  const lookUp = async (): Promise<void> => {
    const ids: string[] = await frame.locator('[data-message]').evaluateAll((all: any[]) => all.map(({ dataset }) => dataset.message))
    most = Math.max(most, ids.length)
    for (const id of ids) seen.add(id)
    await frame.locator('[data-thread]').evaluate(goUp, 800)
  }
  await until('what the stream did not tell is read', async () => {
    for (let step = 0; step < 10; step++) await lookUp()
    return seen.has(idOf(9_600))
  })
  t.deepEqual(Array.from({ length: 399 }, (_, at) => 9_600 + at).filter((n) => !seen.has(idOf(n))), [])
  t.true(most <= MOST_ELEMENTS, `${most} elements`)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

const OLDER = '**/messages?*before=*'

/** Requests for older messages wait until each is let in, by what is in the array. */
async function holdOlder(page: Page): Promise<(() => void)[]> {
  const held: (() => void)[] = []
  await page.route(OLDER, async (route) => {
    await new Promise<void>((resolve) => { held.push(resolve) })
    await route.fallback()
  })
  return held
}

/** Goes to the top until older ones are asked for: the list goes to where it was sent before until all that is there is measured. */
async function olderAskedFor(scroller: Locator, held: (() => void)[]): Promise<() => void> {
  return await until('older ones are asked for', async () => {
    await scroller.evaluate(goTo, NEAR_TOP_PX)
    return held.shift()
  })
}

/** In the frame: goes so many pixels below the top of what was read, or to its end, and has it drawn. */
async function goTo(scroller: any, px: number): Promise<void> {
  scroller.scrollTop = px
  for (let frame = 0; frame < 6; frame++) await new Promise((resolve) => { (globalThis as any).requestAnimationFrame(resolve) })
}

/** In the frame: goes so many pixels up, and has it drawn. */
async function goUp(scroller: any, px: number): Promise<void> {
  scroller.scrollTop -= px
  for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => { (globalThis as any).requestAnimationFrame(resolve) })
}

/** In the frame: which message is seen first, and where. */
function seenIn(scroller: any): { readonly id: string, readonly top: number, readonly height: number } {
  const edge = scroller.getBoundingClientRect().top
  const seen = [...scroller.querySelectorAll('[data-message]')].map((element: any) => ({ id: element.dataset.message, ...element.getBoundingClientRect().toJSON() })).find(({ top }) => top > edge)
  return { id: seen.id, top: seen.top, height: scroller.scrollHeight }
}

/** In the frame: where a message is, once what was put in was drawn. */
async function topOf(scroller: any, id: string): Promise<number> {
  for (let frame = 0; frame < 6; frame++) await new Promise((resolve) => { (globalThis as any).requestAnimationFrame(resolve) })
  return scroller.querySelector(`[data-message="${id}"]`).getBoundingClientRect().top
}

/** The pictures of the docs: what each shows, and of which size. */
const TAKEN = [
  { name: 'inbox-wide', open: 'conv_1', width: 1_100, height: 700, colorScheme: 'light' },
  { name: 'inbox-thread-dark', open: 'conv_1', width: 390, height: 700, colorScheme: 'dark' },
  { name: 'inbox-list', open: null, width: 390, height: 700, colorScheme: 'light' },
] as const
const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

inBrowser('pictures of the inbox are taken for the docs (WRITE_PICTURES=1 keeps them)', async (t) => {
  const messages = everyKind().filter(({ type, revokedAt }) => revokedAt === null && !['system', 'later_kind', 'video', 'interactive'].includes(type))
  for (const { name, open, width, height, colorScheme } of TAKEN) {
    const inbox = await scripted({ messages }, { browser: { viewport: { width, height }, colorScheme } })
    if (open) {
      await inbox.frame.locator(`[data-conversation=${open}]`).click()
      await inbox.frame.locator('[data-failure]').waitFor()
    }
    const picture = sharp(await inbox.page.screenshot({ animations: 'disabled' })).png({ palette: true, compressionLevel: 9, effort: 10 })
    t.like(await picture.metadata(), { width, height })
    if (process.env['WRITE_PICTURES'] === '1') await picture.toFile(`${PICTURES}${name}.png`)
    await inbox.context.close()
  }
})

test('every picture of the inbox is there and is shown in the docs', (t) => {
  const docs = readFileSync(fileURLToPath(new URL('../../docs/embed.md', import.meta.url)), 'utf8')
  for (const { name } of TAKEN) {
    t.true(existsSync(`${PICTURES}${name}.png`), name)
    t.true(docs.includes(`pictures/${name}.png`), name)
  }
})
