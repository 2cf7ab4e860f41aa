import test from 'ava'
import type { ZodObject, ZodType } from 'zod'
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '../../src/domain/realtime-messages.ts'
import { CLIENT_BOUNDS, FRAME_MS, PROTOCOL, SESSION_RATES_HZ } from '../../src/domain/realtime-session.ts'

const takes = (schema: ZodType, message: object) => schema.safeParse(message).success

// [realtime.server-messages.1]
test('each message of a server has its words, and no others', (t) => {
  const start = {
    type: 'start',
    protocol: PROTOCOL,
    callId: 'call_1',
    externalCallId: null,
    direction: 'INBOUND',
    peerNumber: '55',
    status: 'ACCEPTED',
    mode: 'talk',
    inRate: 16_000,
    outRate: 8_000,
    frameMs: 20,
    limits: { maxMessageBytes: 1, highMs: 1, lowMs: 1, maxMs: 1 },
  }
  t.is(PROTOCOL, 'pcm16.v1')
  t.true(takes(SERVER_MESSAGES.start, start))
  t.true(takes(SERVER_MESSAGES.start, { ...start, codec: 'opus', parameters: { a: 'b' } }))
  for (const rate of SESSION_RATES_HZ) t.true(takes(SERVER_MESSAGES.start, { ...start, inRate: rate }))
  for (const frameMs of FRAME_MS) t.true(takes(SERVER_MESSAGES.start, { ...start, frameMs }))
  for (const odd of [{ codec: 'pcm' }, { inRate: 44_100 }, { frameMs: 30 }, { limits: {} }, { type: 'mark' }])
    t.false(takes(SERVER_MESSAGES.start, { ...start, ...odd }), JSON.stringify(odd))
  const words: readonly [keyof typeof SERVER_MESSAGES, object, string, readonly string[]][] = [
    ['mark', { name: 1, playedMs: 0 }, 'status', ['played', 'cleared']],
    ['buffer', { queuedMs: 0, droppedMs: 0 }, 'state', ['ok', 'pause', 'full']],
    ['speech', { atMs: 0 }, 'state', ['started', 'stopped']],
    ['play', { playbackId: 'a', mediaUrlHash: 'b' }, 'status', ['queued', 'started', 'finished', 'failed']],
    ['takeoverByPerson', { type: 'takeover', sessionId: 'rts_1' }, 'by', ['person']],
    ['takeoverByBot', { type: 'takeover' }, 'by', ['bot']],
  ]
  for (const [name, rest, field, known] of words) {
    const message = (word: string) => ({ type: name, ...rest, [field]: word })
    for (const word of known) t.true(takes(SERVER_MESSAGES[name], message(word)), `${name} ${word}`)
    for (const odd of ['', 'odd']) t.false(takes(SERVER_MESSAGES[name], message(odd)), `${name} ${odd}`)
  }
  for (const name of ['warning', 'error'] as const) {
    t.true(takes(SERVER_MESSAGES[name], { type: name, code: 'A', message: 'b', count: 2, fatal: true }))
    t.false(takes(SERVER_MESSAGES[name], { type: name, message: 'b' }))
  }
  t.true(takes(SERVER_MESSAGES.cleared, { type: 'cleared', id: 'a', discardedMs: 1, playedMs: 1, marks: ['a', 1] }))
  t.false(takes(SERVER_MESSAGES.cleared, { type: 'cleared', discardedMs: 1, playedMs: 1, marks: [{}] }))
  t.true(takes(SERVER_MESSAGES.drained, { type: 'drained', playedMs: 1 }))
  t.true(takes(SERVER_MESSAGES.dtmf, { type: 'dtmf', digit: '1', durationMs: 1 }))
  t.false(takes(SERVER_MESSAGES.stats, { type: 'stats', rttMs: null }))
})

