import test from 'ava'
import { scanText, isNumberName, isReservedName, soleName } from '../../src/domain/template-placeholders.ts'
import { submissionOf } from '../../src/domain/template-submit.ts'
import type { SubmitFacts } from '../../src/domain/template-submit.ts'
import { templateRefusalCode } from '../../src/domain/template-refused.ts'
import { checkSendCards, checkValues, keptOrderOf, refusalOfValues } from '../../src/domain/template-values.ts'
import type { TemplateNature } from '../../src/domain/template-keys.ts'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import { card, HOSTS } from '../helpers/template-subject.ts'

const OFFICIAL: TemplateNature = { source: 'OFFICIAL', category: 'MARKETING' }
const REPLY = { type: 'QUICK_REPLY', text: 'Yes' }
const bodyOf = (given: unknown) => readTemplateBody(given).body

// [templates.variables.1] [templates.variables.2]
test('a variable is a name or a number of up to 64 characters within two braces', (t) => {
  const names = (text: string) => scanText(text).placeholders.map(({ name, start, end }) => [name, start, end])
  const long = `a${'Z'.repeat(63)}`
  t.deepEqual(names(`x {{${long}}}`), [[long, 2, 70]])
  t.deepEqual(names(`{{${'9'.repeat(64)}}}`), [['9'.repeat(64), 0, 68]])
  for (const name of ['A', 'Z', 'a', 'z', '_', 'a0', 'a9', '0', '1'])
    t.deepEqual(names(`{{ \t${name}\t }}`), [[name, 0, name.length + 8]], name)
  for (const odd of [`${long}b`, '9'.repeat(65), '1a', 'a-b', 'a b', '', 'a[', 'a`', 'a{', '@', 'a/', 'a:'])
    t.deepEqual(scanText(`{{${odd}}}`).placeholders, [], odd)
  t.is(scanText('x {{a}} y').malformedAt, null)
  for (const [text, at] of [
    ['x {a}', 2],
    ['x }', 2],
    ['{{a}', 0],
    ['{{a} }', 0],
    ['{{a}} {', 6],
    ['{ {{a}}', 0],
  ] as const)
    t.is(scanText(text).malformedAt, at, text)
  const far = `${' '.repeat(65_532)}{{a}}`
  t.is(scanText(far).placeholders.length, 1)
  t.is(scanText(`${' '.repeat(65_536)}{{a}}`).placeholders.length, 0)
  t.deepEqual(['1', '12', 'a1', '1a', ''].map(isNumberName), [true, true, false, false, false])
  for (const name of ['button_1', 'header_12', 'card_1_x', 'card_12_']) t.true(isReservedName(name), name)
  for (const name of ['button_', 'button_1a', 'xbutton_1', 'header_x', 'card_1', 'card_x_1', 'my_card_1_x'])
    t.false(isReservedName(name), name)
  t.is(soleName(' {{a}} '), 'a')
  for (const text of ['x{{a}}', '{{a}}x', '{{a}}{{b}}', 'a', '']) t.is(soleName(text), null)
})

// [templates.send.4] [templates.send.7] [templates.send.8]
test('the values of a send are missing, or invalid for a reason, and refused by both', (t) => {
  const body = bodyOf({
    body: 'Hi {{name}}, see {{what}} now.',
    buttons: [
      { type: 'URL', text: 'u', url: 'https://a.io/{{1}}' },
      { type: 'COPY_CODE', example: ['A1'] },
    ],
  })
  const check = (variables: Readonly<Record<string, unknown>>) => checkValues(body, OFFICIAL, { variables })
  const fine = { name: 'Ana', what: 7, button_1: 'x', button_2: 'B2' }
  t.deepEqual([check(fine).missing, check(fine).invalid], [[], []])
  t.deepEqual(check({ name: ' ', what: null }).missing, ['name', 'what', 'button_1', 'button_2'])
  const reasons = (fields: object) => check({ ...fine, ...fields }).invalid.map(({ key, reason }) => `${key} ${reason}`)
  for (const value of [true, {}, [], Number.NaN, Infinity]) t.deepEqual(reasons({ name: value }), ['name TYPE'])
  t.deepEqual(reasons({ name: 'a\nb' }), ['name LINE_BREAK'])
  t.deepEqual(reasons({ name: 'a\rb' }), ['name LINE_BREAK'])
  t.deepEqual(reasons({ name: 'a\tb' }), ['name TAB'])
  t.deepEqual(reasons({ name: 'a     b' }), ['name SPACES'])
  t.deepEqual(reasons({ name: 'a    b' }), [])
  t.deepEqual(reasons({ button_1: 'a b' }), ['button_1 URL_SUFFIX'])
  for (const code of ['A-1', 'x'.repeat(21)]) t.deepEqual(reasons({ button_2: code }), ['button_2 COPY_CODE'])
  t.deepEqual(reasons({ button_2: 'x'.repeat(20) }), [])
  t.is(refusalOfValues(check(fine)), null)
  t.like(refusalOfValues(check({ what: 'a\tb' })), {
    code: 'MISSING_TEMPLATE_VARIABLES',
    message: 'Give a value for: name, button_1, button_2',
    details: { missing: ['name', 'button_1', 'button_2'], invalid: [{ key: 'what', reason: 'TAB' }] },
  })
  t.like(refusalOfValues(check({ ...fine, name: 'a\nb', what: 'a\tb' })), {
    code: 'INVALID_TEMPLATE_VARIABLE_VALUE',
    message: 'These values cannot be sent: name (LINE_BREAK), what (TAB)',
  })
  const otp: TemplateNature = { source: 'OFFICIAL', category: 'OTP' }
  const code = (value: string) => checkValues(bodyOf('Code {{code}}.'), otp, { variables: { code: value } }).invalid
  t.deepEqual(code('x'.repeat(15)), [])
  t.deepEqual(code('x'.repeat(16)), [{ key: 'code', reason: 'OTP_CODE' }])
  t.deepEqual(
    checkValues(body, { ...OFFICIAL, source: 'LOCAL' }, { variables: { ...fine, 1: 'x', name: 'a\nb' } }).invalid,
    [],
  )
})

