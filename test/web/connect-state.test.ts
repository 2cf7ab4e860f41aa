import test from 'ava'
import type { Answer, AnsweredCode, PairingReason } from '../../web/connect/answers.ts'
import { headlineOf, noticeOf } from '../../web/connect/says.ts'
import { next, needNow, opened, stateName, viewOf, wakesAt } from '../../web/connect/state.ts'
import type { Need, PageEvent, PageState } from '../../web/connect/page-state.ts'
import * as words from '../../web/words/connect/en.ts'

const LINK = {
  name: 'Front desk',
  number: '*********7777',
  numberId: 'num_1',
  redirectUrl: 'https://acme.example/done',
}
const CODE: AnsweredCode = { qr: 'data:image/png;base64,AA==', text: 'ABCD-EFGH', expiresInMs: 60_000 }
const NO_CODE: AnsweredCode = { qr: null, text: null, expiresInMs: null }
const VIEW: Answer = { kind: 'view', link: LINK, state: 'CLOSE' }

function page(about: Partial<Parameters<typeof opened>[0]> = {}): PageState {
  return opened({ at: 0, method: 'qr', isVisible: true, isOnline: true, isFramed: false, ...about })
}

function after(state: PageState, ...events: PageEvent[]): PageState {
  return events.reduce(next, state)
}

function answer(to: Need, at: number, answered: Answer): PageEvent {
  return { type: 'answered', to, at, answer: answered }
}

function status(
  at: number,
  about: {
    readonly state?: 'OPEN' | 'CONNECTING' | 'CLOSE'
    readonly reason?: PairingReason
    readonly code?: AnsweredCode
  } = {},
): PageEvent {
  return answer('status', at, {
    kind: 'status',
    state: about.state ?? 'CONNECTING',
    reason: about.reason ?? null,
    code: about.code ?? NO_CODE,
    numberId: 'num_1',
  })
}

/** A page that got its first code at time 100. */
function showing(about: Parameters<typeof page>[0] = {}): PageState {
  return after(
    page(about),
    { type: 'looked', look: 'page', at: 10 },
    answer('view', 50, VIEW),
    answer('connect', 100, { kind: 'code', code: CODE }),
  )
}

// [pages.polling.1]
test('a page that is seen reads its link, starts pairing once it knows its look, shows the code and polls every 2 s', (t) => {
  const first = page()
  t.is(needNow(first, 0), 'view')
  const read = after(first, answer('view', 50, VIEW))
  t.deepEqual([stateName(read), needNow(read, 50)], ['loading', null])
  const looked = after(read, { type: 'looked', look: 'page', at: 60 })
  t.deepEqual([stateName(looked), needNow(looked, 60)], ['loading', 'connect'])
  const shown = after(looked, answer('connect', 100, { kind: 'code', code: CODE }))
  t.deepEqual([stateName(shown), needNow(shown, 2_099), needNow(shown, 2_100)], ['qr', null, 'status'])
  t.deepEqual(shown.code, { qr: CODE.qr, text: CODE.text, endsAt: 60_100, lifeMs: 60_000 })
})

// [pages.states.2] [pages.addresses.8]
test('a page that is not seen starts nothing; it starts once it is seen, or asked to', (t) => {
  const hidden = after(page({ isVisible: false }), { type: 'looked', look: 'page', at: 10 }, answer('view', 50, VIEW))
  t.deepEqual([stateName(hidden), needNow(hidden, 999_999), wakesAt(hidden, false)], ['ready', null, null])
  for (const type of ['visible', 'asked'] as const) {
    const begun = after(hidden, { type, at: 5_000 })
    t.deepEqual([stateName(begun), needNow(begun, 5_000)], ['loading', 'connect'], type)
  }
})

test('a page that is hidden asks for nothing, and at once when it is seen again', (t) => {
  const hidden = after(showing(), { type: 'hidden', at: 200 })
  t.is(needNow(hidden, 50_000), null)
  const back = after(hidden, { type: 'visible', at: 30_000 })
  t.is(needNow(back, 30_000), 'status')
})

test('a button starts nothing, reads its link again when it is seen again, and says what became of it', (t) => {
  const button = after(page(), { type: 'looked', look: 'button', at: 10 }, answer('view', 50, VIEW))
  t.deepEqual([stateName(button), needNow(button, 999_999)], ['ready', null])
  const back = after(button, { type: 'hidden', at: 100 }, { type: 'visible', at: 900 })
  t.is(needNow(back, 900), 'view')
  t.is(
    stateName(after(back, answer('view', 950, { kind: 'over', reason: 'USED', redirectUrl: null, numberId: 'num_1' }))),
    'already-connected',
  )
})

