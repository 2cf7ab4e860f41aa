import { invalidJson, requireStorable } from './json-text.ts'

/**
 * Reads one JSON string whose raw bytes, without its quotes, come in pieces. Throws 400 INVALID_JSON as `parseJson`
 * does.
 */
export class JsonStringReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** The beginning of an escape whose rest is in the next piece, as written. */
  #begunEscape = ''
  /** The first half of a surrogate pair whose second half is in the next piece. */
  #firstHalf = ''

  /** The text of a piece, up to the last whole escape and character. */
  read(raw: Uint8Array): string {
    const written = this.#begunEscape + this.#decode(raw, true)
    const whole = wholeEscapes(written)
    this.#begunEscape = written.slice(whole)
    const text = this.#firstHalf + unescaped(written.slice(0, whole))
    const end = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length
    this.#firstHalf = text.slice(end)
    const stored = text.slice(0, end)
    requireStorable(stored)
    return stored
  }

  end(): void {
    requireStorable(this.#firstHalf)
    if (this.#begunEscape !== '' || this.#decode(new Uint8Array(0), false) !== '') throw invalidJson()
  }

  #decode(raw: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(raw, { stream })
    } catch {
      throw invalidJson()
    }
  }
}

function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string
  } catch {
    throw invalidJson()
  }
}

/** The index where an incomplete last escape begins, or the end of the text when there is none. */
function wholeEscapes(written: string): number {
  const last = written.lastIndexOf('\\')
  if (last < 0 || last < written.length - 5) return written.length
  let slashes = 1
  while (written[last - slashes] === '\\') slashes++
  if (slashes % 2 === 0) return written.length
  const wants = written[last + 1] === 'u' ? 6 : 2
  return written.length - last < wants ? last : written.length
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