test('a field whose name does not say it all is described', (t) => {
  const described = Object.entries(SERVER_MESSAGES).flatMap(([name, schema]) =>
    Object.entries((schema as ZodObject).shape).flatMap(([field, { description }]) =>
      description === undefined ? [] : [[`${name}.${field}`, description]],
    ),
  )
  t.deepEqual(Object.fromEntries(described), {
    'start.peerNumber': 'Digits',
    'start.inRate': 'Samples a second',
    'start.outRate': 'Samples a second',
    'start.codec': 'Absent when binary messages are PCM',
    'start.parameters': 'What the session was given along ([voice.connect-to.5]); absent when nothing',
    'mark.playedMs': 'In ms',
    'mark.payload': 'Of a mark that was set by `notify`',
    'cleared.discardedMs': 'In ms',
    'cleared.playedMs': 'Heard of the current utterance, in ms',
    'buffer.queuedMs': 'In ms',
    'buffer.state': '`pause`: over 30 s wait; `ok`: under 15 s; `full`: over 60 s, the newest audio is refused',
    'buffer.droppedMs': 'In ms',
    'drained.playedMs': 'In ms',
    'dtmf.durationMs': 'In ms',
    'takeoverByPerson.sessionId': 'Of the session that talks from now on',
    'speech.atMs': 'When it began, in ms since the session’s start',
    'play.mediaUrlHash': 'SHA-256 of the address in hexadecimal, because addresses may carry secrets',
    'stats.rttMs': 'To the peer and back; null when nobody told',
    'stats.lost': 'Packets of the peer',
    'stats.driftPpm': 'How much faster than ours your clock runs; null until you sent in real time for a minute',
    'stats.trimmedMs': 'Silence of yours that was dropped, less what was added',
    'stats.droppedFrames': 'Dropped because this socket was too slow',
    'warning.count': 'How often it happened since it was last told',
    'warning.fatal': 'True: the socket is about to be closed',
    'error.count': 'How often it happened since it was last told',
    'error.fatal': 'True: the socket is about to be closed',
  })
})

// [realtime.client-messages.1]
test('a client may say what is bounded, and nothing else', (t) => {
  const { markBytes, idCharacters, reasonCharacters, urlCharacters, digits } = CLIENT_BOUNDS
  const fits: readonly (readonly [keyof typeof CLIENT_MESSAGES, object])[] = [
    ['clear', {}],
    ['clear', { id: null }],
    ['clear', { id: 'x'.repeat(idCharacters) }],
    ['ping', { id: 5 }],
    ['mark', { name: 'x'.repeat(markBytes) }],
    ['dtmf', { digits: '0123456789ABCDabcd*#' }],
    ['dtmf', { digits: '1'.repeat(digits) }],
    ['mute', { on: false }],
    ['hangup', {}],
    ['hangup', { reason: null }],
    ['hangup', { reason: 'x'.repeat(reasonCharacters) }],
    ['play', { mediaUrl: 'x'.repeat(urlCharacters), hangupAfterPlay: true }],
    ...(['pause', 'resume', 'flush', 'accept', 'stats'] as const).map((name) => [name, {}] as const),
  ]
  for (const [name, rest] of fits) t.true(takes(CLIENT_MESSAGES[name], { type: name, ...rest }), name)
  const unfit: readonly (readonly [keyof typeof CLIENT_MESSAGES, object])[] = [
    ['clear', { id: 'x'.repeat(idCharacters + 1) }],
    ['mark', { name: '' }],
    ['mark', { name: 'x'.repeat(markBytes + 1) }],
    ['dtmf', { digits: '' }],
    ['dtmf', { digits: '1'.repeat(digits + 1) }],
    ['dtmf', { digits: '1E' }],
    ['dtmf', { digits: 'E1' }],
    ['dtmf', { digits: '1\n' }],
    ['mute', { on: 1 }],
    ['hangup', { reason: 'x'.repeat(reasonCharacters + 1) }],
    ['play', { mediaUrl: '' }],
    ['play', { mediaUrl: 'x'.repeat(urlCharacters + 1) }],
    ...(Object.keys(CLIENT_MESSAGES) as (keyof typeof CLIENT_MESSAGES)[]).map(
      (name) => [name, { type: 'odd' }] as const,
    ),
  ]
  for (const [name, rest] of unfit)
    t.false(takes(CLIENT_MESSAGES[name], { type: name, ...rest }), JSON.stringify(rest).slice(0, 40))
})
