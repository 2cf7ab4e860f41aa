import { readFileSync } from 'node:fs'
import test from 'ava'
import { png } from '../files/make-media.ts'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory, message, row, say } from '../helpers/inbox-story.ts'
import { newPeer, untilInbox, write } from '../helpers/message-service.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)

// [inbox.features.1] [inbox.features.4] [inbox.hooks.1] [inbox.hooks.2] [inbox.hooks.3]
inBrowser(
  'a peer writes, is answered with a quote, and the ticks rise to read; the badge goes once it was seen',
  async (t) => {
    const inbox = await story.mounted()
    const peer = newPeer()
    await write(story.service, peer, story.number, { text: 'good morning' })
    await row(inbox, 'good morning').waitFor()
    t.is(await row(inbox, 'good morning').getAttribute('data-unread'), '1')
    await row(inbox, 'good morning').click()
    await inbox.frame.locator('[data-thread] .unread-line').waitFor()
    await row(inbox, 'good morning').and(inbox.frame.locator('[data-unread="0"]')).waitFor()
    await message(inbox, 'good morning').hover()
    await message(inbox, 'good morning').locator('[data-action=reply]').click()
    await say(inbox, 'good morning to you')
    const answer = message(inbox, 'good morning to you')
    await answer.and(inbox.frame.locator('[data-status=READ]')).waitFor()
    t.is(await answer.count(), 1)
    t.regex(await answer.locator('[data-quote]').innerText(), /good morning/)
    await until('the host hears that nothing is unread', async () => (await inbox.seen()).at(-1) === 'onUnreadCount 0')
    t.deepEqual((await inbox.seen()).slice(0, 2), ['onReady', 'onUnreadCount 0'])
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

inBrowser(
  'the host is not told of what its user is reading; and what is typed offline goes by itself, in order, once the network is back (cases 2, 4)',
  async (t) => {
    const inbox = await story.mounted()
    const { frame } = inbox
    const [reader, other] = [newPeer(), newPeer()]
    await write(story.service, reader, story.number, { text: 'read me' })
    await row(inbox, 'read me').click()
    await row(inbox, 'read me').and(frame.locator('[data-unread="0"]')).waitFor()
    const counts = async (): Promise<string[]> =>
      (await inbox.seen()).filter((call) => call.startsWith('onUnreadCount'))
    await until('the host hears that nothing is unread', async () => (await counts()).at(-1) === 'onUnreadCount 0')
    const before = (await counts()).length
    // The inbox must show this however long the report to the service takes, so the test holds that request back.
    let letRead = (): void => {}
    const held = new Promise<void>((resolve) => {
      letRead = resolve
    })
    await inbox.page.route('**/read', async (route) => {
      await held
      await route.continue()
    })
    for (const text of ['seen one', 'seen two']) {
      await write(story.service, reader, story.number, { text })
      await message(inbox, text).waitFor()
    }
    await write(story.service, other, story.number, { text: 'not seen' })
    await until('the host hears of the other', async () => (await counts()).length > before)
    t.deepEqual((await counts()).slice(before), ['onUnreadCount 1'])
    letRead()
    await row(inbox, 'seen two').and(frame.locator('[data-unread="0"]')).waitFor()

    await message(inbox, 'seen two').hover()
    await message(inbox, 'seen two').locator('[data-action=reply]').click()
    await inbox.context.setOffline(true)
    await frame.locator('main[data-connection=offline]').waitFor()
    for (const text of ['first of three', 'second of three', 'third of three']) await say(inbox, text)
    t.regex(await message(inbox, 'first of three').locator('[data-quote]').innerText(), /seen two/)
    await message(inbox, 'first of three').locator('.waits').waitFor()
    t.is(await frame.locator('[data-failure]').count(), 0)
    await inbox.context.setOffline(false)
    const sent = await untilInbox(story.service, reader, story.number, 3)
    t.deepEqual(
      sent.map(({ text }: any) => text),
      ['first of three', 'second of three', 'third of three'],
    )
    await message(inbox, 'third of three').and(frame.locator('[data-status=READ]')).waitFor()
    t.is(await message(inbox, 'of three').count(), 3)
    await inbox.context.close()
  },
)

// [inbox.features.4] [inbox.hooks.2] [inbox.hooks.3]
inBrowser('a message that cannot be delivered shows why, and what is sent again takes its place', async (t) => {
  const inbox = await story.mounted()
  await write(story.service, newPeer('0007'), story.number, { text: 'write back' })
  await row(inbox, 'write back').click()
  await say(inbox, 'lost on the way')
  const failed = message(inbox, 'lost on the way').and(inbox.frame.locator('[data-status=FAILED]'))
  await failed.waitFor()
  const id = await failed.getAttribute('data-message')
  t.regex(await failed.locator('[data-failure]').innerText(), /\w+.*\n*Try again/)
  await failed.locator('[data-action=retry]').click()
  await inbox.frame.locator(`[data-message="${id}"]`).waitFor({ state: 'detached' })
  await message(inbox, 'lost on the way').waitFor()
  t.is(await message(inbox, 'lost on the way').count(), 1)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.4]
inBrowser(
  'a send that is under way when another conversation is opened goes to the first, and drafts stay where they were written',
  async (t) => {
    const inbox = await story.mounted()
    const [first, second] = [newPeer(), newPeer()]
    await write(story.service, first, story.number, { text: 'I am the first' })
    await write(story.service, second, story.number, { text: 'I am the second' })
    await row(inbox, 'I am the first').click()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await inbox.page.route('**/conversations/*/messages', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await say(inbox, 'for the first')
    await inbox.frame.locator('[data-composer]').fill('a draft for the first')
    await row(inbox, 'I am the second').click()
    await inbox.frame.locator('[data-thread] [data-message]', { hasText: 'I am the second' }).waitFor()
    t.is(await inbox.frame.locator('[data-composer]').inputValue(), '')
    release()
    t.is((await untilInbox(story.service, first, story.number, 1))[0].text, 'for the first')
    await row(inbox, 'for the first').click()
    t.is(await inbox.frame.locator('[data-composer]').inputValue(), 'a draft for the first')
    await message(inbox, 'for the first').first().waitFor()
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.2] [inbox.hooks.2] [inbox.hooks.3]
inBrowser('pictures, documents and voice notes go both ways, and voice notes play (cases 3, 5, 9b, 22)', async (t) => {
  const inbox = await story.mounted()
  const peer = newPeer()
  const [picture, voice] = [await png(), readFileSync(new URL('../fixtures/tone-800hz.ogg', import.meta.url))]
  await write(story.service, peer, story.number, { text: 'media to come' })
  await row(inbox, 'media to come').click()
  await write(story.service, peer, story.number, {
    type: 'image',
    text: 'a picture',
    media: { base64: picture.toString('base64'), mimeType: 'image/png' },
  })
  await write(story.service, peer, story.number, {
    type: 'audio',
    media: { base64: voice.toString('base64'), mimeType: 'audio/ogg', voice: true },
  })
  const theirs = inbox.frame.locator('[data-direction=INBOUND]')
  await until('their picture is drawn', () =>
    theirs
      .and(inbox.frame.locator('[data-type=image]'))
      .locator('img')
      .evaluate((image: any) => image.naturalWidth > 0),
  )
  const player = theirs.and(inbox.frame.locator('[data-type=audio]')).locator('[data-player]')
  await player.locator('button').first().click()
  await until('their voice note plays', () => player.locator('audio').evaluate((audio: any) => audio.currentTime > 0))

  // The typed text becomes the caption of the first file. An empty file is reported by its name.
  await inbox.frame.locator('[data-composer]').fill('our picture')
  await inbox.frame.locator('input[type=file]').setInputFiles([
    { name: 'ours.png', mimeType: 'image/png', buffer: picture },
    { name: 'prices.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 prices') },
    { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'wrong.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 wrong') },
  ])
  t.deepEqual(await inbox.frame.locator('.attached-title').allInnerTexts(), ['ours.png', 'prices.pdf', 'wrong.pdf'])
  t.is(await inbox.frame.locator('.failures').innerText(), 'nothing.txt is empty.')
  await inbox.frame.getByLabel('Remove wrong.pdf').click()
  t.is(await inbox.frame.getByLabel('Caption').inputValue(), 'our picture')
  await inbox.frame.locator('[data-action=send]').click()
  const files = await untilInbox(story.service, peer, story.number, 2)
  t.deepEqual(
    files.map(({ text }: any) => text ?? null),
    ['our picture', null],
  )
  t.is(await inbox.frame.locator('[data-composer]').inputValue(), '')
  // Some browsers write recordings without a duration.
  await inbox.frame.locator('html').evaluate((root: any) =>
    Object.defineProperty(root.ownerDocument.defaultView.HTMLMediaElement.prototype, 'duration', {
      get: () => Infinity,
    }),
  )
  await inbox.frame.locator('[data-action=record]').click()
  await inbox.frame.locator('[data-recording=recording]').waitFor()
  await until('a second was recorded', async () =>
    /0:0[1-9]/.test(await inbox.frame.locator('[data-recording]').innerText()),
  )
  await inbox.frame.locator('[data-action=record]').click()
  t.regex(
    await inbox.frame.locator('[data-recording=recorded] .player-time').innerText(),
    /^0:0[1-9]$/,
    'how long it is, before it is heard',
  )
  await inbox.frame.locator('[data-recording=recorded] [data-action=send]').click()
  const reached = await untilInbox(story.service, peer, story.number, 3)
  t.deepEqual(
    reached.map(({ type }: any) => type),
    ['image', 'document', 'audio'],
  )
  const ours = inbox.frame.locator('[data-direction=OUTBOUND][data-status=READ]')
  await until('our picture is drawn', () =>
    ours
      .and(inbox.frame.locator('[data-type=image]'))
      .locator('img')
      .evaluate((image: any) => image.naturalWidth > 0),
  )
  const own = ours.and(inbox.frame.locator('[data-type=audio]')).locator('[data-player]')
  await until('our voice note says how long it is before it is played', async () =>
    /0:0[1-9]/.test(await own.locator('.player-time').innerText()),
  )
  await own.locator('button').first().click()
  await until('our voice note plays, and theirs does not', () =>
    own.locator('audio').evaluate((audio: any) => audio.currentTime > 0),
  )
  t.true(await player.locator('audio').evaluate((audio: any) => audio.paused))

  const sent = `http://127.0.0.1:${story.service.ports['sandboxPort']}/control/messages/${encodeURIComponent(reached[0].externalMessageId)}/media`
  const buttons = [
    { type: 'QUICK_REPLY', text: 'This one' },
    { type: 'URL', text: 'Look', url: 'https://shop.example/a' },
  ]
  const cards = [
    { image: `data:image/png;base64,${picture.toString('base64')}`, text: 'Lilies', buttons },
    { image: sent, text: 'Roses', buttons },
  ]
  t.is(
    (
      await story.service.api('POST', '/v1/messages/send', story.number.key, {
        destinationNumber: peer,
        carousel: { text: 'New this week', cards },
      })
    ).status,
    202,
  )
  const drawn = message(inbox, 'New this week').locator('.deck-card')
  await until(
    'both pictures are drawn',
    async () =>
      (await drawn.locator('img').evaluateAll((images: any[]) => images.filter(({ naturalWidth }) => naturalWidth > 0)))
        .length === 2,
  )
  t.deepEqual(await drawn.locator('.deck-text').allInnerTexts(), ['Lilies', 'Roses'])
  t.deepEqual(await drawn.first().locator('.sent-button').allInnerTexts(), ['This one', 'Look'])
  t.is(await drawn.first().locator('a').getAttribute('href'), 'https://shop.example/a')
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.hooks.1]
inBrowser('a stream that is cut goes on where it was: nothing is lost, nothing shows twice', async (t) => {
  const inbox = await story.mounted()
  const peer = newPeer()
  await write(story.service, peer, story.number, { text: 'before the cut' })
  await row(inbox, 'before the cut').click()
  await message(inbox, 'before the cut').waitFor()
  await inbox.frame.locator('main[data-connection=live]').waitFor()
  await inbox.context.setOffline(true)
  await inbox.frame.locator('main[data-connection=offline]').waitFor()
  for (const text of ['missed one', 'missed two']) await write(story.service, peer, story.number, { text })
  await inbox.context.setOffline(false)
  await inbox.frame.locator('main[data-connection=live]').waitFor()
  for (const text of ['missed one', 'missed two']) await message(inbox, text).waitFor()
  await write(story.service, peer, story.number, { text: 'after the cut' })
  await message(inbox, 'after the cut').waitFor()
  t.deepEqual(await inbox.frame.locator('[data-thread] [data-message] .text').allInnerTexts(), [
    'before the cut',
    'missed one',
    'missed two',
    'after the cut',
  ])
  await inbox.context.close()
})

// [inbox.features.3] [inbox.hooks.2]
inBrowser(
  'where the window is closed a template is filled in and sent, and the field is there as soon as the user writes',
  async (t) => {
    const inbox = await story.mounted()
    const peer = newPeer()
    await approvedTemplate('come_back', 'Hello {{name}}, your order is here.')
    const { status } = await story.service.api('POST', '/v1/messages/send', story.official.key, {
      destinationNumber: peer,
      templateId: 'come_back',
      variables: { name: 'Zoe' },
    })
    t.is(status, 202)
    await row(inbox, 'Hello Zoe').click()
    await inbox.frame.locator('[data-window=closed]').waitFor()
    t.is(await inbox.frame.locator('[data-composer]').count(), 0)
    await inbox.frame.locator('[data-template]', { hasText: 'come_back' }).click()
    t.true(await inbox.frame.locator('[data-action=send]').isDisabled())
    await inbox.frame.getByLabel('name').fill('Ana')
    t.is(await inbox.frame.locator('[data-preview] .text').innerText(), 'Hello Ana, your order is here.')
    await inbox.frame.locator('[data-action=send]').click()
    await message(inbox, 'Hello Ana').and(inbox.frame.locator('[data-status=READ]')).waitFor()
    await write(story.service, peer, story.official, { text: 'thank you' })
    await inbox.frame.locator('[data-window=open] [data-composer]').waitFor()
    await say(inbox, 'you are welcome')
    await message(inbox, 'you are welcome').and(inbox.frame.locator('[data-status=READ]')).waitFor()
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.1] [inbox.features.7] [inbox.hooks.2]
inBrowser(
  'by keyboard alone: a conversation is found, read, answered with a quote and a template, and left',
  async (t) => {
    const inbox = await story.mounted()
    const peer = newPeer()
    await approvedTemplate('by_keys', 'Hello {{name}}, see you.')
    await write(story.service, peer, story.official, { text: 'a needle in the hay' })
    await row(inbox, 'a needle').waitFor()
    const { keyboard } = inbox.page
    const focused = (selector: string) => inbox.frame.locator(`${selector}:focus`).waitFor()
    await inbox.frame.locator('[data-conversation]').first().focus()
    await keyboard.press('Control+k')
    await focused('input[data-search]')
    await keyboard.type('needle')
    await inbox.frame.locator('.found [data-conversation]').waitFor()
    await keyboard.press('ArrowDown')
    await focused('[data-conversation]')
    await keyboard.press('Enter')
    await focused('[data-message]')
    await keyboard.press('Tab')
    await focused('[data-action=reply]')
    await keyboard.press('Enter')
    await focused('[data-composer]')
    await keyboard.type('found you')
    await keyboard.press('Shift+Enter')
    await keyboard.type('at last')
    await keyboard.press('Enter')
    await message(inbox, 'at last').locator('[data-quote]').waitFor()
    await keyboard.press('/')
    await inbox.frame.locator('[data-template]', { hasText: 'by_keys' }).waitFor()
    await keyboard.type('by_keys')
    await until('one is left', async () => (await inbox.frame.locator('[data-template]').count()) === 1)
    await keyboard.press('ArrowDown')
    await focused('[data-template]')
    await keyboard.press('Enter')
    await focused('.template-form input')
    await keyboard.type('Ana')
    await keyboard.press('Enter')
    await message(inbox, 'Hello Ana').waitFor()
    await focused('[data-composer]')
    await keyboard.press('Escape')
    await focused('[data-conversation]')
    t.is(await inbox.frame.locator('[data-thread]').count(), 0)
    t.deepEqual(
      (await untilInbox(story.service, peer, story.official, 2)).map(({ text }: any) => text),
      ['found you\nat last', 'Hello Ana, see you.'],
    )
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

/** Creates an approved template of the OFFICIAL number. */
async function approvedTemplate(name: string, body: string): Promise<void> {
  const made = await story.service.api('POST', '/v1/templates', story.official.key, {
    name,
    category: 'UTILITY',
    language: 'en',
    body,
    examples: { name: 'Ana' },
  })
  if (made.status !== 201) throw new Error(`not created: ${made.text}`)
  await story.service.control('POST', `/official/templates/${made.body.externalId}`, { event: 'APPROVED' })
  await until(
    `${name} can be sent`,
    async () => (await story.service.api('GET', `/v1/templates/${made.body.id}`, story.official.key)).body.sendable,
  )
}
