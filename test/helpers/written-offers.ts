/** Ways to write one offer: each takes a peer's offer and says the same in other words, or with additions. */

/** The lines of an offer, without line ends. */
export type Rewrite = (lines: readonly string[]) => readonly string[]

export interface WrittenOffer {
  readonly name: string
  readonly write: (offer: string) => string
  /** Set when another section carries the transport of the audio, and is kept for that. */
  readonly carriesVoice?: true
}

const CRLF = '\r\n'
const linesOf = (text: string) => text.split(CRLF).filter((line) => line !== '')
const isMedia = (line: string) => line.startsWith('m=')
const begins =
  (...starts: readonly string[]) =>
  (line: string) =>
    starts.some((start) => line.startsWith(start))

const without =
  (...starts: readonly string[]): Rewrite =>
  (lines) =>
    lines.filter((line) => !begins(...starts)(line))
const replaced =
  (from: string | RegExp, to: string): Rewrite =>
  (lines) =>
    lines.map((line) => line.replace(from, to))
/** Adds lines to the end of the audio section, which is the end of the description. */
const added =
  (...more: readonly string[]): Rewrite =>
  (lines) => [...lines, ...more]
const addedToSession =
  (...more: readonly string[]): Rewrite =>
  (lines) =>
    lines.flatMap((line) => (isMedia(line) ? [...more, line] : [line]))
const behind =
  (start: string, ...more: readonly string[]): Rewrite =>
  (lines) =>
    lines.flatMap((line) => (line.startsWith(start) ? [line, ...more] : [line]))
const before =
  (start: string, ...more: readonly string[]): Rewrite =>
  (lines) =>
    lines.flatMap((line) => (line.startsWith(start) ? [...more, line] : [line]))
const all =
  (...rewrites: readonly Rewrite[]): Rewrite =>
  (lines) =>
    rewrites.reduce((made, rewrite) => rewrite(made), lines)
/** Moves lines from the audio section to the session. */
const raised =
  (...starts: readonly string[]): Rewrite =>
  (lines) =>
    addedToSession(...lines.filter(begins(...starts)))(without(...starts)(lines))
const inFrontOfAudio = (...section: readonly string[]): Rewrite => before('m=audio', ...section)
const DIRECTIONS = ['a=sendrecv', 'a=sendonly', 'a=recvonly', 'a=inactive']

const VIDEO = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
  'c=IN IP4 0.0.0.0',
  'a=rtcp-mux',
  'a=mid:1',
  'a=sendrecv',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 nack pli',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
]
const withoutMid = (section: readonly string[]) => section.filter((line) => !line.startsWith('a=mid:'))
const bundled = (mids: string) => replaced(/^a=group:BUNDLE .*/, `a=group:BUNDLE ${mids}`)

/** Candidates in addition to the offer's own. */
const CANDIDATES: Readonly<Record<string, string>> = {
  'without its type': 'a=candidate:9 1 udp 2130706431 127.0.0.1 41000',
  'without a port': 'a=candidate:9 1 udp 2130706431 127.0.0.1 typ host',
  'with a port of zero': 'a=candidate:9 1 udp 2130706431 127.0.0.1 0 typ host',
  'with a port over 65535': 'a=candidate:9 1 udp 2130706431 127.0.0.1 99999 typ host',
  'with no address': 'a=candidate:9 1 udp 2130706431 - 41000 typ host',
  'with half an address': 'a=candidate:9 1 udp 2130706431 127.0.0 41000 typ host',
  'with a name': 'a=candidate:9 1 udp 2130706431 phone.example 41000 typ host',
  'with a name of multicast DNS':
    'a=candidate:9 1 udp 2113937151 4f3c4a0e-7a0c-4d6e-9b6e-0f1d2c3b4a59.local 41000 typ host generation 0 network-cost 999',
  'with a zone': 'a=candidate:9 1 udp 2130706431 fe80::1%eth0 41000 typ host',
  'of TCP, active': 'a=candidate:9 1 tcp 1518280447 127.0.0.1 9 typ host tcptype active generation 0',
  'of TCP, passive': 'a=candidate:9 1 TCP 1518280447 127.0.0.1 41000 typ host tcptype passive',
  'of ssltcp': 'a=candidate:9 1 ssltcp 1518280447 127.0.0.1 443 typ host',
  'of the second component': 'a=candidate:9 2 udp 2130706430 127.0.0.1 41001 typ host',
  'with a priority that is none': 'a=candidate:9 1 udp high 127.0.0.1 41000 typ host',
  'with a negative priority': 'a=candidate:9 1 udp -5 127.0.0.1 41000 typ host',
  'of an unknown type': 'a=candidate:9 1 udp 2130706431 127.0.0.1 41000 typ moon',
  'that is empty': 'a=candidate:',
  'that is no more than a word': 'a=candidate',
  'of IPv6': 'a=candidate:9 1 udp 2130706431 ::1 41000 typ host',
  'with everything behind it':
    'a=candidate:9 1 UDP 1694498815 192.0.2.9 41000 typ srflx raddr 0.0.0.0 rport 0 generation 0 ufrag Qz1x network-id 3 network-cost 10 other thing',
}

