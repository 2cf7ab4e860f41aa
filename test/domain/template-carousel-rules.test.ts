import test from 'ava'
import { card, codesIn, faultsIn } from '../helpers/template-subject.ts'

const OTP = { category: 'OTP', examples: { code: '1234' } } as const
const BODY = 'Your code is {{code}}.'
const LINK = { type: 'URL', text: 'Open', url: 'https://shop.io/' }
const REPLY = { type: 'QUICK_REPLY', text: 'Yes' }
const otp = (given: object) => codesIn({ body: BODY, ...given }, OTP)
const cards = (list: readonly unknown[], facts: Parameters<typeof codesIn>[1] = {}) =>
  codesIn({ body: 'Look', carousel: { cards: list } }, facts)
const carousel = (...problems: string[]) => problems.map((problem) => `TEMPLATE_CAROUSEL_INVALID ${problem}`)

// [templates.checks.22]
test('an OTP template has one variable and one button to copy it', (t) => {
  for (const given of [
    {},
    { buttons: [{ type: 'COPY_CODE' }] },
    { buttons: [{ type: 'COPY_CODE', example: '{{code}}' }] },
    { buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    { body: 'Code {{code}}, again {{code}}.' },
  ])
    t.deepEqual(otp(given), [])
  for (const codeExpirationMinutes of [1, 90]) t.deepEqual(otp({ footer: { codeExpirationMinutes } }), [])
})

// [templates.checks.22]
test('an OTP template has nothing else', (t) => {
  const rows: readonly [object, string][] = [
    [{ body: 'no variable' }, 'VARIABLES'],
    [{ header: { type: 'TEXT', text: 'Hi' } }, 'HEADER'],
    [{ footer: { text: 'bye' } }, 'FOOTER'],
    [{ buttons: [LINK] }, 'BUTTONS'],
    [{ footer: { codeExpirationMinutes: 0 } }, 'EXPIRATION'],
    [{ footer: { codeExpirationMinutes: 91 } }, 'EXPIRATION'],
    [{ footer: { codeExpirationMinutes: 1.5 } }, 'EXPIRATION'],
    [{ buttons: [{ type: 'COPY_CODE' }, REPLY] }, 'BUTTONS'],
    [{ buttons: [{ type: 'ORDER_DETAILS', text: 'x' }] }, 'BUTTONS'],
  ]
  for (const [given, problem] of rows) t.deepEqual(otp(given), [`TEMPLATE_OTP_INVALID ${problem}`])
  t.deepEqual(codesIn({ body: 'x {{code}} or {{other}} x' }, { ...OTP, examples: { code: 1, other: 2 } }), [
    'TEMPLATE_OTP_INVALID VARIABLES',
  ])
  t.true(otp({ carousel: { cards: [card(), card()] } }).includes('TEMPLATE_OTP_INVALID CAROUSEL'))
})

test('on LOCAL an OTP template is a template like any other', (t) => {
  t.deepEqual(
    codesIn({ header: { type: 'TEXT', text: 'Hi' }, body: BODY, buttons: [REPLY] }, { ...OTP, source: 'LOCAL' }),
    [],
  )
  t.deepEqual(codesIn({ body: BODY, buttons: [{ type: 'COPY_CODE' }] }, { ...OTP, source: 'LOCAL' }), [
    'TEMPLATE_BUTTON_INVALID',
  ])
})

// [templates.checks.23]
test('a carousel has 2 to 10 cards', (t) => {
  for (const count of [2, 10]) t.deepEqual(cards(Array.from({ length: count }, () => card())), [])
  for (const count of [0, 1, 11]) t.deepEqual(cards(Array.from({ length: count }, () => card())), carousel('CARDS'))
})

// [templates.checks.23]
test('a carousel is of MARKETING, with nothing beside it but the body', (t) => {
  const two = [card(), card()]
  t.deepEqual(cards(two, { category: 'UTILITY' }), carousel('CATEGORY'))
  for (const part of [{ header: { type: 'TEXT', text: 'Hi' } }, { footer: 'bye' }, { buttons: [REPLY] }])
    t.deepEqual(codesIn({ body: 'Look', carousel: { cards: two }, ...part }), carousel('LAYOUT'))
})

// [templates.checks.23]
test('each card has 1 or 2 buttons of two types, the same on all', (t) => {
  t.deepEqual(cards([card({ buttons: [REPLY, LINK] }), card({ buttons: [REPLY, LINK] })]), [])
  t.deepEqual(cards([card({ buttons: [] }), card({ buttons: [] })]), carousel('BUTTONS', 'BUTTONS'))
  const three = ['Yes', 'No', 'Later'].map((text) => ({ ...REPLY, text }))
  t.deepEqual(cards([card({ buttons: three }), card({ buttons: three })]), carousel('BUTTONS', 'BUTTONS'))
  const phone = { type: 'PHONE_NUMBER', text: 'p', phone_number: '+5511999999999' }
  t.deepEqual(cards([card({ buttons: [phone] }), card({ buttons: [phone] })]), carousel('BUTTON_TYPE', 'BUTTON_TYPE'))
  for (const buttons of [[LINK], [REPLY, LINK]])
    t.deepEqual(cards([card(), card({ buttons })]), carousel('BUTTONS_DIFFER'))
  t.deepEqual(cards([card({ buttons: [REPLY, LINK] }), card({ buttons: [LINK, REPLY] })]), carousel('BUTTONS_DIFFER'))
})

test('a fault of a card names the card', (t) => {
  t.like(faultsIn({ body: 'Look', carousel: { cards: [card(), card(), card({ buttons: [LINK] })] } })[0], {
    problem: 'BUTTONS_DIFFER',
    card: 3,
    field: 'carousel.cards.2.buttons',
  })
})

// [templates.checks.23]
test('cards have a text on all or on none, with two line breaks at most', (t) => {
  t.deepEqual(cards([card({ body: null }), card({ body: undefined })]), [])
  t.deepEqual(cards([card(), card({ body: { text: ' ' } })]), carousel('BODY_MISSING'))
  t.deepEqual(cards([card({ body: 'a\nb\r\nc' }), card()]), [])
  t.deepEqual(cards([card({ body: 'a\nb\nc\nd' }), card()]), carousel('BODY_BREAKS'))
})

test('the rules of buttons hold on cards, with the card named', (t) => {
  const url = (text: string) => card({ buttons: [{ ...LINK, url: text }] })
  t.like(
    faultsIn(
      { body: 'Look', carousel: { cards: [url('https://shop.io/'), url('https://{{a}}/')] } },
      { examples: { a: 'x' } },
    )[0],
    { code: 'TEMPLATE_URL_INVALID', problem: 'VARIABLE_IN_DOMAIN', card: 2 },
  )
})

// [templates.checks.24]
test('the picture of a card is a plain https address of a known type', (t) => {
  const media = (url: unknown) => cards([card({ media: { url } }), card()])
  for (const url of [
    'https://cdn.io/a.png',
    'https://cdn.io/a.JPG',
    'https://cdn.io/x/a.jpeg',
    'https://cdn.io/a.b.WebP',
    'http://files.internal/a.png',
    'https://files.internal:8443/a.png',
  ])
    t.deepEqual(media(url), [], url)
  const rows: readonly [unknown, ...string[]][] = [
    ['http://cdn.io/a.png', 'NOT_HTTPS'],
    ['ftp://cdn.io/a.png', 'NOT_HTTPS'],
    [undefined, 'NOT_HTTPS'],
    ['', 'NOT_HTTPS'],
    ['data:image/png;base64,aGk=', 'NOT_HTTPS'],
    ['cdn.io/a.png', 'NOT_HTTPS'],
    ['https://cdn.io/a.gif', 'EXTENSION'],
    ['https://cdn.io/', 'EXTENSION'],
    ['https://cdn.io/a.png/', 'EXTENSION'],
    ['https://cdn.io/apng', 'EXTENSION'],
    ['https://cdn.io/a.png?v=1', 'QUERY'],
    ['https://cdn.io/a.png?', 'QUERY'],
    ['https://cdn.io/a.png#x', 'QUERY'],
    ['https://cdn.io/a?f=a.png', 'EXTENSION', 'QUERY'],
    ['https://10.0.0.1/a.png', 'FORBIDDEN_ADDRESS'],
    ['http://10.0.0.1/a.gif?x', 'NOT_HTTPS', 'EXTENSION', 'QUERY', 'FORBIDDEN_ADDRESS'],
  ]
  for (const [url, ...problems] of rows)
    t.deepEqual(
      media(url),
      problems.map((problem) => `TEMPLATE_CARD_MEDIA_URL_INVALID ${problem}`),
      String(url),
    )
  t.is(faultsIn({ body: 'Look', carousel: { cards: [card(), card({ media: {} })] } })[0]?.card, 2)
})
