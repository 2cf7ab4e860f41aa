import test from 'ava'
import type { Locator } from 'playwright-core'
import { inBrowser } from '../helpers/browser.ts'
import type { InboxPage } from '../helpers/inbox-page.ts'
import { inboxStory, row } from '../helpers/inbox-story.ts'
import { newPeer, write } from '../helpers/message-service.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { conversation } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)
const TALKS = [
  conversation(1, { fromName: 'Ana Souza' }),
  conversation(2, { fromName: 'Bruno Lima' }),
  conversation(3, { fromName: 'Clara Dias', unreadCount: 2 }),
]

function rowOf({ frame }: InboxPage, n: number): Locator {
  return frame.locator(`[data-conversation=conv_${n}]`)
}

/** Opens the menu of a conversation by its button, and answers the names of its actions. */
async function openMenu(inbox: InboxPage, of: Locator): Promise<(string | null)[]> {
  await of.hover()
  await of.locator('+ [data-action=conversation-menu]').click()
  return actionsIn(inbox)
}

async function actionsIn({ frame }: InboxPage): Promise<(string | null)[]> {
  const menu = frame.locator('[role=menu]')
  await menu.waitFor()
  return menu.locator('[data-action]').evaluateAll((all: any[]) => all.map(({ dataset }) => dataset.action))
}

function focusIn({ frame }: InboxPage): Promise<string | undefined> {
  return frame.locator('body').evaluate(({ ownerDocument: { activeElement } }: any) => {
    const { action, conversation: id } = activeElement.dataset
    return action ?? id
  })
}

async function choose({ frame }: InboxPage, action: string): Promise<void> {
  await frame.locator(`[role=menu] [data-action=${action}]`).click()
}

