import { isIP } from 'node:net'
import { textFault } from './sdp-fault.ts'
import { linesOf, readSections } from './sdp-text.ts'
import type { SdpAttribute, SdpMediaLine, SdpSection, SdpSections } from './sdp-text.ts'

export type VoiceDirection = 'sendrecv' | 'sendonly' | 'recvonly'
/** The side that begins the handshake (RFC 8842). */
export type VoiceSetup = 'active' | 'passive' | 'actpass'

export interface VoiceCandidate {
  readonly foundation: string
  readonly priority: number
  /** An address, never a name. */
  readonly ip: string
  readonly port: number
  readonly type: string
}

export interface VoiceFormat {
  readonly payload: number
  readonly rateHz: number
  /** The parameters of its `a=fmtp`; null when there is none. */
  readonly config: string | null
}

/** What a peer wants of a voice call, in one form whatever form it wrote. */
export interface VoiceDescription {
  readonly direction: VoiceDirection
  readonly setup: VoiceSetup
  readonly isIceLite: boolean
  readonly ufrag: string
  readonly password: string
  /** At least one, all of one hash function. */
  readonly fingerprints: readonly { readonly type: string; readonly hash: string }[]
  /**
   * UDP candidates alone. Without any, the peer's address is learned when its checks arrive (RFC 8445 section 7.3.1.3).
   */
  readonly candidates: readonly VoiceCandidate[]
  readonly opus: VoiceFormat
  /** Formats of telephone events, each clock once. */
  readonly events: readonly VoiceFormat[]
  /** The SSRCs that the peer names; the stack sends reports about them. */
  readonly sources: readonly number[]
}

export interface ReadSection extends SdpMediaLine {
  /** Null when the peer wrote none. */
  readonly mid: string | null
  /** What the first `a=rtpmap` names that is one of its formats; null when none does. */
  readonly codec: NonNullable<SdpAttribute['rtp']>[number] | null
}

/** A description brought to one form, with what its answer must repeat. */
export interface ReadDescription {
  readonly voice: VoiceDescription
  /** The place of the voice in `sections`. */
  readonly place: number
  /** Every `m=` line, in the order of the description. */
  readonly sections: readonly ReadSection[]
  /** The place in `sections` of another section whose transport the voice uses; null when the voice has its own. */
  readonly carrier: number | null
  /** True when a group BUNDLE names the voice. */
  readonly isBundled: boolean
}

export type Reading =
  | { readonly ok: true; readonly value: ReadDescription }
  /** `fault` completes a sentence that begins with "the description", as in "has no m=audio line". */
  | { readonly ok: false; readonly fault: string }

/** Hashes of certificates by strength, with the bytes of each (RFC 8122 section 5). */
const HASH_BYTES: ReadonlyMap<string, number> = new Map([
  ['sha-512', 64],
  ['sha-384', 48],
  ['sha-256', 32],
  ['sha-224', 28],
  ['sha-1', 20],
])
/** RFC 8445 section 6.1.2.5 recommends 100 pairs; the media host has one address, seldom two. */
const CANDIDATES = 100
/** Our choice: a caller has one source, two while it changes. */
const SOURCES = 4
/** RFC 8839 section 5.4: the most characters of a ufrag or a password. */
const ICE_CHARACTERS = 256
/** Clocks of telephone events that the legs read (RFC 4733; RFC 7587 section 7). */
const EVENT_CLOCKS_HZ = [48_000, 8_000]

/**
 * Reads the description of a peer leniently: each line by itself, missing parts as the RFCs say (no direction is
 * sendrecv, attributes of the session hold for its media), unknown parts not at all. Says in words what cannot work. An
 * offer without `a=setup` is read as actpass, an answer as passive (our choice, RFC 4145 section 4).
 */
export function readDescription(text: string, type: 'offer' | 'answer'): Reading {
  const lines = linesOf(text)
  const fault = textFault(text, lines)
  if (fault !== null) return refused(fault)
  const sections = readSections(lines)
  if (type === 'offer' && sections.media.some(({ media }) => media === null))
    return refused('has an m= line that cannot be read')
  const voices = sections.media.flatMap((section, place) =>
    section.media?.kind === 'audio' ? [{ place, voice: voiceOf(sections, section, type) }] : [],
  )
  const found = voices.find(({ voice }) => typeof voice !== 'string') ?? voices[0]
  if (!found) return refused('has no m=audio line')
  const { place, voice } = found
  if (typeof voice === 'string') return refused(voice)
  const section = sections.media[place]
  return {
    ok: true,
    value: {
      voice,
      place,
      sections: sections.media.flatMap(described),
      isBundled: bundleOf(sections, section) !== null,
      carrier: carrierOf(sections, section),
    },
  }
}

