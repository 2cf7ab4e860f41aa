import type { Hash } from 'node:crypto'
import type { RefusalError } from '../../domain/errors.ts'
import { JsonScan } from './json-scan.ts'
import { letGo } from './let-go.ts'
import { MediaCut } from './media-cut.ts'
import type { TakesMedia } from './media-cut.ts'
import { tooLarge, tooManyValues } from './too-large.ts'

/** Our choice: larger bodies need room; most are far smaller, and cost nothing more than their count. */
export const LARGE_BODY_BYTES = 256_000

export interface IntakeOptions {
  readonly maxBytes: number
  readonly mostValues: number
  /** Media are taken out of large bodies. */
  readonly hasMedia: boolean
  /** The length the request states; null when it is sent in chunks. */
  readonly statedBytes: number | null
  readonly files: TakesMedia
  /** Waits for room for so many bytes; rejects where there is none. */
  readonly enter: (bytes: number) => Promise<void>
  /** Begun for this request; null when it carries no Idempotency-Key. */
  readonly fingerprint: Hash | null
}

/** What was taken in. */
export interface TakenBody {
  readonly bytes: Buffer
  readonly fault: RefusalError | null
  /** Of the body as it was sent, where that is not what `bytes` are; null otherwise. */
  readonly fingerprint: string | null
}

/** Takes a body in, piece by piece, and bounds its size and its values before anything is made of them. */
export class BodyIntake {
  readonly #options: IntakeOptions
  readonly #scan: JsonScan
  readonly #pieces: Buffer[] = []
  #length = 0
  /** Pieces whose values were counted. */
  #counted = 0
  #isLarge = false
  #cut: MediaCut | null = null

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#scan = new JsonScan(options.mostValues)
  }

  /** A body that says it is large waits for its room unread. */
  async begin(): Promise<void> {
    const { statedBytes, maxBytes } = this.#options
    if (statedBytes !== null && statedBytes > LARGE_BODY_BYTES && statedBytes <= maxBytes) await this.#grow(statedBytes)
  }

  /** Takes the next piece, which is its own from then on. Throws 413 PAYLOAD_TOO_LARGE, 503 BUSY. */
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

  /** Lets go of the media that nobody kept, and of what was taken of a body that did not become whole. */
  async drop(): Promise<void> {
    this.#pieces.splice(0).forEach(letGo)
    await this.#cut?.drop()
  }

  /** Fewer bytes than values are allowed cannot hold more: most bodies are not even counted. */
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

/** Most bodies come in one piece. */
function wholeOf(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = Buffer.concat(pieces)
  pieces.forEach(letGo)
  return whole
}