// [pages.states.5] [pages.states.6] [pages.states.7] [pages.states.8]
test('each answer leads to its state', (t) => {
  const table: readonly (readonly [PageEvent, string])[] = [
    [status(2_100, { code: CODE }), 'qr'],
    [status(2_100), 'linking'],
    [status(2_100, { reason: 'PASSKEY_REQUIRED' }), 'passkey'],
    [status(2_100, { state: 'OPEN' }), 'connected'],
    [status(2_100, { state: 'CLOSE', reason: 'QR_EXPIRED' }), 'paused'],
    [status(2_100, { state: 'CLOSE', reason: 'WRONG_NUMBER' }), 'failed'],
    [status(2_100, { state: 'CLOSE', reason: 'BANNED' }), 'failed'],
    [status(2_100, { state: 'CLOSE' }), 'failed'],
    [answer('status', 2_100, { kind: 'refused', isBusy: false, retryAfterMs: null }), 'failed'],
    [answer('status', 2_100, { kind: 'open' }), 'already-connected'],
    ...(
      [
        ['EXPIRED', 'expired'],
        ['REVOKED', 'revoked'],
        ['USED', 'already-connected'],
        ['UNKNOWN', 'invalid'],
      ] as const
    ).map(
      ([reason, state]) =>
        [answer('status', 2_100, { kind: 'over', reason, redirectUrl: null, numberId: null }), state] as const,
    ),
    [{ type: 'offline', at: 2_100 }, 'offline'],
  ]
  for (const [event, state] of table) t.is(String(stateName(after(showing(), event))), state, JSON.stringify(event))
})

test('a number that is connected before the page began is so already', (t) => {
  t.is(stateName(after(page(), answer('view', 50, { kind: 'view', link: LINK, state: 'OPEN' }))), 'already-connected')
})

// [pages.states.4]
test('a code is withdrawn at once when it was scanned, and a new one shows without anything asked for', (t) => {
  const linking = after(showing(), status(2_100))
  t.is(linking.code, null)
  const newer = after(showing(), status(2_100, { code: { qr: 'data:other', text: 'ABCD-EFGH', expiresInMs: 20_000 } }))
  t.deepEqual(newer.code, { qr: 'data:other', text: 'ABCD-EFGH', endsAt: 22_100, lifeMs: 20_000 })
})

test('a page that opens after the code was scanned shows that pairing continues', (t) => {
  const late = after(
    page(),
    { type: 'looked', look: 'page', at: 10 },
    answer('view', 50, VIEW),
    answer('connect', 100, { kind: 'code', code: NO_CODE }),
  )
  t.deepEqual([stateName(late), stateName(after(late, status(2_100)))], ['linking', 'linking'])
})

test('a page that comes to a pairing under way joins it, and begins it anew only where there is none', (t) => {
  const joining = after(
    page(),
    { type: 'looked', look: 'page', at: 10 },
    answer('view', 50, { kind: 'view', link: LINK, state: 'CONNECTING' }),
  )
  t.is(needNow(joining, 50), 'status')
  t.is(stateName(after(joining, status(60, { code: CODE }))), 'qr')
  t.is(stateName(after(joining, status(60, { reason: 'PASSKEY_REQUIRED' }))), 'passkey')
  for (const state of ['CONNECTING', 'CLOSE'] as const)
    t.is(needNow(after(joining, status(60, { state })), 60), 'connect', state)
})

// [pages.polling.2]
test('the time left of a code does not jump with how long each answer took', (t) => {
  const polled = after(showing(), status(2_400, { code: { ...CODE, expiresInMs: 58_000 } }))
  t.is(polled.code?.endsAt, 60_100)
})

test('a code that is over is shown no more and the next is asked for at once', (t) => {
  const waiting = after(showing(), status(60_000, { code: { ...CODE, expiresInMs: 100 } }))
  t.is(wakesAt(waiting, false), 60_100)
  const over = after(waiting, { type: 'passed', at: 60_100 })
  t.deepEqual([stateName(over), over.code, needNow(over, 60_100)], ['qr', null, 'status'])
})

// [pages.states.1]
test('a first answer that takes 10 s has failed, and still shows when it comes', (t) => {
  const waiting = after(page(), { type: 'looked', look: 'page', at: 10 }, answer('view', 50, VIEW))
  t.is(wakesAt(waiting, true), 10_050)
  const slow = after(waiting, { type: 'passed', at: 10_050 })
  t.deepEqual([stateName(slow), slow.trouble], ['failed', 'SLOW'])
  t.is(stateName(after(slow, answer('connect', 11_000, { kind: 'code', code: CODE }))), 'qr')
})

