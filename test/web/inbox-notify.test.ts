import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory, message, row } from '../helpers/inbox-story.ts'
import { newPeer, write } from '../helpers/message-service.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)

/** In the place of the browser's notifications and tones: counts what is asked, shown and sounded. */
const COUNTED = `
  globalThis.told = { asked: 0, shown: [], tones: 0 }
  globalThis.Notification = class extends EventTarget {
    static permission = 'default'
    static async requestPermission() {
      told.asked += 1
      return (Notification.permission = 'granted')
    }
    constructor(title, { body, tag }) {
      super()
      told.shown.push([title, body, tag.startsWith('conv_')])
      globalThis.lastShown = this
    }
    close() {}
  }
  OscillatorNode.prototype.start = () => { told.tones += 1 }
  OscillatorNode.prototype.stop = () => {}
`

// [inbox.features.12] [inbox.hooks.6]
inBrowser(
  'sound and notifications are off until they are turned on by a press, and then tell of what is not on the screen',
  async (t) => {
    const inbox = await story.mounted({ prepare: async (context) => void (await context.addInitScript(COUNTED)) })
    const { frame } = inbox
    const told = (): Promise<{ asked: number; shown: unknown[][]; tones: number }> =>
      frame.locator('main').evaluate(() => (globalThis as any).told)
    const [quiet, loud, read] = [newPeer(), newPeer(), newPeer()]
    await write(story.service, quiet, story.number, { text: 'nobody hears this' })
    await row(inbox, 'nobody hears this').waitFor()
    t.deepEqual(await told(), { asked: 0, shown: [], tones: 0 })
    const button = frame.locator('[data-action=notify]')
    t.is(await button.getAttribute('aria-pressed'), 'false')
    await button.click()
    await frame.locator('[data-action=notify][aria-pressed=true]').waitFor()
    t.deepEqual(await told(), { asked: 1, shown: [], tones: 2 })
    await write(story.service, loud, story.number, { text: '*heard* by all' })
    await until('it is told', async () => (await told()).shown.length === 1)
    t.is((await told()).tones, 4)
    t.deepEqual((await told()).shown[0]?.slice(1), ['heard by all', true])
    await frame.locator('main').evaluate(() => (globalThis as any).lastShown.dispatchEvent(new Event('click')))
    await message(inbox, 'heard by all').waitFor()
    await until('it is on the screen', async () => (await row(inbox, 'heard').getAttribute('data-unread')) === '0')
    await write(story.service, loud, story.number, { text: 'seen as it comes' })
    await message(inbox, 'seen as it comes').waitFor()
    await write(story.service, read, story.number, { text: 'from elsewhere' })
    await until('the next is told', async () => (await told()).shown.length > 1)
    t.deepEqual(
      (await told()).shown.map(([, text]) => text),
      ['heard by all', 'from elsewhere'],
    )
    await button.click()
    await frame.locator('[data-action=notify][aria-pressed=false]').waitFor()
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)
