import test from 'ava'
import { checkTemplate, refusalOfFaults, templateRuleRows } from '../../src/domain/template-rules.ts'
import { isPlaceholderDomain, urlProblems } from '../../src/domain/template-url.ts'
import { card, faultsIn, subjectOf } from '../helpers/template-subject.ts'

type Facts = Parameters<typeof faultsIn>[1]

/** The one fault of a body, without what its rule says of upstream's code. */
function faultOf(given: unknown, facts: Facts = {}): object {
  const [fault, ...others] = faultsIn(given, { examples: { a: 's', b: 's' }, ...facts })
  if (!fault || others.length > 0) throw new Error(JSON.stringify([fault, ...others]))
  const { code: _code, upstreamCode: _upstream, upstreamSubcode: _subcode, ...said } = fault
  return said
}

const header = (fields: object) => ({ header: fields, body: 'x' })

// [templates.checks.5]
test('a component that templates have not here is named, on a card with the card', (t) => {
  t.deepEqual(faultOf(header({ type: 'LOCATION' })), {
    field: 'header.type',
    component: 'LOCATION',
    message: 'LOCATION is no component of templates here',
  })
  t.deepEqual(faultOf({ body: 'x', buttons: [{ type: 'MPM', text: 'a' }] }), {
    field: 'buttons.0.type',
    component: 'MPM',
    message: 'MPM is no component of templates here',
  })
  const odd = card({ buttons: [{ type: 'MPM', text: 'a' }] })
  t.like(faultsIn({ body: 'x', carousel: { cards: [odd, odd] } }), [
    { field: 'carousel.cards.0.buttons.0.type', card: 1 },
    { field: 'carousel.cards.1.buttons.0.type', card: 2 },
  ])
})

// [templates.checks.6] [templates.checks.7] [templates.checks.8]
test('each fault of a text says what is allowed there', (t) => {
  t.deepEqual(faultOf({ body: ' ' }), { field: 'body.text', message: 'A template needs a text in its body' })
  const braces =
    'Braces stand for variables only: write {{name}}, a letter or _ first, up to 64 letters, digits and _, or a number'
  t.deepEqual(faultOf('a {{b c}} d'), { field: 'body.text', message: braces })
  t.deepEqual(faultOf('a {{button_1}} b', { examples: { button_1: 's' } }), {
    field: 'body.text',
    message: 'button_1 cannot be the name of a variable: it is a key of a button, the header or a card',
  })
  t.deepEqual(faultOf(`${'x'.repeat(1_024)}é`), {
    field: 'body.text',
    max: 1_024,
    actual: 1_025,
    message: 'body.text has 1025 characters, of 1024 at most',
  })
  const cards = (text: string) => ({ body: 'x', carousel: { cards: [card(), card({ body: { text } })] } })
  t.deepEqual(faultOf(cards('x'.repeat(161))), {
    field: 'carousel.cards.1.body.text',
    max: 160,
    actual: 161,
    card: 2,
    message: 'carousel.cards.1.body.text has 161 characters, of 160 at most',
  })
  t.deepEqual(faultOf(cards('a {b')), { field: 'carousel.cards.1.body.text', card: 2, message: braces })
  for (const [given, max] of [
    [header({ type: 'TEXT', text: 'x'.repeat(61) }), 60],
    [{ body: 'x', footer: { text: 'x'.repeat(61) } }, 60],
    [{ body: 'x', buttons: [{ type: 'QUICK_REPLY', text: 'x'.repeat(26) }] }, 25],
    [{ body: 'x', buttons: [{ type: 'URL', text: 'a', url: `https://a.io/${'x'.repeat(1_988)}` }] }, 2_000],
  ] as const)
    t.like(faultOf(given), { max, actual: max + 1 })
})

