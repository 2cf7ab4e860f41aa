import test from 'ava'
import * as fc from 'fast-check'
import { JsonScan } from '../../../src/http/request/json-scan.ts'
import { ANY_LETTER } from '../../helpers/any-letter.ts'
import { piecesOf } from '../../helpers/pieces.ts'

/** The number of values in parsed JSON, including itself. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, child: unknown) => sum + valuesIn(child), 1)
}

function scanned(pieces: readonly Buffer[], most: number = Infinity): { isWithin: boolean; values: number } {
  const scan = new JsonScan(most)
  const isWithin = pieces.every((piece) => scan.read(piece))
  return { isWithin, values: scan.values }
}

/** Texts in which quotes and backslashes are more frequent than by chance. */
const text = fc.oneof(
  fc.string({ unit: ANY_LETTER }),
  fc
    .array(fc.constantFrom('"', '\\', '\\"', '\\\\', ',', '[', '{}', 'x'.repeat(70), '\u{1F600}'), { maxLength: 30 })
    .map((parts) => parts.join('')),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
})).value

test('the values counted in the bytes are those that JSON.parse finds, however the bytes are cut and spaced', (t) => {
  fc.assert(
    fc.property(
      json,
      fc.constantFrom(undefined, 1, '\t', '\r\n'),
      fc.array(fc.nat(4_000), { maxLength: 20 }),
      (value, space, cuts) => {
        const written = JSON.stringify(value, null, space)
        const { values } = scanned(piecesOf(Buffer.from(written), cuts))
        return values === valuesIn(JSON.parse(written))
      },
    ),
    { numRuns: 2_000 },
  )
  t.pass()
})

// [rest.bounds.1]
test('the limit itself is allowed, one more is not', (t) => {
  const list = (count: number) => [Buffer.from(JSON.stringify(Array.from({ length: count - 1 }, () => [])))]
  t.true(scanned(list(20_000), 20_000).isWithin)
  t.false(scanned(list(20_001), 20_000).isWithin)
})

test('counting stops at the limit, whatever else comes', (t) => {
  const scan = new JsonScan(100)
  t.false(scan.read(Buffer.alloc(1_000_000, '[],')))
  t.true(scan.values <= 102)
})

for (const [shape, unit] of Object.entries({
  brackets: '[',
  objects: '{',
  commas: ',',
  'strings without commas': '""',
})) {
  test(`a text of nothing but ${shape} is over the limit`, (t) => {
    t.false(scanned([Buffer.from(unit.repeat(50_000))], 20_000).isWithin)
  })
}

for (const [shape, inside] of Object.entries({
  'escaped quotes': '\\"',
  'escaped backslashes': '\\\\',
  brackets: '[',
  commas: ',',
  letters: 'a'.repeat(65),
})) {
  test(`a string of ${shape} is one value, cut anywhere`, (t) => {
    const whole = Buffer.from(`["${inside.repeat(300)}"]`)
    for (let at = 1; at < whole.length; at += 7)
      t.deepEqual(scanned([whole.subarray(0, at), whole.subarray(at)]), { isWithin: true, values: 2 })
  })
}

test('bytes that are no JSON at all never fail', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.nat(50), (bytes, most) => {
      scanned([Buffer.from(bytes)], most)
    }),
  )
  t.pass()
})
