import test from 'ava'
import fc from 'fast-check'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { digitsToFind, phoneDigits, plainText, readLeadPhone, readPhone } from '../../src/domain/phone-reading.ts'

/** Numbers as people paste them, and the digits that they mean. */
const PASTED: readonly (readonly [typed: string, digits: string])[] = [
  ['+1 555\u2011000\u20111000', '15550001000'], // non-breaking hyphens
  ['+1 555–000—1000', '15550001000'],
  ['+1 555−000−1000', '15550001000'], // minus signs
  ['\u202A+1 555 000 1000\u202C', '15550001000'], // bidi marks
  ['\u2066+1\u00A0555\u202F000\u20091000\u2069\n', '15550001000'],
  ['15550001\u200B000', '15550001000'], // a zero-width space
  ['\uFEFF+1 555 000\u00AD1000', '15550001000'],
  ['＋１５５５０００１０００', '15550001000'],
  ['＋１（５５５）０００－１０００', '15550001000'],
  ['+١٥٥٥٠٠٠١٠٠٠', '15550001000'],
  ['+۱۵۵۵۰۰۰۱۰۰۰', '15550001000'],
  ['+१५५५०००१०००', '15550001000'],
  ['0015550001000', '15550001000'],
  ['00 49 (0)151 1234-5678', '4915112345678'],
  ['+44 (0)20 7946 0958', '442079460958'],
  ['+44( 0 )20.7946.0958', '442079460958'],
  ['44 (0)20 7946 0958', '442079460958'],
  ['+44 020 7946 0958', '442079460958'],
  ['(+44) 20 7946 0958', '442079460958'],
  ['+49 (0)151/12345678', '4915112345678'],
  ['+34 (0)912 345 678', '34912345678'], // a country without a leading zero
  ['+39 06 698 12345', '390669812345'], // Italy keeps its leading zero
  ['+39 (0)6 698 12345', '390669812345'],
  ['tel:+1-555-000-1000', '15550001000'],
  ['1\uFE0F555\u034F000\u31641000', '15550001000'], // a variation selector, a joiner and a filler
  ['+81 90ー1234ー5678', '819012345678'], // the long vowel mark of kana
  ['+81［90］1234－5678', '819012345678'],
  ['+55 (0)11 98888-7777', '5511988887777'],
  ['+55 011 98888-7777', '5511988887777'],
  ['+55 015 11 98888-7777', '5511988887777'], // a zero and a carrier code
  ['+54 011 15 1234-5678', '5491112345678'], // Argentina: mobile numbers have another form at home
  ['+36 06 20 123 4567', '36201234567'], // Hungary: 06 takes the place of the zero
  ['+225 07 01 23 45 67', '2250701234567'], // Ivory Coast keeps its leading zero
  ['5215512345678', '5215512345678'], // the upstream's own form, whatever a table of numbers says
  ['999123456789', '999123456789'],
  ['+1【555】000・1000', '15550001000'],
  ['⁺1{555}000⋅1000', '15550001000'],
  ['+44 020 7946 095', '44207946095'], // shorter than those of its tables, of a length that the country has
  ['44 0 20 7946 0958', '442079460958'],
  ['+7 8 495 123-45-67', '74951234567'], // Russia dials 8 at home
  ['541115 1234-5678', '5491112345678'],
  ['5491112345678', '5491112345678'],
  ['551188887777', '551188887777'], // the upstream's form without the ninth digit
  ['0052 1 55 1234 5678', '5215512345678'],
  ['0034 (0)912 345 678', '34912345678'],
  ['34 (0)912 345 678', '34912345678'],
  ['+44 (0)20 7946 095', '44207946095'], // no assigned one, and its country drops the zero
]

test('numbers with typographic dashes, invisible marks, digits of other scripts, 00 or (0) are the number that is meant', (t) => {
  for (const [typed, digits] of PASTED) t.is(phoneDigits(typed), digits, JSON.stringify(typed))
})

test('[identities.digits.3] a number of more or fewer digits than its country has is none, and is found all the same', (t) => {
  for (const typed of [
    '12345678',
    '+1 555 000 10000',
    '55119876543210',
    '+34 0912 345 678',
    '+65 0 6123 4567',
    '0044 20 7946 09580',
    '+55 0 11 98888 77777',
    '+52 044 55 1234 5678',
    '430000000',
    '+7 8 195 123-45-67', // Russia dials 8 at home, but what is behind it is no assigned number
  ]) {
    const { digits, fault, problem } = readPhone(typed)
    t.deepEqual([digits, fault], [null, 'form'], typed)
    t.regex(problem ?? '', /too many or too few digits/, typed)
    t.is(phoneDigits(typed), typed.replaceAll(/\D/g, '').replace(/^00/, ''))
  }
})