// [templates.checks.9]
test('a variable has words before and behind it, and another one not at its side', (t) => {
  const edge =
    'The body cannot start or end with a variable: put words before and behind it, punctuation alone is not enough'
  for (const text of ['{{a}} x', 'x {{a}}', 'x {{a}}.', '*{{a}}* x', '\u200B{{a}} x', '(x) {{a}} !'])
    t.deepEqual(faultOf(text), { field: 'body.text', message: edge }, text)
  t.deepEqual(faultOf('x {{a}} {{b}} x'), {
    field: 'body.text',
    problem: 'SIDE_BY_SIDE',
    message: 'Two variables cannot stand side by side: put words or punctuation between them',
  })
  for (const text of ['x {{a}}, {{b}} x', 'x {{a}} y', '1 {{a}} €'])
    t.deepEqual(faultsIn(text, { examples: { a: 's', b: 's' } }), [], text)
  for (const text of ['x {{a}}_{{b}} x', 'x {{a}}\u200D{{b}} x', 'x {{a}}~`*{{b}} x'])
    t.like(faultOf(text), { problem: 'SIDE_BY_SIDE' })
  const local: Facts = { source: 'LOCAL', examples: { a: 's', b: 's' } }
  for (const text of ['x {{a}}.', 'x {{a}} {{b}} x']) t.deepEqual(faultsIn(text, local), [], text)
  t.like(faultOf(' {{a}} x', local), { field: 'body.text', message: edge })
})

// [templates.checks.10] [templates.checks.11] [templates.checks.12]
test('each fault of a header and of a footer says what is allowed there', (t) => {
  t.deepEqual(faultOf(header({ type: 'TEXT', text: ' ' })), {
    field: 'header.text',
    problem: 'EMPTY',
    message: 'A text header needs a text',
  })
  t.deepEqual(faultOf(header({ type: 'TEXT' })), {
    field: 'header.text',
    problem: 'EMPTY',
    message: 'A text header needs a text',
  })
  t.deepEqual(faultOf(header({ type: 'TEXT', text: 'a\nb' })), {
    field: 'header.text',
    problem: 'LINE_BREAK',
    message: 'A text header is one line',
  })
  t.deepEqual(faultOf(header({ type: 'TEXT', text: '{{a}} {{b}}' })), {
    field: 'header.text',
    problem: 'VARIABLES',
    message: 'A text header has one variable at most',
  })
  t.deepEqual(faultsIn(header({ type: 'TEXT', text: '{{a}}' }), { examples: { a: 's' } }), [])
  const media = (fields: object) => faultOf(header({ type: 'IMAGE', ...fields }))
  const either = { field: 'header', message: 'A header of type IMAGE needs either url or base64' }
  t.deepEqual(media({}), either)
  t.deepEqual(media({ url: 'https://a.io/a.png', base64: 'data:image/png;base64,AAAA' }), either)
  t.deepEqual(media({ url: 'ftp://a.io/a.png' }), {
    field: 'header.url',
    message: 'header.url must be an http(s) URL',
  })
  const data = (head: string) => ({
    field: 'header.base64',
    message: `header.base64 must be a base64 data URI that begins with ${head}`,
  })
  for (const base64 of ['AAAA', 'data:video/mp4;base64,AAAA'])
    t.deepEqual(media({ base64 }), data('data:image/'), base64)
  t.deepEqual(
    faultOf(header({ type: 'DOCUMENT', base64: 'data:application/zip;base64,AAAA' })),
    data('data:application/pdf'),
  )
  t.deepEqual(faultOf(header({ type: 'VIDEO', base64: 'data:image/png;base64,AAAA' })), data('data:video/'))
  for (const [type, base64] of [
    ['IMAGE', 'DATA: image/png;base64,AAAA'],
    ['VIDEO', 'data:video/mp4;base64,AAAA'],
    ['DOCUMENT', 'data:application/pdf;base64,AAAA'],
  ])
    t.deepEqual(faultsIn(header({ type, base64 })), [], base64)
  t.deepEqual(faultOf({ body: 'x', footer: { text: 'a {{a}} b' } }), {
    field: 'footer.text',
    message: 'The footer cannot have variables',
  })
  t.deepEqual(faultOf({ body: 'x', footer: { text: 'a 😀' } }), {
    field: 'footer.text',
    problem: 'EMOJI',
    message: 'The footer cannot have emojis',
  })
})

// [templates.checks.2] [templates.checks.25]
test('a refusal is the first fault, with all of them; a missing sample is named', (t) => {
  t.is(refusalOfFaults([]), null)
  const faults = faultsIn('Hi {{a}} and {{b}} there.')
  t.like(faults, [{ code: 'TEMPLATE_EXAMPLES_REQUIRED', field: 'examples', missing: ['a', 'b'] }])
  t.deepEqual(refusalOfFaults(faults), {
    code: 'TEMPLATE_EXAMPLES_REQUIRED',
    message: 'Every variable needs a sample in examples; missing: a, b',
    details: { field: 'examples', missing: ['a', 'b'], upstreamCode: null, faults },
  })
})

