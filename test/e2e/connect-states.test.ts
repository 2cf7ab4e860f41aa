import test from 'ava'
import { maskNumber } from '../../src/domain/phone.ts'
import { call } from '../helpers/service.ts'
import type { Answer, PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

/**
 * What the server tells a connect page in each state that the upstream can cause ([pairing.routes.3] [pairing.routes.5]
 * [pairing.routes.7] [pairing.routes.8]). Like a browser, the page uses `self` and no key ([pairing.routes.4]). The
 * expiry of a link is tested with a movable clock in test/http/remote-pairing.test.ts.
 */
let service: Service
let number: PairedNumber
let links = 0

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

interface Page {
  readonly numberId: string
  readonly digits: string
  /** Sends a request of the page: `connect`, `status`, or the view by default. `method` replaces the usual method. */
  readonly ask: (what?: 'connect' | 'status', method?: string) => Promise<Answer>
  /** Waits until the status is `wanted`; resolves to it. */
  readonly until: (wanted: object) => Promise<any>
  /** Makes the phone or the network do something. */
  readonly phone: (act: string, body?: object) => Promise<Answer>
}

function pageOf(token: string, numberId: string, digits: string): Page {
  const headers = { authorization: `Bearer ${token}` }
  const ask: Page['ask'] = (what, method = what === 'connect' ? 'POST' : 'GET') => {
    return call(method, `${service.base}/v1/remote-pairing/self${what ? `/${what}` : ''}`, { headers })
  }
  return {
    numberId,
    digits,
    ask,
    until: (wanted) =>
      until(`the status is ${JSON.stringify(wanted)}`, async () => {
        const { body } = await ask('status')
        return Object.entries(wanted).every(([name, value]) => body[name] === value) ? body : null
      }),
    phone: (act, body) => service.control('POST', `/devices/${digits}/${act}`, body),
  }
}

/** Opens the page of a new link, for a new number or for one that already has a page. */
async function openLink(digits: string = String(Number(number.digits) + ++links)): Promise<Page> {
  const made = await service.api('POST', '/v1/numbers/remote-pairing', service.tenantKey, {
    name: 'Desk',
    number: digits,
    redirectUrl: 'https://acme.example/done',
  })
  if (made.status !== 201) throw new Error(`no link: ${made.text}`)
  return pageOf(made.body.remotePairingToken, made.body.numberId, digits)
}

/** Opens a page that shows a code. */
async function showCode(): Promise<Page> {
  const page = await openLink()
  const { status, text } = await page.ask('connect')
  if (status !== 200) throw new Error(`no code: ${text}`)
  return page
}

const NOTHING_SHOWN = { qrcodeBase64: null, pairingCode: null, expiresInMs: null }

test('ready: a page that only reads, by GET and HEAD, leaves the number as it is and asks nothing of the network', async (t) => {
  const page = await openLink()
  for (const method of ['GET', 'HEAD']) {
    t.is((await page.ask(undefined, method)).status, 200)
    t.is((await page.ask('status', method)).status, 200)
  }
  t.like((await page.ask()).body, {
    valid: true,
    numberId: page.numberId,
    state: 'CLOSE',
    redirectUrl: 'https://acme.example/done',
  })
  t.deepEqual((await page.ask('status')).body, {
    numberId: page.numberId,
    state: 'CLOSE',
    isFullyConnected: false,
    reason: null,
    ...NOTHING_SHOWN,
  })
  t.is((await service.control('GET', `/requests?number=${page.digits}`)).body.total, 0)
})

test('qr, code: two tabs at once see one code, and the network is asked for one session', async (t) => {
  const page = await openLink()
  const [first, second] = await Promise.all([page.ask('connect'), page.ask('connect')])
  t.regex(first.body.qrcodeBase64, /^data:image\/png;base64,/)
  t.regex(first.body.pairingCode, /^\w{8}$/)
  t.true(first.body.expiresInMs > 0 && first.body.expiresInMs <= 60_000)
  t.is(second.body.qrcodeBase64, first.body.qrcodeBase64)
  t.like((await page.ask('status')).body, { state: 'CONNECTING', reason: null, qrcodeBase64: first.body.qrcodeBase64 })
  t.is((await service.control('GET', `/requests?number=${page.digits}&op=session.start`)).body.total, 1)
})

test('linking, connected, already-connected: the code is withdrawn on the scan; then the number is open and its link used', async (t) => {
  const page = await showCode()
  await page.phone('scan', { holdMs: 600_000 })
  t.like(await page.until({ qrcodeBase64: null }), { state: 'CONNECTING', reason: null, ...NOTHING_SHOWN })
  t.like(await page.ask('connect'), { status: 200, body: NOTHING_SHOWN }, 'a tab that opens now waits for no code')
  await page.phone('scan')
  t.like(await page.until({ state: 'OPEN' }), { numberId: page.numberId, isFullyConnected: true, reason: null })
  const used = await until('the link is used', async () => {
    const view = await page.ask()
    return view.status === 404 ? view.body : null
  })
  t.deepEqual(
    [used.code, used.details],
    [
      'PAIRING_NOT_FOUND',
      {
        reason: 'USED',
        redirectUrl: 'https://acme.example/done',
        numberId: page.numberId,
        name: 'Desk',
        number: maskNumber(page.digits),
      },
    ],
  )
  t.like(await page.ask('connect'), { status: 409, body: { code: 'ALREADY_CONNECTED' } })
  t.like((await page.ask('status')).body, { state: 'OPEN' })
})

test('passkey: it is told while the phone waits for it, and no more once it goes on', async (t) => {
  const page = await showCode()
  await page.phone('scan', { passkey: true })
  t.like(await page.until({ reason: 'PASSKEY_REQUIRED' }), { state: 'CONNECTING', ...NOTHING_SHOWN })
  await page.phone('scan')
  t.like(await page.until({ state: 'OPEN' }), { reason: null })
})

test('failed: a phone with another number undoes the pairing, and a new code clears that', async (t) => {
  const page = await showCode()
  await page.phone('scan', { as: '551130000009' })
  t.like(await page.until({ reason: 'WRONG_NUMBER' }), { state: 'CLOSE', ...NOTHING_SHOWN })
  t.is((await page.ask()).status, 200, 'the link can pair still')
  t.is((await page.ask('connect')).status, 200)
  t.like(await page.until({ state: 'CONNECTING' }), { reason: null })
})

test('paused: codes that ran out start none by themselves, and a new one is shown when it is asked for', async (t) => {
  const page = await showCode()
  await page.phone('expire')
  t.like(await page.until({ reason: 'QR_EXPIRED' }), { state: 'CLOSE', ...NOTHING_SHOWN })
  t.like((await page.ask()).body, { valid: true, state: 'CLOSE' })
  const again = await page.ask('connect')
  t.is(again.status, 200)
  t.truthy(again.body.qrcodeBase64)
  t.is((await page.ask('status')).body.reason, null)
})

test('failed: a banned number says so, and may be tried again', async (t) => {
  const page = await showCode()
  await page.phone('ban')
  t.like(await page.until({ reason: 'BANNED' }), { state: 'CLOSE', ...NOTHING_SHOWN })
  t.is((await page.ask('connect')).status, 200)
})

test('revoked, invalid: a newer link for the number ends the older one, and what was never a link is unknown', async (t) => {
  const older = await showCode()
  const newer = await openLink(older.digits)
  const revoked = { reason: 'REVOKED', redirectUrl: 'https://acme.example/done', numberId: null }
  for (const what of [undefined, 'connect', 'status'] as const)
    t.like(await older.ask(what), { status: 404, body: { code: 'PAIRING_NOT_FOUND', details: revoked } })
  t.like(
    (await newer.ask('status')).body,
    { state: 'CONNECTING', reason: null },
    "the pairing under way is the newer link's",
  )
  const unknown = pageOf('rp_00000000000000000000000000', '', '')
  for (const what of [undefined, 'connect', 'status'] as const) {
    t.deepEqual((await unknown.ask(what)).body.details, { reason: 'UNKNOWN', redirectUrl: null, numberId: null })
  }
})
