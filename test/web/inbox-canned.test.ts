import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory } from '../helpers/inbox-story.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)
const REPLIES = [
  { id: 'crep_1', shortcut: 'bye', text: 'See you at our hours' },
  { id: 'crep_2', shortcut: 'hours', text: `From 9 to 17 <img src=x onerror=alert(1)> ${'w'.repeat(300)}` },
]

// [inbox.features.14] [inbox.hooks.8]
inBrowser('a slash offers canned replies by shortcut and words, and the chosen one is in the field', async (t) => {
  const inbox = await scripted(story, { cannedReplies: REPLIES })
  const { frame, page } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  const field = frame.locator('[data-composer]')
  await field.click()
  await page.keyboard.press('/')
  const search = frame.locator('.templates-search')
  await until('the search has the focus', () => search.evaluate((element: any) => element.matches(':focus')))
  t.deepEqual(await frame.locator('[data-canned]').evaluateAll((all: any[]) => all.map((one) => one.dataset.canned)), [
    'crep_1',
    'crep_2',
  ])
  await search.fill('nothing like it')
  await frame.locator('.templates .aside', { hasText: 'Nothing found' }).waitFor()
  await search.fill('')
  await page.keyboard.type('HOU')
  await until('the shortcut comes first', async () => {
    const first = frame.locator('[data-canned] >> nth=0')
    return (await first.getAttribute('data-canned')) === 'crep_2'
  })
  t.is(await frame.locator('[data-canned]').count(), 2, 'the other has the word in its text')
  await page.keyboard.press('Enter')
  await until('the text is in the field', async () => (await field.inputValue()).startsWith('From 9 to 17 <img'))
  await until('the field has the focus', () => field.evaluate((element: any) => element.matches(':focus')))
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.14]
inBrowser('Escape leaves the canned replies, and where there are none a slash opens the templates', async (t) => {
  const inbox = await scripted(story, { cannedReplies: REPLIES })
  const { frame, page } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  await frame.locator('[data-composer]').click()
  await page.keyboard.press('/')
  await frame.locator('[data-canned=crep_1]').waitFor()
  t.deepEqual(await faultsOfLooks(inbox), [])
  await page.keyboard.press('Escape')
  await frame.locator('[data-composer]:focus').waitFor()
  await inbox.context.close()
  const without = await scripted(story, {})
  await without.frame.locator('[data-conversation=conv_1]').click()
  await without.frame.locator('[data-composer]').click()
  await without.page.keyboard.press('/')
  await without.frame.locator('[data-template]').first().waitFor()
  t.deepEqual(without.faults, [])
  await without.context.close()
})
