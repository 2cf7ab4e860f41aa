/** A variable in a text: `{{name}}` from `start` up to `end`, in UTF-16 units. */
export interface Placeholder {
  readonly name: string
  readonly start: number
  readonly end: number
}

export interface ScannedText {
  readonly placeholders: readonly Placeholder[]
  /** The place of the first brace that belongs to no variable; null when there is none. */
  readonly malformedAt: number | null
}

/**
 * Our choice: the part of a text that is searched, in UTF-16 units. No field of a template may be a tenth as long, so a
 * variable further behind belongs to a text that is refused for its length.
 */
const SCANNED_LENGTH = 65_536
/**
 * Characters of a name: a letter or `_`, and 63 more ([templates.variables.1]); as many digits of a number (our
 * choice).
 */
const NAME_LENGTH = 64
const NAME = /^(?:[A-Za-z_]\w*|\d+)$/
/** Names that are the keys of buttons, headers and cards ([templates.variables.2]). */
const RESERVED = /^(?:(?:button|header)_\d+$|card_\d+_)/

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}

/** Skips inner spaces ([templates.variables.1]); tabs too, but no line breaks (our choice). */
function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

function placeholderAt(text: string, start: number): Placeholder | null {
  if (text[start + 1] !== '{') return null
  const from = skipSpaces(text, start + 2)
  let to = from
  while (to - from <= NAME_LENGTH && isWordAt(text, to)) to++
  const close = skipSpaces(text, to)
  const name = text.slice(from, to)
  if (to - from > NAME_LENGTH || !NAME.test(name) || text[close] !== '}' || text[close + 1] !== '}') return null
  return { name, start, end: close + 2 }
}

/**
 * Finds the variables of a text, and the first brace that belongs to none. Its time is linear: it reads no character
 * more than a few times.
 */
export function scanText(text: string): ScannedText {
  const placeholders: Placeholder[] = []
  let malformedAt: number | null = null
  let at = 0
  while (at < text.length && at < SCANNED_LENGTH) {
    const char = text[at]
    const found = char === '{' ? placeholderAt(text, at) : null
    if (found) placeholders.push(found)
    else if (char === '{' || char === '}') malformedAt ??= at
    at = found ? found.end : at + 1
  }
  return { placeholders, malformedAt }
}

/** True when a caller must not give a variable this name: it is the key of a button, of a header or of a card. */
export function isReservedName(name: string): boolean {
  return RESERVED.test(name)
}

/** True when a variable is a number, whose key depends on where it stands. */
export function isNumberName(name: string): boolean {
  return /^\d+$/.test(name)
}

/** Gives the name when a text is one variable and nothing else but outer white space; null otherwise. */
export function soleName(text: string): string | null {
  const trimmed = text.trim()
  const [first] = scanText(trimmed).placeholders
  return first && first.start === 0 && first.end === trimmed.length ? first.name : null
}

/**
 * Replaces each variable of a text once: what is put in is not searched again. A `replacement` of null leaves the
 * variable as it stands.
 */
export function replacePlaceholders(text: string, replacement: (name: string, index: number) => string | null): string {
  let filled = ''
  let from = 0
  scanText(text).placeholders.forEach(({ name, start, end }, index) => {
    filled += text.slice(from, start) + (replacement(name, index) ?? text.slice(start, end))
    from = end
  })
  return filled + text.slice(from)
}
