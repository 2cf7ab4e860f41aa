import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import type { InboxPage } from '../helpers/inbox-page.ts'
import { inboxStory, row } from '../helpers/inbox-story.ts'
import { newPeer, untilInbox, write } from '../helpers/message-service.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)

/** Opens one of the forms from the menu of the composer. */
async function openForm({ frame }: InboxPage, kind: 'location' | 'contacts'): Promise<void> {
  await frame.locator('[data-action=more]').click()
  await frame.locator(`[role=menu] [data-action=${kind}]`).click()
  await frame.locator(`[data-send=${kind}]`).waitFor()
}

// [inbox.features.17] [inbox.hooks.11]
inBrowser(
  'a pasted map link fills in a place, which is sent with its name as an answer, and shown with a link',
  async (t) => {
    const { service, number } = story
    const inbox = await story.mounted()
    const { frame, page } = inbox
    const peer = newPeer()
    const text = `where are you ${peer}`
    const quoted = await write(service, peer, number, { text })
    await row(inbox, text).click()
    await frame.locator('[data-message]', { hasText: text }).hover()
    await frame.locator('[data-message] [data-action=reply]').first().click()
    await openForm(inbox, 'location')
    const field = (name: string) => frame.locator(`[data-field=${name}]`)
    t.true(await field('link').evaluate((input: any) => input.matches(':focus')))
    await frame.locator('[data-send] [data-action=send]').click()
    await until('the first wrong field has the focus', () =>
      field('latitude').evaluate(
        (input: any) => input.matches(':focus') && input.getAttribute('aria-invalid') === 'true',
      ),
    )
    await field('link').fill('https://maps.example/place/Se/@-23.5,-46.6,17z/data=!3d-23.5505!4d-46.6333')
    t.deepEqual([await field('latitude').inputValue(), await field('longitude').inputValue()], ['-23.5505', '-46.6333'])
    await field('name').fill('Sé')
    await page.keyboard.press('Enter')
    const [sent] = await untilInbox(service, peer, number, 1)
    t.like(sent, { type: 'location', quoted })
    t.like(sent.content.location, { latitude: -23.5505, longitude: -46.6333, name: 'Sé' })
    const shown = frame.locator('[data-type=location][data-status=READ]')
    await shown.waitFor()
    t.is(await shown.locator('a').getAttribute('href'), 'https://www.openstreetmap.org/?mlat=-23.5505&mlon=-46.6333')
    t.true(await frame.locator('[data-composer]').evaluate((composer: any) => composer.matches(':focus')))
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.17]
inBrowser(
  'a card goes out with a name and a number that phones dial, and what is wrong stands at its field',
  async (t) => {
    const { service, number } = story
    const inbox = await story.mounted()
    const { frame } = inbox
    const peer = newPeer()
    const text = `who drives ${peer}`
    await write(service, peer, number, { text })
    await row(inbox, text).click()
    await openForm(inbox, 'contacts')
    await frame.locator('[data-field=name]').fill('Bia Costa')
    const phone = frame.locator('[data-field=phone]')
    await phone.fill('011 98888-7777')
    await frame.locator('[data-send] [data-action=send]').click()
    await until('the wrong number is told', () =>
      phone.evaluate((input: any) => input.matches(':focus') && input.getAttribute('aria-invalid') === 'true'),
    )
    await phone.fill('+55 (11) 98888-7777')
    await frame.locator('[data-send] [data-action=send]').click()
    const [sent] = await untilInbox(service, peer, number, 1)
    t.is(sent.type, 'contacts')
    t.is(sent.content.contacts[0].phones[0].phone, '+5511988887777')
    const shown = frame.locator('[data-type=contacts][data-status=READ]')
    await shown.waitFor()
    t.regex(await shown.innerText(), /Bia Costa\s+\+5511988887777/)
    t.deepEqual(inbox.faults, [])
    await inbox.context.close()
  },
)

// [inbox.features.8] [inbox.features.17]
inBrowser('the forms are read by all on a narrow screen; Escape leads back to what was written', async (t) => {
  const inbox = await scripted(story, {}, { browser: { viewport: { width: 320, height: 640 } } })
  const { frame, page } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  await frame.locator('[data-composer]').fill('half a sentence')
  await frame.locator('[data-action=more]').click()
  await frame.locator('[role=menu]').waitFor()
  t.deepEqual(await faultsOfLooks(inbox), [])
  await page.keyboard.press('Escape')
  for (const kind of ['location', 'contacts'] as const) {
    await openForm(inbox, kind)
    await frame.locator('[data-send] [data-action=send]').click()
    await frame.locator('[data-send] [aria-invalid=true]').first().waitFor()
    t.deepEqual(await faultsOfLooks(inbox), [], kind)
    await frame.locator('[data-send] input').first().focus()
    await page.keyboard.press('Escape')
    await frame.locator('[data-send]').waitFor({ state: 'detached' })
    t.is(await frame.locator('[data-composer]').inputValue(), 'half a sentence')
    t.is(await frame.locator('[data-thread=conv_1]').count(), 1)
  }
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})
