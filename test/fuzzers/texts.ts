import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseClientText } from '../../media-host/realtime/protocol-parse.ts'
import { readFlowDocument } from '../../src/domain/flow-form.ts'
import { messageKey } from '../../src/domain/message-key.ts'
import { offerFault, trimmedSdp } from '../../src/domain/sdp/sdp-fault.ts'
import { readDescription } from '../../src/domain/sdp/voice-description.ts'
import { answerText, voiceText } from '../../src/domain/sdp/voice-text.ts'
import { readCallEvents } from '../../src/providers/official/inbound/call-events.ts'
import { splitChanges } from '../../src/providers/official/inbound/changes.ts'
import { readLeadNotices } from '../../src/providers/official/inbound/lead-notices.ts'
import { readMessageEvents } from '../../src/providers/official/inbound/message-events.ts'
import { readEvent } from '../../src/providers/unofficial/events.ts'
import { sentenceOf, shapeOf } from './shape.ts'
import type { Target } from './target.ts'

const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 126',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:126 telephone-event/8000',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789abcdef01234567',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
  'a=candidate:1 1 UDP 2130706431 127.0.0.1 50000 typ host',
  'a=end-of-candidates',
  '',
].join('\r\n')

const sdp: Target = {
  name: 'sdp',
  starts: [OFFER, OFFER.replace('actpass', 'active'), OFFER.replaceAll('\r\n', '\n')],
  words: [
    ...OFFER.split('\r\n'),
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'm=audio 0 RTP/AVP 0',
    'a=bundle-only',
    'a=inactive',
    'a=rtpmap:0 PCMU/8000',
    '\r\n',
    '\uFEFF',
  ],
  take(bytes) {
    const text = trimmedSdp(bytes.toString())
    const fault = offerFault(text)
    const reading = readDescription(text, 'offer')
    assert.equal(typeof readDescription(text, 'answer').ok, 'boolean')
    if (!reading.ok) return `refused ${sentenceOf(reading.fault)} ${sentenceOf(fault ?? '')}`
    const { voice, sections } = reading.value
    assert.equal(typeof voiceText(voice), 'string')
    const answer = answerText(OFFER.replace('actpass', 'active'), reading.value)
    assert.equal(answer.split(/^(?=m=)/m).length - 1, sections.length, 'an answer has a section for each of the offer')
    return shapeOf({ ...reading.value, count: Math.min(3, sections.length) }) + sentenceOf(fault ?? '')
  },
}

const JSON_WORDS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  'true',
  '-0',
  '1e400',
  '"\\ud800"',
  '"\\u0000"',
  '{}',
  '[]',
]

