import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { OFFICIAL, PAIRED, QR } from '../helpers/number-scenes.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const ONE: Script = { 'GET /api/v1/numbers/num_1': { body: PAIRED } }
const TWO: Script = { 'GET /api/v1/numbers/num_2': { body: OFFICIAL } }

/** Tells a change of the number, which a read shows from then on too. */
async function tells(changes: object, number: typeof PAIRED | typeof OFFICIAL = PAIRED): Promise<void> {
  const changed = { ...number, ...changes }
  stage.script({ [`GET /api/v1/numbers/${number.id}`]: { body: changed } })
  const { id, state, isFullyConnected, calling } = changed
  await stage.tell('number', { id, state, isFullyConnected, calling })
}

/** The body of the one request of a kind. */
function bodyOf(what: string): unknown {
  return stage.asked.find((asked) => asked.what === what)?.body
}

inBrowser('a number of either kind can be read by all in each language, and fits 320 px', async (t) => {
  const settled = () => stage.page.locator('form[data-form=number]').waitFor()
  t.deepEqual(await stage.looks('/dashboard/numbers/num_1', ONE, settled), [])
  t.deepEqual(await stage.looks('/dashboard/numbers/num_2', TWO, settled), [])
})

inBrowser('a number says in words what its state is, and follows live news', async (t) => {
  await stage.open('/dashboard/numbers/num_1', ONE)
  await stage.page.locator('main[data-page=number][data-id=num_1][data-state=CLOSE]').waitFor()
  t.is(await stage.page.innerText('h1'), 'Front desk <b>')
  t.true((await stage.page.innerText('[data-live-state]')).includes('No phone is connected'))
  await tells({ state: 'OPEN' })
  await stage.page.locator('main[data-state=OPEN]').waitFor()
  t.true((await stage.page.innerText('[data-live-state]')).includes('still coming in'))
  t.is(await stage.page.locator('[data-action=connect]').count(), 0)
  await tells({ state: 'OPEN', isFullyConnected: true })
  await stage.page.locator('[data-live-state]', { hasText: 'go through' }).waitFor()
})

// [dashboard.numbers.4]
inBrowser('an official number says why it cannot call yet, and what to do, and how upstream rates it', async (t) => {
  await stage.open('/dashboard/numbers/num_2', TWO)
  await stage.page.locator('[data-calling=PENDING_TIER]', { hasText: '2,000 a day' }).waitFor()
  t.is(await stage.page.innerText('[data-quality]'), 'GREEN')
  t.is(await stage.page.innerText('[data-tier]'), 'TIER_250')
  await tells({ calling: { status: 'PENDING_WEBHOOK' } }, OFFICIAL)
  await stage.page.locator('[data-calling=PENDING_WEBHOOK]', { hasText: 'subscribe to calls' }).waitFor()
  t.is(await stage.page.locator('[data-action=connect], [data-action=copy-link]').count(), 0)
})

// [dashboard.numbers.7]
inBrowser('calls of an official number are enabled from its page, or it says what they wait for', async (t) => {
  const enabled = { ...OFFICIAL, calling: { status: 'ENABLED' } }
  const { page } = stage
  await stage.open('/dashboard/numbers/num_2', {
    ...TWO,
    'PUT /api/v1/calls/settings': { status: 409, body: { error: 'low', code: 'OFFICIAL_CALLING_TIER_TOO_LOW' } },
  })
  await page.click('[data-action=enable-calling]')
  await page.locator('.said', { hasText: 'does not allow calls yet' }).waitFor()
  t.is(await page.locator('[data-fault]').count(), 0)
  const sent = stage.asked.find(({ what }) => what === 'PUT /api/v1/calls/settings')
  t.deepEqual(sent?.body, { status: 'ENABLED' })
  t.is(sent?.headers['x-channel-number-id'], 'num_2')
  stage.script({
    'PUT /api/v1/calls/settings': {
      status: 402,
      body: { error: 'Pay first', code: 'OFFICIAL_CALLING_PAYMENT_REQUIRED' },
    },
  })
  await page.click('[data-action=enable-calling]')
  await page.locator('[data-fault=REFUSED]', { hasText: 'Pay first' }).waitFor()
  t.deepEqual(await stage.violations(), [])
  stage.script({
    'PUT /api/v1/calls/settings': { body: { status: 'ENABLED' } },
    'GET /api/v1/numbers/num_2': { body: enabled },
  })
  await page.click('[data-action=enable-calling]')
  await page.locator('[data-calling=ENABLED]').waitFor()
  t.is(await page.locator('[data-action=enable-calling]').count(), 0)
})