// [pages.states.9]
test('one poll that is lost is nothing; two are offline, and the code stays while it is valid', (t) => {
  const once = after(showing(), answer('status', 2_100, { kind: 'lost' }))
  t.deepEqual([stateName(once), once.dueAt], ['qr', 4_100])
  const twice = after(once, answer('status', 4_100, { kind: 'lost' }))
  t.deepEqual([stateName(twice), twice.code?.qr], ['offline', CODE.qr])
  t.is(headlineOf(twice, words).heading, words.pairing.qrHeading)
  t.is(noticeOf(twice, words)?.heading, words.connect.offline.heading)
  const over = after(twice, { type: 'passed', at: 60_100 })
  t.deepEqual(
    [stateName(over), over.code, headlineOf(over, words).heading],
    ['offline', null, words.connect.offline.heading],
  )
  t.is(stateName(after(twice, status(9_000, { code: CODE }))), 'qr')
})

// [pages.states.9]
test('a failed request is repeated after 2, 4, 8, 15 and 15 s, or when the service says, and the first answer resets that', (t) => {
  let [state, at] = [showing(), 2_100]
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    state = after(state, answer('status', at, { kind: 'refused', isBusy: false, retryAfterMs: null }))
    waits.push(state.dueAt - at)
    at = state.dueAt
  }
  t.deepEqual(waits, [2_000, 4_000, 8_000, 15_000, 15_000])
  t.is(after(state, answer('status', at, { kind: 'refused', isBusy: true, retryAfterMs: 40_000 })).dueAt, at + 40_000)
  const well = after(state, status(at, { code: CODE }))
  t.deepEqual([well.failures, well.dueAt], [0, at + 2_000])
})

test('a page that asked too often is not hurried by being seen again', (t) => {
  const busy = after(showing(), answer('status', 2_100, { kind: 'refused', isBusy: true, retryAfterMs: 40_000 }))
  t.is(after(busy, { type: 'hidden', at: 3_000 }, { type: 'visible', at: 4_000 }).dueAt, 42_100)
})

test('a browser that is offline says so at once, and one that is back asks at once', (t) => {
  const offline = after(showing(), { type: 'offline', at: 500 })
  t.deepEqual([stateName(offline), offline.dueAt], ['offline', 2_500])
  const back = after(offline, { type: 'online', at: 900 })
  t.is(needNow(back, 900), 'status')
})

// [pages.states.7]
test('codes that ran out wait for the person; other phones and blocked numbers do, too; a session that ended does not', (t) => {
  for (const reason of ['QR_EXPIRED', 'WRONG_NUMBER', 'BANNED'] as const) {
    const stopped = after(showing(), status(2_100, { state: 'CLOSE', reason }))
    t.is(stopped.need, 'status', reason)
    const again = after(stopped, { type: 'asked', at: 9_000 })
    t.deepEqual([stateName(again), needNow(again, 9_000)], ['loading', 'connect'], reason)
  }
  const ended = after(showing(), status(2_100, { state: 'CLOSE' }))
  t.deepEqual([ended.trouble, needNow(ended, 4_100)], ['ENDED', 'connect'])
})

test('an answer to an older request changes nothing after the person asked for something else', (t) => {
  const paused = after(showing(), status(2_100, { state: 'CLOSE', reason: 'QR_EXPIRED' }))
  const again = after(paused, { type: 'asked', at: 4_000 })
  t.is(after(again, status(4_200, { state: 'CLOSE', reason: 'QR_EXPIRED' })), again)
})

test('a new code of another tab shows in this one', (t) => {
  const paused = after(showing(), status(2_100, { state: 'CLOSE', reason: 'QR_EXPIRED' }))
  t.is(stateName(after(paused, status(4_100))), 'loading')
  t.is(stateName(after(paused, status(4_100, { code: CODE }))), 'qr')
})

// [pages.redirect.1]
test('success takes the person on after 3 s, unless they stay, the page is framed, or there is nowhere to go', (t) => {
  const connected = after(showing(), status(5_000, { state: 'OPEN' }))
  t.deepEqual([connected.redirectAt, wakesAt(connected, false), connected.need], [8_000, 8_000, null])
  t.is(after(connected, { type: 'stayed' }).redirectAt, null)
  t.is(after(showing({ isFramed: true }), status(5_000, { state: 'OPEN' })).redirectAt, null)
  const nowhere: PageState = { ...showing(), link: { ...LINK, redirectUrl: null } }
  t.is(after(nowhere, status(5_000, { state: 'OPEN' })).redirectAt, null)
  t.is(after(showing(), answer('status', 5_000, { kind: 'open' })).redirectAt, null)
})

