import test from 'ava'
import * as fc from 'fast-check'
import { parseWhole } from '../../../../src/providers/official/values/whole-json.ts'

test('integers that a number cannot hold are read as texts of their digits, wherever they stand', (t) => {
  const cases: readonly (readonly [written: string, read: unknown])[] = [
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['1234567890123456', 1_234_567_890_123_456],
    ['"12345678901234567890"', '12345678901234567890'],
    ['12345678901234567890.5', Number('12345678901234567890.5')],
    ['12345678901234567890e3', Number('12345678901234567890e3')],
    ['"say \\"id\\": 12345678901234567890, and more"', 'say "id": 12345678901234567890, and more'],
  ]
  for (const [written, read] of cases) {
    t.deepEqual(parseWhole(`{"id":${written}}`), { id: read }, written)
    t.deepEqual(
      parseWhole(`{ "list" : [1,\n\t${written} ,{"id"\n:\n ${written}}] }`),
      { list: [1, read, { id: read }] },
      written,
    )
  }
  t.deepEqual(Object.entries(parseWhole('{"__proto__":{"id":12345678901234567890}}') ?? {}), [
    ['__proto__', { id: '12345678901234567890' }],
  ])
})

test('whatever holds no such integer is read as JSON has it', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      const hasLong = /[:,[]-?\d{16,}[,\]}]/.test(text)
      if (!hasLong) t.deepEqual(parseWhole(text), JSON.parse(text))
    }),
  )
})

test('a text that is no object is read as null, and no text makes the reader throw', (t) => {
  const deep = `{"x":[12345678901234567890,${'['.repeat(100_000)}${']'.repeat(100_000)}]}`
  for (const text of ['', 'null', '[]', '7', '"x"', '{', '{"id":}', '[12345678901234567890]', deep])
    t.is(parseWhole(text), null, text.slice(0, 20))
  fc.assert(fc.property(fc.string(), (text) => void parseWhole(text)))
})
