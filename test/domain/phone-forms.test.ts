import test from 'ava'
import { otherForms } from '../../src/domain/phone-forms.ts'

// [identities.identities.1]
test('numbers of Brazil, Mexico and Argentina have one other form, which leads back; others have none', (t) => {
  for (const [one, other] of [
    ['5511987654321', '551187654321'],
    ['525512345678', '5215512345678'],
    ['541123456789', '5491123456789'],
  ] as const) {
    t.deepEqual(otherForms(one), [other])
    t.deepEqual(otherForms(other), [one])
  }
  for (const digits of ['551132654321', '15551230001', '4915100000077', '5521', 'US.13491', '123456789012345@lid'])
    t.deepEqual(otherForms(digits), [], digits)
})
