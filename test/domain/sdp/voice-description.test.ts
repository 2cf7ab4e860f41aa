import test from 'ava'
import * as fc from 'fast-check'
import { readDescription } from '../../../src/domain/sdp/voice-description.ts'
import type { ReadDescription } from '../../../src/domain/sdp/voice-description.ts'
import { answerText, voiceText } from '../../../src/domain/sdp/voice-text.ts'
import { ANY_LETTER } from '../../helpers/any-letter.ts'
import { WRITTEN_OFFERS } from '../../helpers/written-offers.ts'

const HASH = Array(32).fill('0B').join(':')
const SESSION = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0']
const AUDIO = [
  'm=audio 41000 UDP/TLS/RTP/SAVPF 111 126',
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
  'a=candidate:1 1 udp 2130706431 127.0.0.1 41000 typ host',
]
const OFFER = [...SESSION, ...AUDIO, ''].join('\r\n')
const without = (start: string) => OFFER.replaceAll(new RegExp(`^${start}.*\r\n`, 'gm'), '')

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
        port: 41_000,
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
  ['audio that is rejected', OFFER.replace('m=audio 41000', 'm=audio 0'), 'rejects its audio (m=audio 0)'],
  ['inactive audio', OFFER.replace('sendrecv', 'inactive'), 'has inactive audio, so that nobody would be heard'],
  [
    'no Opus',
    OFFER.replace('opus/48000/2', 'PCMU/8000'),
    'offers no Opus (no a=rtpmap of opus/48000/2 for a payload type of its m=audio line)',
  ],
  [
    'Opus at a clock that there is not',
    OFFER.replace('opus/48000/2', 'opus/16000'),
    'offers no Opus (no a=rtpmap of opus/48000/2 for a payload type of its m=audio line)',
  ],
  [
    'Opus of a type that is not offered',
    OFFER.replace('SAVPF 111', 'SAVPF 0'),
    'offers no Opus (no a=rtpmap of opus/48000/2 for a payload type of its m=audio line)',
  ],
  ['no ICE ufrag', without('a=ice-ufrag'), 'has no a=ice-ufrag for its audio'],
  ['no ICE password', without('a=ice-pwd'), 'has no a=ice-pwd for its audio'],
  ['no fingerprint', without('a=fingerprint'), 'has no a=fingerprint of its certificate for its audio'],
  [
    'half a fingerprint',
    OFFER.replace(HASH, HASH.slice(0, 40)),
    'has no a=fingerprint of its certificate for its audio',
  ],
  [
    'keys of SDES in place of a fingerprint',
    OFFER.replace(/a=fingerprint.*/, 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x'),
    'has no a=fingerprint of its certificate for its audio',
  ],
  [
    'a handshake that is put off',
    OFFER.replace('setup:actpass', 'setup:holdconn'),
    'has an a=setup that no handshake comes of (holdconn)',
  ],
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
