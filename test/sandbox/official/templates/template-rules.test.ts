import test from 'ava'
import { GOOD, BAD } from './written-cases.ts'
import {
  outcome,
  open,
  ACCOUNT,
  base,
  reply,
  link,
  BODY,
  dynamic,
  code,
  buttoned,
  withBody,
  DAY_MS,
} from './written-templates.ts'

for (const [what, more] of GOOD) {
  test(`a template is taken with ${what}`, (t) => {
    t.like(
      outcome(() => open().book.create(ACCOUNT, { ...base, ...more })),
      { status: 'PENDING', category: 'MARKETING' },
    )
  })
}
for (const [what, more, expected] of BAD) {
  // [sandbox.templates-and-flows.4]
  test(`a template is refused with ${expected} for ${what}`, (t) =>
    void t.is(
      outcome(() => open().book.create(ACCOUNT, { ...base, ...more })),
      expected,
    ))
}

test('a carousel has like cards with files and buttons, and nothing beside it but a body', (t) => {
  const { book, handle } = open()
  const card = (...parts: object[]) => ({ components: parts })
  const file = (format: string = 'IMAGE') => ({
    type: 'HEADER',
    format,
    example: { header_handle: [handle(format === 'IMAGE' ? 'image/png' : 'video/mp4')] },
  })
  const line = (text: string) => ({ type: 'BODY', text })
  const buttons = (...all: object[]) => ({ type: 'BUTTONS', buttons: all })
  const plain = card(file(), line('one'), buttons(reply(), link('https://a.dev')))
  const of = (cards: object[], more: object = {}, beside: object[] = []) =>
    outcome(() =>
      book.create(ACCOUNT, {
        ...base,
        name: `c${cards.length}`,
        components: [BODY, ...beside, { type: 'CAROUSEL', cards }],
        ...more,
      }),
    )
  t.is(of([plain, plain]).status, 'PENDING')
  t.is(
    of([
      card(file('VIDEO'), buttons(dynamic)),
      card(file('VIDEO'), buttons(dynamic)),
      card(file('VIDEO'), buttons(dynamic)),
    ]).status,
    'PENDING',
  )
  const wrong: object[][] = [
    [plain],
    Array.from({ length: 11 }, () => plain),
    [plain, card(file(), buttons(reply(), link('https://a.dev')))],
    [plain, card(file('VIDEO'), line('two'), buttons(reply(), link('https://a.dev')))],
    [plain, card(file(), line('two'), buttons(link('https://a.dev'), reply()))],
    [plain, card(file(), line('two'), buttons(reply()))],
    [plain, card(line('two'), buttons(reply()))],
    [plain, card(file(), line('two'))],
    [plain, card(file(), line('two'), buttons(code('A')))],
    [plain, card(file(), line('two'), buttons(reply(), reply(), reply()))],
  ]
  for (const cards of wrong) t.is(of(cards), '100', JSON.stringify(cards).slice(0, 200))
  t.is(of([plain, plain], { category: 'UTILITY' }), '100')
  t.is(of([plain, plain], {}, [{ type: 'FOOTER', text: 'bye' }]), '100')
  const lined = (text: string) => Array.from({ length: 2 }, () => card(file(), line(text), buttons(reply())))
  t.is(of(lined('x'.repeat(161))), '100/2388040')
  t.is(of(lined('a\nb\nc\nd')), '100/2388072')
  t.is(of(lined('a {{1}}')), '100/2388299')
})

test('of a code upstream writes the text, how long it is good for, and an address for its button', (t) => {
  const { book } = open()
  const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }
  const body = { type: 'BODY', add_security_recommendation: true }
  const of = (components: object[], language: string = 'en_US') =>
    outcome(() => book.create(ACCOUNT, { name: 'code', language, category: 'AUTHENTICATION', components }))
  const shownIn = (language: string): any => book.shelf.named(ACCOUNT.id, 'code', language)?.components ?? []
  t.is(of([body, { type: 'FOOTER', code_expiration_minutes: 10 }, otp]).status, 'PENDING')
  const [
    shown,
    footer,
    {
      buttons: [button],
    },
  ] = shownIn('en_US')
  t.is(shown.text, '*{{1}}* is your verification code. For your security, do not share this code.')
  t.deepEqual([footer.text, footer.code_expiration_minutes], ['This code expires in 10 minutes.', 10])
  t.like(button, { type: 'URL', text: 'Copy code' })
  t.regex(button.url, /^https:\/\/www\.whatsapp\.com\/otp\/code\/\?otp_type=COPY_CODE&code_name=.*\{\{1\}\}$/)
  t.is(of([{ type: 'BODY' }, otp], 'pt_BR').status, 'PENDING')
  t.is(shownIn('pt_BR')[0].text, '*{{1}}* é seu código de verificação.')
  for (const components of [
    [BODY, otp],
    [body],
    [otp],
    [body, otp, { type: 'HEADER', format: 'TEXT', text: 'x' }],
    [body, { type: 'FOOTER', code_expiration_minutes: 91 }, otp],
    [body, { type: 'BUTTONS', buttons: [reply()] }],
  ]) {
    t.is(of(components, 'es'), '100', JSON.stringify(components))
  }
})