/** Handshake roles in place of the offer's own. */
const SETUPS: Readonly<Record<string, Rewrite>> = {
  'setup of the session': raised('a=setup'),
  'setup in capitals': replaced('a=setup:actpass', 'a=SETUP:ActPass'),
  'a space behind the colon of setup': replaced('a=setup:actpass', 'a=setup: actpass'),
  'setup twice': behind('a=setup', 'a=setup:actpass'),
  'setup:active': replaced('a=setup:actpass', 'a=setup:active'),
  'setup:passive': replaced('a=setup:actpass', 'a=setup:passive'),
}

const REWRITES: Readonly<Record<string, Rewrite>> = {
  'as the stack writes it': (lines) => lines,
  // Inputs that once were refused, or answered with silence.
  'sdp-0-good: as most write it': added('a=ptime:20'),
  'sdp-1-no-direction: no direction is sendrecv': without(...DIRECTIONS),
  'sdp-2-audio-and-video: video beside audio': all(bundled('0 1'), added(...VIDEO)),
  'sdp-3-rtcp-port-only: a=rtcp with a port alone': replaced(/^a=rtcp:.*/, 'a=rtcp:41001'),
  'sdp-4-no-mid-no-bundle: neither mid nor group': without('a=mid', 'a=group'),
  'sdp-5-spaces-at-line-ends: a space behind every line': (lines) => lines.map((line) => `${line} `),
  'sdp-6-no-setup: no setup is actpass': without('a=setup'),
  // Directions.
  'the direction of the session': raised(...DIRECTIONS),
  'another direction of the session than of the audio': addedToSession('a=inactive'),
  'the direction in capitals': replaced('a=sendrecv', 'a=SendRecv'),
  'the direction first': all(without('a=sendrecv'), behind('m=audio', 'a=sendrecv')),
  'a direction with a value': replaced('a=sendrecv', 'a=sendrecv:'),
  // Handshake and ICE.
  ...SETUPS,
  'connection:new beside setup': behind('a=setup', 'a=connection:new'),
  'a tls-id': behind('a=setup', 'a=tls-id:abc3de65cddef001be82'),
  'ICE credentials of the session': raised('a=ice-ufrag', 'a=ice-pwd'),
  'everything of the transport for the session': raised('a=ice-', 'a=fingerprint', 'a=setup'),
  'no ICE options': without('a=ice-options'),
  'ICE options of old': replaced(/^a=ice-options:.*/, 'a=ice-options:google-ice renomination'),
  'ICE pacing': addedToSession('a=ice-pacing:50'),
  'the password before the ufrag': (lines) =>
    before('a=ice-ufrag', ...lines.filter(begins('a=ice-pwd')))(without('a=ice-pwd')(lines)),
  'the fingerprint of the session': raised('a=fingerprint'),
  'the fingerprint in small letters': (lines) =>
    lines.map((line) => (line.startsWith('a=fingerprint') ? line.toLowerCase() : line)),
  'the hash in capitals': replaced('sha-256', 'SHA-256'),
  'a malformed fingerprint beside the good one': before(
    'a=fingerprint',
    'a=fingerprint:sha-256 GG:HH',
    'a=fingerprint:sha-256',
    'a=fingerprint:',
  ),
  'a fingerprint of an unknown hash beside the good one': behind('a=fingerprint', 'a=fingerprint:md9 00:11:22:33'),
  'a weaker fingerprint beside the good one': behind(
    'a=fingerprint',
    `a=fingerprint:sha-1 ${Array(20).fill('00').join(':')}`,
  ),
  'the fingerprint of another certificate beside the good one': before(
    'a=fingerprint',
    `a=fingerprint:sha-256 ${Array(32).fill('00').join(':')}`,
  ),
  'the fingerprint twice, once for the session': (lines) =>
    addedToSession(...lines.filter(begins('a=fingerprint')))(lines),
  // Candidates.
  ...Object.fromEntries(
    Object.entries(CANDIDATES).map(([what, line]) => [
      `a candidate ${what} beside a good one`,
      behind('a=candidate', line),
    ]),
  ),
  'the malformed candidate first': before('a=candidate', 'a=candidate:1 1'),
  'no candidate: the peer is found by its checks': without('a=candidate', 'a=end-of-candidates'),
  'no candidate, and no more to come': without('a=candidate'),
  'no end of candidates': without('a=end-of-candidates'),
  'UDP in capitals': replaced(' 1 udp ', ' 1 UDP '),
  'the candidate twice': (lines) => behind('a=candidate', ...lines.filter(begins('a=candidate')))(lines),
  'two hundred candidates more': behind(
    'a=candidate',
    ...Array.from({ length: 200 }, (_, at) => `a=candidate:8 1 udp ${1_000 + at} 192.0.2.7 ${41_000 + at} typ host`),
  ),
  // RTCP.
  'a=rtcp without a value': replaced(/^a=rtcp:.*/, 'a=rtcp:'),
  'a=rtcp of IPv6': replaced(/^a=rtcp:.*/, 'a=rtcp:41001 IN IP6 ::1'),
  'no a=rtcp': without('a=rtcp:'),
  'rtcp-mux-only and rtcp-rsize': added('a=rtcp-mux-only', 'a=rtcp-rsize'),
  'no rtcp-mux': without('a=rtcp-mux'),
  'feedback for no type': added('a=rtcp-fb:* transport-cc', 'a=rtcp-fb:77 nack', 'a=rtcp-fb:111 transport-cc'),
  'extended reports': added('a=rtcp-xr:rcvr-rtt=all:10000'),
  // Mids and groups.
  'a mid of letters': all(replaced('a=mid:0', 'a=mid:audio'), bundled('audio')),
  'a mid of signs': all(replaced('a=mid:0', 'a=mid:sdparta_0.{x}'), bundled('sdparta_0.{x}')),
  'a mid without a group': without('a=group'),
  'a group without a mid': without('a=mid'),
  'an empty group': bundled(''),
  'a group that names others': bundled('5 0 9'),
  'a group of another kind too': behind('a=group', 'a=group:LS 0', 'a=group:FID 0 0'),
  'an empty mid': replaced('a=mid:0', 'a=mid:'),
  // Codecs.
  'OPUS in capitals': replaced('opus/48000/2', 'OPUS/48000/2'),
  'Opus without its channels': replaced('opus/48000/2', 'opus/48000'),
  'Opus of one channel': replaced('opus/48000/2', 'opus/48000/1'),
  'Opus behind others': all(
    replaced('SAVPF 111 126', 'SAVPF 9 0 8 111 126'),
    added('a=rtpmap:9 G722/8000', 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:8 PCMA/8000'),
  ),
  'static types without a=rtpmap': replaced('SAVPF 111 126', 'SAVPF 0 8 111 18 126'),
  'redundancy, comfort noise and other events': all(
    replaced('SAVPF 111 126', 'SAVPF 63 111 13 105 126'),
    added('a=rtpmap:63 red/48000/2', 'a=fmtp:63 111/111', 'a=rtpmap:13 CN/8000', 'a=rtpmap:105 telephone-event/16000'),
  ),
  'events at two clocks': all(
    replaced('SAVPF 111 126', 'SAVPF 111 110 126'),
    added('a=rtpmap:110 telephone-event/48000', 'a=fmtp:110 0-15'),
  ),
  'no events': all(replaced('SAVPF 111 126', 'SAVPF 111'), without('a=rtpmap:126', 'a=fmtp:126')),
  'a=fmtp without a=rtpmap': added('a=fmtp:120 mode=20', 'a=fmtp:126 0-16'),
  'a=fmtp before its a=rtpmap': (lines) =>
    before('a=rtpmap:111', ...lines.filter(begins('a=fmtp:111')))(without('a=fmtp:111')(lines)),
  'a=fmtp without a value': replaced(/^a=fmtp:126 .*/, 'a=fmtp:126'),
  'a=fmtp with spaces': replaced('minptime=10;useinbandfec=1', 'minptime=10; useinbandfec=1 ; stereo=0'),
  'no a=fmtp': without('a=fmtp'),
  'a=rtpmap of types that are not offered': added('a=rtpmap:96 opus/48000/2', 'a=rtpmap:97 VP8/90000'),
  'a malformed a=rtpmap': added('a=rtpmap:', 'a=rtpmap:x y', 'a=rtpmap:98'),
  'two spaces in a=rtpmap': replaced('a=rtpmap:111 opus', 'a=rtpmap:111  opus'),
  // Things that are ignored.
  'attributes nobody knows': all(
    addedToSession('a=x-tool:gateway 1.0', 'a=recorder'),
    added('a=x-vendor:1 2 3', 'a=', 'a=:', 'a=label:1'),
  ),
  'header extensions': added(
    'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
    'a=extmap:4/sendonly urn:ietf:params:rtp-hdrext:sdes:mid',
    'a=extmap:bad',
  ),
  'sources by several names': added(
    'a=ssrc:77 msid:a b',
    'a=ssrc:77 label:b',
    'a=ssrc:99',
    'a=ssrc:x cname:y',
    'a=ssrc-group:FID 77 99',
  ),
  'no source': without('a=ssrc'),
  'a stream of Plan B': added('a=msid:stream track', 'a=msid-semantic: WMS'),
  'packet times': added('a=ptime:20', 'a=maxptime:120', 'a=minptime:10'),
  'keys of SDES beside the fingerprint': added(
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR',
  ),
  bandwidths: behind('c=', 'b=AS:64', 'b=TIAS:64000', 'b=X-YZ:1'),
  'a text for the session and for its audio': all(
    behind('s=', 'i=a call', 'u=https://example.com', 'e=a@example.com', 'p=+1 555'),
    behind('m=audio', 'i=a voice'),
  ),
  'repeats, zones and keys': behind('t=', 'r=7d 1h 0 25h', 'z=0 0', 'k=prompt'),
  'no name, time or origin': without('s=', 't=', 'o='),
  'an empty name': replaced(/^s=.*/, 's='),
  'an origin of another kind': replaced(/^o=.*/, 'o=phone 1 1 IN IP6 ::1'),
  'no address': without('c='),
  'an address of the session': raised('c='),
  'an address of IPv6': replaced(/^c=.*/, 'c=IN IP6 ::1'),
  'a line that is no line': all(addedToSession('hello'), added('world', '=', 'm')),
  // The m= line.
  'a port of its own': replaced('m=audio 9', 'm=audio 41000'),
  'a port and how many': replaced('m=audio 9', 'm=audio 41000/1'),
  'two spaces in the m= line': replaced('m=audio 9 ', 'm=audio  9  '),
  'a type twice': replaced('SAVPF 111 126', 'SAVPF 111 126 111'),
  'the profile without feedback': replaced('UDP/TLS/RTP/SAVPF', 'UDP/TLS/RTP/SAVP'),
  'the profile of old browsers': replaced('UDP/TLS/RTP/SAVPF', 'RTP/SAVPF'),
  'the profile of gateways': replaced('UDP/TLS/RTP/SAVPF', 'RTP/AVP'),
  // More sections.
  'video in front of audio': all(bundled('0 1'), inFrontOfAudio(...VIDEO)),
  'video in front, and neither mid nor group': all(without('a=mid', 'a=group'), inFrontOfAudio(...withoutMid(VIDEO))),
  'a channel of data': all(
    bundled('0 2'),
    added(
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
      'c=IN IP4 0.0.0.0',
      'a=mid:2',
      'a=sctp-port:5000',
      'a=max-message-size:262144',
    ),
  ),
  'a channel of data as it was': added('m=application 9 DTLS/SCTP 5000', 'a=sctpmap:5000 webrtc-datachannel 1024'),
  'a fax': added('m=image 5004 udptl t38', 'a=T38FaxVersion:0'),
  text: added('m=text 5006 RTP/AVP 98', 'a=rtpmap:98 t140/1000'),
  messages: added('m=message 2855 TCP/MSRP *', 'a=accept-types:text/plain'),
  'video that was rejected before': added('m=video 0 UDP/TLS/RTP/SAVPF 96'),
  'a second audio': all(
    bundled('0 1'),
    added('m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=mid:1', 'a=rtpmap:111 opus/48000/2'),
  ),
  'audio that cannot work in front': inFrontOfAudio('m=audio 5004 RTP/AVP 0 8', 'a=sendrecv'),
  'audio that was rejected in front': inFrontOfAudio(
    'm=audio 0 UDP/TLS/RTP/SAVPF 111',
    'a=mid:7',
    'a=rtpmap:111 opus/48000/2',
  ),
  'three sections more': all(
    bundled('0 1'),
    inFrontOfAudio('m=text 5006 RTP/AVP 98'),
    added(...VIDEO, 'm=image 5004 udptl t38'),
  ),
}

/**
 * Offers of browsers that bundle everything from the start (RFC 9143 section 6): only the first section has the
 * transport.
 */
const sharesTransport: Rewrite = (lines) => {
  const transport = begins('a=ice-', 'a=fingerprint', 'a=setup', 'a=candidate', 'a=end-of-candidates')
  const audio = all(
    replaced('m=audio 9', 'm=audio 0'),
    added('a=bundle-only'),
    bundled('1 0'),
  )(lines.filter((line) => !transport(line)))
  return inFrontOfAudio(...VIDEO, ...lines.filter(transport))(audio)
}

/** How the lines are joined. */
const TEXTS: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  'LF behind each line': (lines) => lines.join('\n') + '\n',
  'CR behind each line': (lines) => lines.join('\r') + '\r',
  'CRLF and LF mixed': (lines) => lines.map((line, at) => line + (at % 2 === 0 ? '\n' : CRLF)).join(''),
  'no end of the last line': (lines) => lines.join(CRLF),
  'empty lines at the end': (lines) => lines.join(CRLF) + CRLF + CRLF + '\n',
  'empty lines between': (lines) => lines.join(CRLF + CRLF) + CRLF,
  'tabs and spaces behind lines': (lines) => lines.map((line) => `${line}\t  `).join(CRLF),
  'spaces before lines, as in a literal': (lines) => `\n${lines.map((line) => `    ${line}`).join('\n')}\n`,
  'a byte order mark': (lines) => `\uFEFF${lines.join(CRLF)}${CRLF}`,
}

const rewritten = (rewrite: Rewrite) => (offer: string) => [...rewrite(linesOf(offer)), ''].join(CRLF)

export const WRITTEN_OFFERS: readonly WrittenOffer[] = [
  ...Object.entries(REWRITES).map(([name, rewrite]) => ({ name, write: rewritten(rewrite) })),
  {
    name: 'audio that shares the transport of the video in front',
    write: rewritten(sharesTransport),
    carriesVoice: true,
  },
  ...Object.entries(TEXTS).map(([name, text]) => ({ name, write: (offer: string) => text(linesOf(offer)) })),
]
