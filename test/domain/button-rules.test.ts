import test from 'ava'
import { readButtons, readCarousel } from '../../src/domain/button-rules.ts'
import type { Read } from '../../src/domain/fault.ts'
import { NO_CREDENTIALS } from '../../src/domain/web-address.ts'

const REPLY = { type: 'QUICK_REPLY', text: 'Yes' } as const
const LINK = { type: 'URL', text: 'Open', url: 'https://a.io/' } as const
const PHONE = { type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '+55 11 99999-9999' } as const
const CODE = { type: 'COPY_CODE', text: 'Copy', code: 'A1' } as const

const faultsOf = (made: Read<unknown>) => (made.ok ? null : made.faults)
const valueOf = <T>(made: Read<T>): T => {
  if (!made.ok) throw new Error(JSON.stringify(made.faults))
  return made.value
}
const buttons = (given: readonly object[], provider: 'OFFICIAL' | 'UNOFFICIAL' = 'UNOFFICIAL') =>
  readButtons(given as never, provider)
const carousel = (cards: readonly object[], provider: 'OFFICIAL' | 'UNOFFICIAL' = 'UNOFFICIAL') =>
  readCarousel({ text: 'Look', cards } as never, provider)

test('each button is read as its type has it, a reply with an id of its place unless it has one', (t) => {
  t.deepEqual(valueOf(buttons([REPLY, { ...REPLY, text: 'No', id: 'no' }, LINK])), [
    { ...REPLY, id: 'button_1' },
    { type: 'QUICK_REPLY', text: 'No', id: 'no' },
    LINK,
  ])
  const phone = { type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '5511999999999' }
  t.deepEqual(valueOf(buttons([PHONE])), [phone])
  t.deepEqual(valueOf(buttons([{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5511999999999' }])), [phone])
  const code = { type: 'COPY_CODE', text: 'Copy' }
  t.deepEqual(valueOf(buttons([CODE])), [CODE])
  t.deepEqual(valueOf(buttons([{ ...code, example: 'B2' }])), [{ ...code, code: 'B2' }])
  t.deepEqual(valueOf(buttons([{ ...code, example: ['C3', 'D4'] }])), [{ ...code, code: 'C3' }])
})

test('each fault of a button of a message says where it is, and what to do', (t) => {
  const url = { path: 'buttons.0.url', message: 'must be an http(s) URL' }
  t.deepEqual(faultsOf(buttons([{ type: 'URL', text: 'Open' }])), [url])
  t.deepEqual(faultsOf(buttons([{ ...LINK, url: 'ftp://a.io' }])), [url])
  t.deepEqual(faultsOf(buttons([{ ...LINK, url: 'https://me:secret@a.io' }])), [
    { path: 'buttons.0.url', message: NO_CREDENTIALS },
  ])
  const phone = { path: 'buttons.1.phoneNumber', message: 'must be a phone number with its country code' }
  t.deepEqual(faultsOf(buttons([REPLY, { type: 'PHONE_NUMBER', text: 'Call' }])), [phone])
  t.deepEqual(faultsOf(buttons([REPLY, { ...PHONE, phoneNumber: 'x' }])), [phone])
  t.deepEqual(faultsOf(buttons([{ type: 'COPY_CODE', text: 'Copy', example: [] }])), [
    { path: 'buttons.0.code', message: 'is needed with COPY_CODE' },
  ])
  t.deepEqual(
    faultsOf(
      buttons([
        { type: 'COPY_CODE', text: 'Copy' },
        { ...LINK, url: '' },
      ]),
    ),
    [
      { path: 'buttons.0.code', message: 'is needed with COPY_CODE' },
      { path: 'buttons.1.url', message: 'must be an http(s) URL' },
    ],
  )
})

test('a label has 20 characters at most where upstream says so, and no two are the same', (t) => {
  const long = { ...REPLY, text: 'é'.repeat(21) }
  t.is(faultsOf(buttons([long])), null)
  t.deepEqual(faultsOf(buttons([long, { ...LINK, text: 'x'.repeat(20), url: '' }], 'OFFICIAL')), [
    { path: 'buttons.0.text', message: 'must be 1 to 20 characters on an OFFICIAL number' },
    { path: 'buttons.1.url', message: 'must be an http(s) URL' },
  ])
  t.is(faultsOf(buttons([{ ...REPLY, text: 'é'.repeat(20) }], 'OFFICIAL')), null)
  t.like(faultsOf(buttons([REPLY, LINK, { ...REPLY, text: ' Yes ' }])), [{ path: 'buttons.2.text' }])
  t.like(faultsOf(buttons([REPLY, { ...REPLY, text: 'No', id: 'button_1' }])), [{ path: 'buttons.1.id' }])
})

test('an OFFICIAL number sends replies or one link', (t) => {
  const message =
    'an OFFICIAL number sends 1 to 3 QUICK_REPLY buttons or exactly one URL button; others need a template'
  t.is(faultsOf(buttons([REPLY, { ...REPLY, text: 'No' }], 'OFFICIAL')), null)
  t.is(faultsOf(buttons([LINK], 'OFFICIAL')), null)
  for (const given of [[REPLY, LINK], [LINK, { ...LINK, text: 'Shop' }], [PHONE], [CODE]])
    t.deepEqual(faultsOf(buttons(given, 'OFFICIAL')), [{ path: 'buttons', message }])
  t.is(faultsOf(buttons([REPLY, LINK, PHONE])), null)
})

const IMAGE = 'https://a.io/a.png'
const card = (fields: object = {}) => ({ image: IMAGE, text: 'Shoes', buttons: [REPLY], ...fields })

// [messages.carousel.1]
test('the cards of a carousel have replies whose made ids name the card', (t) => {
  t.deepEqual(valueOf(carousel([card(), card({ text: 'Hats', buttons: [LINK, { ...REPLY, text: 'No' }] })])), {
    mode: 'carousel',
    text: 'Look',
    cards: [
      { image: IMAGE, text: 'Shoes', buttons: [{ ...REPLY, id: 'card_1_button_1' }] },
      { image: IMAGE, text: 'Hats', buttons: [LINK, { type: 'QUICK_REPLY', text: 'No', id: 'card_2_button_2' }] },
    ],
  })
  t.deepEqual(valueOf(carousel([card({ buttons: undefined })])).cards[0]?.buttons, [])
})

test('each fault of a card says which card has it', (t) => {
  t.deepEqual(faultsOf(carousel([card(), card({ image: 'a.png', buttons: [{ ...LINK, url: '' }] })])), [
    { path: 'carousel.cards.1.image', message: 'must be an http(s) URL or a base64 data URI' },
    { path: 'carousel.cards.1.buttons.0.url', message: 'must be an http(s) URL' },
  ])
  t.deepEqual(faultsOf(carousel([card({ buttons: [CODE] })], 'OFFICIAL')), [
    {
      path: 'carousel.cards.0.buttons.0.type',
      message: 'must be QUICK_REPLY in a carousel of an OFFICIAL number',
    },
  ])
  t.like(faultsOf(carousel([card({ buttons: [CODE] })])), [
    { message: 'must be QUICK_REPLY or URL in a carousel of an UNOFFICIAL number' },
  ])
  t.like(faultsOf(carousel([card({ buttons: [REPLY, REPLY] })])), [{ path: 'carousel.cards.0.buttons.1.text' }])
  t.like(faultsOf(carousel([card({ buttons: [{ ...REPLY, id: 'a' }] }), card({ buttons: [{ ...REPLY, id: 'a' }] })])), [
    { path: 'carousel.cards.1.buttons.0.id' },
  ])
})

test('the cards of an OFFICIAL number are alike, and their texts have few lines', (t) => {
  const faults = (cards: readonly object[]) => faultsOf(carousel(cards, 'OFFICIAL'))
  t.is(faults([card(), card()]), null)
  t.deepEqual(faults([card(), card({ buttons: [REPLY, { ...REPLY, text: 'No' }] })]), [
    { path: 'carousel.cards.1.buttons', message: 'must be as many as on the first card' },
  ])
  t.deepEqual(faults([card(), card({ buttons: [] })]), [
    { path: 'carousel.cards.1.buttons', message: 'needs 1 or 2 buttons on an OFFICIAL number' },
  ])
  t.is(faults([card(), card({ text: 'a\nb\nc' })]), null)
  t.deepEqual(faults([card(), card({ text: 'a\nb\nc\nd' })]), [
    { path: 'carousel.cards.1.text', message: 'must have at most 2 line breaks on an OFFICIAL number' },
  ])
  t.is(faultsOf(carousel([card(), card({ text: 'a\nb\nc\nd', buttons: [] })])), null)
})
