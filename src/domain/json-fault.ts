/** A place in a text, both from 1. A line ends with its line feed; columns count UTF-16 units. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

const SPACE = /[ \t\n\r]*/y
/** What is below must be escaped in a string. */
const FIRST_PRINTABLE = 0x20
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** What may come next. */
type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'end'

/** Where a text is no JSON (RFC 8259); null where it is. Walks without recursion, once. */
export function jsonFaultIn(text: string): TextPlace | null {
  const at = faultOffset(text)
  return at === null ? null : placeOf(text, at)
}

/** Where the first thing in a text begins that is no white space. */
export function firstPlaceOf(text: string): TextPlace {
  return placeOf(text, skip(SPACE, text, 0))
}

function placeOf(text: string, offset: number): TextPlace {
  let [line, from] = [1, 0]
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', from)) {
    line++
    from = end + 1
  }
  return { line, column: offset - from + 1 }
}

/** Behind what the pattern matches at an offset; the offset itself where it does not. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

function faultOffset(text: string): number | null {
  const open: ('[' | '{')[] = []
  const behindValue = (): Wanted => open.length === 0 ? 'end' : open.at(-1) === '[' ? ', or ]' : ', or }'
  let wanted: Wanted = 'value'
  for (let at = skip(SPACE, text, 0); at < text.length; at = skip(SPACE, text, at)) {
    const char: string = text.charAt(at)
    if (isClosing(char, wanted)) {
      open.pop()
      wanted = behindValue()
      at++
    } else if (wanted === ':' || wanted === ', or ]' || wanted === ', or }') {
      if (char !== wanted.charAt(0)) return at
      wanted = wanted === ', or }' ? 'key' : 'value'
      at++
    } else if (wanted === 'end') {
      return at
    } else {
      const isKey: boolean = wanted === 'key' || wanted === 'key or }'
      if (!isKey && (char === '[' || char === '{')) {
        open.push(char)
        wanted = char === '[' ? 'value or ]' : 'key or }'
        at++
        continue
      }
      const read: { readonly end: number, readonly isWhole: boolean } = char === '"' ? readString(text, at) : { end: isKey ? at : skip(LITERAL, text, at), isWhole: true }
      if (!read.isWhole || read.end === at) return read.end
      at = read.end
      wanted = isKey ? ':' : behindValue()
    }
  }
  return wanted === 'end' ? null : text.length
}

function isClosing(char: string, wanted: Wanted): boolean {
  return (char === ']' && (wanted === 'value or ]' || wanted === ', or ]')) || (char === '}' && (wanted === 'key or }' || wanted === ', or }'))
}

/** `end`: behind its closing quote, or where it breaks. */
function readString(text: string, from: number): { readonly end: number, readonly isWhole: boolean } {
  let at = from + 1
  while (at < text.length && text.charAt(at) !== '"') {
    const behind = text.charAt(at) === '\\' ? skip(ESCAPE, text, at) : at + (text.charCodeAt(at) < FIRST_PRINTABLE ? 0 : 1)
    if (behind === at) return { end: at, isWhole: false }
    at = behind
  }
  return at < text.length ? { end: at + 1, isWhole: true } : { end: at, isWhole: false }
}
