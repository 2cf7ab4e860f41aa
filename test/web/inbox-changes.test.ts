import test from 'ava'
import type { Locator } from 'playwright-core'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory, message, row, say } from '../helpers/inbox-story.ts'
import { inboxOf, newPeer, write } from '../helpers/message-service.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { conversation, message as said } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)

async function openMenu(one: Locator): Promise<string[]> {
  await one.hover()
  await one.locator('[data-action=message-menu]').click()
  await one.locator('[role=menu]').waitFor()
  return one.locator('[role=menu] [data-action]').evaluateAll((all: any[]) => all.map(({ dataset }) => dataset.action))
}

// [inbox.features.18] [inbox.hooks.12]
inBrowser(
  'a sent text is edited in the field, keeps what was begun, and is taken back after a second question',
  async (t) => {
    const { service, number } = story
    const inbox = await story.mounted()
    const { frame, page } = inbox
    const peer = newPeer()
    await write(service, peer, number, { text: `when ${peer}` })
    await row(inbox, `when ${peer}`).click()
    await say(inbox, 'at eight')
    const sent = frame.locator('[data-direction=OUTBOUND][data-status=READ]')
    await sent.waitFor()
    const field = frame.locator('[data-composer]')
    await field.fill('half a sentence')
    await openMenu(sent)
    await sent.locator('[data-action=edit]').click()
    await frame.locator('[data-editing]').waitFor()
    t.is(await field.inputValue(), 'at eight')
    await page.keyboard.press('Escape')
    t.deepEqual([await field.inputValue(), await frame.locator('[data-editing]').count()], ['half a sentence', 0])
    await openMenu(sent)
    await sent.locator('[data-action=edit]').click()
    await field.fill('at nine')
    await page.keyboard.press('Enter')
    await message(inbox, 'at nine').locator('.foot', { hasText: 'edited' }).waitFor()
    t.deepEqual([await field.inputValue(), await frame.locator('[data-editing]').count()], ['half a sentence', 0])
    t.like((await inboxOf(service, peer, number))[0], { text: 'at nine', revokedAt: null })

    await openMenu(sent)
    await sent.locator('[data-action=revoke]').click()
    await sent.locator('[data-action=revoke-now]').waitFor()
    await until('the way back has the focus', () =>
      frame.locator(':focus').evaluate(({ dataset }: any) => dataset.action === 'cancel'),
    )
    await page.keyboard.press('Enter')
    await sent.locator('[role=menu]').waitFor({ state: 'detached' })
    t.like((await inboxOf(service, peer, number))[0], { text: 'at nine', revokedAt: null })
    await openMenu(sent)
    await sent.locator('[data-action=revoke]').click()
    await sent.locator('[data-action=revoke-now]').click()
    await sent.locator('.aside', { hasText: 'This message was deleted' }).waitFor()
    t.truthy((await inboxOf(service, peer, number))[0].revokedAt)
    t.deepEqual(await openMenu(sent), ['copy-id'])
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.18]
inBrowser('what a number cannot change, or no longer, is not offered', async (t) => {
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  const ours = { direction: 'OUTBOUND', status: 'READ' } as const
  const messages = [
    said(1, 9, { ...ours, content: 'three days ago', createdAt: ago(3 * 1_440) }),
    said(2, 9, { ...ours, content: 'an hour ago', createdAt: ago(60) }),
    said(3, 9, { ...ours, type: 'document', content: 'prices', createdAt: ago(3) }),
    said(4, 9, { content: 'theirs', createdAt: ago(2) }),
    said(5, 9, { ...ours, content: 'just now', createdAt: ago(1) }),
  ]
  const numbers = (can: object) => [
    { id: 'num_a', name: 'Desk', number: '1', provider: 'UNOFFICIAL', state: 'OPEN', can },
  ]
  for (const isAble of [true, false]) {
    const inbox = await scripted(story, ({ session }) => ({
      messages,
      conversations: [conversation(1)],
      session: { status: 200, body: { ...session?.body, numbers: numbers({ edits: isAble, revocations: isAble }) } },
    }))
    await inbox.frame.locator('[data-conversation=conv_1]').click()
    const offered: string[] = []
    for (const { id } of messages) {
      const actions = await openMenu(inbox.frame.locator(`[data-message=${id}]`))
      offered.push(actions.filter((action) => ['edit', 'revoke'].includes(action)).join())
      if (id === 'msg_000005') t.deepEqual(await faultsOfLooks(inbox), [])
      await inbox.page.keyboard.press('Escape')
    }
    t.deepEqual(offered, isAble ? ['', 'revoke', 'revoke', '', 'edit,revoke'] : ['', '', '', '', ''])
    await inbox.context.close()
  }
})