const CARDS = bodyOf({
  body: 'x {{a}} y',
  carousel: {
    cards: [card({ body: { text: 'x {{1}} y' } }), card({ body: { text: 'x {{1}} y {{b}} z' } })],
  },
})

test('the values of a card are given with it, under its own keys or those of all', (t) => {
  const check = (sent: object) => checkValues(CARDS, OFFICIAL, sent)
  t.deepEqual(check({}).missing, ['a', 'card_1_1', 'card_2_1', 'b'])
  t.deepEqual(check({ variables: { a: 1, card_1_1: 1, card_2_1: 2, b: 3 } }).missing, [])
  const byCard = { variables: { a: 1, b: 3 }, cards: [{ variables: { 1: 'x' } }, { variables: { 1: 'y', b: 'z' } }] }
  t.deepEqual(check(byCard).missing, [])
  t.deepEqual(check({ ...byCard, cards: [{ variables: { 1: 'x' } }, { variables: null }] }).missing, ['card_2_1'])
})

// [embeds.inbox-routes.8]
test('the order that is kept has the values that the template takes, and its own file', (t) => {
  const template = { ...OFFICIAL, id: 'tpl_1' as const, body: CARDS }
  const order = {
    variables: { a: 1, odd: 2, card_1_1: 'c' },
    cards: [
      { variables: { 1: 'x', odd: 'o' }, media: { url: 'https://a.io/a.png' } },
      { variables: { 1: 'y', b: 'z', a: 'n' } },
    ],
    media: null,
    flow: null,
  } as never
  const file = { kind: 'image', source: { fileId: 'file_1' }, fileName: null, isOwn: true } as never
  t.deepEqual(keptOrderOf(order, template, [file]), {
    order: {
      templateId: 'tpl_1',
      variables: { a: 1, card_1_1: 'c' },
      cards: [{ media: { url: 'https://a.io/a.png' }, variables: { 1: 'x' } }, { variables: { 1: 'y', b: 'z' } }],
    },
  })
})

// [templates.send.15] [templates.send.16]
test('the cards of a send are as many as those of the template, with the same buttons and good pictures', (t) => {
  const check = (cards: readonly object[] | null) => checkSendCards(CARDS, cards as never, HOSTS)
  t.is(check(null), null)
  t.is(check([]), null)
  t.is(check([{}, {}]), null)
  t.is(check([{ buttons: [{ type: 'quick_reply' }] }, {}]), null)
  t.like(check([{}]), { code: 'TEMPLATE_CARDS_MISMATCH', message: 'The template has 2 cards, the send 1' })
  t.like(check([{}, { buttons: [{ type: 'URL' }] }]), {
    code: 'TEMPLATE_CARDS_MISMATCH',
    message: 'The buttons of card 2 are not those of the template',
    details: { card: 2 },
  })
  t.like(check([{ buttons: [] }, {}]), { details: { card: 1 } })
  t.like(check([{ media: { url: 'https://a.io/a.png' } }, { media: { url: 'https://a.io/a.gif' } }]), {
    code: 'TEMPLATE_CARD_MEDIA_URL_INVALID',
    message: 'The media of card 2 must end in .png, .jpg, .jpeg or .webp',
    details: { field: 'cards.1.media.url', card: 2, upstreamCode: null },
  })
  t.like(checkSendCards(bodyOf('x'), [{}] as never, HOSTS), { message: 'The template has 0 cards, the send 1' })
})

