import test from 'ava'
import { beginningOf, codePointsOf, isBlank } from '../../src/domain/characters.ts'
import { fieldsIn, isFields, isSameJson, listIn, own, textIn } from '../../src/domain/json-fields.ts'
import { readJsonObject } from '../../src/domain/json-object.ts'
import { hasMoreValues } from '../../src/domain/json-values.ts'
import { parseLong, rawDigits } from '../../src/domain/long-integers.ts'

test('of an object that somebody else made only its own properties are read, in the form that is wanted', (t) => {
  const fields = { a: 1, o: { x: 1 }, l: [{ y: 1 }, 2, null, [3]], t: ' hi ', b: ' ' }
  t.deepEqual(
    ['a', 'constructor', 'toString', 'none'].map((key) => own(fields, key)),
    [1, undefined, undefined, undefined],
  )
  t.deepEqual([fieldsIn(fields, 'o'), fieldsIn(fields, 'l'), fieldsIn(fields, 'a')], [{ x: 1 }, {}, {}])
  t.deepEqual([listIn(fields, 'l'), listIn(fields, 'o')], [[{ y: 1 }], []])
  t.deepEqual(
    ['t', 'b', 'a', 'none'].map((key) => textIn(fields, key)),
    [' hi ', null, null, null],
  )
  t.deepEqual([{}, [], null, 'a', 1].map(isFields), [true, false, false, false, false])
})

test('values are the same as JSON, whatever the order of their keys', (t) => {
  const at = (ms: number) => new Date(ms)
  for (const [one, other] of [
    [Number.NaN, Number.NaN],
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [at(5), at(5)],
    [[], []],
    [{}, {}],
  ])
    t.true(isSameJson(one, other))
  for (const [one, other] of [
    [1, '1'],
    [null, undefined],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: undefined }],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [{}, []],
    [at(5), at(6)],
    [at(5), {}],
    [{}, at(5)],
    [{}, null],
    ['a', {}],
  ]) {
    t.false(isSameJson(one, other), JSON.stringify([one, other]))
    t.false(isSameJson(other, one))
  }
})

test('an object of JSON is read from UTF-8 alone', (t) => {
  const bytes = (text: string) => Buffer.from(text)
  t.deepEqual(readJsonObject(bytes('{"a":"é"}')), { text: '{"a":"é"}', fields: { a: 'é' } })
  t.deepEqual(readJsonObject(bytes('\uFEFF{"a":1}')), { text: '{"a":1}', fields: { a: 1 } })
  for (const odd of ['[]', '1', 'null', '', '{', '"a"']) t.is(readJsonObject(bytes(odd)), null, odd)
  t.is(readJsonObject(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), null)
})

test('the values of a text are counted as far as is asked, those in texts apart', (t) => {
  const rows: readonly [string, number][] = [
    ['1', 1],
    ['[]', 1],
    ['[ \t\r\n]', 1],
    ['[1]', 2],
    ['[1,2]', 3],
    ['{"a":1,"b":[2,{}]}', 5],
    ['["a,b","c\\",d","\\\\",1]', 5],
    ['[[[]]]', 3],
    ['[{"a":[]},{}]', 4],
  ]
  for (const [text, count] of rows) {
    t.true(hasMoreValues(text.padEnd(40), count - 1), `${text} has ${count}`)
    t.false(hasMoreValues(text.padEnd(40), count), `${text} has no more than ${count}`)
  }
  t.false(hasMoreValues('[1,2]', 5), 'it is too short')
  t.false(hasMoreValues('"abc,def,ghi', 1), 'a text that does not end')
})

test('integers that no number holds keep their digits, and go out with them', (t) => {
  const digits = (text: string) => parseLong(text, (kept) => `n${kept}`)
  t.deepEqual(digits('{"id":12345678901234567,"b":[-12345678901234567,1]}'), {
    id: 'n12345678901234567',
    b: ['n-12345678901234567', 1],
  })
  t.deepEqual(digits('[9007199254740991, 9007199254740992]'), [9_007_199_254_740_991, 'n9007199254740992'])
  t.deepEqual(digits('{"a":123456789012345}'), { a: 123_456_789_012_345 })
  t.deepEqual(digits('[1.2345678901234567e30,12345678901234568.0]'), [1.2345678901234567e30, 12_345_678_901_234_568])
  t.deepEqual(digits('{"a": 12345678901234567}'), { a: 'n12345678901234567' })
  t.is(digits('12345678901234567'), 12_345_678_901_234_568, 'a number alone is no body')
  t.throws(() => digits('[12345678901234567'))
  t.is(JSON.stringify({ id: rawDigits('12345678901234567') }), '{"id":12345678901234567}')
})

test('a limit counts characters as people see them, and cuts none in half', (t) => {
  t.deepEqual(['', 'a', '😀', 'a😀b', '\uD83D', '\uDE00\uD83D', '\uD83Da'].map(codePointsOf), [0, 1, 1, 3, 1, 2, 2])
  t.is(beginningOf('abc', 3), 'abc')
  t.is(beginningOf('abcd', 3), 'abc')
  t.is(beginningOf('😀😀😀', 2), '😀😀')
  t.is(beginningOf('a😀b', 2), 'a😀')
  for (const blank of [undefined, '', ' \n', '\u200B', '\uFEFF', '\u00AD', '\u2800', '\u3164', '\u0007'])
    t.true(isBlank(blank))
  for (const shown of ['a', ' . ', '😀', '\u200Bx']) t.false(isBlank(shown))
})
