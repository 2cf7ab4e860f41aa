import * as fc from 'fast-check'
import test from 'ava'
import type { OfficialChange } from '../../../../src/ports/official/changes.ts'
import { splitChanges } from '../../../../src/providers/official/inbound/changes.ts'

function split(text: string): readonly OfficialChange[] {
  const splitting = splitChanges(Buffer.from(text))
  if (!splitting.ok) throw new Error('the body was not taken')
  return splitting.changes
}

/** The key of one change of field `calls` with this value. */
function callsKey(value: unknown, entry: Readonly<Record<string, unknown>> = {}): string {
  const [change] = split(
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '2002', ...entry, changes: [{ field: 'calls', value }] }],
    }),
  )
  return change?.key ?? ''
}

const VALUE =
  '{ "messaging_product":"whatsapp","metadata":{"phone_number_id":1234567890123456789},\n "x":"\\ud83d\\ude00 \u{1F600} \\u00e9 \\"]}","n":1.50e+2,"big":9007199254740993 }'

test('a change is cut out with its value byte for byte', (t) => {
  const body = `\n { "object" : "whatsapp_business_account", "extra":[1,{"a":"}"}], "entry" : [ {"id":20025555555555555555,"time":1752583107,"changes":[ {"value": ${VALUE} , "field":"messages", "new_part":null} ]} ] }\n`
  const [change, ...others] = split(body)
  t.deepEqual(others, [])
  t.is(change?.value, VALUE)
  t.is(
    change?.envelope,
    `{"object":"whatsapp_business_account","extra":[1,{"a":"}"}],"entry":[{"id":20025555555555555555,"time":1752583107,"changes":[{"value": ${VALUE} , "field":"messages", "new_part":null}]}]}`,
  )
  t.like(change, {
    object: 'whatsapp_business_account',
    accountId: '20025555555555555555',
    field: 'messages',
    phoneId: '1234567890123456789',
  })
})

test('each change of each entry becomes an envelope of its own, in order', (t) => {
  const changes = split(
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            { field: 'a', value: { n: 1 } },
            { field: 'b', value: { n: 2 } },
          ],
        },
        { id: '2', time: 5 },
        { id: '3', changes: [] },
        { id: '4', time: 6, changes: [{ field: 'c', value: { metadata: { phone_number_id: '77' } } }] },
      ],
    }),
  )
  t.deepEqual(
    changes.map(({ accountId, field, phoneId, envelope }) => [
      accountId,
      field,
      phoneId,
      JSON.parse(envelope) as unknown,
    ]),
    [
      [
        '1',
        'a',
        null,
        { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'a', value: { n: 1 } }] }] },
      ],
      [
        '1',
        'b',
        null,
        { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'b', value: { n: 2 } }] }] },
      ],
      [
        '4',
        'c',
        '77',
        {
          object: 'whatsapp_business_account',
          entry: [{ id: '4', time: 6, changes: [{ field: 'c', value: { metadata: { phone_number_id: '77' } } }] }],
        },
      ],
    ],
  )
})

test('a change has the time at which upstream told it, as a number or as a text, in any unit', (t) => {
  const at = (time: string) =>
    split(`{"entry":[{"id":"1",${time}"changes":[{"field":"a","value":{}}]}]}`)[0]?.at?.getTime() ?? null
  const cases: readonly (readonly [written: string, seconds: number | null])[] = [
    ['1752583107', 1_752_583_107],
    ['"1752583107"', 1_752_583_107],
    ['1', 1],
    ['1752583107000', 1_752_583_107],
    ['"1752583107000000"', 1_752_583_107],
    // A time too far in the future, one with a fraction, and values that are no time.
    ['99999999999999999', null],
    ['1.5', null],
    ['0', null],
    ['-1', null],
    ['1e9', null],
    ['""', null],
    ['null', null],
    ['{}', null],
    ['"soon"', null],
  ]
  for (const [written, seconds] of cases)
    t.is(at(`"time":${written},`), seconds === null ? null : seconds * 1000, written)
  t.is(at(''), null)
})

