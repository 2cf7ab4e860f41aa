import * as fc from 'fast-check'
import test from 'ava'
import {
  beginningOf,
  storableDate,
  storableJson,
  storableName,
  storableSeconds,
  storableText,
  storableTime,
} from '../../src/domain/storable.ts'

test('a time is read as the seconds, milliseconds or microseconds that it is', (t) => {
  const at = new Date('2026-11-25T05:55:25Z')
  for (const written of [1_795_586_125, 1_795_586_125_000, 1_795_586_125_000_000])
    t.deepEqual(storableTime(written), at, String(written))
  t.deepEqual(storableTime(1), new Date(1_000))
  t.deepEqual(storableTime(9_999_999_999.9), new Date(9_999_999_999_900))
  t.deepEqual(storableTime(1e10), new Date(1e10), 'milliseconds of April 1970')
  t.deepEqual(storableTime(1e13 - 1), new Date(1e13 - 1))
  t.deepEqual([1e13, 1e15 - 1].map(storableTime), [null, null], 'of no unit')
  t.deepEqual(storableTime(1e15), new Date(1e12))
  t.deepEqual([1e16 - 1_000, 1e16].map(storableTime), [new Date(1e13 - 1), null])
})

test('a time of zero, before 1970 or after the year 2286 is not a time', (t) => {
  for (const written of [
    null,
    0,
    -0,
    -1,
    -1_795_586_125,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e17,
    Number.MAX_VALUE,
  ])
    t.is(storableTime(written), null, String(written))
  fc.assert(
    fc.property(fc.double(), (written) => {
      const date = storableTime(written)
      t.true(date === null || storableDate(date) === date, String(written))
    }),
  )
})

test('a date outside the years 1 to 9999 is not a date', (t) => {
  for (const text of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])
    t.not(storableDate(new Date(text)), null, text)
  for (const date of [
    new Date('0000-12-31T23:59:59Z'),
    new Date('+010000-01-01T00:00:00Z'),
    new Date(Number.NaN),
    null,
  ])
    t.is(storableDate(date), null)
})

test('a negative duration is read as zero, and one of more than 68 years as 68 years', (t) => {
  t.deepEqual([-9, -0.2, 0, 4.6, 2 ** 31, 1e300, Number.POSITIVE_INFINITY].map(storableSeconds), [
    0,
    0,
    0,
    5,
    2 ** 31 - 1,
    2 ** 31 - 1,
    2 ** 31 - 1,
  ])
})

test('texts lose what no database keeps, in values and keys too, numbers are those of JSON, and nothing lies deeper than 64 levels', (t) => {
  t.is(storableText('a\0b\uD800c'), 'a\uFFFDb\uFFFDc')
  t.is(storableText('😀'), '😀')
  t.deepEqual(storableJson({ a: ['\0', { b: '\uDC00' }], c: 1 }), { a: ['\uFFFD', { b: '\uFFFD' }], c: 1 })
  t.deepEqual(storableJson({ 'a\0': 1, '\uD800': { '\0': '\0' } }), { 'a\uFFFD': 1, '\uFFFD': { '\uFFFD': '\uFFFD' } })
  t.deepEqual(storableJson([1e300, Number.POSITIVE_INFINITY, [-Number.POSITIVE_INFINITY, Number.NaN], -0]), [
    1e300,
    null,
    [null, null],
    0,
  ])
  t.deepEqual(Object.keys(storableJson(JSON.parse('{"__proto__":1,"x":"\\u0000"}')) as object), ['__proto__', 'x'])
  const fine = { a: [1, 'x', null, true, {}], b: undefined }
  t.is(storableJson(fine), fine)
  t.is(Object.is(storableJson(-0), 0), true)
  t.deepEqual([null, true, 'x', 1].map(storableJson), [null, true, 'x', 1])
  t.deepEqual(storableJson(['\0', null, true, [2, [-0]]]), ['\uFFFD', null, true, [2, [0]]])
  const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
  t.is(JSON.stringify(storableJson(deep)).length, 63 * 2 + 'null'.length + 2)
  t.deepEqual(storableJson({ fine: 'kept', deep: JSON.parse('['.repeat(63) + ']'.repeat(63)) as unknown }), {
    fine: 'kept',
    deep: JSON.parse('['.repeat(63) + ']'.repeat(63)) as unknown,
  })
})

test('a name longer than an index holds is none, and what is only shown is cut between characters', (t) => {
  t.is(storableName('x'.repeat(300)), 'x'.repeat(300))
  t.is(storableName('x'.repeat(301)), null)
  t.is(storableName(''), null)
  t.is(storableName(null), null)
  t.deepEqual([storableName('abc', 3), storableName('abcd', 3), storableName('a\0')], ['abc', null, 'a\uFFFD'])
  t.is(beginningOf(`${'x'.repeat(299)}😀`), 'x'.repeat(299))
  t.is(beginningOf('x'.repeat(301)), 'x'.repeat(300))
  t.deepEqual([beginningOf('ab😀', 4), beginningOf('ab😀', 3), beginningOf('😀bc', 2)], ['ab😀', 'ab', '😀'])
  t.is(beginningOf('a\uD83D', 2), 'a\uFFFD', 'a half that came is shown')
})
