import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory } from '../helpers/inbox-story.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { everyKind, message } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)
const AD = {
  sourceId: '120',
  sourceType: 'ad',
  sourceUrl: 'https://ads.example/120',
  headline: 'Fresh flowers',
  adName: null,
  campaignName: null,
} as const
const FILE = everyKind().find(({ type }) => type === 'document')?.media ?? null
const SAID = [
  message(1, 3, { content: 'I saw your ad', referral: AD }),
  message(2, 3, { type: 'document', content: null, media: FILE }),
  message(4, 4, { content: 'Thank you!' }),
]

// [inbox.features.10] [inbox.hooks.4]
inBrowser(
  'a pane beside the thread says who it is: name, number to copy, first contact, ad and shared files; Esc closes it and leaves the thread',
  async (t) => {
    const permissions = ['microphone', 'clipboard-read', 'clipboard-write']
    const inbox = await scripted(story, { messages: SAID }, { browser: { permissions } })
    const { frame, page } = inbox
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-action=person]').click()
    const pane = frame.locator('[data-aside=person]')
    await pane.locator('[data-file=msg_000002]').waitFor()
    const facts = await pane.locator('.facts > div').allInnerTexts()
    t.is(await pane.locator('.person-name').innerText(), 'Ana Souza')
    t.deepEqual(
      facts.map((fact) => fact.replace(/\s+/g, ' ').trim()).filter((fact) => !fact.startsWith('First contact')),
      [
        'Number +551190001001',
        'Writes to Front desk +5511988887777',
        'Came from an ad Fresh flowers',
        'Conversation id conv_1',
      ],
    )
    t.is(await pane.locator('a').getAttribute('href'), AD.sourceUrl)
    await pane.locator('[data-action=copy-number]').click()
    await until('it is copied', async () => (await page.evaluate('navigator.clipboard.readText()')) === '+551190001001')
    await page.keyboard.press('Escape')
    await pane.waitFor({ state: 'detached' })
    t.is(await frame.locator('[data-thread=conv_1]').count(), 1)
    t.is(await frame.locator(':focus').getAttribute('data-action'), 'person')
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.8] [inbox.features.10]
inBrowser(
  'the pane is beside the thread where there is room and covers it where there is none; files of older messages are read on demand',
  async (t) => {
    const file = message(1, 80, { type: 'document', content: null, media: FILE })
    const messages = [file, ...Array.from({ length: 79 }, (_, at) => message(at + 2, 80))]
    const inbox = await scripted(story, { messages }, { browser: { viewport: { width: 1200, height: 640 } } })
    const { frame, page } = inbox
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-message=msg_000080]').waitFor()
    await frame.locator('[data-action=person]').click()
    const pane = frame.locator('[data-aside=person]')
    await pane.waitFor()
    const edges = async (): Promise<number[]> =>
      await Promise.all([
        frame.locator('.thread').evaluate((element: any) => element.getBoundingClientRect().right as number),
        pane.evaluate((element: any) => element.getBoundingClientRect().left as number),
      ])
    const [right = 0, left = 0] = await edges()
    t.true(right <= left + 1, `${right} ${left}`)
    await pane.locator('[data-action=older-files]').click()
    await pane.locator('[data-file=msg_000001]').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await until('the pane covers the thread', async () => (await edges())[1] === 0)
    t.deepEqual(await faultsOfLooks(inbox), [])
    await inbox.context.close()
  },
)
