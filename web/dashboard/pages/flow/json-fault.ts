/** What may come next in a JSON text (RFC 8259). */
type Place = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'after'

/**
 * Where a token leads from a place; a token that a place does not name is wrong there. `s` is a string, `v` another
 * scalar.
 */
const NEXT: Readonly<Record<Place, Readonly<Record<string, Place>>>> = {
  value: { s: 'after', v: 'after', '{': 'keyOrEnd', '[': 'valueOrEnd' },
  valueOrEnd: { s: 'after', v: 'after', '{': 'keyOrEnd', '[': 'valueOrEnd', ']': 'after' },
  key: { s: 'colon' },
  keyOrEnd: { s: 'colon', '}': 'after' },
  colon: { ':': 'value' },
  after: { ',': 'value', '}': 'after', ']': 'after' },
}

const TOKEN =
  /(?<s>"(?:[ !#-[\]-\uFFFF]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*")|(?<v>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|[{}[\],:]/y
const SPACE = /[ \t\r\n]*/y

/**
 * The line, from 1, at which a text stops being JSON; null when it is JSON. The parsers of browsers do not always name
 * the place.
 */
export function lineOfFault(text: string): number | null {
  const at = faultIn(text)
  return at === null ? null : text.slice(0, at).split('\n').length
}

/** The index of the first token that is wrong, or of the end of a text that is cut. */
function faultIn(text: string): number | null {
  const open: string[] = []
  let place: Place = 'value'
  let at = 0
  for (;;) {
    at = endOf(SPACE, text, at)?.end ?? at
    if (at === text.length) return place === 'after' && open.length === 0 ? null : at
    const token = endOf(TOKEN, text, at)
    const next: Place | undefined = token === null ? undefined : NEXT[place][token.kind]
    if (token === null || next === undefined || (place === 'after' && !isInside(token.kind, open.at(-1)))) return at
    if (token.kind === '{' || token.kind === '[') open.push(token.kind)
    if (token.kind === '}' || token.kind === ']') open.pop()
    place = token.kind === ',' && open.at(-1) === '{' ? 'key' : next
    at = token.end
  }
}

function endOf(pattern: RegExp, text: string, at: number): { readonly kind: string; readonly end: number } | null {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (found === null) return null
  const kind = found.groups?.['s'] !== undefined ? 's' : found.groups?.['v'] !== undefined ? 'v' : found[0]
  return { kind, end: at + found[0].length }
}

/** Whether a token may follow a value in what is open: a comma, or the end of that. */
function isInside(kind: string, open: string | undefined): boolean {
  if (open === undefined) return false
  return kind === ',' || kind === (open === '{' ? '}' : ']')
}
