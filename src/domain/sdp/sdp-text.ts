/** The only file that knows the library which reads and writes session descriptions (RFC 8866). */
import { parse, write } from 'sdp-transform'
import type { MediaAttributes, MediaDescription, SessionAttributes, SessionDescription } from 'sdp-transform'

/** The content of one `a=` line. The library gives a number where a text looks like one; `String` restores the text. */
export type SdpAttribute = Partial<SessionAttributes & Omit<MediaAttributes, keyof SessionAttributes>>

export interface SdpMediaLine {
  /** `audio`, `video`, ...; lower case. */
  readonly kind: string
  readonly port: number
  readonly protocol: string
  readonly formats: readonly string[]
}

/** The part of a description that begins with an `m=` line. */
export interface SdpSection {
  /** Null when the line cannot be read. */
  readonly media: SdpMediaLine | null
  /** The attributes named by `READ`, in their order. */
  readonly attributes: readonly SdpAttribute[]
}

export interface SdpSections {
  readonly session: readonly SdpAttribute[]
  readonly media: readonly SdpSection[]
}

/** The attributes that are used; any other that a peer writes is dropped unread. */
const READ: ReadonlySet<string> = new Set([
  'sendrecv',
  'sendonly',
  'recvonly',
  'inactive',
  'mid',
  'group',
  'bundle-only',
  'setup',
  'fingerprint',
  'ice-ufrag',
  'ice-pwd',
  'ice-lite',
  'candidate',
  'rtpmap',
  'fmtp',
  'ssrc',
])

const ATTRIBUTE = /^a=\s*([\w-]+)\s*(?::\s*(.*))?$/
/** RFC 8866 section 5.14: a port may be followed by the number of ports. */
const PORTS = /^(m=\S+ \d+)\/\d+/

/** Splits a description into lines, whatever they end with: no white space around them, no empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Reads lines of a description, each by itself: an unreadable one does not spoil others. */
export function readSections(lines: readonly string[]): SdpSections {
  const session: SdpAttribute[] = []
  const media: (SdpSection & { readonly attributes: SdpAttribute[] })[] = []
  for (const line of lines.map((written) => written.replaceAll(/\s+/g, ' '))) {
    if (line.startsWith('m=')) media.push({ media: mediaOf(line), attributes: [] })
    const attribute = attributeOf(line)
    if (attribute) (media.at(-1)?.attributes ?? session).push(attribute)
  }
  return { session, media }
}

function mediaOf(line: string): SdpMediaLine | null {
  const [section] = parse(line.replace(PORTS, '$1')).media
  if (section?.type === undefined) return null
  const { type, port, protocol, payloads } = section
  return {
    kind: String(type).toLowerCase(),
    port: Number(port),
    protocol: String(protocol),
    formats: String(payloads ?? '')
      .split(' ')
      .filter((format) => format !== ''),
  }
}

function attributeOf(line: string): SdpAttribute | null {
  const [, name = '', value] = ATTRIBUTE.exec(line) ?? []
  const known = name.toLowerCase()
  return READ.has(known) ? parse(value === undefined ? `a=${known}` : `a=${known}:${value}`) : null
}

/** Reads one of the service's own descriptions, in order to change it. */
export function readOwn(text: string): SessionDescription {
  return parse(text)
}

/** Writes a description as text, with CRLF behind each line. */
export function writeSdp(
  description: Omit<SessionDescription, 'media'> & { readonly media: readonly MediaDescription[] },
): string {
  return write({ ...description, media: [...description.media] })
}

export type { MediaDescription, SessionDescription }