inBrowser('a number is connected by a code on its page, and a link for its phone is made and copied', async (t) => {
  await stage.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const link = 'https://connect.example/connect/rp_0000'
  await stage.open('/dashboard/numbers/num_1', {
    ...ONE,
    'POST /api/v1/numbers/num_1/connect': { body: { qrcodeBase64: QR, pairingCode: null, expiresInMs: 60_000 } },
    'POST /api/v1/numbers/remote-pairing': {
      status: 201,
      body: { provider: 'UNOFFICIAL', remotePairingToken: 'rp_0000', remotePairingUrl: link, numberId: 'num_1' },
    },
  })
  await stage.page.click('[data-action=connect]')
  await stage.page.locator('[data-qr]').waitFor()
  t.true(await stage.page.isVisible('[role=timer]'))
  t.deepEqual(await stage.violations(), [])
  await stage.page.click('[data-action=connect]')
  t.is(await stage.page.locator('[data-qr]').count(), 0)
  await stage.page.click('[data-action=copy-link]')
  await stage.page.locator('[data-link] code', { hasText: link }).waitFor()
  await stage.page.locator('.said', { hasText: 'copied' }).waitFor()
  t.is(await stage.page.evaluate('navigator.clipboard.readText()'), link)
  t.deepEqual(bodyOf('POST /api/v1/numbers/remote-pairing'), { name: PAIRED.name, number: PAIRED.number })
  t.false(stage.page.url().includes('rp_'))
})

// [numbers.life.7] [dashboard.numbers.5]
inBrowser(
  'the nine settings are saved as they are chosen, with the default of the provider as a third choice',
  async (t) => {
    await stage.open('/dashboard/numbers/num_1', {
      ...ONE,
      'PATCH /api/v1/numbers/num_1': { body: { ...PAIRED, name: 'Desk' } },
    })
    const { page } = stage
    await page.locator('form[data-form=number]').waitFor()
    t.is(await page.inputValue('[name="settings.alwaysOnline"]'), 'true')
    t.is(await page.inputValue('[name="settings.readMessages"]'), 'false')
    t.is(await page.inputValue('[name="settings.rejectCall"]'), '')
    await page.fill('form[data-form=number] [name=name]', 'Desk')
    await page.uncheck('[name="settings.historyImportEnabled"]')
    await page.check('[name="settings.ignoreNewsletters"]')
    await page.selectOption('[name="settings.rejectCall"]', 'true')
    await page.selectOption('[name="settings.alwaysOnline"]', '')
    await page.fill('[name="settings.msgRejectCall"]', 'Write, please')
    await page.click('form[data-form=number] [data-action=save]')
    // The name before has the word in lower case, which a text would match too.
    await page.locator('h1', { hasText: /^Desk$/ }).waitFor()
    t.deepEqual(bodyOf('PATCH /api/v1/numbers/num_1'), {
      name: 'Desk',
      piiMode: 'STORE_INDEFINITE',
      settings: {
        historyImportEnabled: false,
        ignoreNewsletters: true,
        webhookHistoricalMessages: false,
        rejectCall: true,
        msgRejectCall: 'Write, please',
        alwaysOnline: null,
        readMessages: false,
        ignoreGroups: null,
        ignoreStatus: null,
      },
    })
  },
)

// [dashboard.numbers.8]
inBrowser('the bot of a number is set, shown without its secret, changed and removed on its page', async (t) => {
  const voice = {
    connectTo: 'wss://bot.example/calls',
    headerNames: ['authorization'],
    dialect: 'twilio',
    rate: null,
    parameters: { line: '2' },
    answer: 'accept',
    onUnreachable: 'reject',
    onDisconnect: 'hangup',
    record: true,
  }
  const { page } = stage
  const form = 'form[data-form=voice]'
  await stage.open('/dashboard/numbers/num_1', {
    ...ONE,
    'PATCH /api/v1/numbers/num_1': { body: { ...PAIRED, voice } },
  })
  await page.fill('[name="voice.connectTo"]', 'wss://bot.example/calls')
  await page.fill('[name="voice.headers"]', 'Bearer of-the-bot')
  await page.selectOption('[name="voice.dialect"]', 'twilio')
  await page.selectOption('[name="voice.onUnreachable"]', 'reject')
  await page.check('[name="voice.record"]')
  await page.click(`${form} [data-action=save]`)
  await page.locator(form, { hasText: 'authorization' }).waitFor()
  const { headerNames: _, rate: __, parameters: ___, ...chosen } = voice
  t.deepEqual(bodyOf('PATCH /api/v1/numbers/num_1'), {
    voice: { ...chosen, headers: { authorization: 'Bearer of-the-bot' } },
  })
  t.false((await page.content()).includes('of-the-bot'))
  t.deepEqual(await stage.violations(), [])
  stage.asked.length = 0
  await page.selectOption('[name="voice.answer"]', 'ring')
  await page.click(`${form} [data-action=save]`)
  await page.locator('.said').waitFor()
  t.deepEqual(bodyOf('PATCH /api/v1/numbers/num_1'), {
    voice: { ...chosen, parameters: voice.parameters, answer: 'ring' },
  })
  stage.asked.length = 0
  stage.script({ 'PATCH /api/v1/numbers/num_1': { body: PAIRED } })
  await page.click('[data-action=remove-voice]')
  await page.locator('[data-action=remove-voice]').waitFor({ state: 'detached' })
  t.deepEqual(bodyOf('PATCH /api/v1/numbers/num_1'), { voice: null })
})

