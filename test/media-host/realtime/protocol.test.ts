import test from 'ava'
import { array, assert, nat, property, uint8Array } from 'fast-check'
import { readParameters } from '../../../media-host/realtime/protocol-parameters.ts'
import { parseClientText } from '../../../media-host/realtime/protocol-parse.ts'
import { FrameCutter, SampleReader } from '../../../media-host/realtime/session-frames.ts'

const read = (query: string) => readParameters(new URLSearchParams(query))
const parse = (message: unknown) => parseClientText(JSON.stringify(message))

// [realtime.query.1] [realtime.query.3] [realtime.query.4] [realtime.query.5] [realtime.query.6] [realtime.query.7]
test('parameters have the defaults of the protocol', (t) => {
  t.deepEqual(read('token=x'), {
    ok: true,
    value: {
      codec: 'pcm16',
      inRate: 16_000,
      outRate: 16_000,
      frameMs: 20,
      dialect: 'native',
      statsSeconds: 0,
      onDisconnect: 'keep',
      prebufferMs: 40,
      speech: false,
    },
  })
})

// [realtime.query.1] [realtime.query.2]
test('rate sets both directions, inRate and outRate win over it', (t) => {
  const both = read('rate=24000&inRate=48000')
  t.like(both, { ok: true, value: { inRate: 48_000, outRate: 24_000 } })
})

// [realtime.query.8] [realtime.opus.6]
test('codec=opus has one clock, and is refused beside rates, lengths and dialects of PCM', (t) => {
  t.like(read('codec=opus&dialect=native'), { ok: true, value: { codec: 'opus', inRate: 48_000, outRate: 48_000 } })
  const pcm = { ok: true, value: { codec: 'pcm16', outRate: 8_000 } }
  t.like(read('codec=pcm16&rate=8000&dialect=vonage'), pcm)
  const beside = ['rate=48000', 'inRate=48000', 'outRate=48000', 'frameMs=20', 'dialect=twilio', 'dialect=vonage']
  for (const query of beside) {
    const outcome = read(`codec=opus&${query}`)
    t.false(outcome.ok, query)
    if (!outcome.ok) t.is(outcome.parameter, query.split('=')[0] ?? '')
  }
  t.like(read('codec=g711'), { ok: false, parameter: 'codec' })
})

// [realtime.query.9] [realtime.speech.4]
test('speech is on or off, beside each codec, and in the dialect that has words for it', (t) => {
  t.like(read('speech=on'), { ok: true, value: { speech: true } })
  t.like(read('speech=on&codec=opus&dialect=native'), { ok: true, value: { speech: true, codec: 'opus' } })
  t.like(read('speech=off&dialect=twilio'), { ok: true, value: { speech: false } })
  t.like(read('speech=on&dialect=twilio'), { ok: false, parameter: 'dialect' })
  t.like(read('speech=1'), { ok: false, parameter: 'speech' })
})

// [realtime.refusals.1]
test('a bad parameter is named', (t) => {
  const bad = [
    'rate=44100',
    'inRate=x',
    'outRate=0',
    'frameMs=30',
    'dialect=morse',
    'stats=-1',
    'stats=1.5',
    'onDisconnect=maybe',
    'prebufferMs=201',
    'rate=',
  ]
  for (const query of bad) {
    const outcome = read(query)
    t.false(outcome.ok, query)
    if (!outcome.ok) t.is(outcome.parameter, query.split('=')[0] ?? '')
  }
})

// [realtime.client-messages.14]
test('every client message is read with its fields', (t) => {
  const cases: [object, object][] = [
    [
      { type: 'clear', id: 'c1' },
      { type: 'clear', id: 'c1' },
    ],
    [
      { type: 'mark', name: 'end' },
      { type: 'mark', name: 'end' },
    ],
    [{ type: 'pause' }, { type: 'pause' }],
    [{ type: 'resume' }, { type: 'resume' }],
    [{ type: 'flush' }, { type: 'flush' }],
    [
      { type: 'dtmf', digits: '12#a' },
      { type: 'dtmf', digits: '12#A' },
    ],
    [
      { type: 'mute', on: true },
      { type: 'mute', on: true },
    ],
    [{ type: 'hangup' }, { type: 'hangup', reason: null }],
    [
      { type: 'hangup', reason: 'done' },
      { type: 'hangup', reason: 'done' },
    ],
    [{ type: 'accept' }, { type: 'accept' }],
    [
      { type: 'play', mediaUrl: 'https://x/y' },
      { type: 'play', mediaUrl: 'https://x/y', hangupAfterPlay: false },
    ],
    [
      { type: 'play', mediaUrl: 'HTTPS://Example.COM:443/a b' },
      { type: 'play', mediaUrl: 'https://example.com/a%20b', hangupAfterPlay: false },
    ],
    [{ type: 'stats' }, { type: 'stats' }],
    [
      { type: 'ping', id: 7 },
      { type: 'ping', id: 7 },
    ],
    [{ action: 'clear' }, { type: 'clear' }],
    [
      { action: 'notify', payload: { a: 1 } },
      { type: 'mark', name: 'notify', payload: { a: 1 } },
    ],
  ]
  for (const [message, read] of cases) t.deepEqual(parse(message), { kind: 'message', message: read } as never)
})

test('unknown types, wrong fields and texts that are no JSON are told apart', (t) => {
  t.is(parse({ type: 'dance' }).kind, 'unknown')
  t.is(parse({ type: 'toString' }).kind, 'unknown')
  t.is(parse({ action: 'dance' }).kind, 'unknown')
  for (const bad of [
    { type: 'mark' },
    { type: 'mark', name: 'x'.repeat(65) },
    { type: 'dtmf', digits: '1x' },
    { type: 'mute', on: 1 },
    { type: 'play' },
    { type: 'play', mediaUrl: 'https://user:pw@x/y' },
    { type: 'clear', id: {} },
    { type: 5 },
    {},
    [],
    'text',
    null,
  ])
    t.is(parse(bad).kind, 'invalid', JSON.stringify(bad))
  t.is(parseClientText('{"type":').kind, 'badJson')
})

test('whatever the chunks, samples come out of them bit-exact', (t) => {
  assert(
    property(uint8Array({ maxLength: 500 }), array(nat(70), { maxLength: 40 }), (bytes, cuts) => {
      const reader = new SampleReader()
      const out: number[] = []
      let from = 0
      for (const cut of [...cuts, bytes.length]) {
        out.push(...reader.read(bytes.subarray(from, from + cut)))
        from = Math.min(bytes.length, from + cut)
      }
      const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
      t.deepEqual(
        out,
        Array.from({ length: whole.length / 2 }, (_, i) => whole.readInt16LE(i * 2)),
      )
    }),
  )
})

test('frames of one length are cut from any runs of samples', (t) => {
  const cutter = new FrameCutter(480)
  const frames: number[][] = []
  for (let from = 0; from < 1_600; from += 320) {
    cutter.push(
      Int16Array.from({ length: 320 }, (_, i) => from + i),
      (frame) => frames.push([...frame]),
    )
  }
  t.deepEqual(
    frames.map((frame) => frame.length),
    [480, 480, 480],
  )
  t.deepEqual(
    frames.flat(),
    Array.from({ length: 1_440 }, (_, i) => i),
  )
})
