import { linesOf, readSections } from './sdp-text.ts'

/** Longest session description taken: our choice, far above the 3 KB of a browser's with all its candidates. */
export const SDP_CHARACTERS = 65_536
/** Most lines of one: our choice. A browser that offers every codec and candidate it has writes some 300. */
export const SDP_LINES = 1_000

const LINE = /^[a-z]=.*$/

/** Finds what is wrong with a text as a whole; null for a session description of a size that may be read. */
export function textFault(text: string, lines: readonly string[]): string | null {
  if (text.length > SDP_CHARACTERS) return `is over ${SDP_CHARACTERS} characters`
  if (lines.length > SDP_LINES) return `has over ${SDP_LINES} lines`
  return lines[0]?.replaceAll(/\s/g, '') === 'v=0' ? null : 'does not begin with v=0'
}

/**
 * Writes a description without white space around its lines and without empty ones. Only an empty session name ends in
 * a space, `s= `; `s=-` replaces it (RFC 8866 section 5.3).
 */
export function trimmedSdp(text: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  return (
    linesOf(text)
      .map((line) => (line === 's=' ? 's=-' : line))
      .join(end) + end
  )
}

/**
 * Finds what is wrong with a text as the session description of a voice call; null when nothing is. It follows RFC 8866
 * roughly: lines of `<letter>=<value>` that begin with v=0, then o= and s=, and have t= and an m=audio. Upstream checks
 * the rest.
 */
export function sdpFault(text: string): string | null {
  const lines = linesOf(text)
  const fault = textFault(text, lines)
  if (fault !== null) return fault
  if (!lines.every((line) => LINE.test(line))) return 'has a line that is not <letter>=<value>'
  const media = lines.findIndex((line) => line.startsWith('m='))
  const session = media < 0 ? lines : lines.slice(0, media)
  for (const kind of ['o=', 's=', 't=']) {
    if (!session.some((line) => line.startsWith(kind))) return `has no ${kind} line for the session`
  }
  return readSections(lines).media.some((section) => section.media?.kind === 'audio') ? null : 'has no m=audio line'
}

/** Finds what is wrong with a business's offer, which must be the active side ([calls.sdp.1]); null when nothing is. */
export function offerFault(text: string): string | null {
  const fault = sdpFault(text)
  if (fault !== null) return fault
  const { session, media } = readSections(linesOf(text))
  const setups = [...session, ...media.flatMap((section) => section.attributes)].flatMap(({ setup }) =>
    setup === undefined ? [] : [setup],
  )
  return setups.length > 0 && setups.every((setup) => setup === 'active') ? null : 'has no a=setup:active'
}
