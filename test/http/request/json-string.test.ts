import test from 'ava'
import * as fc from 'fast-check'
import { RefusalError } from '../../../src/domain/errors.ts'
import { JsonStringReader } from '../../../src/http/request/json-string.ts'
import { parseJson } from '../../../src/http/request/json-text.ts'
import { ANY_LETTER } from '../../helpers/any-letter.ts'
import { piecesOf } from '../../helpers/pieces.ts'

/** Reads the inside of a JSON string in pieces. Returns the text, or the code of the refusal. */
function readInPieces(inside: Buffer, cuts: readonly number[]): string {
  return outcome(() => {
    const reader = new JsonStringReader()
    const text = piecesOf(inside, cuts)
      .map((piece) => reader.read(piece))
      .join('')
    reader.end()
    return text
  })
}

function outcome(read: () => unknown): string {
  try {
    return `text ${String(read())}`
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal.code
    throw error
  }
}

const part = fc.oneof(
  fc.string({ unit: ANY_LETTER }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom(
    '\\/',
    '\\u002b',
    '\\\\',
    '\\"',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00',
    '\\u0000',
    '\\u00',
    '\\',
    '\\x',
    '\u0001',
    '\n',
    '\u{1F600}',
    'AAAA',
  ),
)

test('a string read in pieces is what the whole body would be read as, or refused as it', (t) => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(60), { maxLength: 12 }), (parts, cuts) => {
      const inside = Buffer.from(parts.join(''))
      // Skips texts that end the string themselves, because those are not the inside of one string.
      fc.pre(!/^(?:[^"\\]|\\.)*"/s.test(inside.toString()))
      t.is(
        readInPieces(inside, cuts),
        outcome(() => parseJson(Buffer.concat([Buffer.from('"'), inside, Buffer.from('"')]))),
      )
    }),
    { numRuns: 3_000 },
  )
})

for (const bytes of [[0xff], [0xc3], [0x41, 0xed, 0xa0, 0x80]]) {
  test(`bytes ${bytes.join(' ')} are no UTF-8 and refused`, (t) => {
    t.is(readInPieces(Buffer.from(bytes), [1]), 'INVALID_JSON')
  })
}
