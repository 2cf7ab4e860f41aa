import test from 'ava'
import { GraphError } from '../../../../sandbox/official/http/graph-error.ts'
import { TemplateBook } from '../../../../sandbox/official/templates/template-book.ts'
import { anyFlow } from '../../../helpers/any-flow.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'

const ACCOUNT = { id: '200', appId: '300', subscription: null, hasPaymentButtons: true }
const DAY_MS = 86_400_000

interface Bench {
  readonly book: TemplateBook
  readonly clock: FakeClock
  /** The handle of a file that the app uploaded. */
  readonly handle: (type?: string, bytes?: number) => string
}

function open(): Bench {
  const clock = new FakeClock()
  const book = new TemplateBook({ flows: anyFlow, clock, send: () => undefined })
  return {
    book, clock,
    handle(type = 'image/png', bytes = 3) {
      const [id = '', sig = ''] = book.uploads.start(ACCOUNT.appId, { file_length: bytes, file_type: type }).split('?sig=')
      const upload = book.uploads.find(id, sig)
      return upload ? book.uploads.write(upload, 0, Buffer.alloc(bytes)) : 'none'
    },
  }
}

/** `code/subcode` of the refusal, or what came of it. */
function outcome(act: () => { readonly body: object }): any {
  try {
    return act().body
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    const { error: told } = error.envelope() as any
    return told.error_subcode === undefined ? `${told.code}` : `${told.code}/${told.error_subcode}`
  }
}

const BODY = { type: 'BODY', text: 'Hello there, how are you?' }
const base = { name: 'welcome', language: 'pt_BR', category: 'MARKETING', components: [BODY] as object[] }
const withBody = (text: string, ...samples: string[]) => [{ type: 'BODY', text, ...(samples.length > 0 ? { example: { body_text: [samples] } } : {}) }]
const headed = (text: string, ...samples: string[]) => [{ type: 'HEADER', format: 'TEXT', text, ...(samples.length > 0 ? { example: { header_text: samples } } : {}) }, BODY]
const footed = (text: string) => [BODY, { type: 'FOOTER', text }]
const buttoned = (...buttons: object[]) => [BODY, { type: 'BUTTONS', buttons }]
const reply = (text: string = 'Yes') => ({ type: 'QUICK_REPLY', text })
const link = (url: string, more: object = {}) => ({ type: 'URL', text: 'Open', url, ...more })
const dynamic = link('https://shop.dev/{{1}}', { example: ['https://shop.dev/7'] })
const code = (example: unknown) => ({ type: 'COPY_CODE', example })
const call = (phone: string) => ({ type: 'PHONE_NUMBER', text: 'Call', phone_number: phone })

