import test from 'ava'
import type { ReadDescription, ReadSection, VoiceDescription } from '../../../src/domain/sdp/voice-description.ts'
import { activeOffer, answerText, voiceText } from '../../../src/domain/sdp/voice-text.ts'

const VOICE: VoiceDescription = {
  direction: 'sendrecv',
  setup: 'actpass',
  isIceLite: false,
  ufrag: 'Qz1x',
  password: 'Zt7mWq0hUe3rYb9kLs2dVf5n',
  fingerprints: [{ type: 'sha-256', hash: 'AB:CD' }],
  candidates: [],
  opus: { payload: 111, rateHz: 48_000, config: null },
  events: [],
  sources: [],
}
const SESSION = ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=-', 't=0 0']
const PROFILE = 'UDP/TLS/RTP/SAVPF'
const textOf = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n`

test('a voice with the least that it needs is written in one form', (t) => {
  t.is(
    voiceText(VOICE),
    textOf(
      ...SESSION,
      'a=group:BUNDLE 0',
      `m=audio 9 ${PROFILE} 111`,
      'c=IN IP4 0.0.0.0',
      'a=rtpmap:111 opus/48000/2',
      'a=setup:actpass',
      'a=mid:0',
      'a=sendrecv',
      'a=ice-ufrag:Qz1x',
      'a=ice-pwd:Zt7mWq0hUe3rYb9kLs2dVf5n',
      'a=fingerprint:sha-256 AB:CD',
      'a=rtcp-mux',
    ),
  )
})

test('all that a voice may have is written, and the end of its candidates behind them', (t) => {
  t.is(
    voiceText({
      ...VOICE,
      direction: 'recvonly',
      setup: 'passive',
      isIceLite: true,
      fingerprints: [...VOICE.fingerprints, { type: 'sha-256', hash: 'EF:01' }],
      candidates: [
        { foundation: '1', priority: 2, ip: '192.0.2.1', port: 3, type: 'host' },
        { foundation: 'x', priority: 1, ip: '::1', port: 4, type: 'relay' },
      ],
      opus: { payload: 111, rateHz: 48_000, config: 'minptime=10' },
      events: [
        { payload: 110, rateHz: 48_000, config: '0-15' },
        { payload: 126, rateHz: 8_000, config: null },
      ],
      sources: [77, 99],
    }),
    textOf(
      ...SESSION,
      'a=ice-lite',
      'a=group:BUNDLE 0',
      `m=audio 9 ${PROFILE} 111 110 126`,
      'c=IN IP4 0.0.0.0',
      'a=rtpmap:111 opus/48000/2',
      'a=rtpmap:110 telephone-event/48000',
      'a=rtpmap:126 telephone-event/8000',
      'a=fmtp:111 minptime=10',
      'a=fmtp:110 0-15',
      'a=setup:passive',
      'a=mid:0',
      'a=recvonly',
      'a=ice-ufrag:Qz1x',
      'a=ice-pwd:Zt7mWq0hUe3rYb9kLs2dVf5n',
      'a=fingerprint:sha-256 AB:CD',
      'a=candidate:1 1 udp 2 192.0.2.1 3 typ host',
      'a=candidate:x 1 udp 1 ::1 4 typ relay',
      'a=end-of-candidates',
      'a=ssrc:77 cname:peer',
      'a=ssrc:99 cname:peer',
      'a=rtcp-mux',
      'a=fingerprint:sha-256 EF:01',
    ),
  )
})

const TRANSPORT = ['a=ice-ufrag:own1', 'a=ice-pwd:ownpassword', 'a=fingerprint:sha-256 EF:01']
const CANDIDATE = 'a=candidate:1 1 udp 2 192.0.2.1 50000 typ host'
const OWN = textOf(
  ...SESSION,
  'a=group:BUNDLE 0',
  `m=audio 50000 ${PROFILE} 111`,
  'c=IN IP4 192.0.2.1',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:passive',
  'a=mid:0',
  'a=sendrecv',
  ...TRANSPORT,
  CANDIDATE,
  'a=rtcp-mux',
)
/** The lines of the stack's section, under the peer's profile and mid. */
const answered = (profile: string, ...mid: readonly string[]) => [
  `m=audio 50000 ${profile} 111`,
  'c=IN IP4 192.0.2.1',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:passive',
  ...mid,
  'a=sendrecv',
  ...TRANSPORT,
  CANDIDATE,
  'a=rtcp-mux',
]
/** The lines of a section that is nothing but a transport; `format` is its payload type and how it is named. */
const carrying = (protocol: string, [payload, ...names]: readonly string[]) => [
  `m=video 50000 ${protocol} ${payload}`,
  'c=IN IP4 0.0.0.0',
  ...names,
  'a=setup:passive',
  'a=mid:v',
  'a=inactive',
  ...TRANSPORT,
  CANDIDATE,
  'a=rtcp-mux',
]
const AUDIO: ReadSection = { kind: 'audio', port: 9, protocol: PROFILE, formats: ['111'], mid: 'a', codec: null }
const VIDEO: ReadSection = {
  kind: 'video',
  port: 9,
  protocol: PROFILE,
  formats: ['96', '97'],
  mid: 'v',
  codec: { payload: 97, codec: 'VP8', rate: 90_000 },
}
const answer = (sections: readonly ReadSection[], rest: Partial<ReadDescription> = {}, own = OWN) =>
  answerText(own, { voice: VOICE, place: 0, isBundled: true, carrier: null, sections, ...rest })

test('an answer has the profile and the mid of the offer, and a group where the offer has one', (t) => {
  t.is(answer([AUDIO]), textOf(...SESSION, 'a=group:BUNDLE a', ...answered(PROFILE, 'a=mid:a')))
  t.is(
    answer([{ ...AUDIO, protocol: 'RTP/AVP', mid: null }], { isBundled: false }),
    textOf(...SESSION, ...answered('RTP/AVP')),
  )
})

test('an answer rejects each other section in its place, and leaves it out of the group', (t) => {
  t.is(
    answer([VIDEO, AUDIO, { ...VIDEO, kind: 'text', protocol: 'RTP/AVP', formats: [], mid: null }], { place: 1 }),
    textOf(
      ...SESSION,
      'a=group:BUNDLE a',
      `m=video 0 ${PROFILE} 96 97`,
      'c=IN IP4 0.0.0.0',
      'a=mid:v',
      'a=inactive',
      ...answered(PROFILE, 'a=mid:a'),
      'm=text 0 RTP/AVP 0',
      'c=IN IP4 0.0.0.0',
      'a=inactive',
    ),
  )
})

test('a section whose transport the voice uses is kept with it alone, and comes first in the group', (t) => {
  const carried = (video: ReadSection, own = OWN) => answer([video, AUDIO], { place: 1, carrier: 0 }, own)
  for (const [change, ...format] of [
    [{}, '97', 'a=rtpmap:97 VP8/90000'],
    [{ codec: null, protocol: 'RTP/SAVPF' }, '96'],
    [{ codec: null, formats: [] }, '0'],
  ] as const) {
    const video = { ...VIDEO, ...change }
    t.is(
      carried(video),
      textOf(...SESSION, 'a=group:BUNDLE v a', ...carrying(video.protocol, format), ...answered(PROFILE, 'a=mid:a')),
    )
  }
  t.is(carried(VIDEO, OWN.replace(`${CANDIDATE}\r\n`, '')), carried(VIDEO).replaceAll(`${CANDIDATE}\r\n`, ''))
})

test('a stack that answers without a section is a fault of ours', (t) => {
  t.throws(() => answer([AUDIO], {}, textOf(...SESSION)), { message: 'the stack answered without a section' })
})

test('an offer of the stack is made active in every section, and all else stays', (t) => {
  for (const end of ['\r\n', '\n']) {
    const offer = (setup: string) => [...SESSION, 'm=audio 9 RTP/AVP 0', setup, 'm=audio 9 RTP/AVP 0', setup].join(end)
    t.is(activeOffer(offer('a=setup:actpass')), offer('a=setup:active'))
    t.is(activeOffer(offer('a=setup:actpass') + end), offer('a=setup:active') + end)
    for (const other of ['a=setup:passive', 'a=setup:actpassive', 'i=a=setup:actpass'])
      t.is(activeOffer(offer(other)), offer(other))
  }
})