const anyDigits = fc.stringMatching(/^[1-9]\d{7,14}$/)

test('[identities.digits.1] [identities.digits.2] marks between digits change nothing, nor does how the country is dialled', (t) => {
  const mark = fc.constantFrom('', '', ' ', '\u00a0', '-', '\u2011', '–', '.', '\u200e', '\u202a', '\u2060', '\ufeff')
  const zeros = fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0xff10)
  t.notThrows(() =>
    fc.assert(
      fc.property(anyDigits, fc.array(mark, { minLength: 15, maxLength: 15 }), zeros, (digits, marks, zero) => {
        const read = readPhone(digits).digits
        const written = [...digits].map((digit, at) => String.fromCodePoint(zero + Number(digit)) + marks[at]).join('')
        const dialled = readPhone(`00${digits}`).digits
        return (
          readPhone(written).digits === read
          && readPhone(`+${written}`).digits === read
          && (dialled === read || dialled === null)
          && (read === null || (!read.startsWith('0') && readPhone(read).digits === read))
        )
      }),
      { numRuns: 2_000 },
    ),
  )
})

test('a text that may mean another number is refused in words, and no number begins with 0', (t) => {
  for (const typed of [
    '020 7946 0958',
    '０２０ ７９４６ ０９５８',
    '+0 20 7946 0958',
    '+0015550001000',
    '0000 15550001000',
    '00 999 12345678',
    '001 555',
  ]) {
    const { digits, problem } = readPhone(typed)
    t.is(digits, null, typed)
    t.regex(problem ?? '', /country code, which never begins with 0|8 to 15 digits/, typed)
  }
  t.deepEqual(
    ['1234567', '020 7946 0958', '+1 (0) 555 000 1000', '+15550001000'].map((typed) => readPhone(typed).fault),
    ['form', 'country', 'zero', undefined],
    'pages say it in their own words',
  )
  // The zero may belong to the number, or the country is not known.
  for (const typed of ['+1 (0) 555 000 1000', '+65 (0)123 456 789', '+999 (0)12345678'])
    t.regex(readPhone(typed).problem ?? '', /without the zero that is dialled at home/, typed)
  for (const typed of [
    '',
    '+',
    '1234567',
    '1'.repeat(16),
    '1'.repeat(5_000),
    `+1 555 000 1000 ${'\u200B'.repeat(200)}`,
    '9991234567890123', // a country that no table knows
    '+1tel:5550001000',
    '1 (+555) 000 1000',
    '+1 555 000 1000 ext 5',
    '+15550001000 / +15550001001',
    '+1 555 000 1000/1001',
    '15550001000 / 1',
    '+81 90 1234 5678〜9',
    '+1 555 000 1000~1',
    '+1 555 000 1000 ～ 1001',
    '15550001000\n15550001001',
    '1555000100²',
    '1555000①000',
    'US.1349',
  ]) {
    t.deepEqual(
      readPhone(typed),
      { digits: null, fault: 'form', problem: 'must be a phone number of 8 to 15 digits with its country code' },
      typed.slice(0, 40),
    )
  }
})

test('[identities.digits.1] a number is written in ASCII with its spaces and punctuation, whatever they were', (t) => {
  for (const [typed, text] of [
    ['15550001000', '15550001000'],
    ['+1\u00A0555\t000\u30001000', '+1 555 000 1000'],
    ['1–555−000ー1000', '1-555-000-1000'],
    ['＋1 555﹣0001000', '+1 555-0001000'],
    ['⁺15550001000', '+15550001000'],
    ['【555】000［1］000', '(555)000(1)000'],
    ['1・555·000•1000', '1.555.000.1000'],
    ['030／12345678', '030/12345678'],
    ['030⁄12345678', '030/12345678'],
    ['(+44 20) 7946 0958', '+44 20 7946 0958'],
    ['TEL: +1 555', '+1 555'],
    ['٠１９', '019'],
    [' '.repeat(189) + '15550001000', '15550001000'],
    [' '.repeat(190) + '15550001000', null],
    ['1'.repeat(200), '1'.repeat(200)],
    ['1'.repeat(201), null],
    ['030／1234', null],
  ] as const)
    t.is(plainText(typed), text, JSON.stringify(typed))
})

