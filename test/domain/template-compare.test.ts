import test from 'ava'
import { isAsSubmitted } from '../../src/domain/template-compare.ts'
import type { Fields } from '../../src/domain/json-fields.ts'

const BODY = { type: 'BODY', text: 'Hello {{1}}.' }

/** Whether both sides show the same, whichever is submitted. */
function areSame(one: readonly Fields[], other: readonly Fields[], isOtp = false): boolean {
  const there = isAsSubmitted(one, other, isOtp)
  if (there !== isAsSubmitted(other, one, isOtp)) throw new Error('it depends on the side')
  return there
}

const buttons = (...all: readonly Fields[]): Fields[] => [{ type: 'BUTTONS', buttons: all }]

// [templates.import.4]
test('texts are compared without outer white space, components in any order and in any case of their types', (t) => {
  t.true(
    areSame(
      [BODY, { type: 'FOOTER', text: 'Bye' }],
      [
        { type: 'footer', text: ' Bye\n' },
        { ...BODY, type: 'Body ' },
      ],
    ),
  )
  t.false(areSame([BODY], [{ ...BODY, text: 'Hello {{1}}!' }]))
  t.false(areSame([BODY], [{ ...BODY, text: 'hello {{1}}.' }]))
  t.false(areSame([{ type: 'FOOTER', text: 'Bye' }], [{ type: 'FOOTER', text: 'Good-bye' }]))
  t.false(areSame([BODY], [BODY, { type: 'FOOTER', text: 'Bye' }]))
  t.false(areSame([BODY], []))
  t.true(areSame([{ type: 'BODY' }], [{ type: 'BODY', text: 7 }]), 'neither has a text')
  t.false(areSame([{ type: 'ODD' }], [{ type: 'ODDER' }]))
  t.true(areSame([{ type: 'ODD', text: 'a' }], [{ type: 'ODD', text: 'b' }]))
  t.true(areSame([{}], [{ type: 5 }]))
})

test('samples are left out, and of a header with a file the file is', (t) => {
  t.true(areSame([BODY], [{ ...BODY, example: { body_text: [['Ana']] } }]))
  const header = (fields: Fields) => [{ type: 'HEADER', ...fields }]
  t.true(areSame(header({ format: 'IMAGE', example: { header_handle: ['4::a'] } }), header({ format: 'image' })))
  t.true(areSame(header({ format: 'IMAGE', text: 'a' }), header({ format: 'IMAGE', text: 'b' })))
  t.false(areSame(header({ format: 'IMAGE' }), header({ format: 'VIDEO' })))
  t.true(areSame(header({ format: 'TEXT', text: 'Hi ' }), header({ format: ' text', text: 'Hi' })))
  t.false(areSame(header({ format: 'TEXT', text: 'Hi' }), header({ format: 'TEXT', text: 'Ho' })))
})

test('of AUTHENTICATION upstream writes the texts, and the choices count', (t) => {
  const body = (text: string, add_security_recommendation?: boolean) => [
    { type: 'BODY', text, ...(add_security_recommendation === undefined ? {} : { add_security_recommendation }) },
  ]
  t.true(areSame(body('{{1}}'), body('Your code is {{1}}.'), true))
  t.false(areSame(body('{{1}}'), body('Your code is {{1}}.')))
  t.false(areSame(body('a', true), body('a'), true))
  t.true(areSame(body('a', true), body('b', true), true))
  t.true(areSame(body('a', false), body('a'), true))
  const footer = (fields: Fields) => [{ type: 'FOOTER', ...fields }]
  t.true(areSame(footer({ code_expiration_minutes: 5 }), footer({ code_expiration_minutes: 5, text: 'x' }), true))
  t.false(areSame(footer({ code_expiration_minutes: 5 }), footer({ code_expiration_minutes: 6 }), true))
  t.true(areSame(footer({ text: 'a' }), footer({ text: 'b' }), true))
})

