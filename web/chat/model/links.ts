/** A part of a text that can be followed: a web address, an e-mail address or a telephone number. Pure. */

export interface Link {
  readonly start: number
  readonly end: number
  readonly href: string
}

/**
 * Matches up to a character that no link can contain. A telephone number needs a `+` or an area code in brackets,
 * because it would be a guess that other digits are one.
 */
const LINK =
  /(?<url>(?:\bhttps?:\/\/|(?<![\w@.])www\.)[^\s<>"'`{}|\\^]+)|(?<mail>[\w.%+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+)|(?<phone>(?<![\w+])(?:\+\d{1,3}(?:[ .-]?\(\d{1,4}\))?|\(\d{2,4}\))(?:[ .-]?\d{1,5}){2,6}(?!\w))/gi
/** Telephone numbers have at most 15 digits (E.164). Our choice: at least 8. */
const DIGITS = { least: 8, most: 15 }

/** The links in one line of a text, in order. */
export function linksOf(line: string): readonly Link[] {
  return [...line.matchAll(LINK)].flatMap(({ 0: text, index, groups }): readonly Link[] => {
    const whole = groups?.['url'] === undefined ? text : trimmed(text, marksBefore(line, index))
    const href = hrefOf(whole, groups ?? {})
    return href === null ? [] : [{ start: index, end: index + whole.length, href }]
  })
}

function hrefOf(text: string, { url, mail }: Readonly<Record<string, string | undefined>>): string | null {
  if (url !== undefined) {
    const address = /^www\./i.test(text) ? `https://${text}` : text
    return URL.canParse(address) && !/^www\.?$/i.test(text) ? address : null
  }
  if (mail !== undefined) return `mailto:${text}`
  const digits = text.replaceAll(/\D/g, '')
  if (digits.length < DIGITS.least || digits.length > DIGITS.most) return null
  return `tel:${text.startsWith('+') ? '+' : ''}${digits}`
}

/**
 * The address without trailing punctuation, without a closing bracket that it did not open, and without the closing of
 * marks that begin right before it.
 */
function trimmed(address: string, marks: string): string {
  let unopened = [...address].reduce((open, letter) => open + (letter === '(' ? -1 : letter === ')' ? 1 : 0), 0)
  let end = address.length
  for (; end > 0; end--) {
    const last = address.charAt(end - 1)
    if (last === ')' && unopened > 0) unopened--
    else if (!'.,;:!?]'.includes(last) && !marks.includes(last)) break
  }
  return address.slice(0, end)
}

/** Formatting marks directly before an index. */
function marksBefore(line: string, at: number): string {
  return /[*_~]{0,3}$/.exec(line.slice(Math.max(0, at - 3), at))?.[0] ?? ''
}
