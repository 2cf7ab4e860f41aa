/** Longest session description taken: our choice, far above the 3 KB of a browser's with all its candidates. */
export const SDP_CHARACTERS = 65_536

const LINE = /^[a-z]=.*$/

/**
 * What is wrong with a text as the session description of a voice call, or null. RFC 8866 roughly: lines of
 * `<letter>=<value>` that begin with v=0, then o= and s=, and have t= and an m=audio. Upstream checks the rest.
 */
export function sdpFault(text: string): string | null {
  if (text.length > SDP_CHARACTERS) return `is over ${SDP_CHARACTERS} characters`
  const lines = text.replace(/(?:\r?\n)+$/, '').split(/\r?\n/)
  if (lines[0] !== 'v=0') return 'does not begin with v=0'
  if (!lines.every((line) => LINE.test(line))) return 'has a line that is not <letter>=<value>'
  const media = lines.findIndex((line) => line.startsWith('m='))
  const session = media < 0 ? lines : lines.slice(0, media)
  for (const kind of ['o=', 's=', 't=']) {
    if (!session.some((line) => line.startsWith(kind))) return `has no ${kind} line for the session`
  }
  return lines.some((line) => line.startsWith('m=audio ')) ? null : 'has no m=audio line'
}

/** What is wrong with an offer of a business: it must be the active side (spec: POST /v1/calls; contract 6). */
export function offerFault(text: string): string | null {
  const fault = sdpFault(text)
  if (fault !== null) return fault
  const setups = text.split(/\r?\n/).filter((line) => line.startsWith('a=setup:'))
  return setups.length > 0 && setups.every((line) => line === 'a=setup:active') ? null : 'has no a=setup:active'
}
