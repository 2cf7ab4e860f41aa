const [OTHER, SPACE, QUOTE, COMMA, OPEN, CLOSE] = [0, 1, 2, 3, 4, 5] as const
const QUOTE_BYTE = 0x22
const BACKSLASH_BYTE = 0x5c

/** What each byte is outside of strings. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(String.fromCharCode(byte)))

/**
 * Our choice: in a string the next quote is looked for this near byte by byte, farther away by a native search, which
 * costs more to start.
 */
const NEAR_BYTES = 64

function kindOf(char: string): number {
  if (char === '"') return QUOTE
  if (char === ',') return COMMA
  if ('[{'.includes(char)) return OPEN
  if (']}'.includes(char)) return CLOSE
  return ' \n\r\t'.includes(char) ? SPACE : OTHER
}

/**
 * Counts the values of a JSON text in its bytes, which may come in pieces, and stops at a limit: about 1 ns a byte for
 * any shape (measured), before anything is made of them. Exact for valid JSON; of what is none it only knows that it is
 * not more.
 */
export class JsonScan {
  readonly #mostValues: number
  /** The document itself; then one for each comma, and one for each container that is not empty. */
  #values = 1
  #strings = 0
  /** Right behind an opening bracket. */
  #isFresh = false
  #isInString = false
  #isEscaped = false

  constructor(mostValues: number) {
    this.#mostValues = mostValues
  }

  get values(): number {
    return this.#values
  }

  /** Every value of an object has a key: more than twice as many strings are no JSON, and as much work. */
  get isOver(): boolean {
    return this.#values > this.#mostValues || this.#strings > 2 * this.#mostValues
  }

  get isInString(): boolean {
    return this.#isInString
  }

  /**
   * Reads on from `from` to behind the next quote that opens or closes a string, to the limit, or to the end. Answers
   * to where.
   */
  next(piece: Buffer, from: number): number {
    return this.#isInString ? this.#readString(piece, from) : this.#readStructure(piece, from)
  }

  /** Reads a piece. Answers whether the limit still holds. */
  read(piece: Buffer): boolean {
    for (let at = 0; at < piece.length && !this.isOver;) at = this.next(piece, at)
    return !this.isOver
  }

  #readStructure(piece: Buffer, from: number): number {
    let [at, values, isFresh] = [from, this.#values, this.#isFresh]
    for (; at < piece.length && values <= this.#mostValues; at++) {
      const kind = KINDS[piece[at] ?? 0] ?? OTHER
      if (kind === SPACE) continue
      if (isFresh && kind !== CLOSE) values++
      isFresh = kind === OPEN
      if (kind === COMMA) values++
      if (kind === QUOTE) {
        this.#isInString = true
        this.#strings++
        at++
        break
      }
    }
    this.#values = values
    this.#isFresh = isFresh
    return at
  }

  #readString(piece: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    while (at < piece.length) {
      for (const near = at + NEAR_BYTES; at < near && at < piece.length; at++) {
        const byte = piece[at]
        if (byte === QUOTE_BYTE) return this.#leaveString(at)
        if (byte === BACKSLASH_BYTE) at++
      }
      if (at >= piece.length) break
      const found = piece.indexOf(QUOTE_BYTE, at)
      const quote = found < 0 ? piece.length : found
      const isEscaped = slashesBefore(piece, quote, at) % 2 === 1
      if (found >= 0 && !isEscaped) return this.#leaveString(quote)
      at = isEscaped ? quote + 1 : quote
    }
    // A backslash at the end speaks of the next piece's first byte.
    this.#isEscaped = at > piece.length
    return piece.length
  }

  #leaveString(quote: number): number {
    this.#isInString = false
    return quote + 1
  }
}

/** How many backslashes stand right before `end`, none before `from`. */
function slashesBefore(piece: Buffer, end: number, from: number): number {
  let count = 0
  while (end - count > from && piece[end - count - 1] === BACKSLASH_BYTE) count++
  return count
}
