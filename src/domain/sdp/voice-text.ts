import { readOwn, writeSdp } from './sdp-text.ts'
import type { MediaDescription } from './sdp-text.ts'
import type { ReadDescription, ReadSection, VoiceDescription, VoiceFormat } from './voice-description.ts'

/** The stack's own mid: the peer's name for its audio never reaches the stack. */
const MID = '0'
const NOWHERE = { version: 4, ip: '0.0.0.0' }
/** RFC 5763 section 5; a peer that wrote another profile meant this one (RFC 8829 section 5.1.2). */
const PROTOCOL = 'UDP/TLS/RTP/SAVPF'

/** Writes a peer's voice in the one form that the stack is given. */
export function voiceText(voice: VoiceDescription): string {
  const [fingerprint, ...others] = voice.fingerprints
  const formats = [voice.opus, ...voice.events]
  return writeSdp({
    version: 0,
    origin: { username: '-', sessionId: 0, sessionVersion: 0, netType: 'IN', ipVer: 4, address: '127.0.0.1' },
    name: '-',
    timing: { start: 0, stop: 0 },
    groups: [{ type: 'BUNDLE', mids: MID }],
    ...(voice.isIceLite ? { icelite: 'ice-lite' } : {}),
    media: [
      {
        type: 'audio',
        port: 9,
        protocol: PROTOCOL,
        payloads: formats.map(({ payload }) => payload).join(' '),
        connection: NOWHERE,
        rtp: formats.map(({ payload, rateHz: rate }) => ({
          payload,
          rate,
          ...(payload === voice.opus.payload ? { codec: 'opus', encoding: 2 } : { codec: 'telephone-event' }),
        })),
        fmtp: formats.flatMap(configured),
        setup: voice.setup,
        mid: MID,
        direction: voice.direction,
        iceUfrag: voice.ufrag,
        icePwd: voice.password,
        rtcpMux: 'rtcp-mux',
        ...(fingerprint ? { fingerprint } : {}),
        ssrcs: voice.sources.map((id) => ({ id, attribute: 'cname', value: 'peer' })),
        // The library knows one fingerprint a section.
        invalid: others.map(({ type, hash }) => ({ value: `fingerprint:${type} ${hash}` })),
        candidates: voice.candidates.map((candidate) => ({ ...candidate, component: 1, transport: 'udp' })),
        // Left out for a peer without a known address, so that the stack goes on waiting for its checks.
        ...(voice.candidates.length > 0 ? { endOfCandidates: 'end-of-candidates' } : {}),
      },
    ],
  })
}

function configured({ payload, config }: VoiceFormat): { payload: number; config: string }[] {
  return config === null ? [] : [{ payload, config }]
}

/**
 * Writes the stack's answer, which has one section, as the answer to `offer`: each section of the offer in its place,
 * all but the voice rejected (RFC 3264 section 6), with mids and the group BUNDLE where the peer wrote them, and
 * rejected sections left out of the group (RFC 9143 section 7.3). A section whose transport the voice uses cannot be
 * rejected, or the transport would go with it: nothing is sent or taken there.
 */
export function answerText(own: string, { sections, place, isBundled, carrier }: ReadDescription): string {
  const {
    media: [voice],
    groups: _groups,
    ...session
  } = readOwn(own)
  if (!voice) throw new Error('the stack answered without a section')
  const { mid: _mid, ...answered } = voice
  const media = sections.map((section, at) => {
    if (at === place) return { ...answered, protocol: section.protocol, ...named(section.mid) }
    return at === carrier ? carrying(section, answered) : rejected(section)
  })
  const mids = [...(carrier === null ? [] : [carrier]), place].map((at) => sections[at]?.mid ?? '')
  return writeSdp({ ...session, ...(isBundled ? { groups: [{ type: 'BUNDLE', mids: mids.join(' ') }] } : {}), media })
}

function carrying(
  section: ReadSection,
  { iceUfrag, icePwd, fingerprint, setup, candidates, port }: MediaDescription,
): MediaDescription {
  const { codec } = section
  return {
    ...rejected(section),
    port,
    payloads: codec ? String(codec.payload) : (section.formats[0] ?? '0'),
    rtp: codec ? [codec] : [],
    rtcpMux: 'rtcp-mux',
    ...Object.fromEntries(
      Object.entries({ iceUfrag, icePwd, fingerprint, setup, candidates }).filter(([, value]) => value !== undefined),
    ),
  }
}

function rejected({ kind, protocol, formats, mid }: ReadSection): MediaDescription {
  return {
    type: kind,
    port: 0,
    protocol,
    payloads: formats.join(' ') || '0',
    connection: NOWHERE,
    rtp: [],
    fmtp: [],
    direction: 'inactive',
    ...named(mid),
  }
}

function named(mid: string | null): { mid?: string } {
  return mid === null ? {} : { mid }
}

/**
 * An offer of the stack whose side begins the handshake, as the official platform wants it ([calls.sdp.1]); the stack
 * takes that side whenever the answer is passive, and the other one where it is active.
 */
export function activeOffer(sdp: string): string {
  return sdp.replaceAll(/^a=setup:actpass(?=\r?$)/gm, 'a=setup:active')
}
