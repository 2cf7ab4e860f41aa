import test from 'ava'
import { excerptOf } from '../../web/chat/model/excerpt.ts'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory } from '../helpers/inbox-story.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { message } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)
const DAY_MS = 86_400_000
/** 200 messages, one every six hours, of which the 20th is asked for. */
const SAID = Array.from({ length: 200 }, (_, at) =>
  message(at + 1, 200, {
    content: at === 19 ? 'The *red* tulips, please' : `Message ${at + 1}`,
    createdAt: new Date(Date.now() - (200 - at) * (DAY_MS / 4)).toISOString(),
  }),
)

test('an excerpt shows what was found, whatever the case and however far back in the text it stands', (t) => {
  t.deepEqual(excerptOf('Red tulips', 'red'), { before: '', found: 'Red', after: ' tulips' })
  t.deepEqual(excerptOf(`${'word '.repeat(40)}tulips`, 'Tulips'), {
    before: `…${'word '.repeat(7)}`,
    found: 'tulips',
    after: '',
  })
  t.is(excerptOf(`${'x'.repeat(90)}tulips`, 'tulips').before.length, 90)
  t.deepEqual(excerptOf('İstanbul tulips', 'tulips'), { before: 'İstanbul tulips', found: '', after: '' })
})

// [inbox.features.11] [inbox.hooks.5]
inBrowser(
  'a search in a thread finds a message that was not read yet, and leads to it with what stands around it',
  async (t) => {
    const inbox = await scripted(story, { messages: SAID })
    const { frame, page } = inbox
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-message=msg_000200]').waitFor()
    await frame.locator('[data-action=search-thread]').click()
    const field = frame.locator('input[data-search-thread]')
    await until('the field has the focus', () => field.evaluate((element: any) => element.matches(':focus')))
    await field.fill('TULIPS, pl')
    await frame.locator('[data-aside=search] [role=status]', { hasText: '1 message found' }).waitFor()
    t.is(await frame.locator('[data-found] mark').innerText(), 'tulips, pl')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await frame.locator('[data-message=msg_000020]:focus').waitFor()
    for (const beside of ['msg_000019', 'msg_000021']) await frame.locator(`[data-message=${beside}]`).waitFor()
    await field.fill('nothing like it')
    await frame.locator('[data-aside=search] [role=status]', { hasText: 'Nothing found' }).waitFor()
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.11] [inbox.features.8]
inBrowser(
  'a date leads to the first message of that day, and on a narrow screen the pane makes room for it',
  async (t) => {
    const inbox = await scripted(
      story,
      { messages: SAID },
      { browser: { viewport: { width: 320, height: 640 }, timezoneId: 'America/Sao_Paulo' } },
    )
    const { frame } = inbox
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-message=msg_000200]').waitFor()
    await frame.locator('[data-action=search-thread]').click()
    const pane = frame.locator('[data-aside=search]')
    await pane.locator('input[data-search-thread]').fill('message')
    await pane.locator('[data-found]').first().waitFor()
    t.deepEqual(await faultsOfLooks(inbox), [])
    const day = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10)
    await pane.locator('input[data-search-date]').fill(day)
    await pane.locator('[data-action=go-to-date]').click()
    await pane.waitFor({ state: 'detached' })
    // Midnight in the time zone of this browser, which has no summer time.
    const first = SAID.find(({ createdAt }) => createdAt >= `${day}T03:00:00.000Z`)?.id ?? ''
    await frame.locator(`[data-message=${first}]:focus`).waitFor()
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)
