import type { Hash } from 'node:crypto'
import type { RefusalError } from '../../domain/errors.ts'
import { JsonScan } from './json-scan.ts'
import { letGo } from './let-go.ts'
import { MediaCut } from './media-cut.ts'
import type { TakesMedia } from './media-cut.ts'
import { tooLarge, tooManyValues } from './too-large.ts'

/** our choice, in bytes: larger bodies need room. Most are far smaller, and only their bytes are counted. */
export const LARGE_BODY_BYTES = 256_000

export interface IntakeOptions {
  readonly maxBytes: number
  readonly mostValues: number
  /** Media are taken out of large bodies. */
  readonly hasMedia: boolean
  /** The length the request states; null when it is sent in chunks. */
  readonly statedBytes: number | null
  readonly files: TakesMedia
  /** Waits for room for this many bytes; rejects when there is none. */
  readonly enter: (bytes: number) => Promise<void>
  /** The hash that was begun for this request; null when it carries no Idempotency-Key. */
  readonly fingerprint: Hash | null
}

/** A body that was taken in. */
export interface TakenBody {
  readonly bytes: Buffer
  readonly fault: RefusalError | null
  /** The fingerprint of the body as it was sent, null when `bytes` are that body. */
  readonly fingerprint: string | null
}

/** Takes a body in, piece by piece, and bounds its bytes and its JSON values before it is parsed. */
export class BodyIntake {
  readonly #options: IntakeOptions
  readonly #scan: JsonScan
  readonly #pieces: Buffer[] = []
  #length = 0
  /** How many pieces have had their values counted. */
  #counted = 0
  #isLarge = false
  #cut: MediaCut | null = null

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#scan = new JsonScan(options.mostValues)
  }

  /** Waits for room before anything is read, when the request states that its body is large. */
  async begin(): Promise<void> {
    const { statedBytes, maxBytes } = this.#options
    if (statedBytes !== null && statedBytes > LARGE_BODY_BYTES && statedBytes <= maxBytes) await this.#grow(statedBytes)
  }

  /** Takes the next piece, and owns its memory from then on. Throws 413 PAYLOAD_TOO_LARGE, 503 BUSY. */
  take(piece: Buffer): Promise<void> | null {
    const { maxBytes, mostValues, statedBytes } = this.#options
    this.#length += piece.length
    if (Math.max(this.#length, statedBytes ?? 0) > maxBytes) throw tooLarge(`The body is over ${maxBytes} bytes`)
    if (this.#cut) return this.#cutPiece(this.#cut, piece)
    this.#pieces.push(piece)
    if (!this.#holds()) throw tooManyValues(mostValues)
    return this.#length > LARGE_BODY_BYTES && !this.#isLarge ? this.#grow(maxBytes) : null
  }

  async end(): Promise<TakenBody> {
    if (!this.#cut) return { bytes: wholeOf(this.#pieces.splice(0)), fault: null, fingerprint: null }
    return { ...(await this.#cut.end()), fingerprint: this.#options.fingerprint?.digest('hex') ?? null }
  }

  /** Drops the media that nobody kept, and the pieces of a body that did not become whole. */
  async drop(): Promise<void> {
    this.#pieces.splice(0).forEach(letGo)
    await this.#cut?.drop()
  }

  /**
   * Whether the values are within their limit. A body with no more bytes than values allowed cannot exceed it, so most
   * bodies are not counted.
   */
  #holds(): boolean {
    if (this.#length <= this.#options.mostValues) return true
    const unread = this.#pieces.slice(this.#counted)
    this.#counted = this.#pieces.length
    return unread.every((piece) => this.#scan.read(piece))
  }

  async #grow(bytes: number): Promise<void> {
    const { enter, hasMedia, files, mostValues } = this.#options
    this.#isLarge = true
    await enter(bytes)
    if (!hasMedia) return
    this.#cut = new MediaCut(files, mostValues)
    for (const piece of this.#pieces.splice(0)) await this.#cutPiece(this.#cut, piece)
  }

  #cutPiece(cut: MediaCut, piece: Buffer): Promise<void> | null {
    this.#options.fingerprint?.update(piece)
    try {
      return cut.take(piece)
    } finally {
      letGo(piece)
    }
  }
}

/** The pieces as one buffer. Most bodies come in one piece, which is not copied. */
function wholeOf(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = Buffer.concat(pieces)
  pieces.forEach(letGo)
  return whole
}
