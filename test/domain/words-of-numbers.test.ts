import test from 'ava'
import { callIn, durationSeconds } from '../../src/domain/call.ts'
import { canSend } from '../../src/domain/can-send.ts'
import { EVENT_NAMES, eventFacts, isEventName, LAST_EVENTS } from '../../src/domain/events.ts'
import { identityKindOf, isLid, toldTogether } from '../../src/domain/identity.ts'
import type { IdentityKind } from '../../src/domain/identity.ts'
import { isUpstreamId, pageWebhookUrlOf } from '../../src/domain/lead-page.ts'
import { LEAD_RETRY_MS, LEAD_TRIES_MS, nextTryAt } from '../../src/domain/lead-schedule.ts'
import { DEFAULT_SETTINGS, hasInstance, mergeSettings } from '../../src/domain/number.ts'
import { voiceSessionOf, withoutSecrets } from '../../src/domain/number-voice.ts'
import { adOf } from '../../src/domain/referral.ts'
import { VOICE } from '../actors/call/decide-rig.ts'

const HOUR_MS = 3_600_000

// [embeds.inbox-routes.3]
test('free texts go to anybody from a device, within the window from the platform, and never to a channel', (t) => {
  const at = (provider: 'OFFICIAL' | 'UNOFFICIAL', type: 'DIRECT' | 'NEWSLETTER', windowMs: number | null) =>
    canSend({ provider, type: type as never, windowExpiresAt: windowMs === null ? null : new Date(windowMs) }, 1_000)
  t.deepEqual(at('UNOFFICIAL', 'DIRECT', null), { free: true, reason: null })
  t.deepEqual(at('OFFICIAL', 'DIRECT', 1_001), { free: true, reason: null })
  t.deepEqual(at('OFFICIAL', 'DIRECT', 1_000), { free: false, reason: 'WINDOW_CLOSED' })
  t.deepEqual(at('OFFICIAL', 'DIRECT', null), { free: false, reason: 'WINDOW_CLOSED' })
  t.deepEqual(at('UNOFFICIAL', 'NEWSLETTER', 2_000), { free: false, reason: 'NEWSLETTER' })
})

// [identities.identities.1] [identities.looking-up.2]
test('an address is a number, an id of a hidden one, or an id of a user', (t) => {
  const rows: Readonly<Record<string, IdentityKind>> = {
    551199: 'PHONE',
    '123@lid': 'LID',
    'BR.1': 'USER_ID',
    '': 'USER_ID',
    '12 ': 'USER_ID',
    x12: 'USER_ID',
    'x1@lid': 'USER_ID',
    '1@lids': 'USER_ID',
    '@lid': 'USER_ID',
  }
  for (const [address, kind] of Object.entries(rows)) {
    t.is(identityKindOf(address), kind, address)
    t.is(isLid(address), kind === 'LID', address)
  }
  t.deepEqual(toldTogether(['1', null, '2', undefined, '1']), ['1', '2'])
  for (const few of [[], ['1'], ['1', '1'], [null, undefined]]) t.is(toldTogether(few), null)
})

// [leads.fetching.3]
test('a lead is asked for again ever later, as upstream lets it, and given up after seven days', (t) => {
  const next = (tries: number, heldMs = 0, nowMs = 0) =>
    nextTryAt({ tries, since: new Date(0), heldMs }, LEAD_RETRY_MS, nowMs)?.getTime() ?? null
  const hours = [HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]
  t.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 100].map((tries) => next(tries)),
    [5_000, 30_000, 120_000, 600_000, ...hours, 12 * HOUR_MS, 12 * HOUR_MS],
  )
  t.is(next(0, 60_000), 60_000)
  t.is(next(1, 10_000), 30_000)
  t.is(LEAD_TRIES_MS, 7 * 24 * HOUR_MS)
  t.is(next(0, 0, LEAD_TRIES_MS - 5_000), LEAD_TRIES_MS)
  t.is(next(0, 0, LEAD_TRIES_MS - 4_999), null)
  t.is(nextTryAt({ tries: 0, since: new Date(0), heldMs: 0 }, [], 0)?.getTime(), HOUR_MS)
})