function refused(fault: string): Reading {
  return { ok: false, fault }
}

function described({ media, attributes }: SdpSection): ReadSection[] {
  const codecs = attributes.flatMap(({ rtp = [] }) => rtp)
  return media
    ? [
        {
          ...media,
          mid: midOf(attributes),
          codec: codecs.find(({ payload }) => media.formats.includes(String(payload))) ?? null,
        },
      ]
    : []
}

function midOf(attributes: readonly SdpAttribute[]): string | null {
  const mid = last(attributes, 'mid')
  return mid === undefined || String(mid) === '' ? null : String(mid)
}

function last<K extends keyof SdpAttribute>(attributes: readonly SdpAttribute[], name: K): SdpAttribute[K] | undefined {
  return attributes.findLast((attribute) => attribute[name] !== undefined)?.[name]
}

/** Finds the mids of the group BUNDLE that names this section; null when none does. */
function bundleOf({ session }: SdpSections, section: SdpSection | undefined): readonly string[] | null {
  const mid = section ? midOf(section.attributes) : null
  const groups = session
    .flatMap(({ groups: named = [] }) => named)
    .filter((group) => String(group.type).toUpperCase() === 'BUNDLE')
  return groups.map(({ mids }) => String(mids).split(' ')).find((mids) => mid !== null && mids.includes(mid)) ?? null
}

/** Finds the section whose transport this one's bundle uses; null when it is this one (RFC 9143 section 7.1.3). */
function taggedOf(sections: SdpSections, section: SdpSection | undefined): SdpSection | null {
  const [tag] = bundleOf(sections, section) ?? []
  const tagged = tag === undefined ? undefined : sections.media.find(({ attributes }) => midOf(attributes) === tag)
  return tagged && tagged !== section ? tagged : null
}

/**
 * Gives the place of the tagged section when the audio has no transport of its own: browsers that bundle all from the
 * start gather for the first section alone.
 */
function carrierOf(sections: SdpSections, section: SdpSection | undefined): number | null {
  const tagged = taggedOf(sections, section)
  if (
    !section
    || !tagged?.media
    || tagged.media.port === 0
    || (tagged.media.kind !== 'audio' && tagged.media.kind !== 'video')
  )
    return null
  const has = ({ attributes }: SdpSection) => attributes.some(({ candidates }) => candidates !== undefined)
  return section.media?.port === 0 || (has(tagged) && !has(section)) ? sections.media.indexOf(tagged) : null
}

/**
 * Lists the attributes that hold for a section, the nearest first: its own, those of the section whose transport it
 * shares, those of the session.
 */
function scopesOf(sections: SdpSections, section: SdpSection): (readonly SdpAttribute[])[] {
  const tagged = taggedOf(sections, section)
  return [section.attributes, ...(tagged ? [tagged.attributes] : []), sections.session]
}

function inherited<K extends keyof SdpAttribute>(
  scopes: readonly (readonly SdpAttribute[])[],
  name: K,
): SdpAttribute[K] | undefined {
  return scopes.map((attributes) => last(attributes, name)).find((value) => value !== undefined)
}

/** Reads the voice that a section of audio offers, or says in words why it offers none that works. */
function voiceOf(sections: SdpSections, section: SdpSection, type: 'offer' | 'answer'): VoiceDescription | string {
  const scopes = scopesOf(sections, section)
  const { attributes } = section
  if (section.media?.port === 0 && last(attributes, 'bundleOnly') === undefined) return 'rejects its audio (m=audio 0)'
  const opus = formatsOf(section, 'opus').find(({ rateHz }) => rateHz === 48_000)
  if (!opus) return 'offers no Opus (no a=rtpmap of opus/48000/2 for a payload type of its m=audio line)'
  const [ufrag, password] = [credential(inherited(scopes, 'iceUfrag')), credential(inherited(scopes, 'icePwd'))]
  if (ufrag === null || password === null) return `has no a=ice-${ufrag === null ? 'ufrag' : 'pwd'} for its audio`
  const fingerprints = fingerprintsOf(scopes)
  if (fingerprints.length === 0) return 'has no a=fingerprint of its certificate for its audio'
  const setup = setupOf(inherited(scopes, 'setup'), type)
  if (setup === null)
    return `has an a=setup that no handshake comes of (${String(inherited(scopes, 'setup')).slice(0, 20)})`
  const direction = last(attributes, 'direction') ?? last(sections.session, 'direction') ?? 'sendrecv'
  if (direction === 'inactive') return 'has inactive audio, so that nobody would be heard'
  const events = formatsOf(section, 'telephone-event')
  return {
    direction,
    setup,
    ufrag,
    password,
    fingerprints,
    opus,
    isIceLite: inherited(scopes, 'icelite') !== undefined,
    candidates: candidatesOf(scopes),
    sources: [...new Set(attributes.flatMap(({ ssrcs = [] }) => ssrcs.map(({ id }) => id)))]
      .filter((id) => isBetween(id, 1, 2 ** 32 - 1))
      .slice(0, SOURCES),
    events: EVENT_CLOCKS_HZ.flatMap(
      (clockHz) => events.find(({ rateHz, payload }) => rateHz === clockHz && payload !== opus.payload) ?? [],
    ),
  }
}