const GOOD: [string, object][] = [
  ['types in any case', { components: [{ type: 'body', text: 'Hello' }, { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Yes' }] }] }],
  ['variables with samples', { components: withBody('Hello {{1}}, order {{2}} came.', 'Ana', '7') }],
  ['a text header with a brand', { components: headed('Sales for {{1}}®', 'you') }],
  ['named variables', { parameter_format: 'named', components: [{ type: 'BODY', text: 'Hello {{first_name}}, welcome.', example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] } }] }],
  ['buttons of each kind', { components: buttoned(reply(), reply('No'), link('https://shop.dev'), dynamic, call('+551140000000'), code('SAVE10'), { type: 'FLOW', text: 'Form', flow_id: '77', flow_action: 'navigate', navigate_screen: 'A' }) }],
  ['a code as a list, and a request for a payment', { components: buttoned(code(['SAVE10']), { type: 'PAYMENT_REQUEST', text: 'Pay', example: ['PIX'] }) }],
  ['the place of an order', { display_format: 'ORDER_DETAILS', components: buttoned({ type: 'ORDER_DETAILS', text: 'Review' }) }],
  ['headers that have nothing', { components: [{ type: 'HEADER', format: 'LOCATION' }, BODY] }],
]
for (const [what, more] of GOOD) {
  test(`a template is taken with ${what}`, (t) => {
    t.like(outcome(() => open().book.create(ACCOUNT, { ...base, ...more })), { status: 'PENDING', category: 'MARKETING' })
  })
}

const TOO_LONG = 'x'.repeat(61)
const BAD: [string, object, string][] = [
  ['a name with capitals', { name: 'Welcome' }, '100/2388046'], ['a long name', { name: 'x'.repeat(513) }, '100/2388046'],
  ['a language that upstream lacks', { language: 'pt' }, '100'], ['a language with a dash', { language: 'pt-BR' }, '100'],
  ['a category of nobody', { category: 'OTP' }, '100'], ['no components', { components: [] }, '100'], ['components of no form', { components: 'x' }, '100'],
  ['an unknown component', { components: [BODY, { type: 'SIDEBAR' }] }, '100'], ['an unknown key', { components: [{ ...BODY, colour: 'red' }] }, '100'],
  ['two bodies', { components: [BODY, BODY] }, '100'], ['no body', { components: [{ type: 'FOOTER', text: 'bye' }] }, '100/2388072'],
  ['an empty body', { components: withBody(' ') }, '100/2388072'], ['a long body', { components: withBody('x'.repeat(1_025)) }, '100/2388040'],
  ['a variable at the start', { components: withBody('{{1}} hello', 'x') }, '100/2388299'], ['a variable at the end, white space behind', { components: withBody('hello {{1}} \n', 'x') }, '100/2388299'],
  ['a variable without a sample', { components: withBody('hello {{1}} there') }, '100/2388273'], ['a blank sample', { components: withBody('hello {{1}} there', ' ') }, '100/2388273'],
  ['a sample too few', { components: withBody('hello {{1}} and {{2}} there', 'x') }, '100/2388273'],
  ['numbers with a gap', { components: withBody('hello {{1}} and {{3}} there', 'x', 'y') }, '100/2388072'], ['names where numbers are', { components: withBody('hello {{name}} there', 'x') }, '100/2388072'],
  ['braces without a partner', { components: withBody('hello {{1} there', 'x') }, '100/2388072'],
  ['numbers where names are', { parameter_format: 'NAMED', components: withBody('hello {{1}} there', 'x') }, '100/2388072'],
  ['samples of numbers where names are', { parameter_format: 'NAMED', components: withBody('hello {{a}} there', 'x') }, '100/2388273'],
  ['more variables than words', { components: withBody('a {{1}}, {{2}}, {{3}}, {{4}} b', 'w', 'x', 'y', 'z') }, '100/2388293'],
  ['an empty header', { components: headed('') }, '100/2388047'], ['a header with a picture', { components: headed('Sale 🎉') }, '100/2388047'], ['a header with a line break', { components: headed('a\nb') }, '100/2388047'],
  ['a header with formatting', { components: headed('*Sale*') }, '100/2388047'], ['a header with two variables', { components: headed('a {{1}} {{2}}', 'x', 'y') }, '100/2388047'],
  ['a long header', { components: headed(TOO_LONG) }, '100/2388040'], ['a header without a sample', { components: headed('for {{1}}') }, '100/2388273'],
  ['an unknown header', { components: [{ type: 'HEADER', format: 'SMELL' }, BODY] }, '100/2388047'], ['a header without a file', { components: [{ type: 'HEADER', format: 'IMAGE' }, BODY] }, '100/2388273'],
  ['a header by address', { components: [{ type: 'HEADER', format: 'VIDEO', example: { header_handle: ['https://files.dev/a.mp4'] } }, BODY] }, '100/2388273'],
  ['a picture in the footer', { components: footed('by us 😀') }, '100/2388072'], ['two lines in a footer', { components: footed('by\nus') }, '100/2388072'], ['a picture in a label', { components: buttoned(reply('Yes ✅')) }, '100/2388060'],
  ['a formatted label', { components: buttoned(reply('*Yes*')) }, '100/2388060'], ['a variable behind punctuation', { components: withBody('Hello {{1}}.', 'x') }, '100/2388299'],
  ['variables side by side', { components: withBody('Hello {{1}} {{2}} my friend', 'x', 'y') }, '100/2388299'], ['a variable in the footer', { components: footed('by {{1}}') }, '100/2388073'], ['a long footer', { components: footed(TOO_LONG) }, '100/2388040'],
  ['eleven buttons', { components: buttoned(...Array.from({ length: 11 }, (_, index) => reply(`${index}`))) }, '100'], ['no buttons', { components: buttoned() }, '100'],
  ['three addresses', { components: buttoned(link('https://a.dev'), link('https://b.dev'), link('https://c.dev')) }, '100'], ['two calls', { components: buttoned(call('+551140000000'), call('+551140000001')) }, '100'],
  ['quick replies apart', { components: buttoned(reply(), link('https://a.dev'), reply('No')) }, '100'], ['a long label', { components: buttoned(reply('x'.repeat(26))) }, '100/2388040'],
  ['a variable in a label', { components: buttoned(reply('{{1}}')) }, '100'], ['no label', { components: buttoned(reply(' ')) }, '100'],
  ['an unknown button', { components: buttoned({ type: 'LEVER', text: 'x' }) }, '100'], ['a button for codes elsewhere', { components: buttoned({ type: 'OTP', otp_type: 'COPY_CODE' }) }, '100'],
  ['an address that is none', { components: buttoned(link('shop.dev')) }, '100'], ['white space in an address', { components: buttoned(link('https://shop.dev/a b')) }, '100'],
  ['a variable in the domain', { components: buttoned(link('https://{{1}}.dev/', { example: ['https://a.dev/'] })) }, '100'],
  ['a variable not at the end', { components: buttoned(link('https://shop.dev/{{1}}/a', { example: ['https://shop.dev/7/a'] })) }, '100'],
  ['two variables in an address', { components: buttoned(link('https://shop.dev/{{1}}{{2}}', { example: ['x'] })) }, '100'],
  ['an address without a sample', { components: buttoned(link('https://shop.dev/{{1}}')) }, '100/2388273'], ['a long address', { components: buttoned(link(`https://shop.dev/${'x'.repeat(2_000)}`)) }, '100/2388040'],
  ['a domain that stands for another', { components: buttoned(link('https://www.example.com/a')) }, '368/1346003'], ['a machine of its own', { components: buttoned(link('http://localhost/a')) }, '368/1346003'],
  ['a phone without its country', { components: buttoned(call('11 4000-0000')) }, '192'], ['a code with signs', { components: buttoned(code('SAVE-10')) }, '100'],
  ['a long code', { components: buttoned(code('x'.repeat(16))) }, '100'], ['a Flow of no number', { components: buttoned({ type: 'FLOW', text: 'Form', flow_id: null }) }, '100'], ['a Flow that is none', { components: buttoned({ type: 'FLOW', text: 'Form' }) }, '100'],
]
for (const [what, more, expected] of BAD) {
  test(`a template is refused with ${expected} for ${what}`, (t) => void t.is(outcome(() => open().book.create(ACCOUNT, { ...base, ...more })), expected))
}

test('a carousel has like cards with files and buttons, and nothing beside it but a body', (t) => {
  const { book, handle } = open()
  const card = (...parts: object[]) => ({ components: parts })
  const file = (format: string = 'IMAGE') => ({ type: 'HEADER', format, example: { header_handle: [handle(format === 'IMAGE' ? 'image/png' : 'video/mp4')] } })
  const line = (text: string) => ({ type: 'BODY', text })
  const buttons = (...all: object[]) => ({ type: 'BUTTONS', buttons: all })
  const plain = card(file(), line('one'), buttons(reply(), link('https://a.dev')))
  const of = (cards: object[], more: object = {}, beside: object[] = []) => outcome(() => book.create(ACCOUNT, { ...base, name: `c${cards.length}`, components: [BODY, ...beside, { type: 'CAROUSEL', cards }], ...more }))
  t.is(of([plain, plain]).status, 'PENDING')
  t.is(of([card(file('VIDEO'), buttons(dynamic)), card(file('VIDEO'), buttons(dynamic)), card(file('VIDEO'), buttons(dynamic))]).status, 'PENDING')
  const wrong: object[][] = [
    [plain], Array.from({ length: 11 }, () => plain), [plain, card(file(), buttons(reply(), link('https://a.dev')))], [plain, card(file('VIDEO'), line('two'), buttons(reply(), link('https://a.dev')))],
    [plain, card(file(), line('two'), buttons(link('https://a.dev'), reply()))], [plain, card(file(), line('two'), buttons(reply()))], [plain, card(line('two'), buttons(reply()))],
    [plain, card(file(), line('two'))], [plain, card(file(), line('two'), buttons(code('A')))], [plain, card(file(), line('two'), buttons(reply(), reply(), reply()))],
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
  const of = (components: object[], language: string = 'en_US') => outcome(() => book.create(ACCOUNT, { name: 'code', language, category: 'AUTHENTICATION', components }))
  const shownIn = (language: string): any => book.shelf.named(ACCOUNT.id, 'code', language)?.components ?? []
  t.is(of([body, { type: 'FOOTER', code_expiration_minutes: 10 }, otp]).status, 'PENDING')
  const [shown, footer, { buttons: [button] }] = shownIn('en_US')
  t.is(shown.text, '*{{1}}* is your verification code. For your security, do not share this code.')
  t.deepEqual([footer.text, footer.code_expiration_minutes], ['This code expires in 10 minutes.', 10])
  t.like(button, { type: 'URL', text: 'Copy code' })
  t.regex(button.url, /^https:\/\/www\.whatsapp\.com\/otp\/code\/\?otp_type=COPY_CODE&code_name=.*\{\{1\}\}$/)
  t.is(of([{ type: 'BODY' }, otp], 'pt_BR').status, 'PENDING')
  t.is(shownIn('pt_BR')[0].text, '*{{1}}* é seu código de verificação.')
  for (const components of [[BODY, otp], [body], [otp], [body, otp, { type: 'HEADER', format: 'TEXT', text: 'x' }], [body, { type: 'FOOTER', code_expiration_minutes: 91 }, otp], [body, { type: 'BUTTONS', buttons: [reply()] }]]) {
    t.is(of(components, 'es'), '100', JSON.stringify(components))
  }
})

test('a button that asks for a payment is refused to accounts that have none', (t) => {
  const components = buttoned({ type: 'PAYMENT_REQUEST', text: 'Pay', example: ['PIX'] })
  t.is(outcome(() => open().book.create({ ...ACCOUNT, hasPaymentButtons: false }, { ...base, components })), '100/2388128')
})

test('a header takes files of its kind and size', (t) => {
  const { book, handle } = open()
  const of = (format: string, file: string) => outcome(() => book.create(ACCOUNT, { ...base, name: format.toLowerCase(), components: [{ type: 'HEADER', format, example: { header_handle: [file] } }, BODY] }))
  for (const [format, type] of [['IMAGE', 'image/jpg'], ['VIDEO', 'video/mp4'], ['DOCUMENT', 'application/pdf'], ['GIF', 'video/mp4']] as const) t.is(of(format, handle(type)).status, 'PENDING', format)
  t.is(of('IMAGE', handle('application/pdf')), '131003')
  t.is(of('IMAGE', handle('image/png', 5 * 1024 * 1024 + 1)), '131002')
  t.is(outcome(() => book.create({ ...ACCOUNT, appId: '301' }, { ...base, components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle()] } }, BODY] })), '100/2388273')
})

