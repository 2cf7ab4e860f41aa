import test from 'ava'
import fc from 'fast-check'
import { otherForms } from '../../src/domain/phone-forms.ts'

/** Numbers, and the other forms of each. */
const FORMS: readonly (readonly [digits: string, forms: readonly string[]])[] = [
  ['5511987654321', ['551187654321']],
  ['551187654321', ['5511987654321']],
  ['558591234567', ['5585991234567']],
  ['5547961234567', ['554761234567']],
  ['5531987654321', ['553187654321']],
  ['555187654321', ['5551987654321']],
  ['5571987654321', ['557187654321']],
  ['551123456789', []], // a landline
  ['5511923456789', []], // a mobile number of late: its eight digits alone are a landline
  ['551012345678', []], // no area of Brazil
  ['552087654321', []],
  ['5536987654321', []],
  ['555287654321', []],
  ['5572987654321', []],
  ['55119876543210', []],
  ['5511876543', []],
  ['525512345678', ['5215512345678']],
  ['5215512345678', ['525512345678']],
  ['521551234567', []], // ten digits that begin with 1 are no number of Mexico
  ['52551234567', []],
  ['52155123456789', []],
  ['541123456789', ['5491123456789']],
  ['5491123456789', ['541123456789']],
  ['5492202412345', ['542202412345']],
  ['54111523456789', []], // as it is dialled at home: no form of upstream
  ['541223456789', []], // no area of Argentina
  ['54112345678', []],
  ['546123456789', []],
  ['15550001000', []],
  ['442079460958', []],
  ['390669812345', []],
  ['', []],
  ['US.13491208655302741', []],
  ['123456789012345@lid', []],
]

// [identities.identities.1]
test('a number of Brazil, Mexico or Argentina has the forms in which the upstream may know it, and all others have none', (t) => {
  for (const [digits, forms] of FORMS) t.deepEqual(otherForms(digits), forms, digits)
})

const digitsOf = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const anyNumber = fc.oneof(
  fc.tuple(
    fc.constantFrom('55', '55119', '5511', '52', '521', '54', '549', '5411', '541115', '542215', '549381', '5422021'),
    fc.integer({ min: 5, max: 12 }).chain(digitsOf),
  ),
  fc.tuple(fc.constant(''), fc.integer({ min: 8, max: 15 }).chain(digitsOf)),
)

test('the form of a form leads back, and a number has one at most, of its own country', (t) => {
  let withForms = 0
  fc.assert(
    fc.property(anyNumber, ([front, rest]) => {
      const digits = `${front}${rest}`
      const forms = otherForms(digits)
      if (forms.length > 0) withForms++
      return (
        forms.length <= 1
        && forms.every(
          (form) => form !== digits && form.slice(0, 2) === digits.slice(0, 2) && otherForms(form).join() === digits,
        )
      )
    }),
    { numRuns: 5_000 },
  )
  t.true(withForms > 100, `${withForms} of the numbers had forms`)
})