test('a number is looked for by the digits it is kept under, whatever part of it was pasted', (t) => {
  for (const [typed] of PASTED) t.is(digitsToFind(typed), phoneDigits(typed) ?? '', JSON.stringify(typed))
  for (const [part, digits] of [
    ['020 7946', '207946'],
    ['(0)20', '20'],
    ['0044 20', '4420'],
    ['+44 (0)20', '4420'],
    ['7946‑09', '794609'],
    ['٧٩٤٦', '7946'],
    ['Ann', ''],
    ['', ''],
    ['7946 ext 5', ''],
  ] as const)
    t.is(digitsToFind(part), digits, part)
})

test('the ten digits of every script stand side by side, as the reader takes for granted', (t) => {
  let run = 0
  const broken: string[] = []
  for (let point = 0; point < 0x11_00_00; point++) {
    if (/^\p{Nd}$/u.test(String.fromCodePoint(point))) run++
    else {
      if (run % 10 !== 0) broken.push(point.toString(16))
      run = 0
    }
  }
  t.deepEqual(broken, [])
})

test('a lead types as people do: the same marks, dashes and scripts', (t) => {
  const read = (typed: string) => readLeadPhone(typed, '5511999990000')
  t.is(read('\u202A(11) 98888‑7777\u202C'), '5511988887777')
  t.is(read('（１１）９８８８８－７７７７'), '5511988887777')
  t.is(read('+44 (0)20 7946 0958'), '442079460958')
  t.is(read('\u200E+1 555–000–1000'), '15550001000')
  t.is(read('+020 7946 0958'), null)
  t.is(read('(11) 98888ー7777'), '5511988887777')
  t.is(read('(11) 98888-7777〜8'), null, 'two numbers')
})

// [leads.stored.8]
test('a number of another country is taken of a lead as it is dialled abroad, if it is an assigned one', (t) => {
  for (const [typed, channel, digits] of [
    ['0044 20 7946 0958', '12125550100', '442079460958'], // 00 in place of the 011 of that country
    ['011 44 20 7946 0958', '12125550100', '442079460958'],
    ['011 44 20 7946 095', '12125550100', null],
    ['0044 20 7946 0958', '5511999990000', '442079460958'], // no carrier code of Brazil
    ['0044 20 7946 095', '34912345678', null],
    ['1144 20 7946 0958', '5511999990000', null], // nothing is dialled abroad with 11
    ['0034 912 345 678', '34912345678', '34912345678'],
    ['20 7946 095', '442079460000', '44207946095'], // at home the length is enough
    ['512 345 6789', '15550001000', '15123456789'], // a channel number whose country the tables cannot tell
    ['1', '5511999990000', null],
    ['001', '5511999990000', null],
    ['(11) 98888-7777', '999123456', null],
    ['Ann', '5511999990000', null],
  ] as const)
    t.is(readLeadPhone(typed, channel), digits, `${typed} at ${channel}`)
})

test('a `00` that is dialled for `+` is one however it is written apart', (t) => {
  for (const front of ['0044', '(0044)', '0 044', '(00) 44', '00-44']) {
    t.deepEqual(readPhone(`${front} 20 7946 0958`), { digits: '442079460958' }, front)
    t.is(readLeadPhone(`${front} 20 7946 0958`, '12125550100'), '442079460958', front)
    // A digit more than its country has.
    for (const find of [phoneDigits, digitsToFind]) t.is(find(`${front} 20 7946 09580`), '4420794609580', front)
  }
})

/** Calling codes of satellites and of shared-cost numbers, and two that nobody has. */
const SHARED = ['800', '808', '870', '878', '881', '882', '883', '888', '979', '999', '210']
const CODES = [...new Set([...getCountries().map((country) => String(getCountryCallingCode(country))), ...SHARED])]
/** What stands in front of some numbers at home, and begins others for good. */
const FRONTS = ['', '0', '1', '8', '9', '00', '01', '06', '15', '44', '015', '0549', '90', '254', '684', '11', '911']

test('a number of digits alone is read as the same one with a space in it, whatever its country', (t) => {
  for (const code of CODES)
    fc.assert(
      fc.property(
        fc.constantFrom(...FRONTS),
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 14 }),
        fc.boolean(),
        (front, rest, hasPlus) => {
          const national = `${front}${rest.join('')}`
          const [start, spaced] = [hasPlus ? '+' : '', `${code} ${national}`]
          t.deepEqual(readPhone(`${start}${code}${national}`), readPhone(`${start}${spaced}`), spaced)
        },
      ),
      { numRuns: 60 },
    )
})

test('forms of one number are each read as they are typed', (t) => {
  const typed = ['5511988887777', '551188887777', '5215512345678', '525512345678', '5491112345678', '390669812345']
  for (const digits of [...typed, '15550001000', '77012345678', '79161234567', '442079460958', '870773111632'])
    for (const one of [digits, `+${digits}`]) t.deepEqual(readPhone(one), { digits })
})
