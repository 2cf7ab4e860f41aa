/** Our choice, in characters: how much of a text shows before what was found in it. */
const BEFORE = 40

/** A text around the first place where a part of it stands, whatever the case. */
export interface Excerpt {
  readonly before: string
  /** Empty when the text does not have the part as it was typed. */
  readonly found: string
  readonly after: string
}

/** Cuts a text so that what was found in it is seen. */
export function excerptOf(text: string, part: string): Excerpt {
  const lower = text.toLowerCase()
  // Some letters change their length with their case, and then places in the two texts differ.
  const at = lower.length === text.length && part !== '' ? lower.indexOf(part.toLowerCase()) : -1
  if (at === -1) return { before: text, found: '', after: '' }
  const space = at > BEFORE ? text.indexOf(' ', at - BEFORE) : -1
  const from = space === -1 || space >= at ? 0 : space + 1
  return {
    before: `${from > 0 ? '…' : ''}${text.slice(from, at)}`,
    found: text.slice(at, at + part.length),
    after: text.slice(at + part.length),
  }
}
