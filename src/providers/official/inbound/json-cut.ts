/**
 * Finds the parts of a JSON text without parsing them, so that they can be cut out as they were written: parsing and
 * writing again would lose escapes, long numbers and the order of keys. Works only on text that JSON.parse accepts.
 */

/** Place of a part, from its first character to the one after its last. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Member {
  readonly key: string
  /** The key as written, quotes included. */
  readonly rawKey: string
  readonly span: Span
}

/** The members of the object at `span`, in order; empty when it is no object. */
export function membersOf(text: string, span: Span): Member[] {
  const members: Member[] = []
  if (text[span.from] !== '{') return members
  let at = skipSpace(text, span.from + 1)
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at)
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const to = valueEnd(text, from)
    const rawKey = text.slice(at, keyEnd)
    members.push({ key: JSON.parse(rawKey) as string, rawKey, span: { from, to } })
    at = nextItem(text, to)
  }
  return members
}

/** The items of the array at `span`, in order; empty when it is none. */
export function itemsOf(text: string, span: Span): Span[] {
  const items: Span[] = []
  if (text[span.from] !== '[') return items
  let at = skipSpace(text, span.from + 1)
  while (at < span.to - 1) {
    const to = valueEnd(text, at)
    items.push({ from: at, to })
    at = nextItem(text, to)
  }
  return items
}

/** The value of the member called `key`; of several the last, as in JSON.parse. */
export function spanOf(members: readonly Member[], key: string): Span | null {
  return members.findLast((member) => member.key === key)?.span ?? null
}

/** The whole text without the white space around it. */
export function wholeOf(text: string): Span {
  const from = skipSpace(text, 0)
  return { from, to: valueEnd(text, from) }
}

/** A text or a number as text, exactly as written; null for any other value. */
export function scalarText(text: string, span: Span | null): string | null {
  if (!span) return null
  const raw = text.slice(span.from, span.to)
  if (raw.startsWith('"')) return JSON.parse(raw) as string
  return /^-?\d/.test(raw) ? raw : null
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** Place after the comma that follows an item, or of the bracket that closes its container. */
function nextItem(text: string, itemEnd: number): number {
  const at = skipSpace(text, itemEnd)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

/** Place after the closing quote of the string whose opening quote is at `from`. */
function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}

/** Place after the value that begins at `from`. It counts brackets and does not recurse, so depth costs nothing. */
function valueEnd(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return stringEnd(text, from)
  if (first !== '{' && first !== '[') {
    let at = from
    while (at < text.length && !isSpace(text.charCodeAt(at)) && !',]}'.includes(text.charAt(at))) at++
    return at
  }
  let depth = 0
  for (let at = from; at < text.length;) {
    const char = text[at]
    if (char === '"') {
      at = stringEnd(text, at)
      continue
    }
    at++
    if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at
  }
  return text.length
}