test('an approved template is changed once a day and ten times in 30 days, and not in its category', (t) => {
  const { book, clock } = open()
  const { id } = outcome(() => book.create(ACCOUNT, base))
  const template = book.shelf.find(id)
  if (!template) return t.fail()
  const edit = (more: object = {}) => outcome(() => book.edit(ACCOUNT, template, { components: withBody('Another text'), ...more }))
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
  for (let made = 0; made < 6_000; made++) book.put({ accountId: ACCOUNT.id, name: `t${made}`, language: 'en', category: 'UTILITY', status: 'APPROVED', parameterFormat: 'POSITIONAL', components: [BODY] })
  const create = (name: string) => outcome(() => book.create(ACCOUNT, { ...base, name, language: 'en' }))
  t.is(create('one_more'), '100/2388019')
  t.is(create('t7'), '100/2388024')
  const seventh = book.shelf.named(ACCOUNT.id, 't7', 'en')
  if (seventh) book.review.turn(seventh, { event: 'PENDING_DELETION' })
  t.is(create('t7'), '100/2388023')
  const eighth = book.shelf.named(ACCOUNT.id, 't8', 'en')
  if (eighth) book.review.turn(eighth, { event: 'DISABLED' })
  t.is(outcome(() => book.delete(ACCOUNT, { name: 't8' })), '100/2388039')
  t.is(outcome(() => book.delete(ACCOUNT, {})), '100')
  t.is(outcome(() => book.delete(ACCOUNT, { name: 't9', hsm_id: eighth?.id })), '100/2593002')
})