/** Finds the formats of the section's own list whose `a=rtpmap` names the codec. */
function formatsOf({ media, attributes }: SdpSection, codec: string): VoiceFormat[] {
  const named = attributes.flatMap(({ rtp = [] }) => rtp).filter((map) => String(map.codec).toLowerCase() === codec)
  const configs = attributes.flatMap(({ fmtp = [] }) => fmtp)
  return [...new Set(media?.formats)].flatMap((format) => {
    const map = named.find(({ payload }) => String(payload) === format)
    // RFC 3551 section 6: a payload type has seven bits.
    if (!map || !(map.payload <= 127)) return []
    const config = configs.find(({ payload }) => payload === map.payload)?.config
    // One that begins with a zero is read as a text.
    return [
      { payload: Number(map.payload), rateHz: Number(map.rate), config: config === undefined ? null : String(config) },
    ]
  })
}

function credential(value: string | undefined): string | null {
  const text = value === undefined ? '' : String(value)
  return text === '' || text.length > ICE_CHARACTERS ? null : text
}

/**
 * Picks the fingerprints to check: those of the nearest scope that has any valid ones, of their strongest hash. The
 * peer proves itself by any one of them (RFC 8122 section 5.1).
 */
function fingerprintsOf(scopes: readonly (readonly SdpAttribute[])[]): VoiceDescription['fingerprints'] {
  for (const attributes of scopes) {
    const all = attributes.flatMap(({ fingerprint }) =>
      fingerprint
        ? [{ type: String(fingerprint.type).toLowerCase(), hash: String(fingerprint.hash).toUpperCase() }]
        : [],
    )
    for (const [type, bytes] of HASH_BYTES) {
      const fitting = all.filter(
        (one) => one.type === type && /^[\dA-F]{2}(:[\dA-F]{2})*$/.test(one.hash) && one.hash.length === 3 * bytes - 1,
      )
      if (fitting.length > 0) return fitting
    }
  }
  return []
}

function setupOf(written: string | undefined, type: 'offer' | 'answer'): VoiceSetup | null {
  const setup = written === undefined ? (type === 'offer' ? 'actpass' : 'passive') : String(written).toLowerCase()
  return setup === 'active' || setup === 'passive' || setup === 'actpass' ? setup : null
}

/** Reads the candidates of the audio; where it has none of its own, those of the transport that it shares. */
function candidatesOf(scopes: readonly (readonly SdpAttribute[])[]): VoiceCandidate[] {
  const written =
    scopes
      .map((attributes) => attributes.flatMap(({ candidates = [] }) => candidates))
      .find((candidates) => candidates.length > 0) ?? []
  return written
    .flatMap((candidate) => {
      const { foundation, component, transport, priority, ip, port, type } = candidate
      // RTCP shares the port of RTP. Names are passed over, as RFC 8839 section 5.1 asks of candidates that cannot be
      // used.
      const isOurs =
        component === 1
        && String(transport).toLowerCase() === 'udp'
        && isIP(String(ip)) > 0
        && !String(ip).includes('%')
      const isWhole =
        isBetween(priority, 1, 2 ** 32 - 1) && isBetween(port, 1, 65_535) && CANDIDATE_TYPES.includes(type)
      return isOurs && isWhole ? [{ foundation: String(foundation), priority, ip: String(ip), port, type }] : []
    })
    .slice(0, CANDIDATES)
}

const CANDIDATE_TYPES = ['host', 'srflx', 'prflx', 'relay']

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}