test('the phone of a settings change is found', (t) => {
  const [change] = split(
    '{"entry":[{"changes":[{"field":"account_settings_update","value":{"phone_number_settings":{"phone_number_id":"55"}}}]}]}',
  )
  t.like(change, { phoneId: '55', accountId: null, object: '' })
})

for (const body of [
  '',
  'no json',
  '[]',
  '{}',
  '{"entry":{}}',
  '{"entry":null}',
  '"entry"',
  '{"entry":[}',
  '{"entry":[]}x',
]) {
  test(`a body of ${body === '' ? 'nothing' : body} is no batch`, (t) => {
    t.false(splitChanges(Buffer.from(body)).ok)
  })
}

test('bytes that are no UTF-8 are no batch', (t) => {
  t.false(splitChanges(Buffer.from([...Buffer.from('{"entry":[],"x":"'), 0xff, ...Buffer.from('"}')])).ok)
})

test('a malformed entry or change is skipped', (t) => {
  t.deepEqual(split('{"entry":[null,1,"x",[],{"changes":null},{"changes":[null,3,"{",[]]}]}'), [])
  t.like(split('{"entry":[{"changes":[{}]}]}')[0], { field: '', value: 'null', accountId: null })
})

const json = fc.json({ maxDepth: 6 })
const change = fc.record({
  field: fc.oneof(fc.constantFrom('calls', 'messages'), fc.string({ unit: 'grapheme' })),
  value: json,
})
const batch = fc.array(
  fc.record({ id: fc.oneof(fc.string(), fc.nat()), changes: fc.array(change, { maxLength: 4 }) }),
  { maxLength: 4 },
)
const space = fc.constantFrom('', ' ', '\n', '\t\r\n  ')

test('any batch of any values splits into exactly its changes, their texts untouched', (t) => {
  fc.assert(
    fc.property(batch, space, (entries, gap) => {
      const text = `${gap}{${gap}"object":"o"${gap},"entry"${gap}:${gap}[${entries
        .map(
          ({ id, changes }) =>
            `${gap}{"id":${JSON.stringify(id)},"changes":[${changes
              .map(
                ({ field, value }) =>
                  `${gap}{"field":${JSON.stringify(field)}${gap},${gap}"value":${gap}${value}${gap}}${gap}`,
              )
              .join(',')}]}${gap}`,
        )
        .join(',')}]}${gap}`
      const wanted = entries.flatMap(({ id, changes }) => changes.map(({ field, value }) => ({ id, field, value })))
      const got = split(text)
      t.is(got.length, wanted.length)
      got.forEach((one, index) => {
        const { id, field, value } = wanted[index] ?? { id: '', field: '', value: '' }
        t.is(one.value, value.trim())
        t.is(one.accountId, String(id))
        t.deepEqual(JSON.parse(one.envelope), {
          object: 'o',
          entry: [{ id, changes: [{ field, value: JSON.parse(value) as unknown }] }],
        })
        t.true(one.key.length <= 100)
      })
    }),
  )
})

test('no bytes make it throw', (t) => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void splitChanges(bytes)))
  fc.assert(fc.property(fc.json(), (text) => void splitChanges(Buffer.from(`{"entry":${text}}`))))
  fc.assert(fc.property(fc.json(), (text) => void splitChanges(Buffer.from(`{"entry":[{"changes":${text}}]}`))))
  const deep = `{"entry":[{"changes":[{"value":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}]}`
  t.is(split(deep)[0]?.value.length, 100_000)
})

const META = { messaging_product: 'whatsapp', metadata: { display_phone_number: '1555', phone_number_id: '1001' } }
const RINGING = { id: 'wacid.A', type: 'call', status: 'RINGING', timestamp: '1752583107', recipient_id: '5511' }
const CONNECT = {
  id: 'wacid.A',
  event: 'connect',
  timestamp: '1752583107',
  direction: 'USER_INITIATED',
  session: { sdp_type: 'offer', sdp: 'v=0' },
}

