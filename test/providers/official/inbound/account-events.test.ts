import test from 'ava'
import { UPSTREAM_FIELDS } from '../../../../src/domain/upstream-fields.ts'
import { readAccountEvents } from '../../../../src/providers/official/inbound/account-events.ts'

test('the fields that tell of messaging limits may raise a tier, whatever they say', (t) => {
  for (const value of ['{}', 'null', '{"event":"DOWNGRADE"}']) {
    const raising = Object.keys(UPSTREAM_FIELDS).filter((field) => readAccountEvents(field, value).some(({ type }) => type === 'limitsMayHaveRisen'))
    t.deepEqual(raising, ['business_capability_update', 'phone_number_quality_update'])
  }
})

test('other fields say nothing of accounts', (t) => {
  for (const field of ['messages', 'account_update', 'field_of_2030', 'constructor', '']) t.deepEqual(readAccountEvents(field, '{}'), [])
})
