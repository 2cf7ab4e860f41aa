import test from 'ava'
import { personOf } from '../../src/domain/lead-person.ts'
import { readLeadPhone } from '../../src/domain/phone-reading.ts'

const answer = (key: string, ...values: string[]) => ({ key, values })
const question = (key: string, type: string, label = `What is ${key}?`) => ({ key, type, label })

// [leads.stored.1] [leads.stored.2] [leads.object.7]
test("the person is read by upstream's own keys, values as typed", (t) => {
  const person = personOf(
    [
      answer('email', ' Ana@Example.com '),
      answer('full_name', 'Ana  Lima 😀'),
      answer('phone_number', '(11) 98888-7777', 'x'),
    ],
    null,
  )
  t.deepEqual([person.fullName, person.email, person.phone], ['Ana  Lima 😀', ' Ana@Example.com ', '(11) 98888-7777'])
})

// [leads.stored.1] [leads.stored.2]
test('a key wins over the type of a question, a type over nothing, and a blank answer is none', (t) => {
  const questions = [
    question('quem', 'FULL_NAME'),
    question('correio', 'email'),
    question('fone', 'PHONE'),
    question('mobile', 'PHONE_NUMBER'),
  ]
  const byType = personOf(
    [answer('quem', 'Ana'), answer('correio', 'a@b.c'), answer('fone', '+551133334444')],
    questions,
  )
  t.deepEqual([byType.fullName, byType.email, byType.phone], ['Ana', 'a@b.c', '+551133334444'])
  const byKey = personOf(
    [answer('quem', 'Ana'), answer('full_name', 'Bea'), answer('email', ' '), answer('correio', 'a@b.c')],
    questions,
  )
  t.deepEqual([byKey.fullName, byKey.email, byKey.phone], ['Bea', 'a@b.c', null])
})

// [leads.stored.1]
test('first and last name are joined where no full name was asked', (t) => {
  t.is(personOf([answer('last_name', 'Lima'), answer('first_name', 'Ana')], null).fullName, 'Ana Lima')
  t.is(
    personOf(
      [answer('nome', 'Ana'), answer('apelido', 'Lima')],
      [question('apelido', 'LAST_NAME'), question('nome', 'FIRST_NAME')],
    ).fullName,
    'Ana Lima',
  )
  t.is(personOf([answer('last_name', 'Lima')], null).fullName, 'Lima')
  t.is(personOf([answer('city', 'Rio')], null).fullName, null)
})

// [leads.stored.3] [leads.stored.4] [leads.object.8]
test('every answer is kept in order under the text of its question, or its key where that is not known', (t) => {
  const answers = [answer('b', 'two', 'three'), answer('a', '\n \t'), answer('b', 'again'), answer('c')]
  t.deepEqual(personOf(answers, [question('b', 'CUSTOM', 'Which?'), question('a', 'CUSTOM', '')]).fields, [
    { key: 'b', label: 'Which?', values: ['two', 'three'] },
    { key: 'a', label: 'a', values: ['\n \t'] },
    { key: 'b', label: 'Which?', values: ['again'] },
    { key: 'c', label: 'c', values: [] },
  ])
})

// [leads.stored.8]
test('a phone number is read as of the country of the channel number unless it has a plus', (t) => {
  const read = (typed: string, home = '5511999990000') => readLeadPhone(typed, home)
  t.is(read('+49 (151) 1234-5678'), '4915112345678')
  t.is(read('(11) 98888-7777'), '5511988887777')
  t.is(read('011 98888 7777'), '5511988887777', 'a trunk prefix goes')
  t.is(read('5511988887777'), '5511988887777', 'with its country and no plus')
  t.is(read('0151 12345678', '493012345678'), '4915112345678')
  t.is(read('00 49 151 12345678', '33612345678'), '4915112345678', 'dialled as abroad')
  t.is(read('(555) 010-0000', '15550001111'), '15550100000', 'countries share the code')
  t.is(read('٠١١٩٨٨٨٨٧٧٧٧'), '5511988887777', 'digits of another script')
})

test('00 and a country is read as that country, also where a carrier belongs behind 00, and never as a stranger of a third one', (t) => {
  const read = (typed: string, home = '5511999990000') => readLeadPhone(typed, home)
  t.is(read('0055 11 98888-7777'), '5511988887777', 'and not +1 198 888 8777')
  t.is(read('00 49 151 12345678'), '4915112345678')
  t.is(read('0021 55 11 98888 7777'), '5511988887777', 'with a carrier')
  t.is(read('0055 11 98888-7777', '14155550100'), '5511988887777')
  t.is(read('0011 65 6323 4567', '61412345678'), '6563234567', 'what is dialled at home comes first')
  t.is(read('0000 11 98888 7777'), null, 'no country is made up')
})

test('a text that cannot be a phone number is read as none', (t) => {
  for (const typed of [
    'call me',
    '12',
    '+12',
    '4915112345678',
    '',
    '  ',
    '+55 11 call',
    'a'.repeat(5_000),
    '1'.repeat(5_000),
    'tel: 11 98888-7777 please',
  ]) {
    t.is(readLeadPhone(typed, '5511999990000'), null, typed.slice(0, 20))
  }
  t.is(readLeadPhone('98888-7777', '999123456789'), null, 'a channel number of no country')
})
