import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { OFFICIAL, PAIRED, QR } from '../helpers/number-scenes.ts'
import type { Script } from '../helpers/people-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)
const KEY = 'cms_key-of-the-new-number'
const SCRIPT: Script = {
  'GET /api/v1/numbers': { body: [PAIRED, OFFICIAL] },
  'POST /api/v1/numbers/num_9/connect': {
    body: { qrcodeBase64: QR, pairingCode: null, expiresInMs: 60_000 },
  },
  'POST /api/v1/numbers/num_9/connect?pairingCode=1': {
    body: { qrcodeBase64: QR, pairingCode: 'ABCDEFGH', expiresInMs: 60_000 },
  },
}
const NO_CODE = { qrcodeBase64: null, pairingCode: null, expiresInMs: null }
const CONNECTING = { id: 'num_9', state: 'CONNECTING', isFullyConnected: false, calling: null }
const CREATED = {
  ...PAIRED,
  id: 'num_9',
  name: 'Sales',
  qrcodeBase64: null,
  pairingCode: null,
  apiKey: { keyId: 'key_9', key: KEY, keyLast4: 'mber' },
}

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await stage.page.fill(`form[data-form=number] [name="${name}"]`, value)
}

inBrowser('numbers, and the form for a new one, can be read by all in each language, and fit 320 px', async (t) => {
  const wrong = await stage.looks('/dashboard/numbers', SCRIPT, async () => {
    await stage.page.locator('[data-id=num_2]').waitFor()
    await stage.page.click('[data-action=new]')
    await stage.page.check('input[value=OFFICIAL]')
    await stage.page.locator('[name=officialAppSecret]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.numbers.1]
inBrowser('numbers are listed with their state, which follows live news', async (t) => {
  await stage.open('/dashboard/numbers', SCRIPT)
  await stage.page.locator('[data-id=num_1][data-state=CLOSE]').waitFor()
  t.true((await stage.page.innerText('[data-id=num_1]')).includes('Front desk <b>'))
  t.true((await stage.page.innerText('[data-id=num_2]')).includes('Waits for a higher limit'))
  stage.script({ 'GET /api/v1/numbers': { body: [{ ...PAIRED, state: 'OPEN', isFullyConnected: true }, OFFICIAL] } })
  await stage.tell('number', { id: 'num_1', state: 'OPEN', isFullyConnected: true, calling: null })
  await stage.page.locator('[data-id=num_1][data-state=OPEN]', { hasText: 'Connected' }).waitFor()
  t.is(await stage.page.locator('[data-id=num_2]').getAttribute('data-state'), 'OPEN')
})

inBrowser('a number that was added elsewhere comes into the list, and one that was removed goes', async (t) => {
  await stage.open('/dashboard/numbers', SCRIPT)
  await stage.page.locator('[data-id=num_1]').waitFor()
  stage.script({ 'GET /api/v1/numbers': { body: [PAIRED, OFFICIAL, { ...PAIRED, id: 'num_3' }] } })
  await stage.tell('number', { id: 'num_3', state: 'CONNECTING', isFullyConnected: false, calling: null })
  await stage.page.locator('[data-id=num_3]').waitFor()
  stage.script({ 'GET /api/v1/numbers': { body: [OFFICIAL] } })
  await stage.tell('event', { id: 'evt_1', event: 'number.removed', channelNumberId: 'num_3', data: {} })
  await stage.page.locator('[data-id=num_3]').waitFor({ state: 'detached' })
  t.is(await stage.page.locator('[data-id]').count(), 1)
})

// [dashboard.numbers.2]
inBrowser('a new number shows its key once and a code for its phone, until the phone has scanned it', async (t) => {
  await stage.open('/dashboard/numbers', { ...SCRIPT, 'POST /api/v1/numbers': { status: 201, body: CREATED } })
  await stage.page.click('[data-action=new]')
  await fill({ name: 'Sales', number: '+55 11 99999-0009' })
  await stage.page.check('[name="settings.historyImportEnabled"]')
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-qr]').waitFor()
  t.is(await stage.page.textContent('[data-secret]'), KEY)
  const sent = stage.asked.find(({ what }) => what === 'POST /api/v1/numbers')
  t.deepEqual(sent?.body, { name: 'Sales', number: '+55 11 99999-0009', settings: { historyImportEnabled: true } })
  t.is(sent?.headers['x-csrf-token'], 'csrf-1')
  t.regex(sent?.headers['idempotency-key'] ?? '', /^[0-9a-f]{32}$/)
  t.deepEqual(await stage.violations(), [])
  await stage.page.click('[data-action=show-code]')
  await stage.page.locator('[data-code]').waitFor()
  t.is((await stage.page.innerText('[data-code]')).replaceAll(/\s/g, ''), 'ABCD-EFGH')
  stage.script({ 'POST /api/v1/numbers/num_9/connect?pairingCode=1': { body: NO_CODE } })
  await stage.tell('number', CONNECTING)
  await stage.page.locator('[data-pairing=linking]').waitFor()
  await stage.tell('number', { id: 'num_9', state: 'OPEN', isFullyConnected: true, calling: null })
  await stage.page.locator('[data-pairing=done]').waitFor()
  t.is(await stage.page.locator('[data-qr]').count(), 0)
  await stage.page.click('a[href="/dashboard/numbers/num_9"]')
  await stage.shows('number')
  await stage.page.goBack()
  await stage.shows('numbers')
  t.false((await stage.page.content()).includes(KEY), 'it was shown once')
})

inBrowser('news that the number connects leave its code on show, if they come after it', async (t) => {
  await stage.open('/dashboard/numbers', { ...SCRIPT, 'POST /api/v1/numbers': { status: 201, body: CREATED } })
  await stage.page.click('[data-action=new]')
  await fill({ name: 'Sales', number: '5511999990009' })
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-qr]').waitFor()
  const asked = () => stage.asked.filter(({ what }) => what === 'POST /api/v1/numbers/num_9/connect').length
  const before = asked()
  await stage.tell('number', CONNECTING)
  await until('the code is asked for again', () => asked() > before)
  await stage.tell('number', { ...CONNECTING, id: 'num_1' })
  await stage.page.locator('[data-id=num_1][data-state=CONNECTING]').waitFor()
  t.is(await stage.page.locator('[data-qr]').count(), 1)
})

inBrowser('a code that expires is followed by the next, one that does not come is asked for again', async (t) => {
  await stage.open('/dashboard/numbers', {
    ...SCRIPT,
    'POST /api/v1/numbers': { status: 201, body: CREATED },
    'POST /api/v1/numbers/num_9/connect': { status: 504, body: { error: 'no code', code: 'DEVICE_NETWORK_TIMEOUT' } },
  })
  await stage.page.click('[data-action=new]')
  await fill({ name: 'Sales', number: '5511999990009' })
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-code=DEVICE_NETWORK_TIMEOUT]').waitFor()
  let codes = 0
  stage.script({
    'POST /api/v1/numbers/num_9/connect': () => {
      codes += 1
      return { body: { qrcodeBase64: QR, pairingCode: null, expiresInMs: codes === 3 ? 60_000 : 100 } }
    },
  })
  await stage.page.click('[data-fault] [data-action=retry]')
  await stage.page.locator('[role=timer]', { hasText: '1:00' }).waitFor()
  t.is(codes, 3)
})

// [dashboard.numbers.3]
inBrowser('codes do not follow each other for ever', async (t) => {
  let codes = 0
  await stage.open('/dashboard/numbers', {
    ...SCRIPT,
    'POST /api/v1/numbers': { status: 201, body: CREATED },
    'POST /api/v1/numbers/num_9/connect': () => {
      codes += 1
      return { body: { qrcodeBase64: QR, pairingCode: null, expiresInMs: 20 } }
    },
  })
  await stage.page.click('[data-action=new]')
  await fill({ name: 'Sales', number: '5511999990009' })
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-pairing=paused]').waitFor()
  t.is(codes, 8)
  t.deepEqual(await stage.violations(), [])
})

inBrowser('what the service has against a field stands beside it, and all else above the button', async (t) => {
  await stage.open('/dashboard/numbers', {
    ...SCRIPT,
    'POST /api/v1/numbers': {
      status: 400,
      body: { error: 'Invalid body: number: too short', details: [{ path: 'number', message: 'too short' }] },
    },
  })
  await stage.page.click('[data-action=new]')
  await fill({ name: 'Sales', number: '55' })
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-field-fault]', { hasText: 'too short' }).waitFor()
  t.is(await stage.page.evaluate('document.activeElement.name'), 'number')
  t.is(await stage.page.getAttribute('[name=number]', 'aria-invalid'), 'true')
  t.deepEqual(await stage.violations(), [])
  stage.script({
    'POST /api/v1/numbers': { status: 409, body: { error: 'It is there', code: 'NUMBER_ALREADY_EXISTS' } },
  })
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-code=NUMBER_ALREADY_EXISTS]', { hasText: 'The account has this number' }).waitFor()
})

