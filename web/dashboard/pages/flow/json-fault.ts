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

const TOKEN = /(?<v>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|[{}[\],:]/y
const SPACE = /[ \t\r\n]*/y
/** What a string holds between its escapes. A document may be one string of 10 MB, so no pattern reads a whole one. */
const PLAIN = /[ !#-[\]-\uFFFF]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

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
    at = after(SPACE, text, at) ?? at
    if (at === text.length) return place === 'after' && open.length === 0 ? null : at
    const token = tokenAt(text, at)
    const next: Place | undefined = token === null ? undefined : NEXT[place][token.kind]
    if (token === null || next === undefined || (place === 'after' && !isInside(token.kind, open.at(-1)))) return at
    if (token.kind === '{' || token.kind === '[') open.push(token.kind)
    if (token.kind === '}' || token.kind === ']') open.pop()
    place = token.kind === ',' && open.at(-1) === '{' ? 'key' : next
    at = token.end
  }
}

function tokenAt(text: string, at: number): { readonly kind: string; readonly end: number } | null {
  if (text[at] === '"') {
    const end = endOfString(text, at + 1)
    return end === null ? null : { kind: 's', end }
  }
  TOKEN.lastIndex = at
  const found = TOKEN.exec(text)
  if (found === null) return null
  return { kind: found.groups?.['v'] === undefined ? found[0] : 'v', end: at + found[0].length }
}

/** The index behind the string that goes on at `at`; null when it does not end, or holds what no string may. */
function endOfString(text: string, at: number): number | null {
  let to: number | null = at
  while (to !== null) {
    to = after(PLAIN, text, to) ?? to
    if (text[to] === '"') return to + 1
    to = after(ESCAPE, text, to)
  }
  return null
}

/** The index behind what a sticky pattern finds at `at`; null when it finds nothing there. */
function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/** Whether a token may follow a value in what is open: a comma, or the end of that. */
function isInside(kind: string, open: string | undefined): boolean {
  if (open === undefined) return false
  return kind === ',' || kind === (open === '{' ? '}' : ']')
}
