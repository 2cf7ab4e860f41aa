import test from 'ava'
import { linesOf, readSections } from '../../../src/domain/sdp/sdp-text.ts'
import type { SdpAttribute } from '../../../src/domain/sdp/sdp-text.ts'

/** An attribute as it is read, without the list of media that the library adds to every text. */
function fieldsOf(attribute: SdpAttribute): Record<string, unknown> {
  const { media: _media, ...fields } = attribute as Record<string, unknown>
  return fields
}
const attributesIn = (...lines: readonly string[]) => readSections(lines).session.map(fieldsOf)
const mediaIn = (line: string) => readSections([line]).media.map(({ media }) => media)

test('lines end with CR, LF or both, and lose the white space around them', (t) => {
  t.deepEqual(linesOf(' v=0\r\n\ta=x y \n\n \ra=z'), ['v=0', 'a=x y', 'a=z'])
  t.deepEqual(linesOf(' \r\n'), [])
})

test('an m= line is read in its parts, and the number of its ports is passed over', (t) => {
  for (const [line, kind, port, protocol, formats] of [
    ['m=audio 9 UDP/TLS/RTP/SAVPF 111 0', 'audio', 9, 'UDP/TLS/RTP/SAVPF', ['111', '0']],
    ['m=audio 41000/12 RTP/AVP 0', 'audio', 41_000, 'RTP/AVP', ['0']],
    ['m=VIDEO\t 9   RTP/AVP  96  97', 'video', 9, 'RTP/AVP', ['96', '97']],
    ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'application', 9, 'UDP/DTLS/SCTP', ['webrtc-datachannel']],
    ['m=message 9 TCP/MSRP m=x 1/2', 'message', 9, 'TCP/MSRP', ['m=x', '1/2']],
    ['m=text 0 RTP/AVP', 'text', 0, 'RTP/AVP', []],
  ] as const)
    t.deepEqual(mediaIn(line), [{ kind, port, protocol, formats: [...formats] }], line)
  for (const line of ['m=', 'm=what', 'm=audio', 'm=audio nine RTP/AVP 0', 'm=audio 9/ RTP/AVP 0'])
    t.deepEqual(mediaIn(line), [null], line)
})

test('every attribute that is used is read, whatever the case of its name and the spaces around its colon', (t) => {
  for (const [line, fields] of [
    ['a=sendrecv', { direction: 'sendrecv' }],
    ['a=sendonly', { direction: 'sendonly' }],
    ['a=recvonly', { direction: 'recvonly' }],
    ['a=inactive', { direction: 'inactive' }],
    ['a=mid:audio', { mid: 'audio' }],
    ['a=group:BUNDLE 0 1', { groups: [{ type: 'BUNDLE', mids: '0 1' }] }],
    ['a=bundle-only', { bundleOnly: 'bundle-only' }],
    ['a=setup:active', { setup: 'active' }],
    ['a= SETUP : active', { setup: 'active' }],
    ['a=fingerprint:sha-1 AB:CD', { fingerprint: { type: 'sha-1', hash: 'AB:CD' } }],
    ['a=ice-ufrag:Qz1x', { iceUfrag: 'Qz1x' }],
    ['a=ice-pwd:Zt7mWq0hUe', { icePwd: 'Zt7mWq0hUe' }],
    ['a=ice-lite', { icelite: 'ice-lite' }],
    [
      'a=candidate:x 1 udp 5 127.0.0.1 41000 typ host',
      {
        candidates: [
          { foundation: 'x', component: 1, transport: 'udp', priority: 5, ip: '127.0.0.1', port: 41_000, type: 'host' },
        ],
      },
    ],
    ['a=rtpmap:111 opus/48000/2', { rtp: [{ payload: 111, codec: 'opus', rate: 48_000, encoding: 2 }] }],
    ['a=fmtp:111 minptime=10', { fmtp: [{ payload: 111, config: 'minptime=10' }] }],
    ['a=ssrc:77 cname:x', { ssrcs: [{ id: 77, attribute: 'cname', value: 'x' }] }],
  ] as const)
    t.deepEqual<unknown, unknown>(attributesIn(line), [fields], line)
})

test('an attribute that is not used, or is no whole line, is passed over', (t) => {
  for (const line of ['a=rtcp-mux', 'a=ptime:20', 'a=', 'a=:', 'a=sendrecv/x', 'a=sendrecv x', 'i=a=sendrecv', 'v=0'])
    t.deepEqual(readSections([line]), { session: [], media: [] }, line)
})

test('an attribute that lacks its value has none', (t) => {
  const fields = attributesIn('a=mid', 'a=setup', 'a=ice-ufrag', 'a=ice-pwd')
  for (const name of ['mid', 'setup', 'iceUfrag', 'icePwd'])
    t.false(
      fields.some((one) => name in one),
      name,
    )
})

test('attributes belong to the m= line before them, and to the session where there is none', (t) => {
  const { session, media } = readSections([
    'v=0',
    'a=setup:active',
    'm=audio 9 RTP/AVP 0',
    'a=mid:a',
    'a=sendonly',
    'm=what',
    'a=mid:b',
    'm=text 0 RTP/AVP',
    'c=IN IP4 0.0.0.0',
  ])
  t.deepEqual(session.map(fieldsOf), [{ setup: 'active' }])
  t.deepEqual(
    media.map((section) => [section.media?.kind, ...section.attributes.map(fieldsOf)]),
    [['audio', { mid: 'a' }, { direction: 'sendonly' }], [undefined, { mid: 'b' }], ['text']],
  )
})
