import test from 'ava'
import { parseJson } from '../../../src/http/request/json-text.ts'

test('keys named __proto__ are dropped at every depth, others stay', (t) => {
  const value: any = parseJson(Buffer.from('{"__proto__":{"a":1},"b":[{"__proto__":2,"c":3}],"constructor":4}'))
  t.deepEqual(Object.keys(value), ['b', 'constructor'])
  t.deepEqual(Object.keys(value.b[0]), ['c'])
  t.is(Object.getPrototypeOf(value), Object.prototype)
})

test('text beyond ASCII is kept as it is', (t) => {
  t.deepEqual(parseJson(Buffer.from('{"a":"ação \\ud83d\\ude00 😀"}')), { a: 'ação 😀 😀' })
})

test('a byte order mark is no part of the text', (t) => {
  t.deepEqual(parseJson(Buffer.from('\ufeff{}')), {})
})
