import test from 'ava'
import type { InboxPage } from '../helpers/inbox-page.ts'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory, message, say } from '../helpers/inbox-story.ts'
import { newPeer, untilInbox, write } from '../helpers/message-service.ts'
import { faultsOfLooks } from '../helpers/scripted-frame.ts'
import { createTemplate, untilSendable } from '../helpers/template-service.ts'
import { until, within } from '../helpers/until.ts'

const story = inboxStory(test)
const STARTS = { startConversation: true }

/** Opens the dialog with the number to write from and whom to write to, by the keys that a person has. */
async function toldTo({ frame, page }: InboxPage, numberId: string, to: string): Promise<void> {
  await frame.locator('[data-action=start]').click()
  await frame.locator('[data-start-to]:focus').waitFor()
  await frame.locator('[data-start-from]').selectOption(numberId)
  await frame.locator('[data-start-to]').fill(to)
  await page.keyboard.press('Enter')
}

// [inbox.features.15] [inbox.hooks.9] [embeds.starts.3]
inBrowser('a text begins a conversation of a paired number, which opens and is written on in', async (t) => {
  const inbox = await story.mounted({}, STARTS)
  const { frame, page } = inbox
  const peer = newPeer()
  await toldTo(inbox, story.number.id, `+${peer.slice(0, 2)} ${peer.slice(2)}`)
  await frame.locator('[data-start-text]:focus').waitFor()
  await page.keyboard.type('good morning, this is Acme')
  await frame.locator('[data-start] [data-action=send]').click()
  await message(inbox, 'good morning, this is Acme').waitFor()
  await frame.locator(`.side [data-conversation]`, { hasText: 'good morning, this is Acme' }).waitFor()
  t.is(await frame.locator('[data-start]').count(), 0)
  await frame.locator('[data-composer]:focus').waitFor()
  await say(inbox, 'we wanted to ask')
  const got = await untilInbox(story.service, peer, story.number, 2)
  t.deepEqual(
    got.map(({ text }) => text),
    ['good morning, this is Acme', 'we wanted to ask'],
  )
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.15] [embeds.starts.5]
inBrowser('from a number of the official platform only a template begins a conversation', async (t) => {
  const { service, official } = story
  const { id, externalId } = await createTemplate(service, official, 'first_word')
  await service.control('POST', `/official/templates/${externalId}`, { event: 'APPROVED' })
  await untilSendable(service, official, id)
  const inbox = await story.mounted({}, STARTS)
  const { frame } = inbox
  const peer = newPeer()
  await toldTo(inbox, official.id, peer)
  await frame.locator('[data-start=first] [data-template]', { hasText: 'first_word' }).click()
  t.is(await frame.locator('[data-start-text]').count(), 0)
  t.deepEqual(await faultsOfLooks(inbox), [])
  for (const field of await frame.locator('[data-start] .template-field input').all()) await field.fill('Ana')
  await frame.locator('[data-start] [data-action=send]').click()
  await frame.locator('[data-thread] [data-message][data-direction=OUTBOUND]').waitFor()
  await frame.locator('[data-window=closed]').waitFor()
  t.is((await untilInbox(service, peer, official, 1)).length, 1)
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('a conversation that is there already is opened with the window that it has', async (t) => {
  const { service, official } = story
  const peer = newPeer()
  await write(service, peer, official, { text: 'are you there' })
  const inbox = await story.mounted({}, STARTS)
  const { frame } = inbox
  await frame.locator('[data-conversation]', { hasText: 'are you there' }).waitFor()
  await toldTo(inbox, official.id, peer)
  await message(inbox, 'are you there').waitFor()
  await frame.locator('[data-composer]:focus').waitFor()
  t.is(await frame.locator('[data-start]').count(), 0)
  await say(inbox, 'we are')
  t.is((await untilInbox(service, peer, official, 1))[0].text, 'we are')
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('what is wrong with a phone number stands at its field while it is typed, in each language', async (t) => {
  const inbox = await story.mounted({ browser: { viewport: { width: 320, height: 640 } } }, STARTS)
  const { frame, page } = inbox
  await frame.locator('[data-action=start]').click()
  const field = frame.locator('[data-start-to]')
  await field.waitFor()
  const invalid = () => field.getAttribute('aria-invalid')
  await field.pressSequentially('+49 151')
  t.is(await invalid(), 'false', 'it may become a number')
  await field.pressSequentially(' Ann')
  t.is(await invalid(), 'true')
  await field.fill('0151 00000042')
  await frame.locator('.start-field .failure', { hasText: 'Begin with the country code' }).waitFor()
  await page.keyboard.press('Enter')
  t.is(await frame.locator('[data-start=whom]').count(), 1)
  t.deepEqual(await faultsOfLooks(inbox), [])
  await field.fill('')
  await page.keyboard.press('Enter')
  await frame.locator('.start-field .failure', { hasText: 'Write a phone number' }).waitFor()
  await page.keyboard.press('Escape')
  await until('the focus is on the button again', async () => {
    const { activeElement } = (await frame.locator('html').evaluate((root: any) => ({
      activeElement: root.ownerDocument.activeElement?.dataset?.action,
    }))) as { activeElement: string | undefined }
    return activeElement === 'start'
  })
  await frame.locator('[data-start]').waitFor({ state: 'detached' })
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser(
  'words of a language that was left while they loaded do not come back over those of the next one',
  async (t) => {
    const held = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<string>()
    const inbox = await story.mounted({}, STARTS)
    const { frame, page, context } = inbox
    await context.route('**/*.js', async (route) => {
      const answer = await route.fetch()
      if ((await answer.text()).includes('Escribe un teléfono')) {
        isHeld.resolve(route.request().url())
        await held.promise
      }
      await route.fulfill({ response: answer })
    })
    await frame.locator('[data-action=start]').click()
    const label = frame.locator('label[for=start-to]')
    await label.filter({ hasText: 'To phone number' }).waitFor()
    const speak = (locale: string) => page.evaluate((lang) => (globalThis as any).handle.setLocale(lang), locale)
    await speak('es')
    const url = await within('the words of Spanish are asked for', isHeld.promise)
    await speak('en')
    await frame.locator('html[lang=en]').waitFor()
    held.resolve()
    // Resolves after the dialog's own wait for the same file.
    await frame.locator('html').evaluate(async (_, file) => void (await import(file)), url)
    t.is(await label.textContent(), 'To phone number')
    await context.close()
  },
)

// [embeds.starts.3]
inBrowser('a first message whose answer is lost is sent again by its button, and goes out once', async (t) => {
  const inbox = await story.mounted({}, STARTS)
  const { frame, page, context } = inbox
  const peer = newPeer()
  await toldTo(inbox, story.number.id, peer)
  const keys: (string | undefined)[] = []
  await context.route('**/api/public/embed/numbers/*/conversations', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    const answer = await route.fetch()
    return keys.length === 1 ? route.abort() : route.fulfill({ response: answer })
  })
  await frame.locator('[data-start-text]:focus').waitFor()
  await page.keyboard.type('only once')
  const send = frame.locator('[data-start] [data-action=send]')
  await send.click()
  await frame.locator('[data-start] .failure', { hasText: 'cannot be reached' }).waitFor()
  await send.click()
  await message(inbox, 'only once').waitFor()
  t.is(keys.length, 2)
  t.is(keys[0], keys[1])
  await say(inbox, 'the next one')
  const got = await untilInbox(story.service, peer, story.number, 2)
  t.deepEqual(
    got.map(({ text }) => text),
    ['only once', 'the next one'],
  )
  await context.close()
})

// [embeds.starts.5]
inBrowser('what the service refuses is said in words, and what was typed stays', async (t) => {
  const inbox = await story.mounted({}, STARTS)
  const { frame, page, context } = inbox
  await toldTo(inbox, story.number.id, newPeer())
  await context.route('**/api/public/embed/numbers/*/conversations', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'no', code: 'OFFICIAL_OUTSIDE_24H_WINDOW' }),
    }),
  )
  await frame.locator('[data-start-text]:focus').waitFor()
  await page.keyboard.type('hello')
  await frame.locator('[data-start] [data-action=send]').click()
  await frame.locator('[data-start] .failure', { hasText: 'Only a template can be sent' }).waitFor()
  t.is(await frame.locator('[data-start-text]').inputValue(), 'hello')
  t.deepEqual(await faultsOfLooks(inbox), [])
  await context.close()
})

// [embeds.starts.1] [sdk.calls.12]
inBrowser(
  'nobody is offered to begin a conversation where the session does not say so, or the host does not',
  async (t) => {
    for (const [more, features] of [
      [{}, {}],
      [STARTS, { startConversation: false }],
    ] as const) {
      const inbox = await story.mounted({ options: { features } }, more)
      t.is(await inbox.frame.locator('[data-action=notify]').count(), 1)
      t.is(await inbox.frame.locator('[data-action=start]').count(), 0)
      await inbox.context.close()
    }
  },
)