// [dashboard.numbers.5]
inBrowser('a privacy mode says what it deletes before it is saved', async (t) => {
  await stage.open('/dashboard/numbers/num_1', {
    ...ONE,
    'PATCH /api/v1/numbers/num_1': { body: { ...PAIRED, piiMode: 'STORE_X_DAYS', piiRetentionDays: 30 } },
  })
  const { page } = stage
  await page.selectOption('[name=piiMode]', 'RELAY_ONLY')
  await page.locator('[data-privacy=RELAY_ONLY]', { hasText: 'loses its contents' }).waitFor()
  await page.selectOption('[name=piiMode]', 'STORE_X_DAYS')
  await page.locator('[data-privacy=STORE_X_DAYS]', { hasText: 'within the hour' }).waitFor()
  await page.fill('[name=piiRetentionDays]', '30')
  await page.click('form[data-form=number] [data-action=save]')
  await page.locator('.said').waitFor()
  t.like(bodyOf('PATCH /api/v1/numbers/num_1'), { piiMode: 'STORE_X_DAYS', piiRetentionDays: 30 })
})

inBrowser('new credentials of an official number are sent alone, and leave nothing in the page', async (t) => {
  await stage.open('/dashboard/numbers/num_2', { ...TWO, 'PATCH /api/v1/numbers/num_2': { body: OFFICIAL } })
  const { page } = stage
  await page.fill('[name=officialAccessToken]', 'EAAG-secret')
  await page.click('form[data-form=official] [data-action=save]')
  await page.locator('.said').waitFor()
  t.deepEqual(bodyOf('PATCH /api/v1/numbers/num_2'), { officialAccessToken: 'EAAG-secret' })
  t.is(await page.inputValue('[name=officialAccessToken]'), '')
  t.false((await page.content()).includes('EAAG-secret'))
})

// [dashboard.numbers.6]
inBrowser('a number is disconnected, and removed, once its name is typed', async (t) => {
  await stage.open('/dashboard/numbers/num_1', {
    ...ONE,
    'GET /api/v1/numbers': { body: [] },
    'POST /api/v1/numbers/num_1/logout': { body: PAIRED },
    'DELETE /api/v1/numbers/num_1': { status: 503, body: { error: 'busy', code: 'BUSY' } },
  })
  const { page } = stage
  await page.click('[data-action=logout]')
  // It is in the page a moment before it is open, and takes no key before that.
  await page.locator('dialog[open]').waitFor()
  t.true(await page.isDisabled('[data-action=confirm]'))
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  t.is(await page.evaluate('document.activeElement.dataset.action'), 'logout', 'the focus is where it was')
  await page.click('[data-action=logout]')
  await page.fill('input[name=confirm]', PAIRED.name)
  await page.click('[data-action=confirm]')
  await page.locator('.said', { hasText: 'disconnected' }).waitFor()
  t.is(await page.locator('dialog').count(), 0)
  await page.click('[data-action=delete]')
  await page.fill('input[name=confirm]', 'Front desk')
  t.true(await page.isDisabled('[data-action=confirm]'))
  await page.fill('input[name=confirm]', PAIRED.name)
  t.deepEqual(await stage.violations(), [])
  await page.click('[data-action=confirm]')
  await page.locator('dialog [data-fault=SERVER]').waitFor()
  stage.script({ 'DELETE /api/v1/numbers/num_1': { body: { deleted: true, id: 'num_1' } } })
  await page.click('[data-action=confirm]')
  await stage.shows('numbers')
  t.is(page.url(), `${stage.origin}/dashboard/numbers`)
  await page.locator('.said', { hasText: 'Front desk <b> is removed' }).waitFor()
})

inBrowser('who may only read sees the number without its forms; one that is gone says so', async (t) => {
  await stage.open('/dashboard/numbers/num_1', ONE, 'AGENT')
  await stage.page.locator('[data-live-state]').waitFor()
  t.is(await stage.page.locator('form, [data-action=logout], [data-action=delete], [data-action=connect]').count(), 0)
  await stage.open('/dashboard/numbers/num_x', {
    'GET /api/v1/numbers/num_x': { status: 404, body: { error: 'no', code: 'NUMBER_NOT_FOUND' } },
  })
  await stage.page.locator('[data-fault=GONE]').waitFor()
  t.deepEqual(await stage.violations(), [])
})
