import test from 'ava'
import { isPlainlyPossible } from '../../src/domain/phone-lengths.ts'
import { maskNumber, toDigits, toE164 } from '../../src/domain/phone.ts'

// [rest.phones.1] [rest.phones.2]
test('a number is kept as its 8 to 15 digits, without plus, spaces and punctuation', (t) => {
  for (const [text, digits] of [
    ['+55 (11) 99999-0001', '5511999990001'],
    ['\t55.11/99999\u00A00001\n', '5511999990001'],
    ['12345678', '12345678'],
    ['1234567', null],
    ['123456789012345', '123456789012345'],
    ['1234567890123456', null],
    ['tel +5511999990001', null],
    ['x5511999990001', null],
    ['5511999990001 ext', null],
    ['5511999990001@lid', null],
    ['55+11999990001', null],
    ['++5511999990001', null],
    ['', null],
  ] as const)
    t.is(toDigits(text), digits, JSON.stringify(text))
  t.is(toE164('5511999990001'), '+5511999990001')
})

// [pairing.routes.1]
test('a masked number shows its last four digits, and how many there are', (t) => {
  t.deepEqual(['5511999990001', '12345', '1234', '12', ''].map(maskNumber), [
    '*********0001',
    '*2345',
    '1234',
    '12',
    '',
  ])
})

// [identities.digits.3]
test('a number is plainly possible at a length of all countries of its code, with nothing in front', (t) => {
  for (const [digits, isPlain] of [
    ['15550001000', true],
    ['1555000100', false],
    ['155500010001', false],
    ['442079460958', true],
    ['44207946095', false], // some countries of the code have no numbers of nine digits
    ['440794609581', false], // the zero is dialled at home
    ['74951234567', true],
    ['78951234567', false], // Russia dials 8 at home
    ['34912345678', true], // a country that dials nothing in front
    ['3491234567', false],
    ['351912345678', true],
    ['3511912345678', false],
    ['5491112345678', true], // what is dialled at home in Argentina may be nothing
    ['54111512345678', false],
    ['541115123456', false], // an area code with 15 behind it
    ['870773111632', true], // a satellite: its code is no country's
    ['87077311163', false],
    ['999123456789', false], // a code that nobody has
    ['55', false],
    ['', false],
  ] as const)
    t.is(isPlainlyPossible(digits), isPlain, digits)
})