// [templates.checks.4]
test('a template without an upstream has neither Flows nor carousels, which comes before all else', (t) => {
  const local = (given: unknown) => checkTemplate(subjectOf(given, { source: 'LOCAL' }))
  t.like(local({ body: '', buttons: [{ type: 'FLOW' }] }), {
    code: 'FEATURE_NOT_SUPPORTED',
    message: 'Buttons of type FLOW need an OFFICIAL number',
  })
  t.like(local({ body: '', carousel: { cards: [] } }), {
    code: 'FEATURE_NOT_SUPPORTED',
    message: 'Carousel templates need an OFFICIAL number',
  })
  t.is(local({ body: 'x' }), null)
  t.is(checkTemplate(subjectOf({ body: '' }))?.code, 'TEMPLATE_BODY_REQUIRED')
})

test('every rule says in words when it refuses, for which kinds, and what upstream would answer', (t) => {
  const rows = templateRuleRows()
  t.is(new Set(rows.map(({ code }) => code)).size, rows.length)
  t.true(rows.every(({ when }) => when.length > 20))
  const byCode = new Map(
    rows.map(({ code, kinds, upstreamCode, upstreamSubcode }) => [code, [kinds, upstreamCode, upstreamSubcode]]),
  )
  const both = ['OFFICIAL', 'UNOFFICIAL']
  t.deepEqual(byCode.get('TEMPLATE_FIELD_TOO_LONG'), [both, 2388040, null])
  t.deepEqual(byCode.get('TEMPLATE_BODY_VARIABLE_AT_EDGE'), [both, 2388299, null])
  t.deepEqual(byCode.get('TEMPLATE_HEADER_TEXT_INVALID'), [both, 2388047, null])
  t.deepEqual(byCode.get('TEMPLATE_FOOTER_VARIABLE'), [both, 2388073, null])
  t.deepEqual(byCode.get('TEMPLATE_FOOTER_TEXT_INVALID'), [['OFFICIAL'], 2388072, null])
  t.deepEqual(byCode.get('TEMPLATE_URL_PLACEHOLDER_DOMAIN'), [['OFFICIAL'], 368, 1346003])
})

// [templates.checks.16] [templates.checks.17]
test('a URL may end in one variable behind its host, and leads to a domain of its own', (t) => {
  t.deepEqual(urlProblems('https://a.io'), [])
  t.deepEqual(urlProblems('HTTP://a.io/{{a}}'), [])
  t.deepEqual(urlProblems('https://a.io/{{a}} '), ['FORM'])
  t.deepEqual(urlProblems('https://{{a}}'), ['VARIABLE_IN_DOMAIN'])
  t.deepEqual(urlProblems('https://a.io:{{a}}/{{b}}'), ['VARIABLE_IN_DOMAIN', 'VARIABLE_COUNT'])
  t.deepEqual(urlProblems('https://a.io/{{a}}/{{b}}/c'), ['VARIABLE_COUNT'])
  t.deepEqual(urlProblems('https://a.io/{{a}}/c'), ['VARIABLE_NOT_AT_END'])
  t.deepEqual(urlProblems('https://:80/'), ['FORM'])
  t.deepEqual(urlProblems(`ftp://${'x'.repeat(4_000)}`), [], 'its length is told')
  t.deepEqual(urlProblems(`ftp://${'x'.repeat(3_994)}`), ['FORM'])
  for (const host of [
    'example.com',
    'a.example.net',
    'example.org.',
    'shop.example',
    'a.test',
    'b.invalid',
    'localhost',
  ])
    t.true(isPlaceholderDomain(`https://${host}/{{a}}`), host)
  for (const host of ['yourdomain.com', 'yoursite.com', 'www.yourwebsite.com'])
    t.true(isPlaceholderDomain(`http://${host}`))
  for (const text of [
    'https://myexample.com/',
    'https://test.io/',
    'example.com',
    'ftp://example.com/',
    'https://:80/',
  ])
    t.false(isPlaceholderDomain(text), text)
  t.false(isPlaceholderDomain(`https://example.com/${'x'.repeat(4_000)}`))
})