test('the method stays as chosen over new codes, and gives way where the service has no code for it', (t) => {
  const code = after(showing(), { type: 'chose', at: 2_000, method: 'code' })
  t.is(stateName(code), 'code')
  t.is(stateName(after(code, status(2_100, { code: { ...CODE, qr: 'data:other' } }))), 'code')
  t.is(stateName(after(code, status(2_100, { code: { ...CODE, text: null } }))), 'qr')
  t.is(stateName(after(showing(), status(2_100, { code: { ...CODE, qr: null } }))), 'code')
})

test('a code to type is asked for when it is looked at and there is none, and until it comes the other stays', (t) => {
  const scanned: AnsweredCode = { ...CODE, text: null }
  const plain = after(
    page(),
    { type: 'looked', look: 'page', at: 10 },
    answer('view', 50, VIEW),
    answer('connect', 100, { kind: 'code', code: scanned }),
  )
  t.deepEqual([stateName(plain), needNow(plain, 2_100), plain.wasTypedAsked], ['qr', 'status', false])
  const asking = after(plain, { type: 'chose', at: 1_000, method: 'code' })
  t.deepEqual([stateName(asking), needNow(asking, 1_000)], ['qr', 'code'])
  t.is(after(asking, status(1_100, { code: scanned })), asking, 'a status that was asked before says nothing')
  const typed = after(asking, answer('code', 1_500, { kind: 'code', code: CODE }))
  t.deepEqual([stateName(typed), needNow(typed, 3_500)], ['code', 'status'])
  const none = after(asking, answer('code', 1_500, { kind: 'code', code: scanned }))
  t.deepEqual(
    [stateName(none), needNow(none, 3_500), none.wasTypedAsked],
    ['qr', 'status', true],
    'there is none: it is not asked for again',
  )
  t.is(needNow(after(none, { type: 'chose', at: 4_000, method: 'code' }), 4_000), 'status')
})

test('a page that opens at the code to type asks for one at once, also of a pairing that is under way', (t) => {
  const first = after(page({ method: 'code' }), { type: 'looked', look: 'page', at: 10 }, answer('view', 50, VIEW))
  t.is(needNow(first, 60), 'code')
  t.is(stateName(after(first, answer('code', 100, { kind: 'code', code: CODE }))), 'code')
  const joined = after(
    page({ method: 'code' }),
    { type: 'looked', look: 'page', at: 10 },
    answer('view', 50, { kind: 'view', link: LINK, state: 'CONNECTING' }),
  )
  t.is(needNow(joined, 60), 'status')
  t.is(needNow(after(joined, status(70, { code: { ...CODE, text: null } })), 70), 'code')
  t.is(needNow(after(joined, status(70, { code: CODE })), 70), null)
})

test('a link that is over stays over on the page', (t) => {
  const over = after(
    showing(),
    answer('status', 2_100, { kind: 'over', reason: 'REVOKED', redirectUrl: null, numberId: null }),
  )
  const events: PageEvent[] = [
    status(3_000, { code: CODE }),
    { type: 'offline', at: 3_000 },
    { type: 'asked', at: 3_000 },
    { type: 'visible', at: 3_000 },
    { type: 'looked', look: 'page', at: 3_000 },
    { type: 'passed', at: 99_000 },
  ]
  for (const event of events) t.is(stateName(after(over, event)), 'revoked', event.type)
  t.is(wakesAt(over, false), null)
})

test('neither page nor button is drawn until it is known which, unless somebody says, or something goes wrong', (t) => {
  t.is(viewOf(page(), null), null)
  t.is(viewOf(page(), 'page'), 'page')
  t.is(viewOf(page(), 'button'), 'button')
  t.is(viewOf(after(page(), { type: 'looked', look: 'button', at: 10 }), null), 'button')
  t.is(viewOf(after(page(), { type: 'passed', at: 10_000 }), null), 'page')
  t.is(
    viewOf(
      after(page(), answer('view', 50, { kind: 'over', reason: 'EXPIRED', redirectUrl: null, numberId: null })),
      null,
    ),
    'page',
  )
})

test('the end of a used link names what it connected, and forgets nothing that was known', (t) => {
  const used = { kind: 'over', reason: 'USED', redirectUrl: null, numberId: 'num_1' } as const
  t.like(after(page(), answer('view', 50, { ...used, name: 'Front desk', number: '*********7777' })).link, {
    name: 'Front desk',
    number: '*********7777',
  })
  t.like(after(showing(), answer('status', 2_100, { ...used, name: '', number: '' })).link, {
    name: LINK.name,
    number: LINK.number,
  })
})
