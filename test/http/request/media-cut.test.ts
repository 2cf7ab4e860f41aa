import test from 'ava'
import * as fc from 'fast-check'
import { RefusalError } from '../../../src/domain/errors.ts'
import { parseJson } from '../../../src/http/request/json-text.ts'
import { MediaCut } from '../../../src/http/request/media-cut.ts'
import { ANY_LETTER } from '../../helpers/any-letter.ts'
import { ScriptedFiles } from '../../helpers/scripted-messages.ts'
import { piecesOf } from '../../helpers/pieces.ts'

async function cutOut(body: Buffer, cuts: readonly number[]) {
  const files = new ScriptedFiles()
  const cut = new MediaCut(files, 20_000)
  for (const piece of piecesOf(body, cuts)) await cut.take(piece)
  const bare = await cut.end()
  return { files, bare, cut }
}

/** Puts the texts back in place of their placeholders. */
function restored(value: unknown, arrived: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return arrived.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => restored(item, arrived))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restored(item, arrived)]))
}

const uri = fc
  .tuple(
    fc.constantFrom('data:image/png;base64,', 'data:image/svg+xml;charset=utf-8;base64,'),
    fc.integer({ min: 9_000, max: 40_000 }),
    fc.constantFrom('AAAA', 'ab+/', '////', 'no base64!'),
  )
  .map(([head, count, quantum]) => head + quantum.repeat(count))
const body = fc.record({
  media: uri,
  other: fc.oneof(
    uri,
    fc.string({ unit: ANY_LETTER }).filter((text) => !text.includes('\0')),
    fc.constant('x'.repeat(50_000)),
  ),
  cards: fc.array(fc.record({ image: uri, text: fc.string().filter((text) => !text.includes('\0')) }), {
    maxLength: 3,
  }),
})
const writers: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  (value) => JSON.stringify(value).replaceAll('+', '\\u002B'),
]

test('the rest of a body and the media cut out of it give the whole body again, however it is written and split', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom(...writers),
      fc.array(fc.nat(300_000), { maxLength: 12 }),
      async (value, write, cuts) => {
        const written = Buffer.from(write(value).toWellFormed())
        const whole = parseJson(written)
        const { files, bare } = await cutOut(written, cuts)
        t.is(bare.fault, null)
        t.deepEqual(restored(parseJson(bare.bytes), files.arrived), whole)
        t.true(files.arrived.size > 0)
      },
    ),
    { numRuns: 60 },
  )
})

test('short data URIs stay where they are, and so do long texts that are none', async (t) => {
  const value = { media: 'data:image/png;base64,AAAA', text: 'data:,' + 'x'.repeat(100_000) }
  const { files, bare } = await cutOut(Buffer.from(JSON.stringify(value)), [10, 70_000])
  t.deepEqual([parseJson(bare.bytes), files.arrived.size], [value, 0])
})

test('a body that is over 1 MB without its media is PAYLOAD_TOO_LARGE, whatever it is made of', async (t) => {
  for (const part of [
    ' '.repeat(1_000_001),
    '1'.repeat(1_000_001),
    `"${'x'.repeat(1_000_001)}"`,
    `"${'\\"'.repeat(600_000)}"`,
  ]) {
    const error = await t.throwsAsync(cutOut(Buffer.from(`[${part}]`), [300_000, 600_000]), {
      instanceOf: RefusalError,
    })
    t.is(error?.refusal.code, 'PAYLOAD_TOO_LARGE')
    t.regex(error?.message ?? '', /1000000 bytes without/)
  }
})

test('a body of more media than any message has is PAYLOAD_TOO_LARGE', async (t) => {
  const one = `data:image/png;base64,${'A'.repeat(33_000)}`
  const error = await t.throwsAsync(cutOut(Buffer.from(JSON.stringify(Array.from({ length: 33 }, () => one))), []), {
    instanceOf: RefusalError,
  })
  t.regex(error?.message ?? '', /more than 32 media/)
})

for (const [what, inside] of Object.entries({
  'an escape that is none': '\\x',
  'a NUL character': '\\u0000',
  'half of a surrogate pair': '\\ud800',
  'a line break': '\n',
  'bytes that are no UTF-8': '\xff',
})) {
  test(`${what} in a media makes the body no JSON, told once it is read`, async (t) => {
    const { bare, cut, files } = await cutOut(
      Buffer.from(`{"media":"data:image/png;base64,${'A'.repeat(40_000)}${inside}${'A'.repeat(40_000)}"}`, 'latin1'),
      [50_000],
    )
    t.is(bare.fault?.refusal.code, 'INVALID_JSON')
    await cut.drop()
    t.is(files.dropped, 1)
  })
}
