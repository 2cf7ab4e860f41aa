import test from 'ava'
import { consentOf, decideAnswer, mappedVariables } from '../../src/domain/lead-settling.ts'
import type { AnswerFacts } from '../../src/domain/lead-settling.ts'
import { LEAD_RETRY_MS, LEAD_TRIES_MS, nextTryAt } from '../../src/domain/lead-schedule.ts'
import type { AutoSend } from '../../src/domain/lead.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const HOUR_MS = 3_600_000
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const AUTO_SEND: AutoSend = {
  templateId: 'tpl_00000000000000000000000001',
  variables: {},
  onlyWithConsent: true,
  skipRecentConversationDays: 7,
}
const ANSWERED: AnswerFacts = {
  source: 'webhook',
  createdAt: ago(60_000),
  now: NOW,
  autoSend: AUTO_SEND,
  consentGiven: true,
  phone: '+5511988887777',
  phoneDigits: '5511988887777',
  variables: {},
  lastMessageAt: null,
  wasAnswered: false,
}
const without = (fields: Partial<AutoSend>) => ({ autoSend: { ...AUTO_SEND, ...fields } })

// [leads.auto-send.12]
test('a lead is answered when no reason against it holds', (t) => {
  t.is(decideAnswer(ANSWERED), 'send')
  t.is(decideAnswer({ ...ANSWERED, ...without({ onlyWithConsent: false }), consentGiven: null }), 'send')
  t.is(
    decideAnswer({ ...ANSWERED, ...without({ onlyWithConsent: false }), consentGiven: false }),
    'send',
    'consent is not asked for',
  )
})

// [leads.auto-send.4] [leads.auto-send.5] [leads.auto-send.6] [leads.auto-send.7] [leads.auto-send.8]
// [leads.auto-send.9] [leads.auto-send.10] [leads.auto-send.11]
test('each row of the table has its reason, and the first that holds decides', (t) => {
  /** Each row adds facts to those of the rows before it, and its outcome must win over theirs. */
  const rows: readonly (readonly [outcome: ReturnType<typeof decideAnswer>, facts: Partial<AnswerFacts>])[] = [
    ['already_sent', { wasAnswered: true }],
    ['recent_conversation', { lastMessageAt: ago(HOUR_MS) }],
    ['missing_variable', { variables: null }],
    ['invalid_phone', { phoneDigits: null }],
    ['no_phone', { phone: null }],
    ['consent_unknown', { consentGiven: null }],
    ['no_consent', { consentGiven: false }],
    ['too_old', { createdAt: ago(24 * HOUR_MS + 1) }],
    ['none', { source: 'backfill' }],
  ]
  let facts = ANSWERED
  for (const [outcome, fact] of rows) {
    facts = { ...facts, ...fact }
    t.is(decideAnswer(facts), outcome)
  }
  t.is(decideAnswer({ ...facts, source: 'webhook', autoSend: null }), 'none')
})

test('times of the table are inclusive to the millisecond', (t) => {
  t.is(decideAnswer({ ...ANSWERED, createdAt: ago(24 * HOUR_MS) }), 'send')
  const days = (count: number) => without({ skipRecentConversationDays: count })
  t.is(decideAnswer({ ...ANSWERED, ...days(1), lastMessageAt: ago(24 * HOUR_MS) }), 'recent_conversation')
  t.is(decideAnswer({ ...ANSWERED, ...days(1), lastMessageAt: ago(24 * HOUR_MS + 1) }), 'send')
  t.is(decideAnswer({ ...ANSWERED, ...days(0), lastMessageAt: NOW }), 'send', '0 days is off')
})

// [leads.stored.9] [leads.stored.10] [leads.object.9]
test('consent is what the named checkbox says, and never guessed', (t) => {
  const boxes = [
    { key: 'news', isChecked: true },
    { key: 'terms', isChecked: false },
    { key: 'odd', isChecked: null },
  ]
  t.is(consentOf('news', boxes), true)
  t.is(consentOf('terms', boxes), false)
  for (const [key, consents] of [
    ['odd', boxes],
    ['other', boxes],
    ['news', null],
    ['news', []],
    [null, boxes],
    ['', boxes],
  ] as const)
    t.is(consentOf(key, consents), null, String(key))
})

// [leads.auto-send.15]
test('answers go into variables in one line of 1,024 characters, whatever they hold', (t) => {
  const fields = [
    { key: 'wish', label: 'Wish', values: ['\r\n a\tb \n\n  c\u2028d '] },
    { key: 'odd', label: 'Odd', values: ['{{other}} $& $1 😀'] },
    { key: 'long', label: 'Long', values: ['😀'.repeat(5_000)] },
    { key: 'many', label: 'Many', values: ['x', 'y\nz'] },
  ]
  const field = (of: string) => ({ field: of })
  t.deepEqual(
    mappedVariables(
      {
        variables: {
          1: field('wish'),
          2: field('odd'),
          3: field('long'),
          4: field('many'),
          other: { value: 'fixed\ntext' },
        },
      },
      fields,
    ),
    {
      1: 'a b c d',
      2: '{{other}} $& $1 😀',
      3: '😀'.repeat(1_024),
      4: 'x, y z',
      other: 'fixed\ntext',
    },
  )
})

// [leads.auto-send.9]
test('an empty answer takes its fallback, and without one the variable is missing', (t) => {
  const fields = [
    { key: 'blank', label: 'Blank', values: [' \n'] },
    { key: 'unseen', label: 'Unseen', values: ['\u200B\u2800'] },
    { key: 'none', label: 'None', values: [] },
  ]
  for (const key of ['blank', 'unseen', 'none', 'unasked', '__proto__']) {
    t.deepEqual(mappedVariables({ variables: { a: { field: key, fallback: 'you' } } }, fields), { a: 'you' }, key)
    t.is(mappedVariables({ variables: { a: { field: key } } }, fields), null, key)
    t.is(mappedVariables({ variables: { a: { field: key, fallback: ' ' } } }, fields), null, key)
  }
})

// [leads.fetching.3]
test('a lead is asked for again by the schedule, its last wait repeats for seven days', (t) => {
  const since = NOW
  let [atMs, tries] = [NOW.getTime(), 0]
  const waits: number[] = []
  for (;;) {
    const next = nextTryAt({ tries: tries++, since, heldMs: 0 }, LEAD_RETRY_MS, atMs)
    if (next === null) break
    waits.push((next.getTime() - atMs) / 1000)
    atMs = next.getTime()
  }
  t.deepEqual(waits.slice(0, 9), [5, 30, 120, 600, 3_600, 21_600, 43_200, 43_200, 43_200])
  t.true(atMs - NOW.getTime() <= LEAD_TRIES_MS && atMs - NOW.getTime() > LEAD_TRIES_MS - 12 * HOUR_MS)
})

// [leads.fetching.4]
test('upstream that is throttled is not asked before it said, and longer waits of the schedule hold', (t) => {
  const next = (heldMs: number, tries = 0) =>
    (nextTryAt({ tries, since: NOW, heldMs }, LEAD_RETRY_MS, NOW.getTime())?.getTime() ?? 0) - NOW.getTime()
  t.is(next(90_000), 90_000)
  t.is(next(1_000), 5_000)
  t.is(next(1_000, 4), HOUR_MS)
  t.is(nextTryAt({ tries: 0, since: ago(LEAD_TRIES_MS), heldMs: 0 }, LEAD_RETRY_MS, NOW.getTime()), null)
})
