/** What of a text can be followed: addresses, e-mail addresses and telephone numbers. Pure. */

export interface Link {
  readonly start: number
  readonly end: number
  readonly href: string
}

/**
 * Up to what can be no part of one. A number is told from other digits by its `+` or by an area code in brackets: the
 * rest would be guessed.
 */
const LINK =
  /(?<url>(?:\bhttps?:\/\/|(?<![\w@.])www\.)[^\s<>"'`{}|\\^]+)|(?<mail>[\w.%+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+)|(?<phone>(?<![\w+])(?:\+\d{1,3}(?:[ .-]?\(\d{1,4}\))?|\(\d{2,4}\))(?:[ .-]?\d{1,5}){2,6}(?!\w))/gi
/** E.164: at most 15 digits. Our choice: at least 8. */
const DIGITS = { least: 8, most: 15 }

/** The links of one line of a text, in order. */
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
 * An address without what stands behind it: punctuation, a bracket that it does not open, and the end of marks that
 * begin right before it.
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

/** Marks of formatting that stand directly before a place. */
function marksBefore(line: string, at: number): string {
  return /[*_~]{0,3}$/.exec(line.slice(Math.max(0, at - 3), at))?.[0] ?? ''
}