test('a button is what upstream keeps of it', (t) => {
  const url = { type: 'URL', text: 'Open', url: 'https://a.example/{{1}}', example: ['https://a.example/1'] }
  t.true(areSame(buttons(url), buttons({ ...url, type: 'url', text: ' Open', example: ['other'] })))
  t.false(areSame(buttons(url), buttons({ ...url, url: 'https://b.example/{{1}}' })))
  t.false(areSame(buttons(url), buttons({ ...url, text: 'Close' })))
  const phone = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55 11 99' }
  t.true(areSame(buttons(phone), buttons({ ...phone, phone_number: '551199' })))
  t.false(areSame(buttons(phone), buttons({ ...phone, phone_number: '551198' })))
  t.false(areSame(buttons(phone), buttons({ ...phone, text: 'Ring' })))
  t.true(areSame(buttons({ type: 'PHONE_NUMBER' }), buttons({ type: 'PHONE_NUMBER', phone_number: 5 })))
  const flow = { type: 'FLOW', text: 'Book', flow_id: 7 }
  t.true(areSame(buttons(flow), buttons({ ...flow, flow_id: '7', flow_action: 'navigate' })))
  t.false(areSame(buttons(flow), buttons({ ...flow, flow_id: '8' })))
  t.false(areSame(buttons(flow), buttons({ ...flow, text: 'Order' })))
  for (const type of ['COPY_CODE', 'PAYMENT_REQUEST'])
    t.true(areSame(buttons({ type, text: 'Copy', example: 'A' }), buttons({ type, text: 'Kopieren' })))
  t.false(areSame(buttons({ type: 'COPY_CODE' }), buttons({ type: 'PAYMENT_REQUEST' })))
  t.false(areSame(buttons({ type: 'QUICK_REPLY', text: 'Yes' }), buttons({ type: 'QUICK_REPLY', text: 'No' })))
  t.true(areSame(buttons({ type: 'QUICK_REPLY', text: 'Yes' }), buttons({ type: 'quick_reply', text: 'Yes ' })))
  t.false(areSame(buttons(url, phone), buttons(phone, url)), 'they have an order')
})

test('a button of a code is the same as it was made and as the URL that it has become', (t) => {
  const made = (otp_type?: string) => buttons({ type: 'OTP', ...(otp_type ? { otp_type } : {}), text: 'Copy code' })
  const shown = (way: string) =>
    buttons({ type: 'URL', text: 'Kopieren', url: `https://upstream.example/otp/code/?otp_type=${way}&code=1` })
  t.true(areSame(made('COPY_CODE'), shown('copy_code')))
  t.true(areSame(made('one_tap'), shown('ONE_TAP')))
  t.false(areSame(made('ONE_TAP'), shown('COPY_CODE')))
  t.true(areSame(made(), made('COPY_CODE')))
  t.true(areSame(buttons({ type: 'URL', url: 'https://a.example/?x=1&OTP_TYPE=ZERO_TAP' }), made('ZERO_TAP')))
  t.false(areSame(buttons({ type: 'URL', url: 'https://a.example/otp_type=ONE_TAP' }), made('ONE_TAP')))
})

test('cards are compared in their order, each by its components', (t) => {
  const card = (text: string): Fields => ({
    components: [{ type: 'BODY', text }, ...buttons({ type: 'QUICK_REPLY', text })],
  })
  const carousel = (...cards: readonly Fields[]): Fields[] => [{ type: 'CAROUSEL', cards }]
  t.true(areSame(carousel(card('a'), card('b')), carousel(card('a '), card('b'))))
  t.false(areSame(carousel(card('a'), card('b')), carousel(card('b'), card('a'))))
  t.false(areSame(carousel(card('a')), carousel(card('a'), card('b'))))
  const otp = (text: string): Fields => ({ components: [{ type: 'BODY', text }] })
  t.true(areSame(carousel(otp('a')), carousel(otp('b')), true))
  t.false(areSame(carousel(otp('a')), carousel(otp('b'))))
})
