import test from 'ava'
import { piecesOf, plainOf } from '../../web/chat/model/formatted-text.ts'
import type { Piece } from '../../web/chat/model/formatted-text.ts'
import { linksOf } from '../../web/chat/model/links.ts'
import { beginningOf, isLarge } from '../../web/chat/model/shown-text.ts'

/** Writes pieces as one line: b(bold), i(italic), s(struck), c(code), block(code), [text](href). */
function shown(text: string): string {
  return piecesOf(text).map(show).join('')
}

const NAMES = { bold: 'b', italic: 'i', struck: 's', code: 'c', block: 'block' }

function show(piece: Piece): string {
  if (typeof piece === 'string') return piece
  if (piece.kind === 'link') return `[${piece.text}](${piece.href})`
  return `${NAMES[piece.kind]}(${'of' in piece ? piece.of.map(show).join('') : piece.text})`
}

test('marks of chat apps are drawn, in each other too (case 6)', (t) => {
  const texts: Readonly<Record<string, string>> = {
    '*bold* _it_ ~no~': 'b(bold) i(it) s(no)',
    '*Prices*: _Rose_ *5*, ~6~.': 'b(Prices): i(Rose) b(5), s(6).',
    '*_~all~_*': 'b(i(s(all)))',
    '*two words*\n*and a line*': 'b(two words)\nb(and a line)',
    'run `npm *ci*` now': 'run c(npm *ci*) now',
    'see\n```\nlet a = *b*\n```\nend': 'see\nblock(let a = *b*)\nend',
  }
  for (const [text, wanted] of Object.entries(texts)) t.is(shown(text), wanted)
})

test('text that only looks like formatting stays as it was written', (t) => {
  for (const text of [
    '2*3*4',
    'snake_case_name',
    '* a list',
    '*open',
    '* spaced *',
    '**',
    '***',
    '*a\nb*',
    'a*b*',
    '5 * 6 = 30, 7 * 8',
    '~/home and ~/work',
    '``',
    '```',
  ])
    t.is(shown(text), text)
})

test('addresses, e-mail addresses and numbers are links, without what stands around them (case 14)', (t) => {
  const links: Readonly<Record<string, string>> = {
    'https://en.wikipedia.org/wiki/A_(b)': '[https://en.wikipedia.org/wiki/A_(b)](https://en.wikipedia.org/wiki/A_(b))',
    '(see https://a.example/b).': '(see [https://a.example/b](https://a.example/b)).',
    '(https://a.example/A_(b))': '([https://a.example/A_(b)](https://a.example/A_(b)))',
    '*https://a.example*': 'b([https://a.example](https://a.example))',
    'https://a.example/snake_case_name and _on_':
      '[https://a.example/snake_case_name](https://a.example/snake_case_name) and i(on)',
    'www.shop.example/a.': '[www.shop.example/a](https://www.shop.example/a).',
    'write to ana@shop.example, please': 'write to [ana@shop.example](mailto:ana@shop.example), please',
    'call +55 11 98888-7777 or (11) 98888-7777':
      'call [+55 11 98888-7777](tel:+5511988887777) or [(11) 98888-7777](tel:11988887777)',
  }
  for (const [text, wanted] of Object.entries(links)) t.is(shown(text), wanted)
  for (const text of [
    '2026-01-01 10:30',
    'order 123456789',
    '1.234,56',
    '+5',
    'a@b',
    'www.',
    'https://',
    'javascript:alert(1)',
    '+1234567890123456789',
  ])
    t.deepEqual(linksOf(text), [], text)
})

test('a text in short has no marks', (t) => {
  t.is(plainOf('*bold* and `code` at https://a.example'), 'bold and code at https://a.example')
})

test('the longest text of marks is read at once', (t) => {
  for (const mark of ['*a ', '*_~', '`', '_x', '(', '*a*', 'a@', '+1 ', 'http://(', '```a'])
    t.true(plainOf(mark.repeat(100_000 / mark.length)).length > 0)
})

test('of a long text the beginning shows, which ends with a word and cuts no letter (case 15)', (t) => {
  t.is(beginningOf('word '.repeat(150)), null)
  const cut = beginningOf('words '.repeat(400)) ?? ''
  t.true(cut.length <= 768 && cut.endsWith('words'))
  t.is(beginningOf('W'.repeat(100_000)), 'W'.repeat(768))
  t.is(beginningOf('\u{1F600}'.repeat(2_000)), '\u{1F600}'.repeat(768))
  t.is(beginningOf('line\n'.repeat(100)), Array.from({ length: 24 }, () => 'line').join('\n'))
})

test('up to three emoji alone are large', (t) => {
  for (const text of [
    '\u{1F600}',
    '\u2764\uFE0F \u{1F44D}\u{1F3FD}',
    '\u{1F1E7}\u{1F1F7}',
    '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u{1F600}\u{1F600}',
  ])
    t.true(isLarge(text), text)
  for (const text of ['', ' ', 'ok \u{1F600}', '5', '\u00A9', '\u{1F600}'.repeat(4), 'a'.repeat(100)])
    t.false(isLarge(text), text)
})