function envelope(field: string, value: object): string {
  const changes = [{ field, value: { messaging_product: 'whatsapp', metadata: { phone_number_id: '1' }, ...value } }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', time: 1_752_583_107, changes }] })
}

const message = { from: '5511988880001', id: 'wamid.HBgNMQ==', timestamp: '1752583107' }
const notifications: Target = {
  name: 'notifications',
  starts: [
    envelope('messages', { messages: [{ ...message, type: 'text', text: { body: 'Hello' } }] }),
    envelope('messages', { messages: [{ ...message, type: 'image', image: { id: '9', mime_type: 'image/png' } }] }),
    envelope('messages', { messages: [{ ...message, type: 'interactive', interactive: { type: 'nfm_reply' } }] }),
    envelope('messages', {
      statuses: [{ ...message, recipient_id: '1', status: 'failed', errors: [{ code: 131_026 }] }],
    }),
    envelope('calls', {
      calls: [{ ...message, to: '1', event: 'connect', session: { sdp_type: 'offer', sdp: OFFER } }],
    }),
    envelope('calls', { calls: [{ ...message, to: '1', event: 'terminate', status: 'COMPLETED', duration: 3 }] }),
    JSON.stringify({
      object: 'page',
      entry: [{ id: '1', changes: [{ field: 'leadgen', value: { leadgen_id: '1' } }] }],
    }),
  ],
  words: [...JSON_WORDS, '"messages"', '"statuses"', '"contacts"', '"errors"', '"context"', '"type"', '"referral"'],
  take(bytes) {
    const leads = readLeadNotices(bytes)
    const split = splitChanges(bytes)
    if (!split.ok) return `${split.reason} ${shapeOf(leads)}`
    const read = split.changes.map(({ field, value }) => [
      ...(field === 'calls' ? readCallEvents(field, value) : readMessageEvents(field, value)),
    ])
    return `${shapeOf(read)} ${shapeOf(leads)}`
  },
}

const flowJson: Target = {
  name: 'flow-json',
  starts: [
    '{"version":"7.1","screens":[{"id":"ONE","title":"One","terminal":true,"layout":{"type":"SingleColumnLayout","children":[]}}]}',
    '\uFEFF{"version":"7.1"}',
    '[1,2,{"a":[]}]',
  ],
  words: [...JSON_WORDS, '"screens"', '"id"', '"layout"', '\uFEFF', '\u2028'],
  take(bytes) {
    const read = readFlowDocument({ flowJson: bytes.toString() })
    if (read.ok) return `read ${shapeOf(JSON.parse(read.value.replace(/^\uFEFF/, '')))}`
    const [fault]: { readonly message?: string }[] = Array.isArray(read.error.details) ? read.error.details : []
    return `${read.error.code} ${sentenceOf(fault?.message ?? '')}`
  },
}

const AT = 1_752_583_107_000
const bridge: Target = {
  name: 'bridge',
  starts: [
    { ev: 'session.qr', code: 'a', expiresInMs: 20_000 },
    { ev: 'session.state', state: 'OPEN', reason: null },
    { ev: 'session.peer', addresses: ['5511988880001', '1@lid'], name: 'Ann' },
    { ev: 'call.incoming', callId: 'c1', from: '5511988880001', media: { kind: 'webrtc', sdp: OFFER } },
    { ev: 'call.ended', callId: 'c1', reason: 'completed' },
    {
      ev: 'message.received',
      externalMessageId: 'm1',
      from: '5511988880001',
      to: '5511900000000',
      timestamp: AT,
      content: { type: 'text', text: 'Hello' },
    },
    { ev: 'message.status', externalMessageId: 'm1', status: 'READ', timestamp: AT },
  ].map((frame) => JSON.stringify(frame)),
  words: [...JSON_WORDS, '"content"', '"type":"poll"', '"type":"image"', '"quoted"', '"group"', '"1@g.us"', '"1@lid"'],
  take(bytes) {
    let frame: unknown
    try {
      frame = JSON.parse(bytes.toString())
    } catch {
      return 'no JSON'
    }
    if (typeof frame !== 'object' || frame === null || !('ev' in frame) || typeof frame.ev !== 'string')
      return 'no frame'
    const reading = readEvent(frame.ev, frame as Record<string, unknown>, '5511900000000', 'engine')
    if (reading.kind !== 'event') return reading.kind === 'invalid' ? `invalid ${sentenceOf(reading.ev)}` : reading.kind
    assert.doesNotMatch(JSON.stringify(reading.event), /\\u0000/, 'what cannot be stored is not read')
    return shapeOf(reading.event)
  },
}

const realtime: Target = {
  name: 'realtime',
  starts: [
    { type: 'clear', id: 'c1' },
    { type: 'mark', name: 'end' },
    { type: 'dtmf', digits: '12#A' },
    { type: 'mute', on: true },
    { type: 'hangup', reason: 'done' },
    { type: 'play', mediaUrl: 'https://a.example/a.mp3', hangupAfterPlay: true },
    { action: 'clear' },
  ].map((fields) => JSON.stringify(fields)),
  words: [...JSON_WORDS, '"type"', '"action"', '"pause"', '"ping"', '"id"', 'https://a:b@c.example'],
  take(bytes) {
    const read = parseClientText(bytes.toString())
    return read.kind === 'invalid' ? `invalid ${sentenceOf(read.problem)}` : shapeOf(read)
  },
}

/** Longer keys are all alike. */
const MOST_KEY = 48
const wamid: Target = {
  name: 'wamid',
  starts: [
    'wamid.HBgNNTUxMTk4ODg4MDAwMRUCABIYIDNBQjY0RDM3RDQwNzM3NkI1NUY3AA==',
    `wamid.${readFileSync(new URL('texts.ts', import.meta.url))
      .subarray(0, 60)
      .toString('base64')}`,
    'wamid.',
  ],
  words: ['wamid.', 'HBg', '=', '==', 'AA'],
  take(bytes) {
    const id = bytes.toString('latin1')
    const key = messageKey(id)
    assert.ok(key === id || Buffer.from(id.slice('wamid.'.length), 'base64').includes(key), 'a key is part of its id')
    return `${key === id} ${Math.min(MOST_KEY, key.length)}`
  },
}

export const TEXTS: readonly Target[] = [sdp, notifications, flowJson, bridge, realtime, wamid]
