import test from 'ava'
import { isSameLanguage, templateLanguageOf } from '../../src/domain/template-language.ts'
import { lineProblems } from '../../src/domain/template-line.ts'
import { NO_MEDIA_ID, withMedia } from '../../src/domain/template-media.ts'
import { TEMPLATE_NAME_LENGTH, templateNameOf } from '../../src/domain/template-name.ts'

// [templates.language.1] [templates.language.2]
test('a language has one of four forms, and is written in the form of upstream', (t) => {
  const rows = { pt: 'pt', fil: 'fil', 'pt-BR': 'pt_BR', pt_BR: 'pt_BR', fil_PH: 'fil_PH' }
  for (const [given, written] of Object.entries(rows)) t.is(templateLanguageOf(given), written)
  for (const odd of ['', 'p', 'ptbr', 'PT', 'pt_', 'pt_br', 'pt_B', 'pt_BRA', 'pt BR', ' pt', 'pt_BR_x', 'xpt_BR '])
    t.is(templateLanguageOf(odd), null, odd)
  t.true(isSameLanguage('en-US', 'en_us'))
  t.true(isSameLanguage('EN_US', 'en-US'))
  t.true(isSameLanguage('a-b-c', 'a_b_c'))
  t.false(isSameLanguage('en', 'en_US'))
})

// [templates.name.1] [templates.name.2] [templates.name.3]
test('a name is made into the form of upstream, or is none', (t) => {
  const rows = {
    order_shipped: 'order_shipped',
    ' Ordem Enviada ': 'ordem_enviada',
    'Ação-nº./2': null,
    'Promoção__de -/. Verão': 'promocao_de_verao',
    __a__: '__a__',
    _A_: 'a',
    '-a.': 'a',
    ' _ ': null,
    'a+b': null,
    é: 'e',
  }
  for (const [given, name] of Object.entries(rows)) t.is(templateNameOf(given), name, given)
  t.is(templateNameOf('x'.repeat(TEMPLATE_NAME_LENGTH)), 'x'.repeat(TEMPLATE_NAME_LENGTH))
  t.is(templateNameOf('x'.repeat(TEMPLATE_NAME_LENGTH + 1)), null)
  t.is(templateNameOf(`a${' '.repeat(8_190)}B`), 'a_b')
  t.is(templateNameOf(`a${' '.repeat(8_191)}B`), null, 'too long to be read')
})

test('what keeps a text from being one plain line is told with the name of the text', (t) => {
  const problemsOf = (text: string) => lineProblems(text, 'The footer').map(({ problem }) => problem)
  for (const plain of ['', 'Hello', '© ™ ®', 'a_b_c', 'snake_case', '_', 'a _ b', '1 * '.slice(0, 2), '__', 'x_ _y'])
    t.deepEqual(problemsOf(plain), [], plain)
  for (const emoji of ['😀', '❤️', '☎\uFE0F', '🇧🇷', '1\u20E3', '☀']) t.deepEqual(problemsOf(emoji), ['EMOJI'], emoji)
  for (const lines of ['a\nb', 'a\rb', 'a\u2028b', 'a\u2029b']) t.deepEqual(problemsOf(lines), ['LINE_BREAK'])
  for (const marked of ['*a*', '~a~', '`a`', '_a_', 'x _a_', '(_a b_)', '_a_.'])
    t.deepEqual(problemsOf(marked), ['FORMATTING'], marked)
  for (const word of ['_a', 'a_', 'x_a_', '_a_x', 'é_a_', '_ a_', '_a _']) t.deepEqual(problemsOf(word), [], word)
  t.deepEqual(lineProblems('*😀\n', 'A label'), [
    { problem: 'EMOJI', message: 'A label cannot have emojis' },
    { problem: 'LINE_BREAK', message: 'A label is one line' },
    { problem: 'FORMATTING', message: 'A label cannot have formatting: no *, ~, ` and _text_' },
  ])
})

test('files of a template message get the ids of upstream, those of cards in their order', (t) => {
  const header = (...parameters: readonly object[]) => ({ type: 'header', parameters })
  const image = (fields: object = {}) => ({ type: 'image', image: { id: NO_MEDIA_ID, ...fields } })
  const file = (id: string, fileName: string | null = null) => ({ id, fileName }) as never
  t.is(NO_MEDIA_ID, '')
  t.deepEqual(
    withMedia(
      [header(image({ kept: 1 })), { type: 'body', parameters: [image()] }, header({ type: 'text', text: 'a' })],
      [file('1')],
    ),
    [header(image({ kept: 1, id: '1' })), { type: 'body', parameters: [image()] }, header({ type: 'text', text: 'a' })],
  )
  const cards = (...all: readonly object[]) => ({ type: 'carousel', cards: all })
  const card = (id: string) => ({
    card_index: 0,
    components: [header({ type: 'video', video: { id } }), { type: 'button' }],
  })
  t.deepEqual(withMedia([cards(card(''), card(''))], [file('1'), file('2')]), [cards(card('1'), card('2'))])
  t.deepEqual(withMedia([header(image())], []), [header(image())])
  const document = (fields: object) => header({ type: 'document', document: fields })
  t.deepEqual(withMedia([document({ filename: 'mine.pdf' })], [file('1', 'theirs.pdf')]), [
    document({ filename: 'mine.pdf', id: '1' }),
  ])
  t.deepEqual(withMedia([document({})], [file('1', 'theirs.pdf')]), [document({ filename: 'theirs.pdf', id: '1' })])
  t.deepEqual(withMedia([document({})], [file('1')]), [document({ id: '1' })])
  t.deepEqual(withMedia([header(image())], [file('1', 'a.png')]), [header(image({ id: '1' }))])
})
