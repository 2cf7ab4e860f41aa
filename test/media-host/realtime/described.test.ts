import test from 'ava'
import { assert, property, constantFrom } from 'fast-check'
import { CLOSE, type ClientMessage } from '../../../media-host/realtime/protocol.ts'
import { readParameters } from '../../../media-host/realtime/protocol-parameters.ts'
import { parseClientText } from '../../../media-host/realtime/protocol-parse.ts'
import { RATES_HZ } from '../../../media-host/audio/frame.ts'
import { CLIENT_MESSAGES } from '../../../src/domain/realtime-messages.ts'
import { CLIENT_BOUNDS, SESSION_RATES_HZ } from '../../../src/domain/realtime-session.ts'
import { SESSION_QUERY } from '../../../src/http/asyncapi/realtime.ts'
import { CLOSE_WORDS } from '../../../src/http/asyncapi/realtime-words.ts'

/** Both directions, by the compiler: what is described is what the host reads, and it reads nothing else. */
type Described = keyof typeof CLIENT_MESSAGES
const DESCRIBED_IS_READ: readonly Described[] = [] as readonly ClientMessage['type'][]
const READ_IS_DESCRIBED: readonly ClientMessage['type'][] = DESCRIBED_IS_READ

/** Around each bound. */
const LENGTHS = [0, 1, 63, 64, 65, 128, 129, 200, 201, 4_000, 4_001]
const TEXTS = [...['1', 'x'].flatMap((one) => LENGTHS.map((length) => one.repeat(length))), '5#', 'D*']
const value = constantFrom<unknown[]>(undefined, null, true, false, 0, 7, -1.5, {}, [], ...TEXTS)
const type = constantFrom(...Object.keys(CLIENT_MESSAGES))

// [clients.described.3]
test('the host takes a message exactly when its description does', (t) => {
  t.deepEqual(READ_IS_DESCRIBED, [])
  const taken = new Set<string>()
  assert(
    property(type, value, value, (name, one, other) => {
      const fields = { id: one, name: one, digits: one, on: one, reason: one, mediaUrl: one, hangupAfterPlay: other }
      const message = { type: name, ...fields }
      const isDescribed = CLIENT_MESSAGES[name as Described].safeParse(message).success
      const read = parseClientText(JSON.stringify(message))
      if (isDescribed) taken.add(name)
      t.is(read.kind, isDescribed ? 'message' : 'invalid', JSON.stringify(message))
    }),
    { numRuns: 2_000 },
  )
  t.deepEqual([...taken].toSorted(), Object.keys(CLIENT_MESSAGES).toSorted())
})

test('a name of a mark may be longer in bytes than its description can say, and is refused then', (t) => {
  const mark = { type: 'mark', name: 'é'.repeat(CLIENT_BOUNDS.markBytes) }
  t.is(parseClientText(JSON.stringify(mark)).kind, 'invalid')
})

test('the query that is described is the one that is read', (t) => {
  const { token: _, prebufferMs, stats, ...choices } = SESSION_QUERY.shape
  for (const [name, schema] of Object.entries(choices)) {
    const values: readonly (string | number)[] = [
      ...('values' in schema.unwrap() ? (schema.unwrap() as { values: Set<number> }).values : []),
      ...('options' in schema.unwrap() ? (schema.unwrap() as { options: string[] }).options : []),
    ]
    t.true(values.length > 1, name)
    for (const one of values) t.true(readParameters(new URLSearchParams({ [name]: `${one}` })).ok, `${name}=${one}`)
    t.false(readParameters(new URLSearchParams({ [name]: 'other' })).ok, name)
  }
  for (const [name, schema] of Object.entries({ prebufferMs, stats }))
    for (const one of [0, 1, 200, 201, 3_600, 3_601, -1])
      t.is(
        readParameters(new URLSearchParams({ [name]: `${one}` })).ok,
        schema.safeParse(one).success,
        `${name}=${one}`,
      )
  t.deepEqual(SESSION_RATES_HZ, RATES_HZ)
})

test('every close code of the host has its meaning in the document', (t) => {
  t.deepEqual(
    Object.keys(CLOSE_WORDS).map(Number),
    Object.values<number>(CLOSE).toSorted((a, b) => a - b),
  )
})