// [referrals.names.10]
test('only an ad whose id is digits has names to ask for', (t) => {
  t.is(adOf({ sourceId: '120208', sourceType: 'ad' }), '120208')
  t.is(adOf({ sourceId: '120208', sourceType: null }), '120208')
  t.is(adOf({ sourceId: '9'.repeat(64), sourceType: 'ad' }), '9'.repeat(64))
  for (const sourceId of [null, '', 'x1', '1x', '9'.repeat(65)]) t.is(adOf({ sourceId, sourceType: 'ad' }), null)
  t.is(adOf({ sourceId: '120208', sourceType: 'post' }), null)
})

// [voice.number-setting.8]
test('the bot of a number is shown with the names of its headers, and a call has one session with it', (t) => {
  const shown = withoutSecrets({ ...VOICE, headers: { authorization: 'secret', 'x-line': '2' } })
  const { headers: _, ...rest } = VOICE
  t.deepEqual(shown, { ...rest, headerNames: ['authorization', 'x-line'] })
  t.is(voiceSessionOf('call_01abc'), 'rts_01abc')
})

test('the seconds of a call are rounded, and never below none', (t) => {
  const between = (ms: number) => durationSeconds(new Date(10_000), new Date(10_000 + ms))
  t.deepEqual([0, 499, 500, 1_499, 1_500, 61_000].map(between), [0, 0, 1, 1, 2, 61])
  t.is(between(-5_000), 0)
})

test('an event tells of a call by its id and its status', (t) => {
  const data = { id: 'call_1', status: 'RINGING', media: null }
  t.deepEqual(callIn(data), data as never)
  for (const odd of [{ id: 'num_1' }, { id: 7 }, { status: 'ODD' }, { status: null }])
    t.is(callIn({ ...data, ...odd }), null)
})

test('a number has been at an engine once it was paired, connected or asked to connect', (t) => {
  const closed = { isPaired: false, state: 'CLOSE' } as const
  t.false(hasInstance(closed))
  t.false(hasInstance({ ...closed, engine: null }))
  t.true(hasInstance({ ...closed, isPaired: true }))
  t.true(hasInstance({ ...closed, state: 'CONNECTING' }))
  t.true(hasInstance({ ...closed, engine: {} as never }))
})

test('an event of the service is known by its name, and the last of a number goes to its webhooks', (t) => {
  for (const name of EVENT_NAMES) t.true(isEventName(name))
  for (const name of ['messages', 'call.odd', 'toString', '']) t.false(isEventName(name))
  t.true(LAST_EVENTS.includes('number.removed'))
  t.true(LAST_EVENTS.includes('call.ended'))
  t.false(LAST_EVENTS.includes('number.created'))
  t.deepEqual(
    LAST_EVENTS,
    EVENT_NAMES.filter((name) => eventFacts(name).isLast),
  )
})

// [leads.webhook.1]
test('an id of upstream is digits without a zero before them, and an app has one address for its Pages', (t) => {
  for (const id of ['1', '10', '9'.repeat(32)]) t.true(isUpstreamId(id), id)
  for (const id of ['', '0', '01', 'x1', '1x', '9'.repeat(33), '1/2', ' 1']) t.false(isUpstreamId(id), id)
  t.is(pageWebhookUrlOf('https://a.io', '7'), 'https://a.io/webhooks/official/pages/7')
})

test('settings that are not given stay, and a null resets one', (t) => {
  const before = { ...DEFAULT_SETTINGS, rejectCall: true, ignoreGroups: true }
  t.deepEqual(mergeSettings(before, { rejectCall: null, alwaysOnline: false }), {
    ...before,
    rejectCall: null,
    alwaysOnline: false,
  })
})
