import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Browser, BrowserContext } from 'playwright-core'
import { png } from '../files/make-media.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { keptBy, mintInbox, openInboxPage, secretOf, serveInboxHost } from '../helpers/inbox-page.ts'
import type { InboxHost, InboxPage } from '../helpers/inbox-page.ts'
import { newPeer, untilInbox, write } from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { OfficialNumber } from '../helpers/official-service.ts'
import { builtPages } from '../helpers/pages.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { inLogs, joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let number: PairedNumber
let official: OfficialNumber
let host: InboxHost
let browser: Browser
const ends: (() => unknown)[] = []

test.before(async () => {
  if (!usesBrowser) return
  const t = { teardown: (end: () => unknown) => void ends.push(end) }
  await builtPages()
  service = await joinService()
  host = await serveInboxHost(t, service)
  browser = await openBrowser(t, ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'])
  ;[number, official] = await Promise.all([service.pairNumber(), connectOfficial(service)])
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

async function mounted(about: Partial<Parameters<typeof openInboxPage>[2]> = {}, more: object = {}): Promise<InboxPage> {
  const { token } = await mintInbox(service, host, [number.id, official.id], more)
  return await openInboxPage(browser, host, { token, ...about })
}

function row({ frame }: InboxPage, text: string) {
  return frame.locator('[data-conversation]', { hasText: text })
}

function message({ frame }: InboxPage, text: string) {
  return frame.locator('[data-message]', { hasText: text })
}

async function say({ frame }: InboxPage, text: string): Promise<void> {
  await frame.locator('[data-composer]').fill(text)
  await frame.locator('[data-action=send]').click()
}

inBrowser('a peer writes, is answered with a quote, and the ticks rise to read; the badge goes once it was seen', async (t) => {
  const inbox = await mounted()
  const peer = newPeer()
  await write(service, peer, number, { text: 'good morning' })
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
})

inBrowser('the host is not told of what its user is reading; and what is typed offline goes by itself, in order, once the network is back (cases 2, 4)', async (t) => {
  const inbox = await mounted()
  const { frame } = inbox
  const [reader, other] = [newPeer(), newPeer()]
  await write(service, reader, number, { text: 'read me' })
  await row(inbox, 'read me').click()
  await row(inbox, 'read me').and(frame.locator('[data-unread="0"]')).waitFor()
  const counts = async (): Promise<string[]> => (await inbox.seen()).filter((call) => call.startsWith('onUnreadCount'))
  await until('the host hears that nothing is unread', async () => (await counts()).at(-1) === 'onUnreadCount 0')
  const before = (await counts()).length
  for (const text of ['seen one', 'seen two']) {
    await write(service, reader, number, { text })
    await message(inbox, text).waitFor()
  }
  await write(service, other, number, { text: 'not seen' })
  await until('the host hears of the other', async () => (await counts()).length > before)
  t.deepEqual((await counts()).slice(before), ['onUnreadCount 1'])

  await message(inbox, 'seen two').hover()
  await message(inbox, 'seen two').locator('[data-action=reply]').click()
  await inbox.context.setOffline(true)
  await frame.locator('main[data-connection=offline]').waitFor()
  for (const text of ['first of three', 'second of three', 'third of three']) await say(inbox, text)
  t.regex(await message(inbox, 'first of three').locator('[data-quote]').innerText(), /seen two/)
  await message(inbox, 'first of three').locator('.waits').waitFor()
  t.is(await frame.locator('[data-failure]').count(), 0)
  await inbox.context.setOffline(false)
  const sent = await untilInbox(service, reader, number, 3)
  t.deepEqual(sent.map(({ text }: any) => text), ['first of three', 'second of three', 'third of three'])
  await message(inbox, 'third of three').and(frame.locator('[data-status=READ]')).waitFor()
  t.is(await message(inbox, 'of three').count(), 3)
  await inbox.context.close()
})

inBrowser('a message that cannot be delivered shows why, and what is sent again takes its place', async (t) => {
  const inbox = await mounted()
  await write(service, newPeer('0007'), number, { text: 'write back' })
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

inBrowser('a send that is under way when another conversation is opened goes to the first, and drafts stay where they were written', async (t) => {
  const inbox = await mounted()
  const [first, second] = [newPeer(), newPeer()]
  await write(service, first, number, { text: 'I am the first' })
  await write(service, second, number, { text: 'I am the second' })
  await row(inbox, 'I am the first').click()
  let release = (): void => {}
  const held = new Promise<void>((resolve) => { release = resolve })
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
  t.is((await untilInbox(service, first, number, 1))[0].text, 'for the first')
  await row(inbox, 'for the first').click()
  t.is(await inbox.frame.locator('[data-composer]').inputValue(), 'a draft for the first')
  await message(inbox, 'for the first').first().waitFor()
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('pictures, documents and voice notes go both ways, and voice notes play (cases 3, 5, 9b, 22)', async (t) => {
  const inbox = await mounted()
  const peer = newPeer()
  const [picture, voice] = [await png(), readFileSync(new URL('../fixtures/tone-800hz.ogg', import.meta.url))]
  await write(service, peer, number, { text: 'media to come' })
  await row(inbox, 'media to come').click()
  await write(service, peer, number, { type: 'image', text: 'a picture', media: { base64: picture.toString('base64'), mimeType: 'image/png' } })
  await write(service, peer, number, { type: 'audio', media: { base64: voice.toString('base64'), mimeType: 'audio/ogg', voice: true } })
  const theirs = inbox.frame.locator('[data-direction=INBOUND]')
  await until('their picture is drawn', () => theirs.and(inbox.frame.locator('[data-type=image]')).locator('img').evaluate((image: any) => image.naturalWidth > 0))
  const player = theirs.and(inbox.frame.locator('[data-type=audio]')).locator('[data-player]')
  await player.locator('button').first().click()
  await until('their voice note plays', () => player.locator('audio').evaluate((audio: any) => audio.currentTime > 0))

  // What was typed is the caption of the first of several files; an empty one is told of by name.
  await inbox.frame.locator('[data-composer]').fill('our picture')
  await inbox.frame.locator('input[type=file]').setInputFiles([
    { name: 'ours.png', mimeType: 'image/png', buffer: picture }, { name: 'prices.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 prices') },
    { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }, { name: 'wrong.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 wrong') },
  ])
  t.deepEqual(await inbox.frame.locator('.attached-title').allInnerTexts(), ['ours.png', 'prices.pdf', 'wrong.pdf'])
  t.is(await inbox.frame.locator('.failures').innerText(), 'nothing.txt is empty.')
  await inbox.frame.getByLabel('Remove wrong.pdf').click()
  t.is(await inbox.frame.getByLabel('Caption').inputValue(), 'our picture')
  await inbox.frame.locator('[data-action=send]').click()
  const files = await untilInbox(service, peer, number, 2)
  t.deepEqual(files.map(({ text }: any) => text ?? null), ['our picture', null])
  t.is(await inbox.frame.locator('[data-composer]').inputValue(), '')
  await inbox.frame.locator('[data-action=record]').click()
  await inbox.frame.locator('[data-recording=recording]').waitFor()
  await until('a second was recorded', async () => /0:0[1-9]/.test(await inbox.frame.locator('[data-recording]').innerText()))
  await inbox.frame.locator('[data-action=record]').click()
  await inbox.frame.locator('[data-recording=recorded] [data-action=send]').click()
  const reached = await untilInbox(service, peer, number, 3)
  t.deepEqual(reached.map(({ type }: any) => type), ['image', 'document', 'audio'])
  const ours = inbox.frame.locator('[data-direction=OUTBOUND][data-status=READ]')
  await until('our picture is drawn', () => ours.and(inbox.frame.locator('[data-type=image]')).locator('img').evaluate((image: any) => image.naturalWidth > 0))
  const own = ours.and(inbox.frame.locator('[data-type=audio]')).locator('[data-player]')
  await until('our voice note says how long it is before it is played', async () => /0:0[1-9]/.test(await own.locator('.player-time').innerText()))
  await own.locator('button').first().click()
  await until('our voice note plays, and theirs does not', () => own.locator('audio').evaluate((audio: any) => audio.currentTime > 0))
  t.true(await player.locator('audio').evaluate((audio: any) => audio.paused))

  const sent = `http://127.0.0.1:${service.ports['sandboxPort']}/control/messages/${encodeURIComponent(reached[0].externalMessageId)}/media`
  const buttons = [{ type: 'QUICK_REPLY', text: 'This one' }, { type: 'URL', text: 'Look', url: 'https://shop.example/a' }]
  const cards = [{ image: `data:image/png;base64,${picture.toString('base64')}`, text: 'Lilies', buttons }, { image: sent, text: 'Roses', buttons }]
  t.is((await service.api('POST', '/v1/messages/send', number.key, { destinationNumber: peer, carousel: { text: 'New this week', cards } })).status, 202)
  const drawn = message(inbox, 'New this week').locator('.deck-card')
  await until('both pictures are drawn', async () => (await drawn.locator('img').evaluateAll((images: any[]) => images.filter(({ naturalWidth }) => naturalWidth > 0))).length === 2)
  t.deepEqual(await drawn.locator('.deck-text').allInnerTexts(), ['Lilies', 'Roses'])
  t.deepEqual(await drawn.first().locator('.sent-button').allInnerTexts(), ['This one', 'Look'])
  t.is(await drawn.first().locator('a').getAttribute('href'), 'https://shop.example/a')
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('a stream that is cut goes on where it was: nothing is lost, nothing shows twice', async (t) => {
  const inbox = await mounted()
  const peer = newPeer()
  await write(service, peer, number, { text: 'before the cut' })
  await row(inbox, 'before the cut').click()
  await message(inbox, 'before the cut').waitFor()
  await inbox.frame.locator('main[data-connection=live]').waitFor()
  await inbox.context.setOffline(true)
  await inbox.frame.locator('main[data-connection=offline]').waitFor()
  for (const text of ['missed one', 'missed two']) await write(service, peer, number, { text })
  await inbox.context.setOffline(false)
  await inbox.frame.locator('main[data-connection=live]').waitFor()
  for (const text of ['missed one', 'missed two']) await message(inbox, text).waitFor()
  await write(service, peer, number, { text: 'after the cut' })
  await message(inbox, 'after the cut').waitFor()
  t.deepEqual(await inbox.frame.locator('[data-thread] [data-message] .text').allInnerTexts(), ['before the cut', 'missed one', 'missed two', 'after the cut'])
  await inbox.context.close()
})

inBrowser('where the window is closed a template is filled in and sent, and the field is there as soon as the user writes', async (t) => {
  const inbox = await mounted()
  const peer = newPeer()
  await approvedTemplate('come_back', 'Hello {{name}}, your order is here.')
  const { status } = await service.api('POST', '/v1/messages/send', official.key, { destinationNumber: peer, templateId: 'come_back', variables: { name: 'Zoe' } })
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
  await write(service, peer, official, { text: 'thank you' })
  await inbox.frame.locator('[data-window=open] [data-composer]').waitFor()
  await say(inbox, 'you are welcome')
  await message(inbox, 'you are welcome').and(inbox.frame.locator('[data-status=READ]')).waitFor()
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

inBrowser('a session that is over leaves all readable and frozen, and a new token goes on with the draft', async (t) => {
  const { id, token } = await mintInbox(service, host, [number.id])
  const inbox = await openInboxPage(browser, host, { token })
  const peer = newPeer()
  await write(service, peer, number, { text: 'before the end' })
  await row(inbox, 'before the end').click()
  await inbox.frame.locator('[data-composer]').fill('half a sentence')
  t.is((await service.api('DELETE', `/v1/embed/sessions/${id}`, service.tenantKey)).status, 200)
  await inbox.frame.locator('main[data-state=expired]').waitFor()
  await message(inbox, 'before the end').waitFor()
  t.true(await inbox.frame.locator('[data-action=send]').isDisabled())
  await inbox.frame.locator('[data-composer]').press('Enter')
  await write(service, peer, number, { text: 'after the end' })
  const fresh = await mintInbox(service, host, [number.id])
  await inbox.page.evaluate((next) => (globalThis as any).handle.setToken(next), fresh.token)
  await inbox.frame.locator('main[data-state=ready]').waitFor()
  await message(inbox, 'after the end').waitFor()
  t.is(await inbox.frame.locator('[data-composer]').inputValue(), 'half a sentence')
  await inbox.frame.locator('[data-action=send]').click()
  t.is((await untilInbox(service, peer, number, 1))[0].text, 'half a sentence')
  t.deepEqual((await inbox.seen()).filter((call) => call.startsWith('onSessionExpired')), ['onSessionExpired {"reason":"REVOKED"}'])
  const kept = await keptBy(inbox)
  for (const one of [token, fresh.token]) t.false(kept.includes(secretOf(one)))
  await inbox.context.close()
})

inBrowser('a token is refreshed at 80 % of its life, a network lost for minutes is no expiry, and its end is told once; the draft outlasts all', async (t) => {
  const inbox = await mounted({ prepare: withClock }, { ttlSeconds: 3_600 })
  const { page, context, frame } = inbox
  const refreshes = { done: 0, lost: 0 }
  context.on('response', (response) => { if (response.url().endsWith('/refresh') && response.ok()) refreshes.done++ })
  context.on('requestfailed', (request) => { if (request.url().endsWith('/refresh')) refreshes.lost++ })
  const peer = newPeer()
  await write(service, peer, number, { text: 'how long does it last' })
  await row(inbox, 'how long').click()
  await frame.locator('[data-composer]').fill('half a sentence')

  // A machine may be slow: so far below 80 % of an hour, and so far above, that minutes of its own make no difference.
  await page.clock.fastForward(2_160_000)
  await write(service, peer, number, { text: 'at 60 %' })
  await message(inbox, 'at 60 %').waitFor()
  t.is(refreshes.done, 0)
  await page.clock.fastForward(740_000)
  await until('it is refreshed', () => refreshes.done === 1)
  // Its stream is taken for dead, and begins anew: in steps so short that a slow answer leaves the token most of its life.
  await passes(inbox, 5_000, 'the new one is used', () => inbox.secrets.size === 2)

  await page.clock.fastForward(2_500_000)
  await context.setOffline(true)
  await frame.locator('main[data-connection=offline]').waitFor()
  await page.clock.fastForward(300_000)
  await page.clock.runFor(120_000)
  await passes(inbox, 5_000, 'a refresh was lost', () => refreshes.lost > 0)
  t.is(await frame.locator('main').getAttribute('data-state'), 'ready')
  t.true(await frame.locator('[data-action=send]').isEnabled())
  await context.setOffline(false)
  await until('it is refreshed as the network is back', () => refreshes.done === 2)
  await frame.locator('main[data-state=ready][data-connection=live]').waitFor()
  t.deepEqual((await inbox.seen()).filter((call) => /Expired|Error/.test(call)), [])

  await context.setOffline(true)
  await page.clock.fastForward(3_700_000)
  await passes(inbox, 10_000, 'the token is over', async () => await frame.locator('main[data-state=expired]').count() === 1)
  await context.setOffline(false)
  await message(inbox, 'how long').waitFor()
  t.true(await frame.locator('[data-action=send]').isDisabled())
  const fresh = await mintInbox(service, host, [number.id])
  await page.evaluate((next) => (globalThis as any).handle.setToken(next), fresh.token)
  await frame.locator('main[data-state=ready][data-connection=live]').waitFor()
  t.is(await frame.locator('[data-composer]').inputValue(), 'half a sentence')
  await frame.locator('[data-action=send]').click()
  t.is((await untilInbox(service, peer, number, 1))[0].text, 'half a sentence')
  t.deepEqual((await inbox.seen()).filter((call) => /Expired|Error/.test(call)), ['onSessionExpired {"reason":"EXPIRED"}'])
  t.is(await frame.locator('[data-thread]').count(), 1)
  await context.close()
})

inBrowser('with fetchToken the user sees nothing of the end of a session, and goes on writing; what was under way is sent', async (t) => {
  const minted: { readonly id: string, readonly token: string }[] = []
  const token = async (): Promise<string> => {
    const session = await mintInbox(service, host, [number.id])
    minted.push(session)
    return session.token
  }
  const inbox = await mounted({ token, prepare: withClock })
  const { frame, page } = inbox
  const peer = newPeer()
  await write(service, peer, number, { text: 'are you there' })
  await row(inbox, 'are you there').click()
  await frame.locator('[data-composer]').fill('almost')
  await frame.locator('main').evaluate(watchTexts)
  let release = (): void => {}
  const held = new Promise<void>((resolve) => { release = resolve })
  await inbox.page.route('**/conversations/*/messages', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await say(inbox, 'sent at the end')
  await frame.locator('[data-composer]').fill('almost')
  // Who waits for longer than a second is told: on a slow machine the same takes none of the page's time.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 20_000))
  t.is((await service.api('DELETE', `/v1/embed/sessions/${minted[0]?.id}`, service.tenantKey)).status, 200)
  await until('another token was fetched', () => minted.length === 2)
  release()
  await frame.locator('main[data-state=ready][data-connection=live]').waitFor()
  await page.clock.resume()
  t.is((await untilInbox(service, peer, number, 1))[0].text, 'sent at the end')
  t.is(await frame.locator('[data-composer]:focus').inputValue(), 'almost')
  await inbox.page.keyboard.type(' done')
  await inbox.page.keyboard.press('Enter')
  t.is((await untilInbox(service, peer, number, 2))[1].text, 'almost done')
  await message(inbox, 'almost done').and(frame.locator('[data-status=READ]')).waitFor()
  t.deepEqual(await frame.locator('main').evaluate((main: any) => main.ownerDocument.defaultView.told), [])
  t.deepEqual((await inbox.seen()).filter((call) => /Expired|Error/.test(call)), [])
  t.is(await message(inbox, 'sent at the end').count(), 1)
  await inbox.context.close()
})

inBrowser('no token of an inbox or a link stands in an address, a document, a storage, on a console or in the logs of the service, whatever becomes of it', async (t) => {
  const inbox = await mounted({ prepare: withClock })
  const { page, frame, secrets } = inbox
  const peer = newPeer()
  await write(service, peer, number, { text: 'a secret to keep' })
  await row(inbox, 'a secret to keep').click()
  await say(inbox, 'it is kept')
  await untilInbox(service, peer, number, 1)
  const refreshed = inbox.context.waitForEvent('response', (response) => response.url().endsWith('/refresh'))
  await page.clock.fastForward(3_000_000)
  await refreshed
  await passes(inbox, 5_000, 'the new one is used', () => secrets.size === 2)
  const kept = [await keptBy(inbox)]
  const [id] = await page.evaluate(() => (globalThis as any).handle.iframe.src.match(/emb_\w+/))
  await service.api('DELETE', `/v1/embed/sessions/${id}`, service.tenantKey)
  await frame.locator('main[data-state=expired]').waitFor()
  kept.push(await keptBy(inbox))

  const digits = String(Number(number.digits) + 7)
  const { body: link } = await service.api('POST', '/v1/numbers/remote-pairing', service.tenantKey, { name: 'Front desk', number: digits })
  const again = await mintInbox(service, host, [number.id])
  const connect = await mintInbox(service, host, [link.numberId], { surface: 'connect' })
  for (const secret of [secretOf(again.token), secretOf(connect.token), link.remotePairingToken]) secrets.add(secret)
  await page.evaluate(([chat, pairing]) => {
    const { Channel, document, handle, record } = globalThis as any
    handle.destroy()
    Channel.init({ debug: true })
    Object.assign(globalThis, { handle: Channel.chat.mount('#inbox', { token: chat, onReady: record('onReadyAgain') }) })
    const target = document.body.appendChild(document.createElement('div'))
    Channel.connect.mount(target, { token: pairing, onReady: record('onConnectReady'), onPaired: record('onPaired') })
  }, [again.token, link.remotePairingToken])
  await until('both are drawn', async () => {
    const seen = await inbox.seen()
    return ['onReadyAgain', 'onConnectReady'].every((call) => seen.includes(call))
  })
  const connectFrame = page.frameLocator('iframe').last()
  await passes(inbox, 1_000, 'the link shows its code', async () => await connectFrame.locator('main[data-state=qr]').count() === 1)
  kept.push(await keptBy(inbox))
  await service.control('POST', `/devices/${digits}/scan`)
  await passes(inbox, 1_000, 'the host hears of it', async () => (await inbox.seen()).some((call) => call.startsWith('onPaired')))
  kept.push(await keptBy(inbox))
  t.is(secrets.size, 5)
  t.deepEqual(inbox.faults.filter((fault) => !/401/.test(fault)), [])
  for (const secret of secrets) t.false(kept.join('\n').includes(secret))
  t.deepEqual(await inLogs(service, [...secrets, 'api/public/embed/refresh', 'v1/remote-pairing/']), ['api/public/embed/refresh', 'v1/remote-pairing/'])
  await inbox.context.close()
})

inBrowser('by keyboard alone: a conversation is found, read, answered with a quote and a template, and left', async (t) => {
  const inbox = await mounted()
  const peer = newPeer()
  await approvedTemplate('by_keys', 'Hello {{name}}, see you.')
  await write(service, peer, official, { text: 'a needle in the hay' })
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
  await until('one is left', async () => await inbox.frame.locator('[data-template]').count() === 1)
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
  t.deepEqual((await untilInbox(service, peer, official, 2)).map(({ text }: any) => text), ['found you\nat last', 'Hello Ana, see you.'])
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

/** Time of the page and its frames goes on as it does, and can be moved. */
async function withClock(context: BrowserContext): Promise<void> {
  await context.clock.install()
}

/** Lets so much of the page's time pass at every look until something is so. */
async function passes({ page }: InboxPage, ms: number, what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  await until(what, async () => await check() || (await page.clock.runFor(ms), false))
}

/** In the frame: writes down what it tells of its state from now on, and messages that are told to have failed. */
function watchTexts(main: any): void {
  const { defaultView } = main.ownerDocument
  defaultView.told = []
  new defaultView.MutationObserver(() => {
    for (const { textContent } of main.querySelectorAll('.line, .notice, .failure')) if (textContent !== '') defaultView.told.push(textContent)
  }).observe(main, { childList: true, subtree: true, characterData: true, attributes: true })
}

/** A template of the official number that may be sent. */
async function approvedTemplate(name: string, body: string): Promise<void> {
  const made = await service.api('POST', '/v1/templates', official.key, { name, category: 'UTILITY', language: 'en', body, examples: { name: 'Ana' } })
  if (made.status !== 201) throw new Error(`not created: ${made.text}`)
  await service.control('POST', `/official/templates/${made.body.externalId}`, { event: 'APPROVED' })
  await until(`${name} can be sent`, async () => (await service.api('GET', `/v1/templates/${made.body.id}`, official.key)).body.sendable)
}