test('upstream’s codes of a template that is gone, paused or disabled are told', (t) => {
  const code = (upstreamCode: number | string | null) => templateRefusalCode({ upstreamCode } as never)
  t.deepEqual([132_001, 132_015, 132_016].map(code), [132_001, 132_015, 132_016])
  t.deepEqual([132_000, '132001', null].map(code), [null, null, null])
})

const FACTS: SubmitFacts = {
  category: 'MARKETING',
  examples: { name: 'Ana', 1: 's', button_1: 'path' },
  headerHandle: '4::h',
  cardHandles: ['4::c'],
  officialFlowIdOf: (id) => (id === 'flow_1' ? '7' : null),
}

// [templates.examples.3] [templates.special-buttons.3]
test('what upstream is submitted has no samples where nothing varies, and a sample wherever something does', (t) => {
  const submit = (given: unknown, facts: Partial<SubmitFacts> = {}) =>
    submissionOf(bodyOf(given), { ...FACTS, ...facts })
  t.deepEqual(submit({ header: { type: 'TEXT', text: 'Hi' }, body: 'x', footer: { text: 'bye' } }), {
    displayFormat: null,
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hi' },
      { type: 'BODY', text: 'x' },
      { type: 'FOOTER', text: 'bye' },
    ],
    parameters: { format: 'POSITIONAL', header: [], body: [], cards: [] },
  })
  const buttons = (all: readonly object[], facts: Partial<SubmitFacts> = {}) =>
    (submit({ body: 'x', buttons: all }, facts).components[1] as { buttons: unknown }).buttons
  t.deepEqual(buttons([{ type: 'URL', text: 'u', url: 'https://a.io/' }]), [
    { type: 'URL', text: 'u', url: 'https://a.io/' },
  ])
  t.deepEqual(buttons([{ type: 'URL', text: 'u', url: 'https://a.io/{{name}}' }]), [
    { type: 'URL', text: 'u', url: 'https://a.io/{{1}}', example: ['https://a.io/Ana'] },
  ])
  t.deepEqual(buttons([{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55 11 99999-9999' }]), [
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5511999999999' },
  ])
  t.deepEqual(buttons([{ type: 'COPY_CODE', text: 'Copy', example: ['A1'] }]), [{ type: 'COPY_CODE', example: 'A1' }])
  t.deepEqual(buttons([{ type: 'COPY_CODE', example: ['{{name}}'] }]), [{ type: 'COPY_CODE', example: 'Ana' }])
  t.deepEqual(buttons([{ type: 'COPY_CODE', example: ['{{none}}'] }]), [{ type: 'COPY_CODE', example: 'SAMPLE10' }])
  t.deepEqual(buttons([{ type: 'COPY_CODE' }]), [{ type: 'COPY_CODE', example: 'SAMPLE10' }])
  t.deepEqual(buttons([{ type: 'PAYMENT_REQUEST', text: 'Pay', example: ['{{name}}'] }]), [
    { type: 'PAYMENT_REQUEST', text: 'Pay', example: ['Ana'] },
  ])
  t.deepEqual(buttons([{ type: 'PAYMENT_REQUEST' }]), [{ type: 'PAYMENT_REQUEST', example: ['SAMPLE10'] }])
  t.deepEqual(buttons([{ type: 'FLOW', text: 'f', flowId: 'flow_1', screen: 'S' }]), [
    { type: 'FLOW', text: 'f', flow_id: '7', flow_action: 'navigate', navigate_screen: 'S' },
  ])
  t.deepEqual(buttons([{ type: 'FLOW', flowId: 'odd', action: 'data_exchange' }]), [
    { type: 'FLOW', flow_id: null, flow_action: 'data_exchange' },
  ])
  t.is(submit({ body: 'x', buttons: [{ type: 'ORDER_DETAILS', text: 'Pay' }, REPLY] }).displayFormat, 'ORDER_DETAILS')
  t.deepEqual(submit({ body: 'x', carousel: { cards: [card({ body: null, buttons: [] })] } }).components.slice(1), [
    {
      type: 'CAROUSEL',
      cards: [{ components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::c'] } }] }],
    },
  ])
  t.deepEqual(submit('Code {{name}}, {{name}}.', { category: 'OTP' }), {
    displayFormat: null,
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ],
    parameters: { format: 'POSITIONAL', header: [], body: ['name'], cards: [] },
  })
})
