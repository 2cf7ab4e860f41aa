import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Browser, BrowserContextOptions, Locator } from 'playwright-core'
import sharp from 'sharp'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { mintInbox, openInboxPage, serveInboxHost } from '../helpers/inbox-page.ts'
import type { InboxHost, InboxPage } from '../helpers/inbox-page.ts'
import { builtPages } from '../helpers/pages.ts'
import { conversation, everyKind, fullInbox, message, scriptInbox } from '../helpers/scripted-inbox.ts'
import type { InboxScript } from '../helpers/scripted-inbox.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'
import { SCENES, handOver } from '../helpers/inbox-scenes.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

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

/** An inbox whose service answers as the script says. */
async function scripted(
  change: Partial<InboxScript> | ((full: InboxScript) => Partial<InboxScript>) = {},
  about: { readonly options?: object; readonly browser?: BrowserContextOptions; readonly state?: string } = {},
): Promise<InboxPage & { readonly script: InboxScript }> {
  const { token } = await mintInbox(service, host, [number.id])
  const answer = await fetch(`${service.base}/api/public/embed/session`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const full = fullInbox((await answer.json()) as object)
  const script = { ...full, ...(typeof change === 'function' ? change(full) : change) }
  return {
    script,
    ...(await openInboxPage(browser, host, { token, prepare: (context) => scriptInbox(context, script), ...about })),
  }
}

async function violations({ page }: InboxPage, options: object): Promise<string[]> {
  const frame = page.frames().find((one) => one !== page.mainFrame())
  await frame?.evaluate(AXE)
  return (
    (await frame?.evaluate(async (rules) => {
      const { violations: found } = await (globalThis as any).axe.run(rules)
      return found.map(
        (violation: any) =>
          `${violation.id}: ${violation.nodes.map((node: any) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
      )
    }, options)) ?? ['no frame']
  )
}

/** Contrast is checked in one language only, because colours are the same in all and take most of the time. */
const RULES = { runOnly: TAGS, rules: { 'color-contrast': { enabled: false } } }

/** Switches to dark and waits, because the page is redrawn when it learns of that and its colours change gradually. */
async function drawnDark({ frame }: InboxPage): Promise<void> {
  const root = frame.locator('html')
  await until('the inbox is dark', () => root.evaluate((element: any) => element.style.colorScheme === 'dark'))
  await root.evaluate(async (element: any) => {
    const moving = element.ownerDocument.getAnimations().filter((one: any) => one.effect.getTiming().iterations === 1)
    await Promise.all(moving.map((one: any) => one.finished.catch(() => null)))
  })
}

// [inbox.features.8] [inbox.hooks.1] [inbox.hooks.3]
inBrowser('every state can be read by all, light and dark, in three languages, and fits 320 px', async (t) => {
  for (const [name, script, state, act] of SCENES) {
    const inbox = await scripted(script, {
      state,
      options: { locale: 'en' },
      browser: { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
    })
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

// [inbox.features.4] [inbox.hooks.1]
inBrowser(
  'a host that speaks by itself is understood: the frame is loading before its init, and takes one as the contract writes it',
  async (t) => {
    const { id, token } = await mintInbox(service, host, [number.id])
    const context = await browser.newContext({ colorScheme: 'light' })
    const page = await context.newPage()
    const written: string[] = []
    page.on('console', (line) => written.push(line.text()))
    await page.goto(host.origin)
    await page.evaluate(
      `document.body.innerHTML = '<iframe src="${host.chatUrl}/chat?s=${id}" style="width: 800px; height: 500px"></iframe>'`,
    )
    const frame = page.frameLocator('iframe')
    await frame.locator('main[data-state=loading][data-connection=connecting]').waitFor()
    await page.evaluate(`addEventListener('message', ({ source, origin, data }) => {
    globalThis.way = new MessageChannel()
    if (data.type === 'hello') source.postMessage({ source: 'channel-embed', v: 1, type: 'init', payload: { v: 1, token: '${token}', theme: 'dark', options: { title: 7 } } }, origin, [way.port2])
  }, { once: true })`)
    await frame.locator('main:is([data-state=ready], [data-state=empty])').waitFor()
    t.is(await frame.locator('html').evaluate((element: any) => element.style.colorScheme), 'dark')
    await page.evaluate(
      `way.port1.postMessage({ source: 'channel-embed', v: 1, type: 'set-theme', payload: { theme: 'light' } })`,
    )
    await until('the theme is set', () =>
      frame.locator('html').evaluate((element: any) => element.style.colorScheme === 'light'),
    )
    t.deepEqual(written, ['[Channel] options: title is left out: it cannot be 7'])
    await context.close()
  },
)

const LONG = 'words '.repeat(400)
const SAID = [
  message(1, 9, { direction: 'INBOUND', content: '*bold* _it_ ~no~ `code`\n```\nfenced\n```' }),
  message(2, 9, {
    direction: 'INBOUND',
    content: 'https://en.wikipedia.org/wiki/A_(b) www.shop.example ana@shop.example +55 11 98888-7777',
  }),
  message(3, 9, { direction: 'INBOUND', content: LONG }),
  message(4, 9, {
    direction: 'INBOUND',
    type: 'location',
    content: null,
    location: { latitude: -23.5, longitude: -46.6, name: 'Shop', address: 'Rua Augusta 100' },
  }),
  message(5, 9, { direction: 'INBOUND', content: '\u{1F600}' }),
  message(6, 9, { direction: 'INBOUND', content: 'and text' }),
]

inBrowser(
  'a thread says what phones say: marks, links, places, large emoji, long texts, times, and no ids (cases 6, 13, 14, 15, 22, 23)',
  async (t) => {
    const group = conversation(1, {
      type: 'GROUP',
      from: '99@g.us',
      fromName: 'Choir',
      lastMessagePreview: '*bold* news',
    })
    const inbox = await scripted({
      messages: SAID,
      conversations: [
        group,
        conversation(2, { type: 'GROUP', from: '98@g.us', lastMessageType: 'reaction', lastMessagePreview: '👍' }),
      ],
    })
    const { frame } = inbox
    t.deepEqual(await frame.locator('.row-title').allInnerTexts(), ['Choir', 'Group without a name'])
    t.regex(await frame.locator('.row-preview').first().innerText(), /^bold news$/)
    t.is((await frame.locator('.row-preview').nth(1).innerText()).trim(), 'Reacted 👍')
    await frame.locator('[data-conversation=conv_1]').click()
    const at = (n: number): Locator => frame.locator(`[data-message=msg_00000${n}]`)
    await at(1).waitFor({ state: 'attached' })
    t.is(await frame.locator('.thread-name').innerText(), 'Choir\n\nFront desk')
    t.deepEqual(
      await at(1)
        .locator('b, i, s, code')
        .evaluateAll((all: any[]) => all.map(({ tagName, textContent }) => `${tagName} ${textContent}`)),
      ['B bold', 'I it', 'S no', 'CODE code', 'CODE fenced'],
    )
    t.deepEqual(
      await at(2)
        .locator('a')
        .evaluateAll((all: any[]) => all.map((one) => one.getAttribute('href'))),
      [
        'https://en.wikipedia.org/wiki/A_(b)',
        'https://www.shop.example',
        'mailto:ana@shop.example',
        'tel:+5511988887777',
      ],
    )
    const shown = await at(3).innerText()
    t.true(shown.length < 900)
    await at(3).locator('[data-action=read-more]').click()
    t.true((await at(3).innerText()).length > LONG.length - 1)
    t.regex(await at(4).innerText(), /Shop[^]*Rua Augusta 100/)
    const [large, plain] = await Promise.all(
      [5, 6].map((n) =>
        at(n)
          .locator('.text')
          .evaluate((text: any) => Number.parseFloat((globalThis as any).getComputedStyle(text).fontSize)),
      ),
    )
    t.true((large ?? 0) > 1.8 * (plain ?? 0))
    t.regex((await at(6).locator('time').getAttribute('title')) ?? '', /\d{4}.*\d{1,2}:\d{2}:\d{2}/)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

inBrowser(
  'on a phone "back" leads to the list, which shows what was begun and cuts no name for the sake of a number (cases 7, 22, 24)',
  async (t) => {
    const inbox = await scripted({}, { browser: { viewport: { width: 360, height: 700 } } })
    const { frame, page } = inbox
    t.deepEqual(
      await frame
        .locator('.row-title')
        .evaluateAll((all: any[]) =>
          all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
        ),
      [],
    )
    for (const leave of [() => page.evaluate('history.back()'), () => frame.locator('[data-action=back]').click()]) {
      await frame.locator('[data-conversation=conv_1]').click()
      await frame.locator('[data-composer]').fill('half a *sentence*')
      await leave()
      await frame.locator('main.at-list').waitFor()
      t.is(new URL(page.url()).origin, host.origin)
      t.is(
        (await frame.locator('[data-conversation=conv_1] .row-preview').innerText()).replace(/\s+/g, ' '),
        'Draft: half a sentence',
      )
    }
    await frame.locator('input[data-search]').fill('a')
    await frame.locator('.side .notice', { hasText: 'one more letter' }).waitFor()
    t.is(await frame.locator('.side [data-conversation]').count(), 0)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

inBrowser(
  'the name of a conversation is cut for the sake of no number, however long that is called, at any width (case 7)',
  async (t) => {
    const numbers = ['Sales department of the southern region', 'Support of the whole country'].map((name, n) => ({
      id: `num_${n}`,
      name,
      number: `551197777000${n}`,
      provider: 'UNOFFICIAL',
      state: 'OPEN',
    }))
    const inbox = await scripted(({ session }) => ({
      session: { status: 200, body: { ...session?.body, numbers } },
      conversations: ['Friends of the garden', 'Maria Aparecida'].map((fromName, n) =>
        conversation(n + 1, { fromName, numberId: `num_${n}` }),
      ),
    }))
    for (const width of [360, 720, 820, 1_200]) {
      await inbox.page.setViewportSize({ width, height: 700 })
      // A name is only cut when it already uses all the available width.
      t.deepEqual(
        await inbox.frame
          .locator('.row-title')
          .evaluateAll((all: any[]) =>
            all
              .filter(
                ({ scrollWidth, clientWidth, parentElement }) =>
                  scrollWidth > clientWidth && clientWidth < parentElement.clientWidth - 1,
              )
              .map(({ textContent }) => textContent),
          ),
        [],
        `${width} px`,
      )
    }
    await inbox.context.close()
  },
)

// [inbox.features.6]
inBrowser('from 720 px on the list stands beside the thread, below that one of the two is seen', async (t) => {
  const { page, frame, context } = await scripted()
  for (const seen of ['.side', '.thread']) {
    if (seen === '.thread') await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator(seen === '.side' ? 'main.at-list' : 'main.at-thread').waitFor()
    for (const width of [719, 720]) {
      await page.setViewportSize({ width, height: 700 })
      const stateOf = (pane: string) => (width === 720 || pane === seen ? 'visible' : 'hidden')
      for (const pane of ['.side', '.thread'])
        await t.notThrowsAsync(frame.locator(pane).waitFor({ state: stateOf(pane) }), `${pane} at ${width} px`)
    }
  }
  await context.close()
})

inBrowser('a quoted person is shown by the name of the conversation, or by their own name in a group', async (t) => {
  const quoted = { id: 'msg_000001', direction: 'INBOUND', type: 'text', content: 'Who sings?' } as const
  const messages = [
    message(1, 3, { content: 'Who sings?', fromName: 'Bia' }),
    message(2, 3, { direction: 'OUTBOUND', content: 'All of us', quoted }),
    message(4, 3, { content: 'Good', fromName: null, from: '551190007' }),
  ]
  const inbox = await scripted({ messages, conversations: [conversation(1, { type: 'GROUP', fromName: 'Choir' })] })
  const { frame } = inbox
  await frame.locator('[data-conversation]').click()
  t.is(await frame.locator('[data-message=msg_000002] .quote-who').innerText(), 'Bia')
  await frame.locator('[data-message=msg_000004]').hover()
  await frame.locator('[data-message=msg_000004] [data-action=reply]').click()
  t.is(await frame.locator('[data-reply] .quote-who').innerText(), 'Replying to +551190007')
  await inbox.context.close()
  const direct = await scripted({ messages: [message(1, 1)] })
  await direct.frame.locator('[data-conversation=conv_1]').click()
  await direct.frame.locator('[data-message=msg_000001]').hover()
  await direct.frame.locator('[data-message=msg_000001] [data-action=reply]').click()
  t.is(await direct.frame.locator('[data-reply] .quote-who').innerText(), 'Replying to Ana Souza')
  await direct.context.close()
})

inBrowser('a few messages stand at the end of their thread, beside the field', async (t) => {
  const inbox = await scripted({ messages: [message(1, 2), message(2, 2)] })
  const { frame } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  const bottom = (what: string): Promise<number> =>
    frame.locator(what).evaluate((element: any) => element.getBoundingClientRect().bottom)
  await frame.locator('[data-message=msg_000002]').waitFor()
  await until(
    'they are at the end',
    async () => (await bottom('[data-thread]')) - (await bottom('[data-message=msg_000002]')) < 24,
  )
  t.true(await frame.locator('[data-thread]').evaluate((thread: any) => thread.scrollHeight <= thread.clientHeight))
  await inbox.context.close()
})

inBrowser('an inbox of which nothing could be loaded says that, and not that the person is offline', async (t) => {
  const inbox = await scripted({ session: { status: 503, body: {} } }, { state: 'error' })
  t.is(
    (await inbox.frame.locator('main').innerText()).trim().replace(/\s+/g, ' '),
    'This could not be loaded Try again',
  )
  await inbox.context.close()
})

inBrowser('of several files that are dropped or pasted each is taken (case 3)', async (t) => {
  const inbox = await scripted()
  const { frame } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  const titles = frame.locator('.attached-title')
  await frame.locator('[data-composer]').evaluate(handOver, { type: 'paste' as const, names: ['a.txt', 'b.txt'] })
  await titles.nth(1).waitFor()
  await frame.locator('.thread').evaluate(handOver, { type: 'drop' as const, names: ['c.txt', 'd.txt'] })
  await titles.nth(3).waitFor()
  t.deepEqual(await titles.allInnerTexts(), ['a.txt', 'b.txt', 'c.txt', 'd.txt'])
  await inbox.context.close()
})

/** The pictures of the documents: what each shows, and its size. */
const TAKEN = [
  { name: 'inbox-wide', open: 'conv_1', width: 1_100, height: 700, colorScheme: 'light' },
  { name: 'inbox-thread-dark', open: 'conv_1', width: 390, height: 700, colorScheme: 'dark' },
  { name: 'inbox-list', open: null, width: 390, height: 700, colorScheme: 'light' },
] as const
const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

inBrowser('pictures of the inbox are taken for the docs (WRITE_PICTURES=1 keeps them)', async (t) => {
  const messages = everyKind().filter(
    ({ type, revokedAt }) => revokedAt === null && !['system', 'later_kind', 'video', 'interactive'].includes(type),
  )
  for (const { name, open, width, height, colorScheme } of TAKEN) {
    const inbox = await scripted({ messages }, { browser: { viewport: { width, height }, colorScheme } })
    if (open) {
      await inbox.frame.locator(`[data-conversation=${open}]`).click()
      await inbox.frame.locator('[data-failure]').waitFor()
    }
    const picture = sharp(await inbox.page.screenshot({ animations: 'disabled' })).png({
      palette: true,
      compressionLevel: 9,
      effort: 10,
    })
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