inBrowser('an official number is sent with the fields of the API, and shows its verify token once', async (t) => {
  await stage.open('/dashboard/numbers', {
    ...SCRIPT,
    'POST /api/v1/numbers/official': {
      status: 201,
      body: {
        ...OFFICIAL,
        apiKey: { keyId: 'key_2', key: KEY, keyLast4: 'mber' },
        webhookUrl: 'https://api.example/webhooks/official',
        verifyToken: 'verify-me',
      },
    },
  })
  await stage.page.click('[data-action=new]')
  await stage.page.check('input[value=OFFICIAL]')
  const fields = {
    name: 'Vendas',
    number: '5511999990002',
    officialPhoneId: '1037543291543636',
    officialAccountId: '2',
    officialAccessToken: 'EAAG',
  }
  await fill(fields)
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-secret]', { hasText: 'verify-me' }).waitFor()
  t.deepEqual(await stage.page.locator('[data-secret]').allTextContents(), [KEY, 'verify-me'])
  t.deepEqual(stage.asked.find(({ what }) => what === 'POST /api/v1/numbers/official')?.body, fields)
  t.is(await stage.page.locator('[data-qr]').count(), 0)
})

inBrowser('credentials that upstream does not accept are refused with the words of upstream', async (t) => {
  await stage.open('/dashboard/numbers', {
    ...SCRIPT,
    'POST /api/v1/numbers/official': {
      status: 422,
      body: { error: 'Upstream says: token expired <b>', code: 'OFFICIAL_CREDENTIALS_REJECTED', details: {} },
    },
  })
  await stage.page.click('[data-action=new]')
  await stage.page.check('input[value=OFFICIAL]')
  await fill({
    name: 'V',
    number: '5511999990002',
    officialPhoneId: '1',
    officialAccountId: '2',
    officialAccessToken: 'x',
  })
  await stage.page.click('[data-action=create]')
  await stage.page.locator('[data-code=OFFICIAL_CREDENTIALS_REJECTED]', { hasText: 'token expired <b>' }).waitFor()
  t.deepEqual(await stage.violations(), [])
})

inBrowser('who may only read is offered no new number; an account without one is told what to do', async (t) => {
  await stage.open('/dashboard/numbers', { 'GET /api/v1/numbers': { body: [] } }, 'ANALYST')
  await stage.page.locator('[data-empty]').waitFor()
  t.is(await stage.page.locator('[data-action=new]').count(), 0)
  t.deepEqual(await stage.violations(), [])
})

inBrowser('of many numbers only those in sight are drawn, and the last one is found by scrolling', async (t) => {
  const many = Array.from({ length: 500 }, (_, at) => ({ ...PAIRED, id: `num_${at}`, name: `Shop ${at}` }))
  await stage.open('/dashboard/numbers', { 'GET /api/v1/numbers': { body: many } })
  await stage.page.locator('[data-id=num_0]').waitFor()
  t.true((await stage.page.locator('[data-id]').count()) < 100)
  t.deepEqual(await stage.violations(), [])
  await stage.page.focus('[role=list]')
  await stage.page.keyboard.press('End')
  await stage.page.locator('[data-id=num_499]').waitFor()
  t.is(await stage.page.locator('[data-id=num_0]').count(), 0)
})
