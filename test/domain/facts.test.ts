import test from 'ava'
import { EVENT_NAMES, eventFacts, isEventName, LAST_EVENTS } from '../../src/domain/events.ts'
import {
  factsOf,
  isAccountField,
  isNative,
  isNumberField,
  NATIVE_FIELDS,
  UPSTREAM_FIELDS,
  type UpstreamField,
} from '../../src/domain/upstream-fields.ts'
import { canEmit, isSubscribable, isSubscribed } from '../../src/domain/webhook.ts'

const FIELDS = Object.keys(UPSTREAM_FIELDS) as UpstreamField[]
const STRANGE = ['', '*', 'field_of_2030', 'constructor', '__proto__', 'toString']

// [events.native.4] [events.native.5]
test('23 upstream fields are forwarded and nine are not, as the specification counts them', (t) => {
  t.is(NATIVE_FIELDS.length, 23)
  t.deepEqual(NATIVE_FIELDS, NATIVE_FIELDS.toSorted())
  t.deepEqual(
    FIELDS.filter((field) => !isNative(field)),
    [
      'account_alerts',
      'automatic_events',
      'history',
      'messaging_handovers',
      'partner_solutions',
      'security',
      'smb_app_state_sync',
      'standby',
      'tracking_events',
    ],
  )
  const namedFirst = [
    'calls',
    'flows',
    'message_echoes',
    'messages',
    'payment_configuration_update',
    'phone_number_quality_update',
    'user_preferences',
  ]
  t.deepEqual(namedFirst.filter(isNative), namedFirst)
})

test('numbers read calls, messages and echoes, accounts what tells of limits, templates, Flows and terms, and nobody the rest', (t) => {
  t.deepEqual(FIELDS.filter(isNumberField), ['calls', 'message_echoes', 'messages', 'smb_message_echoes'])
  t.deepEqual(FIELDS.filter(isAccountField), [
    'account_update',
    'business_capability_update',
    'flows',
    'message_template_components_update',
    'message_template_quality_update',
    'message_template_status_update',
    'phone_number_quality_update',
    'template_category_update',
    'template_correct_category_detection',
  ])
  for (const name of STRANGE)
    t.deepEqual([factsOf(name), isNative(name), isNumberField(name), isAccountField(name)], [null, false, false, false])
})

// [leads.privacy.9]
test('privacy withholds every event of messages and leads, ours and upstream’s, and no other', (t) => {
  t.deepEqual(
    EVENT_NAMES.filter((name) => eventFacts(name).tellsOfPerson),
    EVENT_NAMES.filter((name) => name.startsWith('message.') || name === 'lead.received'),
  )
  t.deepEqual(
    EVENT_NAMES.filter((name) => eventFacts(name).isErasable),
    ['lead.received'],
  )
  t.deepEqual(
    FIELDS.filter((field) => factsOf(field)?.tellsOfPerson),
    ['message_echoes', 'messages', 'smb_message_echoes'],
  )
})

test('a removed number tells of its end and of what ended with it', (t) => {
  t.deepEqual(LAST_EVENTS.toSorted(), ['call.ended', 'message.failed', 'number.removed'])
})

test('no event has the name of an upstream field, so that a stored name says which it is', (t) => {
  t.deepEqual(
    EVENT_NAMES.filter((name) => factsOf(name) !== null),
    [],
  )
  t.deepEqual(STRANGE.filter(isEventName), [])
  t.deepEqual([...STRANGE, ...FIELDS.filter((field) => !isNative(field))].filter(isSubscribable), ['*'])
})

// [events.native.1] [leads.event.1] [events.subscription.4]
test('each kind of number emits its own events and those of both', (t) => {
  const both = EVENT_NAMES.filter((name) => canEmit('OFFICIAL', name) && canEmit('UNOFFICIAL', name))
  const official = EVENT_NAMES.filter((name) => !canEmit('UNOFFICIAL', name))
  const unofficial = EVENT_NAMES.filter((name) => !canEmit('OFFICIAL', name))
  t.deepEqual(official, ['message.reply', 'call.permission_updated'])
  t.deepEqual(unofficial, [
    'message.received',
    'message.revoked',
    'message.group',
    'message.newsletter',
    'message.stories',
    'message.poll_vote',
  ])
  t.is(both.length, EVENT_NAMES.length - official.length - unofficial.length)
  for (const field of NATIVE_FIELDS)
    t.deepEqual([canEmit('OFFICIAL', field), canEmit('UNOFFICIAL', field)], [true, false])
})

// [events.subscription.1] [events.subscription.2] [events.subscription.3] [leads.event.1]
test('a star covers all but what must be listed by name', (t) => {
  for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const uncovered = [...EVENT_NAMES, ...NATIVE_FIELDS].filter((name) => !isSubscribed(['*'], name, kind))
    t.deepEqual(uncovered, [
      ...(kind === 'OFFICIAL' ? ['message.reply' as const] : []),
      'lead.received',
      'webhook.test',
    ])
    for (const name of uncovered) t.true(isSubscribed(['*', name], name, kind))
  }
})
