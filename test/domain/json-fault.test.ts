import test from 'ava'
import { firstPlaceOf, jsonFaultIn } from '../../src/domain/json-fault.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** All texts of these pieces, up to so many of them. */
function textsOf(pieces: readonly string[], most: number): string[] {
  if (most === 0) return ['']
  return ['', ...textsOf(pieces, most - 1).flatMap((text) => pieces.map((piece) => `${piece}${text}`))]
}

test('a text has a fault when JSON.parse refuses it', (t) => {
  const frames = ['[', ']', '{', '}', ':', ',', '"a"', '1', ' ']
  const literals = ['true', 'false', 'null', '-', '0', '12', '.', '5', 'e', 'E', '+']
  const strings = ['"', '\\', 'u', '00a', 'F9', 'n', '/', '\u0007', 'é']
  for (const pieces of [frames, literals, strings])
    for (const text of textsOf(pieces, 4)) {
      const isRead = jsonFaultIn(text) === null
      if (isRead !== isJson(text)) t.fail(`${JSON.stringify(text)} is ${isRead ? '' : 'not '}read`)
    }
  t.pass()
})

test('a text is no JSON exactly where the parser of the platform says so', (t) => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    'n',
    'u00e9',
    'true',
    'nul',
    'null',
    '0',
    '1',
    '-',
    '.',
    'e',
    ' ',
    '\n',
    '"a"',
    '"a":',
  ]
  let seed = 7
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  for (let round = 0; round < 30_000; round++) {
    const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('')
    t.is(jsonFaultIn(text) === null, isJson(text), text)
  }
})

test('escapes and white space are those of RFC 8259', (t) => {
  for (let code = 0; code < 0x300; code++) {
    const char = String.fromCharCode(code)
    for (const text of [
      `"${char}"`,
      `"\\${char}"`,
      `"\\u00${char}0"`,
      `"\\u${char}000"`,
      `"\\u000${char}"`,
      `[${char}1]`,
    ])
      t.is(jsonFaultIn(text) === null, isJson(text), JSON.stringify(text))
  }
})

test('a fault stands where the text can no longer become JSON', (t) => {
  const columns: readonly [string, number][] = [
    ['', 1],
    ['  ', 3],
    ['x', 1],
    ['tru', 1],
    ['-', 1],
    ['1.', 2],
    ['01', 2],
    ['1 2', 3],
    ['[1 2]', 4],
    ['[1,]', 4],
    ['[1,,2]', 4],
    ['[', 2],
    ['[}', 2],
    ['[1}', 3],
    ['[[1]', 5],
    ['{]', 2],
    ['{1:2}', 2],
    ['{[', 2],
    ['{{', 2],
    ['{true:1}', 2],
    ['{"a"}', 5],
    ['{"a" 1}', 6],
    ['{"a":}', 6],
    ['{"a":1]', 7],
    ['{"a":1,}', 8],
    ['{"a":01}', 7],
    ['{"a":tru}', 6],
    ["{'a':1}", 2],
    ['{', 2],
    ['{} x', 4],
    ['{"a":"abc', 10],
    ['{"a":"x\ny"}', 8],
    ['{"a":"\\x"}', 7],
    ['{"a":1 "b"', 8],
    ['{"a":[1],2', 10],
    ['[{"a":1}:', 9],
    ['"ab', 4],
    ['"a\u0007b"', 3],
    ['"a\\', 3],
    ['"a\\x"', 3],
    ['"\\u00g0"', 2],
    ['"\\u00e9\\u12"', 8],
    [']', 1],
    ['{}}', 3],
    [',', 1],
    [':', 1],
  ]
  for (const [text, column] of columns) t.deepEqual(jsonFaultIn(text), { line: 1, column }, text)
  for (const text of [
    '{}',
    '[[],{}]',
    ' {"a":[1,-2.5E+3,{"b":null}],"c":"\\u00e9\\n\u007f"} ',
    'true',
    '"x"',
    '1',
    ' [ ] ',
    '\t{"a" :\r\n[1 , {"b":null}] }',
    '"\\u00e9\\\\\\""',
    '-0.5e+10',
  ])
    t.is(jsonFaultIn(text), null, text)
})

test('places are counted from 1 by line feeds', (t) => {
  t.deepEqual(jsonFaultIn('{\n  "a": 1,\n\n  b'), { line: 4, column: 3 })
  t.deepEqual(jsonFaultIn('\n\n  {"a":\r\n oops}'), { line: 4, column: 2 })
  t.deepEqual(jsonFaultIn('\n\n]'), { line: 3, column: 1 })
  t.deepEqual(jsonFaultIn('[1,\n2,\n]'), { line: 3, column: 1 })
  t.deepEqual(jsonFaultIn('[1\r2'), { line: 1, column: 4 })
  t.deepEqual(jsonFaultIn('[\n'), { line: 2, column: 1 })
  t.deepEqual(jsonFaultIn('x\n'), { line: 1, column: 1 })
  t.deepEqual(firstPlaceOf(' \n\t x\n'), { line: 2, column: 3 })
  t.deepEqual(firstPlaceOf('\u00a0x'), { line: 1, column: 1 })
  t.deepEqual(firstPlaceOf('x'), { line: 1, column: 1 })
})
