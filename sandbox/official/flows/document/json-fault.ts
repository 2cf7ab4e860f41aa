const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const BLANK = /[ \t\r\n]*/y
/** A control character or a backslash. */
const SPECIAL = new RegExp(String.raw`[\u0000-\u001f\\]`, 'g')
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

const SPACE = 32

const TOO_EARLY = 'The document ends too early'

/** The place where a text stops being JSON (RFC 8259), and why. */
export interface JsonFault {
  /** Offset of the first wrong character; the length of the text when something is missing at its end. */
  readonly offset: number
  readonly reason: string
}

/** Offset after the closing quote of a text that begins at `from`; null when it does not end. */
export function endOfString(text: string, from: number): number | null {
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return null
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

/** Reads a text from its beginning, one token after another, without recursion, so that depth costs no stack. */
class Scanner {
  readonly #text: string
  #offset = 0
  #nextSpecial = -1
  /** Open containers: `{` or `[`. */
  readonly #open: string[] = []
  /** What may come next: a value, the first item of a container, or what follows a value. */
  #awaits: 'value' | 'first' | 'more' = 'value'

  constructor(text: string) {
    this.#text = text
  }

  fault(): JsonFault | null {
    for (;;) {
      this.#blank()
      const first = this.#text[this.#offset]
      if (this.#awaits === 'more' && this.#open.length === 0)
        return first === undefined ? null : { offset: this.#offset, reason: 'Nothing may stand behind the document' }
      const reason = first === undefined ? TOO_EARLY : this.#step(first)
      if (reason !== null) return { offset: this.#offset, reason }
    }
  }

  /** Reads what begins with this character. Answers what is wrong, or null. */
  #step(first: string): string | null {
    if (this.#awaits === 'value') return this.#value(first)
    const isList = this.#open.at(-1) === '['
    if (first === (isList ? ']' : '}')) {
      this.#open.pop()
      return this.#went('more')
    }
    if (this.#awaits === 'first') return isList ? this.#value(first) : this.#key()
    if (first !== ',') return `Expected "," or ${isList ? '"]"' : '"}"'}, not ${JSON.stringify(first)}`
    this.#went('value')
    return isList ? null : this.#key()
  }

  #value(first: string): string | null {
    if (first === '"') return this.#string('more')
    if (first === '{' || first === '[') {
      this.#open.push(first)
      return this.#went('first')
    }
    this.#awaits = 'more'
    return this.#skip(NUMBER) || this.#skip(WORD) ? null : `Unexpected ${JSON.stringify(first)}`
  }

  /** Reads the name of a property, up to its value. */
  #key(): string | null {
    this.#blank()
    const first = this.#text[this.#offset]
    if (first !== '"')
      return first === undefined ? TOO_EARLY : `Expected the name of a property, not ${JSON.stringify(first)}`
    const reason = this.#string('value')
    if (reason !== null) return reason
    this.#blank()
    if (this.#text[this.#offset] !== ':') return 'Expected ":" behind the name of a property'
    return this.#went('value')
  }

  #string(next: 'value' | 'more'): string | null {
    const to = endOfString(this.#text, this.#offset)
    if (to === null) return 'A text does not end'
    const wrong = this.#wrongIn(to)
    this.#offset = wrong ?? to
    this.#awaits = next
    return wrong === null ? null : 'A text holds what JSON does not let it hold'
  }

  /**
   * Offset of a control character, or of a backslash before a character that JSON does not escape, up to `to`; null
   * when there is none.
   */
  #wrongIn(to: number): number | null {
    for (let at = this.#special(this.#offset); at < to; at = this.#special(ESCAPE.lastIndex)) {
      ESCAPE.lastIndex = at
      if (!ESCAPE.test(this.#text)) return at
    }
    return null
  }

  /** Offset of the next control character or backslash. Those between texts are found once and remembered. */
  #special(from: number): number {
    if (this.#nextSpecial < from) {
      SPECIAL.lastIndex = from
      this.#nextSpecial = SPECIAL.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#nextSpecial
  }

  /** Moves past one character. */
  #went(next: 'value' | 'first' | 'more'): null {
    this.#offset++
    this.#awaits = next
    return null
  }

  #blank(): void {
    if (this.#text.charCodeAt(this.#offset) <= SPACE) this.#skip(BLANK)
  }

  #skip(token: RegExp): boolean {
    token.lastIndex = this.#offset
    if (!token.test(this.#text)) return false
    this.#offset = token.lastIndex
    return true
  }
}

/** The fault of a text; null when the text is JSON. */
export function faultOfJson(text: string): JsonFault | null {
  return new Scanner(text).fault()
}
