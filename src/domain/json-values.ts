const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20] as const
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/**
 * Whether a JSON text has more values than `most`. A text inside a JSON body escapes the count that bounds bodies
 * (contract 2), so it is counted before it is parsed. Exact for valid JSON; of what is none it only knows that it is
 * not more.
 */
export function hasMoreValues(text: string, most: number): boolean {
  // Fewer characters than values cannot hold more.
  if (text.length <= most) return false
  // The document itself; then one for each comma, and one for each container that is not empty.
  let count = 1
  let isFresh = false
  for (let at = 0; at < text.length && count <= most; at++) {
    const code = text.charCodeAt(at)
    if (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB) continue
    if (isFresh && code !== CLOSE_LIST && code !== CLOSE_OBJECT) count++
    isFresh = code === OPEN_LIST || code === OPEN_OBJECT
    if (code === COMMA) count++
    else if (code === QUOTE) at = stringEnd(text, at)
  }
  return count > most
}

/** Where the string ends whose opening quote is at `from`: its closing quote, or the end of the text. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}
