import test from 'ava'
import { UPSTREAM_FIELDS } from '../../../../src/domain/upstream-fields.ts'
import { readAccountEvents } from '../../../../src/providers/official/inbound/account-events.ts'

test('the fields that tell of messaging limits may raise a tier, whatever they say', (t) => {
  for (const value of ['{}', 'null', '{"event":"DOWNGRADE"}']) {
    const raising = Object.keys(UPSTREAM_FIELDS).filter((field) =>
      readAccountEvents(field, value).some(({ type }) => type === 'limitsMayHaveRisen'),
    )
    t.deepEqual(raising, ['business_capability_update', 'phone_number_quality_update'])
  }
})

test('other fields say nothing of accounts', (t) => {
  for (const field of ['messages', 'account_update', 'field_of_2030', 'constructor', ''])
    t.deepEqual(readAccountEvents(field, '{}'), [])
})

// [message-verbs.delivery.6]
test('of the news of an account, signed terms of marketing messages are used, with the account they are of', (t) => {
  const signed = (info: object) =>
    readAccountEvents('account_update', JSON.stringify({ event: 'MM_LITE_TERMS_SIGNED', ...info }))
  const accountId = '102290129340398'
  for (const id of [accountId, Number(accountId)])
    t.deepEqual(signed({ waba_info: { waba_id: id, owner_business_id: '7' } }), [
      { type: 'marketingSigned', accountId },
    ])
  for (const info of [{}, { waba_info: null }, { waba_info: { waba_id: {} } }])
    t.deepEqual(signed(info), [{ type: 'marketingSigned', accountId: null }])
  for (const value of ['null', '[]', '{"event":"VERIFIED_ACCOUNT","waba_info":{"waba_id":"1"}}', '{"event":7}', '{'])
    t.deepEqual(readAccountEvents('account_update', value), [], value)
})

const TEMPLATE = { message_template_name: 'order_sent', message_template_language: 'en-US' }

/** The events of a value in which the id is inserted as written. */
function told(field: string, id: string, more: Readonly<Record<string, unknown>> = {}) {
  return readAccountEvents(field, `{"message_template_id":${id},${JSON.stringify({ ...TEMPLATE, ...more }).slice(1)}`)
}

for (const [field, kind] of [
  ['message_template_status_update', 'STATUS'],
  ['message_template_quality_update', 'QUALITY'],
  ['message_template_components_update', 'COMPONENTS'],
  ['template_category_update', 'CATEGORY'],
  ['template_correct_category_detection', 'CORRECT_CATEGORY'],
] as const) {
  test(`${field} tells of a template, its id whole`, (t) => {
    for (const id of ['12345678901234567890', '"12345678901234567890"', '9007199254740993']) {
      const externalId = id.replaceAll('"', '')
      t.deepEqual(told(field, id, { event: 'EVENT_OF_2030', n: 7, rate: 0.5 }), [
        {
          type: 'templateTold',
          kind,
          ref: { externalId, name: 'order_sent', language: 'en-US' },
          value: { ...TEMPLATE, message_template_id: externalId, event: 'EVENT_OF_2030', n: 7, rate: 0.5 },
        },
      ])
    }
    t.like(told(field, '42')[0], { ref: { externalId: '42' } })
  })
}

test('without a valid id a template is found by name and language', (t) => {
  for (const id of ['1.5', '-12345678901234567890', '12345678901234567890.5', '1e30', 'null', '"order"', '{}', '0']) {
    t.like(
      told('message_template_status_update', id)[0],
      { ref: { externalId: null, name: 'order_sent', language: 'en-US' } },
      id,
    )
  }
})

test('a template change that names no template is ignored, and no form of a change makes the reader throw', (t) => {
  const deep = `{"message_template_id":12345678901234567890,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  for (const value of [
    'null',
    '[]',
    '{}',
    '7',
    '""',
    'no json',
    '{"event":"APPROVED"}',
    '{"__proto__":{"message_template_name":"x"}}',
    deep,
  ]) {
    t.deepEqual(readAccountEvents('message_template_status_update', value), [], value.slice(0, 40))
  }
})
