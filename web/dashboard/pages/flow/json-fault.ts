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

/** Values that are neither strings nor lists nor objects. */
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SIGNS: ReadonlySet<string> = new Set('{}[],:')
/** Characters that may follow the backslash of an escape, but for `u`, which four hexadecimal digits follow. */
const ESCAPED: ReadonlySet<string> = new Set('"\\/bfnrt')
const HEX = /[\dA-Fa-f]{4}/y
/** Below it are control characters, which no string may hold. */
const SPACE = 32
const QUOTE = 34
const BACKSLASH = 92

/**
 * The line, from 1, at which a text stops being JSON; null when it is JSON. The parsers of browsers do not always name
 * the place.
 */
export function lineOfFault(text: string): number | null {
  if (isJson(text)) return null
  const at = faultIn(text)
  return at === null ? null : text.slice(0, at).split('\n').length
}

/** Whether the browser reads it, which is several times as fast as looking for a fault. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The index of the first token that is wrong, or of the end of a text that is cut. */
function faultIn(text: string): number | null {
  const open: string[] = []
  let place: Place = 'value'
  let at = 0
  for (;;) {
    at = endOfSpace(text, at)
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
  const first = text[at] ?? ''
  if (SIGNS.has(first)) return { kind: first, end: at + 1 }
  const isText = first === '"'
  const end = isText ? endOfString(text, at + 1) : after(SCALAR, text, at)
  return end === null ? null : { kind: isText ? 's' : 'v', end }
}

/**
 * The index behind the string that goes on at `at`; null when it does not end, or holds what no string may. It looks at
 * each character, since a document may be one string of 10 MB: a pattern would overflow, or be slow at each escape.
 */
function endOfString(text: string, at: number): number | null {
  for (let to = at; to < text.length; to += 1) {
    const code = text.charCodeAt(to)
    if (code === QUOTE) return to + 1
    if (code < SPACE) return null
    if (code !== BACKSLASH) continue
    const end = endOfEscape(text, to + 1)
    if (end === null) return null
    to = end - 1
  }
  return null
}

function endOfEscape(text: string, at: number): number | null {
  const kind = text[at] ?? ''
  if (ESCAPED.has(kind)) return at + 1
  return kind === 'u' ? after(HEX, text, at + 1) : null
}

function endOfSpace(text: string, at: number): number {
  let to = at
  while (isSpace(text.charCodeAt(to))) to += 1
  return to
}

/** Space, tab and the two characters of line breaks. */
function isSpace(code: number): boolean {
  return code === SPACE || code === 9 || code === 10 || code === 13
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