// [inbox.features.13] [inbox.hooks.7]
inBrowser('a conversation is archived and taken back from its menu, and by the undo that is told', async (t) => {
  const inbox = await scripted(story, { conversations: TALKS })
  const { frame } = inbox
  t.deepEqual(await openMenu(inbox, rowOf(inbox, 1)), ['mark-unread', 'archive'])
  await choose(inbox, 'archive')
  await rowOf(inbox, 1).waitFor({ state: 'detached' })
  await frame.locator('[role=status]', { hasText: /^Archived$/ }).waitFor()
  await until('the focus is at the next conversation', async () => (await focusIn(inbox)) === 'conv_2')
  await frame.locator('[data-action=undo]').click()
  await rowOf(inbox, 1).waitFor()
  await frame.locator('[data-action=undo]').waitFor({ state: 'detached' })
  await until('the focus is at the conversation', async () => (await focusIn(inbox)) === 'conv_1')

  await openMenu(inbox, rowOf(inbox, 2))
  await choose(inbox, 'archive')
  await rowOf(inbox, 2).waitFor({ state: 'detached' })
  await frame.locator('[data-action=filter-archived]').click()
  await rowOf(inbox, 2).waitFor()
  t.is(await frame.locator('[data-conversation]').count(), 1)
  t.is(await frame.locator('[data-action=filter-archived]').getAttribute('aria-pressed'), 'true')
  t.deepEqual(await openMenu(inbox, rowOf(inbox, 2)), ['mark-unread', 'unarchive'])
  await choose(inbox, 'unarchive')
  await rowOf(inbox, 2).waitFor({ state: 'detached' })
  await frame.locator('.notice', { hasText: 'Nothing archived' }).waitFor()
  await frame.locator('[data-action=filter-archived]').click()
  await rowOf(inbox, 2).waitFor()
  t.is(await frame.locator('[data-conversation]').count(), 3)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.7] [inbox.features.13]
inBrowser(
  'an open conversation is closed when it is marked as unread, by the keyboard alone, and read once it is opened',
  async (t) => {
    const inbox = await scripted(story, { conversations: TALKS })
    const { frame, page } = inbox
    await rowOf(inbox, 1).click()
    await frame.locator('[data-thread=conv_1]').waitFor()
    await rowOf(inbox, 1).focus()
    await page.keyboard.press('Tab')
    t.is(await focusIn(inbox), 'conversation-menu')
    await page.keyboard.press('Enter')
    t.deepEqual(await actionsIn(inbox), ['mark-unread', 'archive'])
    await page.keyboard.press('Escape')
    await frame.locator('[role=menu]').waitFor({ state: 'detached' })
    await rowOf(inbox, 1).focus()
    await page.keyboard.press('ContextMenu')
    await actionsIn(inbox)
    await page.keyboard.press('Enter')
    await rowOf(inbox, 1).and(frame.locator('[data-unread="1"]')).waitFor()
    await frame.locator('[data-thread]').waitFor({ state: 'detached' })
    t.is(await rowOf(inbox, 1).locator('.badge').innerText(), 'Marked as unread')
    t.deepEqual(await openMenu(inbox, rowOf(inbox, 1)), ['archive'])
    await page.keyboard.press('Escape')
    t.deepEqual(await openMenu(inbox, rowOf(inbox, 3)), ['archive'], 'it is unread already')
    await page.keyboard.press('Escape')
    const [read] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/conversations/conv_1/read')),
      rowOf(inbox, 1).click(),
    ])
    t.is(read.method(), 'POST')
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [sdk.calls.12]
inBrowser('a host turns marks off, one or both', async (t) => {
  for (const [features, actions] of [
    [{ archive: false }, ['mark-unread']],
    [{ markUnread: false }, ['archive']],
  ] as const) {
    const inbox = await scripted(story, { conversations: TALKS }, { options: { features } })
    t.deepEqual(await openMenu(inbox, rowOf(inbox, 1)), [...actions])
    t.is(await inbox.frame.locator('[data-action=filter-archived]').count(), 'archive' in features ? 0 : 1)
    await inbox.context.close()
  }
  const off = { archive: false, markUnread: false }
  const inbox = await scripted(story, { conversations: TALKS }, { options: { features: off } })
  await rowOf(inbox, 1).focus()
  t.is(await inbox.frame.locator('[data-action=conversation-menu]').count(), 0)
  await inbox.context.close()
})

// [inbox.features.8]
inBrowser('the menu of a conversation, a mark and an undo can be read by all, and fit 320 px', async (t) => {
  const browser = { viewport: { width: 320, height: 600 } }
  const marked = [conversation(9, { isMarkedUnread: true, lastMessageAt: new Date().toISOString() }), ...TALKS]
  const inbox = await scripted(story, { conversations: marked }, { browser })
  await openMenu(inbox, rowOf(inbox, 1))
  await choose(inbox, 'archive')
  await inbox.frame.locator('[data-action=undo]').waitFor()
  t.deepEqual(await faultsOfLooks(inbox), [])
  await openMenu(inbox, rowOf(inbox, 2))
  t.deepEqual(await faultsOfLooks(inbox), [])
  await inbox.context.close()
})

// [embeds.marks.1] [embeds.marks.2] [embeds.marks.3] [embeds.marks.4]
inBrowser(
  'two open inboxes show the same marks at once, and a message brings a conversation back to both',
  async (t) => {
    const [one, two] = [await story.mounted(), await story.mounted()]
    const peer = newPeer()
    await write(story.service, peer, story.number, { text: 'to be archived' })
    await row(one, 'to be archived').click()
    await row(two, 'to be archived').and(two.frame.locator('[data-unread="0"]')).waitFor()
    await openMenu(one, row(one, 'to be archived'))
    await choose(one, 'mark-unread')
    for (const inbox of [one, two]) {
      await row(inbox, 'to be archived').and(inbox.frame.locator('[data-unread="1"]')).waitFor()
      await until('the host hears of it', async () => (await inbox.seen()).at(-1) === 'onUnreadCount 1')
    }
    await row(two, 'to be archived').click()
    await row(one, 'to be archived').and(one.frame.locator('[data-unread="0"]')).waitFor()
    await openMenu(two, row(two, 'to be archived'))
    await choose(two, 'archive')
    for (const inbox of [one, two]) await row(inbox, 'to be archived').waitFor({ state: 'detached' })
    await write(story.service, peer, story.number, { text: 'here again' })
    for (const inbox of [one, two]) {
      await row(inbox, 'here again').and(inbox.frame.locator('[data-unread="1"]')).waitFor()
      t.deepEqual(inbox.faults, [])
      await inbox.context.close()
    }
  },
)
