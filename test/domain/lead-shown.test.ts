import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { leadEvent, leadFields, leadNotice, NO_PERSON, redacted } from '../../src/domain/lead-shown.ts'
import type { Lead } from '../../src/domain/lead.ts'
import { isWithheld, readRetention } from '../../src/domain/retention.ts'
import type { Retention } from '../../src/domain/retention.ts'

const AT = Date.UTC(2026, 0, 10, 12)
const DAY_MS = 86_400_000

const LEAD: Lead = {
  id: newId('lead'),
  leadgenId: '12345678901234567890',
  tenantId: newId('ten'),
  channelNumberId: newId('num'),
  pageId: '1',
  pageName: 'Acme',
  formId: '2',
  formName: null,
  adId: '3',
  adName: 'Ad',
  adsetName: 'Set',
  campaignName: 'Campaign',
  platform: 'ig',
  isOrganic: false,
  fullName: 'Ada',
  email: 'ada@example.com',
  phone: '+49 151',
  fields: [{ key: 'full_name', label: 'Name', values: ['Ada'] }],
  consentGiven: true,
  conversationId: newId('conv'),
  autoSendStatus: 'sent',
  autoSendReason: null,
  autoSendMessageId: newId('msg'),
  source: 'webhook',
  isRedacted: false,
  namesResolvedAt: new Date(AT),
  createdAt: new Date(AT),
  receivedAt: new Date(AT),
}
const FOREVER: Retention = { piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }
const RELAY: Retention = { piiMode: 'RELAY_ONLY', piiRetentionDays: null }
const WEEK: Retention = { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 }
const CLOSES = AT + 7 * DAY_MS

// [leads.privacy.3] [leads.object.12] [leads.object.7] [leads.object.8] [leads.object.11]
test('a redacted lead loses its person and keeps all else, field by field', (t) => {
  const shown = leadFields(redacted(LEAD, RELAY, AT))
  t.deepEqual(shown, { ...leadFields(LEAD), fullName: null, email: null, phone: null, fields: [], redacted: true })
  t.deepEqual(Object.keys(NO_PERSON).toSorted(), ['email', 'fields', 'fullName', 'phone'])
})

// [leads.privacy.2]
test('a lead is redacted by its mode from the moment the window closes, and not a millisecond before', (t) => {
  const isShown = (retention: Retention | null, nowMs: number, lead = LEAD) =>
    !redacted(lead, retention, nowMs).isRedacted
  t.deepEqual(
    [FOREVER, WEEK, RELAY].map((retention) => isShown(retention, AT)),
    [true, true, false],
  )
  t.deepEqual(
    [CLOSES, CLOSES + 1].map((nowMs) => isShown(WEEK, nowMs)),
    [true, false],
  )
  t.true(isShown(FOREVER, CLOSES + 10_000 * DAY_MS))
  const stripped = { ...LEAD, ...NO_PERSON, isRedacted: true }
  for (const retention of [FOREVER, WEEK, null])
    t.deepEqual(redacted(stripped, retention, AT), stripped, 'one stored so stays so')
  t.true(isShown(null, CLOSES + DAY_MS), 'a mode that cannot be read withholds nothing')
})

// [leads.privacy.4]
test('the notice says why: on RELAY_ONLY always, on a window only when something shown is redacted, else never', (t) => {
  const [whole, withheld] = [LEAD, { ...LEAD, isRedacted: true }]
  const notices = (retention: Retention | null) =>
    [[], [whole], [whole, withheld]].map((leads) => leadNotice(retention, leads))
  t.deepEqual(notices(RELAY), ['PII_RELAY_ONLY', 'PII_RELAY_ONLY', 'PII_RELAY_ONLY'])
  t.deepEqual(notices(WEEK), [null, null, 'PII_RETENTION_WINDOW'])
  t.deepEqual(notices(FOREVER), [null, null, null])
  t.deepEqual(notices(null), [null, null, null])
})

// [leads.event.3] [leads.event.4]
test('the event is the lead as a read shows it, and on RELAY_ONLY it carries the person all the same', (t) => {
  const person = { fullName: LEAD.fullName, email: LEAD.email, phone: LEAD.phone, fields: LEAD.fields }
  const stored = { ...LEAD, ...NO_PERSON, isRedacted: true }
  const event = (lead: Lead, retention: Retention, nowMs = AT) => leadEvent(lead, person, retention, nowMs)
  t.deepEqual(event(LEAD, FOREVER), { event: 'lead.received', data: leadFields(LEAD) })
  t.deepEqual(event(stored, WEEK, CLOSES + 1).data, leadFields(stored))
  t.deepEqual(event(stored, RELAY).data, { ...leadFields(LEAD), redacted: true })
  t.deepEqual(JSON.parse(JSON.stringify(event(LEAD, FOREVER))), event(LEAD, FOREVER))
})

test('a mode nobody knows, and a window without its days, cannot be read', (t) => {
  for (const piiMode of ['', 'store_indefinite', 'STORE', 'constructor', 'STORE_X_DAYS'])
    t.is(readRetention({ piiMode, piiRetentionDays: null }), null, piiMode)
  for (const retention of [FOREVER, RELAY, WEEK]) t.deepEqual(readRetention(retention), retention)
  t.true(isWithheld({ piiMode: 'STORE_X_DAYS', piiRetentionDays: null }, new Date(AT), AT), 'and would withhold')
})

// [leads.object.1]
test('a lead is shown with where it came from, the person and what became of it', (t) => {
  const { tenantId: _, isRedacted: redacted, createdAt, receivedAt, ...same } = LEAD
  const times = { createdAt: createdAt.toISOString(), receivedAt: receivedAt.toISOString() }
  const at = new Date(AT)
  t.deepEqual(leadFields({ ...LEAD, namesResolvedAt: at }), {
    ...same,
    ...times,
    redacted,
    namesResolvedAt: at.toISOString(),
  })
  t.is(leadFields({ ...LEAD, namesResolvedAt: null }).namesResolvedAt, null)
})
