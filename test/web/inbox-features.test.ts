import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory } from '../helpers/inbox-story.ts'
import { scripted } from '../helpers/scripted-frame.ts'
import { message } from '../helpers/scripted-inbox.ts'

const story = inboxStory(test)
/** What each part of the inbox is opened by. */
const PARTS = {
  notifications: '[data-action=notify]',
  messageMenu: '[data-action=message-menu]',
  personPanel: '[data-action=person]',
  search: ':is([data-action=search-thread], input[data-search])',
}

// [sdk.calls.12]
inBrowser('each part of the inbox that the host turned off is not seen, and its keys do nothing', async (t) => {
  for (const isOn of [true, false]) {
    const features = Object.fromEntries(Object.keys(PARTS).map((name) => [name, isOn]))
    const inbox = await scripted(story, { messages: [message(1, 1)] }, { options: { features } })
    const { frame, page } = inbox
    await frame.locator('[data-conversation=conv_1]').click()
    const one = frame.locator('[data-message=msg_000001]')
    await one.waitFor()
    for (const [name, part] of Object.entries(PARTS)) t.is((await frame.locator(part).count()) > 0, isOn, name)
    await one.focus()
    await page.keyboard.press('ContextMenu')
    await page.keyboard.press('Control+k')
    if (isOn) await one.locator('[role=menu]').waitFor()
    else t.is(await frame.locator('[role=menu]').count(), 0)
    t.is(await one.locator('[data-action=reply]').first().isVisible(), true)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  }
})
