import test from 'ava'
import type { Locator } from 'playwright-core'
import { inBrowser } from '../helpers/browser.ts'
import type { InboxPage } from '../helpers/inbox-page.ts'
import { inboxStory } from '../helpers/inbox-story.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { message } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)
const SAID = [
  message(1, 3, { content: 'Do you deliver on *Saturdays*?' }),
  message(2, 3, { type: 'location', content: null, location: { latitude: -23.5, longitude: -46.6 } }),
  message(4, 4, { content: 'Thank you!' }),
]

/** Opens the thread of the script, and answers one of its messages. */
async function opened(inbox: InboxPage, id: string): Promise<Locator> {
  await inbox.frame.locator('[data-conversation=conv_1]').click()
  const one = inbox.frame.locator(`[data-message=${id}]`)
  await one.waitFor()
  return one
}

function actionsOf(one: Locator): Promise<(string | null)[]> {
  return one.locator('[role=menu] [data-action]').evaluateAll((all: any[]) => all.map(({ dataset }) => dataset.action))
}

// [inbox.features.9] [inbox.hooks.3]
inBrowser('the menu of a message answers it, and copies its text as it was written, or its id', async (t) => {
  const permissions = ['microphone', 'clipboard-read', 'clipboard-write']
  const inbox = await scripted(story, { messages: SAID }, { browser: { permissions } })
  const { frame, page } = inbox
  const one = await opened(inbox, 'msg_000001')
  const choose = async (action: string): Promise<void> => {
    await one.hover()
    await one.locator('[data-action=message-menu]').click()
    await one.locator(`[role=menu] [data-action=${action}]`).click()
    await one.locator('[role=menu]').waitFor({ state: 'detached' })
  }
  const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
  await choose('copy')
  await frame.locator('.told', { hasText: 'Copied' }).waitFor()
  t.is(await copied(), 'Do you deliver on *Saturdays*?')
  await choose('copy-id')
  await until('the id is copied', async () => (await copied()) === 'msg_000001')
  await choose('reply')
  await frame.locator('[data-reply=msg_000001]').waitFor()
  t.true(await frame.locator('[data-composer]').evaluate((field: any) => field.matches(':focus')))
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.7] [inbox.features.9]
inBrowser(
  'the context-menu key opens the menu of the message with the focus; arrows move in it, and Esc returns to the message, not to the list',
  async (t) => {
    const inbox = await scripted(story, { messages: SAID })
    const { frame, page } = inbox
    const one = await opened(inbox, 'msg_000004')
    await one.focus()
    await page.keyboard.press('ContextMenu')
    const menu = one.locator('[role=menu]')
    await menu.waitFor()
    const focused = (): Promise<string | undefined> =>
      frame.locator(':focus').evaluate(({ dataset: { action, message: id } }: any) => action ?? id)
    await until('the first item has the focus', async () => (await focused()) === 'reply')
    await page.keyboard.press('ArrowDown')
    t.is(await focused(), 'copy')
    await page.keyboard.press('ArrowUp')
    t.is(await focused(), 'reply')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    t.is(await focused(), 'msg_000004')
    t.is(await frame.locator('[data-thread=conv_1]').count(), 1)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.9]
inBrowser(
  'a finger that rests on a message opens its menu, which offers no text where there is none; a press beside it closes it',
  async (t) => {
    const inbox = await scripted(
      story,
      { messages: SAID },
      { browser: { viewport: { width: 320, height: 640 }, hasTouch: true } },
    )
    const { page } = inbox
    const one = await opened(inbox, 'msg_000002')
    const box = await one.locator('.bubble').boundingBox()
    const touchPoints = [{ x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }]
    const finger = await inbox.context.newCDPSession(page)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await one.locator('[role=menu]').waitFor()
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    t.deepEqual(await actionsOf(one), ['reply', 'copy-id', 'react'])
    t.deepEqual(await faultsOfLooks(inbox), [])
    const menu = await one.locator('[role=menu]').boundingBox()
    const { x = -1, y = -1, width = 999, height = 999 } = menu ?? {}
    t.deepEqual([x >= 0, x + width <= 320, y + height <= 640], [true, true, true], JSON.stringify(menu))
    await page.touchscreen.tap(300, 620)
    await one.locator('[role=menu]').waitFor({ state: 'detached' })
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)