test('a button that asks for a payment is refused to accounts that have none', (t) => {
  const components = buttoned({ type: 'PAYMENT_REQUEST', text: 'Pay', example: ['PIX'] })
  t.is(
    outcome(() => open().book.create({ ...ACCOUNT, hasPaymentButtons: false }, { ...base, components })),
    '100/2388128',
  )
})

test('a header takes files of its kind and size', (t) => {
  const { book, handle } = open()
  const of = (format: string, file: string) =>
    outcome(() =>
      book.create(ACCOUNT, {
        ...base,
        name: format.toLowerCase(),
        components: [{ type: 'HEADER', format, example: { header_handle: [file] } }, BODY],
      }),
    )
  for (const [format, type] of [
    ['IMAGE', 'image/jpg'],
    ['VIDEO', 'video/mp4'],
    ['DOCUMENT', 'application/pdf'],
    ['GIF', 'video/mp4'],
  ] as const)
    t.is(of(format, handle(type)).status, 'PENDING', format)
  t.is(of('IMAGE', handle('application/pdf')), '131003')
  t.is(of('IMAGE', handle('image/png', 5 * 1024 * 1024 + 1)), '131002')
  t.is(
    outcome(() =>
      book.create(
        { ...ACCOUNT, appId: '301' },
        { ...base, components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle()] } }, BODY] },
      ),
    ),
    '100/2388273',
  )
})

// [sandbox.templates-and-flows.4]
test('an approved template is changed once a day and ten times in 30 days, and not in its category', (t) => {
  const { book, clock } = open()
  const { id } = outcome(() => book.create(ACCOUNT, base))
  const template = book.shelf.find(id)
  if (!template) return t.fail()
  const edit = (more: object = {}) =>
    outcome(() => book.edit(ACCOUNT, template, { components: withBody('Another text'), ...more }))
  t.is(edit(), '100/2388039')
  clock.advance(1_000)
  t.is(edit({ category: 'UTILITY' }), '100')
  t.deepEqual(edit({ components: undefined }), '100')
  t.is(edit({ components: withBody('{{1}} x', 'y') }), '100/2388299')
  t.is(template.status, 'APPROVED')
  t.like(edit(), { success: true, id, name: 'welcome' })
  t.deepEqual([template.status, (template.components[0] as any).text], ['PENDING', 'Another text'])
  clock.advance(1_000)
  t.is(template.status, 'APPROVED')
  t.is(edit(), '100/2388039')
  for (let more = 2; more <= 10; more++) {
    clock.advance(DAY_MS)
    t.true(edit().success, `${more}`)
    clock.advance(1_000)
  }
  clock.advance(DAY_MS)
  t.is(edit(), '100/2388039')
  book.review.turn(template, { event: 'REJECTED' })
  t.true(edit({ category: 'UTILITY' }).success)
  t.is(template.category, 'UTILITY')
})

test('an account has 6,000 templates at most, and a name that is being deleted is told from one that is there', (t) => {
  const { book } = open()
  for (let made = 0; made < 6_000; made++)
    book.put({
      accountId: ACCOUNT.id,
      name: `t${made}`,
      language: 'en',
      category: 'UTILITY',
      status: 'APPROVED',
      parameterFormat: 'POSITIONAL',
      components: [BODY],
    })
  const create = (name: string) => outcome(() => book.create(ACCOUNT, { ...base, name, language: 'en' }))
  t.is(create('one_more'), '100/2388019')
  t.is(create('t7'), '100/2388024')
  const seventh = book.shelf.named(ACCOUNT.id, 't7', 'en')
  if (seventh) book.review.turn(seventh, { event: 'PENDING_DELETION' })
  t.is(create('t7'), '100/2388023')
  const eighth = book.shelf.named(ACCOUNT.id, 't8', 'en')
  if (eighth) book.review.turn(eighth, { event: 'DISABLED' })
  t.is(
    outcome(() => book.delete(ACCOUNT, { name: 't8' })),
    '100/2388039',
  )
  t.is(
    outcome(() => book.delete(ACCOUNT, {})),
    '100',
  )
  t.is(
    outcome(() => book.delete(ACCOUNT, { name: 't9', hsm_id: eighth?.id })),
    '100/2593002',
  )
})
