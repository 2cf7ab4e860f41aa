import test from 'ava'
import * as fc from 'fast-check'
import { readDescription } from '../../../src/domain/sdp/voice-description.ts'
import type { ReadDescription } from '../../../src/domain/sdp/voice-description.ts'
import { answerText, voiceText } from '../../../src/domain/sdp/voice-text.ts'
import { ANY_LETTER } from '../../helpers/any-letter.ts'
import { WRITTEN_OFFERS } from '../../helpers/written-offers.ts'

const HASH = Array(32).fill('0B').join(':')
const SESSION = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0']
const CANDIDATE = 'a=candidate:1 1 udp 2130706431 127.0.0.1 41000 typ host'
const AUDIO = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 126',
  'c=IN IP4 127.0.0.1',
  'a=rtcp-mux',
  'a=ice-ufrag:Qz1x',
  'a=ice-pwd:Zt7mWq0hUe3rYb9kLs2dVf5n',
  `a=fingerprint:sha-256 ${HASH}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=sendrecv',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10',
  'a=rtpmap:126 telephone-event/8000',
  CANDIDATE,
]
const OFFER = [...SESSION, ...AUDIO, ''].join('\r\n')
const without = (start: string) => OFFER.replaceAll(new RegExp(`^${start}.*\r\n`, 'gm'), '')
const NO_OPUS = 'offers no Opus (no a=rtpmap of opus/48000/2 for a payload type of its m=audio line)'
const NO_FINGERPRINT = 'has no a=fingerprint of its certificate for its audio'
const added = (...lines: readonly string[]) => [OFFER.trimEnd(), ...lines, ''].join('\r\n')
const addedToSession = (...lines: readonly string[]) => [...SESSION, ...lines, ...AUDIO, ''].join('\r\n')

function read(text: string, type: 'offer' | 'answer' = 'offer'): ReadDescription {
  const reading = readDescription(text, type)
  if (!reading.ok) throw new Error(reading.fault)
  return reading.value
}

test('a description is read into one form', (t) => {
  t.deepEqual(read(OFFER), {
    voice: {
      direction: 'sendrecv',
      setup: 'actpass',
      isIceLite: false,
      ufrag: 'Qz1x',
      password: 'Zt7mWq0hUe3rYb9kLs2dVf5n',
      fingerprints: [{ type: 'sha-256', hash: HASH }],
      candidates: [{ foundation: '1', priority: 2_130_706_431, ip: '127.0.0.1', port: 41_000, type: 'host' }],
      opus: { payload: 111, rateHz: 48_000, config: 'minptime=10' },
      events: [{ payload: 126, rateHz: 8_000, config: null }],
      sources: [],
    },
    place: 0,
    isBundled: true,
    carrier: null,
    sections: [
      {
        kind: 'audio',
        port: 9,
        protocol: 'UDP/TLS/RTP/SAVPF',
        formats: ['111', '126'],
        mid: '0',
        codec: { payload: 111, codec: 'opus', rate: 48_000, encoding: 2 },
      },
    ],
  })
})

for (const [what, text, fault] of [
  ['no text at all', '', 'does not begin with v=0'],
  ['a JSON text', JSON.stringify({ type: 'offer', sdp: OFFER }), 'does not begin with v=0'],
  ['no audio', OFFER.replace('m=audio', 'm=video'), 'has no m=audio line'],
  ['nothing but a session', SESSION.join('\r\n'), 'has no m=audio line'],
  ['audio that is rejected', OFFER.replace('m=audio 9', 'm=audio 0'), 'rejects its audio (m=audio 0)'],
  ['inactive audio', OFFER.replace('sendrecv', 'inactive'), 'has inactive audio, so that nobody would be heard'],
  ['no Opus', OFFER.replace('opus/48000/2', 'PCMU/8000'), NO_OPUS],
  ['Opus at a clock that there is not', OFFER.replace('opus/48000/2', 'opus/16000'), NO_OPUS],
  ['Opus of a type that is not offered', OFFER.replace('SAVPF 111', 'SAVPF 0'), NO_OPUS],
  ['Opus of a type of more than seven bits', OFFER.replaceAll('111', '128'), NO_OPUS],
  ['no ICE ufrag', without('a=ice-ufrag'), 'has no a=ice-ufrag for its audio'],
  ['no ICE password', without('a=ice-pwd'), 'has no a=ice-pwd for its audio'],
  ['no fingerprint', without('a=fingerprint'), NO_FINGERPRINT],
  ['half a fingerprint', OFFER.replace(HASH, HASH.slice(0, 40)), NO_FINGERPRINT],
  [
    'keys of SDES in place of a fingerprint',
    OFFER.replace(/a=fingerprint.*/, 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x'),
    NO_FINGERPRINT,
  ],
  [
    'a handshake that is put off',
    OFFER.replace('setup:actpass', 'setup:holdconn'),
    'has an a=setup that no handshake comes of (holdconn)',
  ],
  [
    'a long handshake of no meaning',
    OFFER.replace('setup:actpass', `setup:${'x'.repeat(21)}`),
    `has an a=setup that no handshake comes of (${'x'.repeat(20)})`,
  ],
  ['an ICE ufrag that is too long', OFFER.replace('Qz1x', 'x'.repeat(257)), 'has no a=ice-ufrag for its audio'],
  ['an m= line that is none', `${OFFER}m=what`, 'has an m= line that cannot be read'],
  ['too many lines', `${OFFER}${'a=x\r\n'.repeat(1_000)}`, 'has over 1000 lines'],
] as const) {
  test(`an offer with ${what} is refused in words`, (t) => {
    t.deepEqual(readDescription(text, 'offer'), { ok: false, fault })
  })
}

test('the setup attribute decides who begins the handshake; without one an offer is read as actpass and an answer as passive', (t) => {
  t.is(read(without('a=setup')).voice.setup, 'actpass')
  t.is(read(without('a=setup'), 'answer').voice.setup, 'passive')
  for (const setup of ['active', 'passive'] as const) t.is(read(OFFER.replace('actpass', setup)).voice.setup, setup)
})

test('a description with one direction keeps it', (t) => {
  for (const direction of ['sendonly', 'recvonly'] as const)
    t.is(read(OFFER.replace('sendrecv', direction)).voice.direction, direction)
})

test('ICE credentials made of digits stay texts', (t) => {
  const { voice } = read(OFFER.replace('Qz1x', '0042').replace('Zt7mWq0hUe3rYb9kLs2dVf5n', '1234567890123456'))
  t.deepEqual([voice.ufrag, voice.password], ['0042', '1234567890123456'])
})

test('what is written as a number where a word belongs is read as that word', (t) => {
  const grouped = (group: string) => read(OFFER.replace('t=0 0', `t=0 0\r\na=group:${group} 0`))
  t.deepEqual(grouped('7'), grouped('LS'))
  t.deepEqual(readDescription(OFFER.replace('setup:actpass', 'setup:1'), 'offer'), {
    ok: false,
    fault: 'has an a=setup that no handshake comes of (1)',
  })
})

test('a payload type that begins with a zero is that number', (t) => {
  t.is(read(OFFER.replaceAll(/\b111\b/g, '007')).voice.opus.payload, 7)
})

test('an ICE-lite peer is recognised by its session', (t) => {
  t.true(read(OFFER.replace('t=0 0', 't=0 0\r\na=ice-lite')).voice.isIceLite)
})

test('an answer may be written in as many ways as an offer', (t) => {
  const answer = OFFER.replace('actpass', 'active')
  for (const { name, write } of WRITTEN_OFFERS) {
    const { ufrag, opus, direction } = read(write(answer), 'answer').voice
    t.deepEqual([ufrag, opus.payload, direction], ['Qz1x', 111, 'sendrecv'], name)
  }
})

test('an answer is read in spite of an m= line that cannot be read, which is none of its sections', (t) => {
  t.deepEqual(read(`${OFFER}m=what`, 'answer'), read(OFFER, 'answer'))
})

test('the direction of the audio is its own, else that of the session, else both ways', (t) => {
  t.is(read(without('a=sendrecv')).voice.direction, 'sendrecv')
  t.is(read(addedToSession('a=sendonly').replace('a=sendrecv', 'a=x')).voice.direction, 'sendonly')
  t.is(read(addedToSession('a=sendonly')).voice.direction, 'sendrecv')
})

test('the longest ICE credentials and the highest payload type are taken', (t) => {
  const { ufrag, opus } = read(OFFER.replace('Qz1x', 'x'.repeat(256)).replaceAll('111', '127')).voice
  t.deepEqual([ufrag.length, opus.payload], [256, 127])
})

test('a certificate is checked by the strongest hash that it is written with', (t) => {
  const hashOf = (bytes: number) => Array(bytes).fill('AB').join(':')
  const written = (...fingerprints: readonly string[]) =>
    OFFER.replace(/a=fingerprint.*/, fingerprints.map((one) => `a=fingerprint:${one}`).join('\r\n'))
  const weakestFirst = (
    [
      ['sha-1', 20],
      ['sha-224', 28],
      ['sha-256', 32],
      ['sha-384', 48],
      ['sha-512', 64],
    ] as const
  ).map(([type, bytes]) => ({ type, hash: hashOf(bytes) }))
  for (const [at, strongest] of weakestFirst.entries()) {
    const beside = weakestFirst.slice(0, at + 1).map(({ type, hash }) => `${type} ${hash}`)
    t.deepEqual(read(written(...beside)).voice.fingerprints, [strongest])
  }
  for (const fingerprint of [
    `sha-256 ${hashOf(31)}`,
    `sha-256 ${hashOf(33)}`,
    `sha-256 GG:${hashOf(31)}`,
    `sha-256 ${hashOf(31)}:GG`,
    `md9 ${hashOf(32)}`,
  ])
    t.deepEqual(readDescription(written(fingerprint), 'offer'), { ok: false, fault: NO_FINGERPRINT }, fingerprint)
})

test('a voice is bundled when a group BUNDLE names its mid', (t) => {
  for (const [group, mid, isBundled, shown] of [
    ['a=group:BUNDLE 0', 'a=mid:0', true, '0'],
    ['a=group:bundle 1 audio', 'a=mid:audio', true, 'audio'],
    ['a=group:BUNDLE 1 2', 'a=mid:0', false, '0'],
    ['a=group:LS 0', 'a=mid:0', false, '0'],
    ['a=x', 'a=mid:0', false, '0'],
    ['a=group:BUNDLE 0', 'a=x', false, null],
    ['a=group:BUNDLE 0', 'a=mid:', false, null],
  ] as const) {
    const { sections, ...rest } = read(OFFER.replace('a=group:BUNDLE 0', group).replace('a=mid:0', mid))
    t.deepEqual([rest.isBundled, sections[0]?.mid], [isBundled, shown], `${group} ${mid}`)
  }
})

test('a section has the codec that an a=rtpmap gives one of its formats, and may have none', (t) => {
  const { sections } = read(
    added(
      'm=video 9 UDP/TLS/RTP/SAVPF 97',
      'a=rtpmap:96 VP9/90000',
      'a=rtpmap:97 VP8/90000',
      'm=message 9 TCP/MSRP undefined',
      'a=sendrecv',
    ),
  )
  t.deepEqual(
    sections.map(({ codec }) => codec && codec.codec),
    ['opus', 'VP8', null],
  )
})

test('the voice uses the transport of the first section of its bundle when it has none of its own', (t) => {
  const transport = AUDIO.filter((line) => /^a=(?:ice|setup|fingerprint)/.test(line))
  const bare = without('a=candidate').replace('BUNDLE 0', 'BUNDLE 1 0')
  for (const [front, has, audio, hasOwn, carrier] of [
    ['m=video 9 UDP/TLS/RTP/SAVPF 96', true, 9, false, 0],
    ['m=audio 9 UDP/TLS/RTP/SAVPF 0', true, 9, false, 0],
    ['m=video 9 UDP/TLS/RTP/SAVPF 96', true, 9, true, null],
    ['m=video 9 UDP/TLS/RTP/SAVPF 96', false, 9, false, null],
    ['m=video 9 UDP/TLS/RTP/SAVPF 96', false, 0, false, 0],
    ['m=video 9 UDP/TLS/RTP/SAVPF 96', true, 0, true, 0],
    ['m=video 0 UDP/TLS/RTP/SAVPF 96', true, 9, false, null],
    ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', true, 9, false, null],
  ] as const) {
    const tagged = [front, 'a=mid:1', ...transport, ...(has ? [CANDIDATE] : [])]
    const own = `${bare}${audio === 0 ? 'a=bundle-only\r\n' : ''}${hasOwn ? CANDIDATE : ''}`
    const text = own.replace('m=audio 9', [...tagged, `m=audio ${audio}`].join('\r\n'))
    const reading = read(text)
    const candidates = has || hasOwn ? 1 : 0
    t.deepEqual([reading.place, reading.carrier, reading.voice.candidates.length], [1, carrier, candidates], text)
  }
})

test('a transport that is shared may stand in any section, and is never that of the voice itself', (t) => {
  const bare = without('a=candidate').replace('BUNDLE 0', 'BUNDLE 1 0')
  const behind = ['m=text 9 RTP/AVP 98', 'a=mid:2', 'm=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:1', CANDIDATE]
  t.is(read(`${bare}${behind.join('\r\n')}`).carrier, 2)
  t.is(read(added('a=bundle-only').replace('m=audio 9', 'm=audio 0')).carrier, null)
})

test('the first four sources are kept, each once, and only numbers of 32 bits', (t) => {
  const ids = [0, 1, 1, 4_294_967_296, 4_294_967_295, 7, 6, 5]
  t.deepEqual(read(added(...ids.map((id) => `a=ssrc:${id} cname:x`))).voice.sources, [1, 4_294_967_295, 7, 6])
})

test('telephone events are read once for each clock of the legs, and never under the payload type of Opus', (t) => {
  const eventsOf = (...lines: readonly string[]) =>
    read(added(...lines).replace('SAVPF 111 126', 'SAVPF 111 105 126 125 110')).voice.events
  const at8000 = { payload: 126, rateHz: 8_000, config: null }
  t.deepEqual(
    eventsOf(
      'a=rtpmap:105 telephone-event/16000',
      'a=rtpmap:125 telephone-event/8000',
      'a=rtpmap:110 Telephone-Event/48000',
      'a=fmtp:110 0-15',
    ),
    [{ payload: 110, rateHz: 48_000, config: '0-15' }, at8000],
  )
  t.deepEqual(eventsOf('a=rtpmap:111 telephone-event/48000'), [at8000])
})

const candidatesOf = (...written: readonly string[]) =>
  read(`${without('a=candidate')}${written.map((one) => `a=candidate:${one}\r\n`).join('')}`).voice.candidates

test('a hundred candidates of UDP are kept, those of the session where the audio has none', (t) => {
  for (const [written, priority, ip, port, type] of [
    ['7 1 udp 1 127.0.0.1 1 typ host', 1, '127.0.0.1', 1, 'host'],
    ['7 1 UDP 4294967295 192.0.2.1 65535 typ srflx', 4_294_967_295, '192.0.2.1', 65_535, 'srflx'],
    ['7 1 udp 5 ::1 9 typ prflx raddr 0.0.0.0 rport 0', 5, '::1', 9, 'prflx'],
    ['7 1 udp 5 127.0.0.1 9 typ relay generation 0', 5, '127.0.0.1', 9, 'relay'],
  ] as const)
    t.deepEqual(candidatesOf(written), [{ foundation: '7', priority, ip, port, type }])
  const many = Array.from({ length: 101 }, (_, at) => `${at} 1 udp 5 127.0.0.1 9 typ host`)
  t.deepEqual(
    candidatesOf(...many).map(({ foundation }) => Number(foundation)),
    [...many.keys()].slice(0, 100),
  )
  t.is(read(without('a=candidate').replace('t=0 0', `t=0 0\r\n${CANDIDATE}`)).voice.candidates.length, 1)
})

test('candidates that the legs cannot use are passed over', (t) => {
  for (const written of [
    '1 2 udp 5 127.0.0.1 9 typ host',
    '1 1 tcp 5 127.0.0.1 9 typ host tcptype passive',
    '1 1 udp 5 phone.example 9 typ host',
    '1 1 udp 5 fe80::1%eth0 9 typ host',
    '1 1 udp 0 127.0.0.1 9 typ host',
    '1 1 udp 4294967296 127.0.0.1 9 typ host',
    '1 1 udp 5 127.0.0.1 0 typ host',
    '1 1 udp 5 127.0.0.1 65536 typ host',
    '1 1 udp 5 127.0.0.1 9 typ moon',
  ])
    t.deepEqual(candidatesOf(written), [], written)
})

test("the description for the stack reads the same as the peer's, and contains no other line of the peer", (t) => {
  for (const { name, write } of WRITTEN_OFFERS) {
    const { voice } = read(write(OFFER))
    const text = voiceText(voice)
    t.deepEqual(read(text).voice, voice, name)
    for (const line of text.trimEnd().split('\r\n'))
      t.regex(
        line,
        /^(?:[vosctm]=.*|a=(?:group:BUNDLE 0|mid:0|ice-lite|rtcp-mux|end-of-candidates|sendrecv|(?:setup|fingerprint|ice-ufrag|ice-pwd|candidate|rtpmap|fmtp|ssrc):.+))$/,
        name,
      )
  }
})

test('no text is a fault of ours, and what can be read can be answered', (t) => {
  const own = OFFER.replace('actpass', 'active')
  const lines = fc.array(
    fc.oneof(
      fc.constantFrom(...OFFER.split('\r\n'), 'm=video 9 UDP/TLS/RTP/SAVPF 96', 'a=bundle-only', 'a=group:BUNDLE 1 0'),
      fc.string({ unit: ANY_LETTER }),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(lines, fc.constantFrom('\r\n', '\n'), fc.constantFrom('offer', 'answer'), (noise, end, type) => {
      const reading = readDescription([...OFFER.split('\r\n').slice(0, 15), ...noise].join(end), type)
      if (!reading.ok) return reading.fault !== ''
      voiceText(reading.value.voice)
      return answerText(own, reading.value).split(/^(?=m=)/m).length - 1 === reading.value.sections.length
    }),
  )
  t.pass()
})