test('a repeated change has the same key, whatever came along with it', (t) => {
  const first = callsKey({ ...META, statuses: [RINGING] })
  t.is(callsKey({ ...META, statuses: [RINGING] }), first)
  t.is(
    callsKey({ ...META, contacts: [{ profile: { name: 'Ann' }, wa_id: '5511' }], statuses: [RINGING] }, { time: 5 }),
    first,
  )
})

test('two statuses, two events and two calls have different keys', (t) => {
  const values = [
    { ...META, statuses: [RINGING] },
    { ...META, statuses: [{ ...RINGING, status: 'ACCEPTED' }] },
    { ...META, statuses: [{ ...RINGING, id: 'wacid.B' }] },
    { ...META, statuses: [RINGING, { ...RINGING, status: 'ACCEPTED' }] },
    { ...META, calls: [CONNECT] },
    { ...META, calls: [{ ...CONNECT, session: { sdp_type: 'answer', sdp: 'v=0' } }] },
    // A call that is described twice within a second has two changes ([bridged-calls.bridge.10]).
    { ...META, calls: [{ ...CONNECT, session: { sdp_type: 'offer', sdp: 'v=0\r\no=- 1 2 IN IP4 0.0.0.0' } }] },
    { ...META, calls: [{ ...CONNECT, event: 'terminate', status: 'COMPLETED' }] },
    { ...META, calls: [{ ...CONNECT, event: 'terminate', status: 'FAILED' }] },
    { ...META, calls: [{ ...CONNECT, event: 'terminate', status: 'FAILED' }], errors: [{ code: 138021 }] },
    { ...META, errors: [{ code: 131044, message: 'a' }] },
    { ...META, errors: [{ code: 131044, message: 'b' }] },
    { ...META, metadata: { phone_number_id: '1002' }, statuses: [RINGING] },
    { ...META, messages: [{ id: 'wamid.A', type: 'unsupported', timestamp: '1' }] },
    { ...META, messages: [{ id: 'wamid.A', type: 'text', timestamp: '1' }] },
    { ...META, statuses: [RINGING], something_new: [1] },
    { ...META, statuses: [RINGING], something_new: [2] },
    { ...META, statuses: [{ ...RINGING, id: undefined }] },
  ]
  t.is(new Set(values.map((value) => callsKey(value))).size, values.length)
})

test('a change without names is known by its bytes and the time of its entry', (t) => {
  const flagged = { display_phone_number: '1555', event: 'FLAGGED' }
  t.is(callsKey(flagged, { time: 5 }), callsKey(flagged, { time: 5 }))
  t.not(callsKey(flagged, { time: 5 }), callsKey(flagged, { time: 6 }))
  t.not(callsKey({ ...flagged, big: 1 }), callsKey({ ...flagged, big: 2 }))
  const long = (digit: number) =>
    split(`{"entry":[{"changes":[{"field":"x","value":{"id":1234567890123456789${digit}}}]}]}`)[0]?.key
  t.not(long(1), long(2))
})

test('a batch of 3 MB with 1,000 changes splits into its 1,000 changes', (t) => {
  const pad = '\\u00e9"'.replace('"', '').repeat(450)
  const entries = Array.from(
    { length: 1_000 },
    (_, n) =>
      `{"id":"2002","changes":[{"field":"messages","value":{"messages":[{"id":"wamid.${n}","type":"text","text":{"body":"${pad}"}}]}}]}`,
  )
  const body = Buffer.from(`{"object":"whatsapp_business_account","entry":[${entries.join(',')}]}`)
  t.true(body.byteLength > 2_700_000)
  const splitting = splitChanges(body)
  t.true(splitting.ok)
  t.is(splitting.ok ? new Set(splitting.changes.map(({ key }) => key)).size : 0, 1_000)
})
