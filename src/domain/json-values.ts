const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20] as const
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/**
 * True when a JSON text has more values than `most`. JSON inside a text of a JSON body escapes the count that bounds
 * bodies ([rest.bounds.1]), so it is counted by itself before it is parsed. The count is exact for valid JSON; other
 * texts are never counted too low by it.
 */
export function hasMoreValues(text: string, most: number): boolean {
  // A text of fewer characters than that cannot hold more values.
  if (text.length <= most) return false
  // Counts the document itself, one more for each comma, and one for each container that is not empty.
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

/** Finds where the string ends whose opening quote is at `from`: its closing quote, or the end of the text. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}
