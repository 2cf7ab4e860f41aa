import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory } from '../helpers/inbox-story.ts'
import { scripted } from '../helpers/scripted-frame.ts'
import { conversation, everyKind, message } from '../helpers/scripted-inbox.ts'
import { within } from '../helpers/until.ts'

const HOUR_MS = 3_600_000
/** Parts that belong to a message. */
const OF_A_MESSAGE = [
  '[data-action=reply]',
  '[data-action=retry]',
  '[data-failure]',
  '[data-quote]',
  '[data-player]',
] as const

const story = inboxStory(test)

// [inbox.hooks.2] [inbox.hooks.3]
inBrowser(
  'each message has its id, direction, status and type as hooks; reply, retry, failure, quote and player are inside the message they belong to',
  async (t) => {
    // So high that the whole thread is drawn.
    const { frame, context, faults } = await scripted(
      story,
      {},
      { browser: { viewport: { width: 1200, height: 4_000 } } },
    )
    await frame.locator('[data-conversation=conv_1]').click()
    await frame.locator('[data-failure]').waitFor()
    // A reaction is drawn at its message, not by itself.
    const shown = everyKind().filter(({ type }) => type !== 'reaction')
    t.deepEqual(
      await frame
        .locator('[data-message]')
        .evaluateAll((all: any[]) =>
          all.map(({ dataset: { message: id, direction, status, type } }) => ({ id, direction, status, type })),
        ),
      shown.map(({ id, direction, status, type }) => ({ id, direction, status, type })),
    )
    const repliable = shown.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
    const of = (isSo: (one: (typeof shown)[number]) => boolean): string[] => shown.filter(isSo).map(({ id }) => id)
    const failed = of(({ status }) => status === 'FAILED')
    const wanted = [repliable, failed, failed, of(({ quoted }) => quoted !== null), of(({ type }) => type === 'audio')]
    for (const [at, part] of OF_A_MESSAGE.entries()) {
      t.deepEqual(
        await frame
          .locator(part)
          .evaluateAll((all: any[]) => all.map((one) => one.closest('[data-message]')?.dataset.message ?? 'outside')),
        wanted[at],
        part,
      )
    }
    t.deepEqual(faults, [])
    await context.close()
  },
)

// [inbox.hooks.2]
inBrowser('the window of a conversation is open, closing, closed or none', async (t) => {
  const endsIn = (ms: number) => ({ windowExpiresAt: new Date(Date.now() + ms).toISOString() })
  const windows = {
    none: {},
    open: endsIn(20 * HOUR_MS),
    closing: endsIn(HOUR_MS),
    closed: { canSend: { free: false, reason: 'WINDOW_CLOSED' as const } },
  }
  const { frame, context, faults } = await scripted(story, {
    conversations: Object.values(windows).map((about, at) => conversation(at, { provider: 'OFFICIAL', ...about })),
  })
  for (const [at, name] of Object.keys(windows).entries()) {
    await frame.locator(`[data-conversation=conv_${at}]`).click()
    await frame.locator(`[data-thread=conv_${at}]`).waitFor()
    t.is(await frame.locator('[data-window]').getAttribute('data-window'), name)
    t.is(await frame.locator('textarea[data-composer]').count(), name === 'closed' ? 0 : 1, name)
  }
  t.deepEqual(faults, [])
  await context.close()
})

// [inbox.hooks.2] [inbox.hooks.3]
inBrowser('each thing that can be done has its hook, and does what the hook says', async (t) => {
  const messages = [message(1, 2), message(2, 2)]
  const inbox = await scripted(story, { messages }, { browser: { viewport: { width: 360, height: 700 } } })
  const { frame, context, faults } = inbox
  const act = (action: string) => frame.locator(`[data-action=${action}]`)
  const field = frame.locator('textarea[data-composer]')
  await act('filter-unread').click()
  await frame.locator('[data-action=filter-unread][aria-pressed=true]').waitFor()
  await act('filter-unread').click()
  await frame.locator('input[data-search]').waitFor()
  await frame.locator('[data-conversation=conv_1]').click()
  await frame.locator('[data-message=msg_000002]').waitFor()

  // What is chosen in the grid of emojis comes into the field.
  await act('emoji').click()
  await frame.locator('.emoji-cell').first().click()
  await frame.locator('.emoji-panel').waitFor({ state: 'detached' })
  t.not(await field.inputValue(), '')
  t.deepEqual([await act('send').count(), await act('record').count()], [1, 0], 'a text can be sent')
  await field.fill('')
  t.deepEqual([await act('send').count(), await act('record').count()], [0, 1], 'nothing can be recorded')

  await act('template').click()
  await frame.locator('[data-template]').waitFor()
  await act('cancel').click()
  await field.waitFor()

  await frame.locator('[data-message=msg_000002] [data-action=reply]').click()
  await frame.locator('[data-reply=msg_000002] [data-action=cancel]').click()
  await frame.locator('[data-reply]').waitFor({ state: 'detached' })

  await frame.locator('[data-action=attach] input[type=file]').setInputFiles({
    name: 'prices.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('all'),
  })
  await frame.locator('.attached-title').waitFor()
  await act('cancel').click()
  await frame.locator('.attached-title').waitFor({ state: 'detached' })

  await act('record').click()
  await frame.locator('[data-recording=recording]').waitFor()
  await act('cancel').click()
  await act('record').waitFor()

  await act('back').click()
  await frame.locator('main.at-list').waitFor()
  t.deepEqual(faults, [])
  await context.close()
})

// [inbox.hooks.1]
inBrowser('a stream whose answer never begins is given up, and the conversations are shown without it', async (t) => {
  const asked = Promise.withResolvers<void>()
  const { page, frame, context, faults } = await scripted(
    story,
    {},
    {
      state: 'loading',
      async prepare(inside) {
        await inside.clock.install()
        await inside.route('**/api/public/embed/stream', () => asked.resolve())
      },
    },
  )
  await within('the stream is asked for', asked.promise)
  await page.clock.runFor(60_000)
  await frame.locator('main[data-state=ready]').waitFor()
  t.deepEqual(faults, [])
  await context.close()
})
