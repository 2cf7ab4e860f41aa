import test from 'ava'
import type { Locator } from 'playwright-core'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory, message, row } from '../helpers/inbox-story.ts'
import { newPeer, untilInbox, write } from '../helpers/message-service.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { conversation, message as said } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)
const THUMB = '\u{1F44D}'

/** What stands under a message, as it is read. */
async function chipsOf(one: Locator): Promise<string[]> {
  return (await one.locator('[data-reaction]').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
}

// [inbox.features.16] [inbox.hooks.10]
inBrowser('a message is reacted to from its menu by keys, with another emoji, and a press takes it back', async (t) => {
  const { service, number } = story
  const inbox = await story.mounted()
  const { frame, page } = inbox
  const peer = newPeer()
  const text = `is it ready ${peer}`
  const externalId = await write(service, peer, number, { text, fromName: 'Ana' })
  await row(inbox, text).click()
  const one = message(inbox, text)
  await one.focus()
  await page.keyboard.press('ContextMenu')
  await one.locator('[role=menu]').waitFor()
  await until('the first item has the focus', async () =>
    frame.locator(':focus').evaluate(({ dataset }: any) => dataset.action === 'reply'),
  )
  for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowLeft', 'Home', 'Enter']) await page.keyboard.press(key)
  await until('ours is shown with who', async () => (await chipsOf(one)).join() === `${THUMB} You`)
  const [reaction] = await untilInbox(service, peer, number, 1)
  t.like(reaction, { type: 'reaction' })
  t.like(reaction.content.reaction, { messageId: externalId, emoji: THUMB })

  await one.hover()
  await one.locator('[data-action=message-menu]').click()
  t.is(await one.locator(`[data-react="${THUMB}"]`).getAttribute('aria-checked'), 'true')
  await one.locator('[role=menu] [data-action=react]').click()
  await one.locator('[data-reactions] input').fill('party')
  await one.locator('[data-reactions] .emoji-cell').first().click()
  await one.locator('[data-reactions]').waitFor({ state: 'detached' })
  await until('the other emoji stands in its place', async () =>
    /^(?!.*\u{1F44D}).+ You$/u.test((await chipsOf(one)).join()),
  )

  await one.locator('[data-reaction] [data-action=unreact]').click()
  await until('nothing stands there', async () => (await chipsOf(one)).length === 0)
  const last = (await untilInbox(service, peer, number, 3)).at(-1)
  t.like(last, { type: 'reaction' })
  t.falsy(last.content.reaction.emoji)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.8] [inbox.features.16]
inBrowser('reactions of a group say who chose each emoji, fit a narrow screen, and move nothing else', async (t) => {
  const reaction = (n: number, emoji: string, about: object) =>
    said(n, 9, { type: 'reaction', content: null, reaction: { messageId: 'ext 1', emoji }, ...about })
  const messages = [
    said(1, 9, { content: 'ok', fromName: 'Bia', from: '1' }),
    reaction(2, THUMB, { fromName: 'Maria Aparecida dos Santos Oliveira', from: '2' }),
    reaction(4, THUMB, { fromName: 'Clara', from: '4' }),
    reaction(5, '\u2764\uFE0F', { fromName: 'Davi', from: '5' }),
    reaction(6, THUMB, {}),
  ]
  const inbox = await scripted(
    story,
    { messages, conversations: [conversation(1, { type: 'GROUP', fromName: 'Choir' })] },
    { browser: { viewport: { width: 360, height: 640 } } },
  )
  const { frame } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  const one = frame.locator('[data-message=msg_000001]')
  await one.waitFor()
  t.deepEqual(await chipsOf(one), [`${THUMB} Maria Aparecida dos Santos Oliveira, Clara, You`, '\u2764\uFE0F Davi'])
  t.is(await one.locator('[data-action=unreact]').count(), 1)
  const { height = 999 } = (await one.locator('.bubble').boundingBox()) ?? {}
  t.true(height < 80, `the bubble of two letters keeps its width: it is ${height} px high`)
  t.deepEqual(await faultsOfLooks(inbox), [])
  await one.hover()
  await one.locator('[data-action=message-menu]').click()
  await one.locator('[role=menuitemradio]').first().waitFor()
  t.deepEqual(await faultsOfLooks(inbox), [])
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.16]
inBrowser('what cannot be answered is not reacted to, and a refused reaction is told', async (t) => {
  const messages = [said(1, 3, { content: 'Good morning' }), said(2, 3, { content: 'Hello?', externalMessageId: null })]
  const closed = conversation(2, { provider: 'OFFICIAL', canSend: { free: false, reason: 'WINDOW_CLOSED' } })
  const inbox = await scripted(story, { messages, conversations: [conversation(1), closed] })
  const { frame } = inbox
  const menuOf = async (id: string): Promise<Locator> => {
    const one = frame.locator(`[data-message=${id}]`)
    await one.hover()
    await one.locator('[data-action=message-menu]').click()
    await one.locator('[role=menu]').waitFor()
    return one
  }
  await frame.locator('[data-conversation=conv_2]').click()
  t.is(await (await menuOf('msg_000001')).locator('[data-react]').count(), 0)
  await inbox.page.keyboard.press('Escape')
  await frame.locator('[data-conversation=conv_1]').click()
  t.is(await (await menuOf('msg_000002')).locator('[data-react]').count(), 0)
  await inbox.page.keyboard.press('Escape')
  // The script answers no sends.
  await (await menuOf('msg_000001')).locator('[data-react]').first().click()
  await frame.locator('.told', { hasText: 'This could not be done' }).waitFor()
  t.is(await frame.locator('[data-reaction]').count(), 0)
  await inbox.context.close()
})
