import { RefusalError } from '../../domain/errors.ts'
import { BODY_BYTES } from '../../domain/limits.ts'
import type { ArrivingMedia, MessageFiles } from '../../ports/message-media.ts'
import { JsonScan } from './json-scan.ts'
import { JsonStringReader } from './json-string.ts'
import { letGo } from './let-go.ts'
import { tooLarge, tooManyValues } from './too-large.ts'

/**
 * our choice, in bytes as written: the beginning of a string is held up to this length to see whether it is media. The
 * longest text of a message has 4,096 characters ([messages.modes.1]) of 6 bytes at most.
 */
const HELD_BYTES = 32_768
/** our choice: three times the cards of a carousel. */
const MOST_MEDIA = 32

export type TakesMedia = Pick<MessageFiles, 'arrive'>

interface Cut {
  readonly media: ArrivingMedia
  readonly reader: JsonStringReader
}

/** A body without its media. */
export interface BareBody {
  readonly bytes: Buffer
  /** Set when a string that was cut out is not valid JSON, else null. */
  readonly fault: RefusalError | null
}

/**
 * Takes base64 media out of a large body while it arrives. Long data URIs go to files, and a short text takes their
 * place in the JSON, which must then be no larger than other bodies ([rest.errors.7]). So a body with media takes the
 * memory of a small one, and is read piece by piece.
 */
export class MediaCut {
  readonly #files: TakesMedia
  readonly #mostValues: number
  readonly #scan: JsonScan
  #bare = Buffer.allocUnsafe(2 * HELD_BYTES)
  #length = 0
  /** Where the string that is being read begins in the bare body; -1 once it is decided that it stays. */
  #stringFrom = -1
  #cut: Cut | null = null
  #fault: RefusalError | null = null
  readonly #taken: ArrivingMedia[] = []

  constructor(files: TakesMedia, mostValues: number) {
    this.#files = files
    this.#mostValues = mostValues
    this.#scan = new JsonScan(mostValues)
  }

  /**
   * Takes the next piece, and is done with its bytes on return. When it returns a promise, the next piece may come once
   * that resolves. Throws 413 PAYLOAD_TOO_LARGE.
   */
  take(piece: Buffer): Promise<void> | null {
    if (this.#fault) return null
    let wait: Promise<void> | null = null
    try {
      for (let at = 0; at < piece.length;) {
        const wasInString = this.#scan.isInString
        const to = this.#scan.next(piece, at)
        if (this.#scan.isOver) throw tooManyValues(this.#mostValues)
        const part = piece.subarray(at, to)
        const waitOfPart = wasInString ? this.#string(part) : this.#structure(part)
        if (waitOfPart) wait = wait ? Promise.all([wait, waitOfPart]).then(() => {}) : waitOfPart
        at = to
      }
    } catch (error) {
      if (!(error instanceof RefusalError) || error.refusal.code !== 'INVALID_JSON') throw error
      // The fault is told where that of other bodies is, so that checks before it in the order of checks still come
      // first.
      this.#fault = error
    }
    return wait
  }

  /** Ends the body: all of it was taken. Resolves to what remains of it. */
  async end(): Promise<BareBody> {
    for (const media of this.#taken) await media.end()
    return { bytes: this.#bare.subarray(0, this.#length), fault: this.#fault }
  }

  /** Drops the media that nobody kept, and the bytes that `end` gave. Never rejects. */
  async drop(): Promise<void> {
    letGo(this.#bare)
    for (const media of this.#taken) await media.drop()
  }

  #structure(part: Buffer): null {
    this.#append(part)
    this.#stringFrom = this.#scan.isInString ? this.#length : -1
    return null
  }

  /** Takes a part of a string, its closing quote included. */
  #string(part: Buffer): Promise<void> | null {
    const isClosed = !this.#scan.isInString
    const text = isClosed ? part.subarray(0, -1) : part
    const wait = this.#cut ? this.#cut.media.take(this.#cut.reader.read(text)) : this.#held(text)
    if (!isClosed) return wait
    const cut = this.#cut
    this.#cut = null
    this.#append(part.subarray(-1))
    cut?.reader.end()
    return cut ? Promise.resolve(wait).then(() => cut.media.end()) : wait
  }

  #held(text: Buffer): Promise<void> | null {
    if (this.#stringFrom < 0) return this.#append(text)
    const missing = HELD_BYTES - (this.#length - this.#stringFrom)
    if (text.length < missing) return this.#append(text)
    this.#append(text.subarray(0, missing))
    this.#cut = this.#begin(this.#bare.subarray(this.#stringFrom, this.#length))
    if (this.#cut) {
      this.#length = this.#stringFrom
      this.#append(Buffer.from(JSON.stringify(this.#cut.media.standIn).slice(1, -1)))
    }
    this.#stringFrom = -1
    const rest = text.subarray(missing)
    return this.#cut ? this.#cut.media.take(this.#cut.reader.read(rest)) : this.#append(rest)
  }

  /** Begins to cut a string out; null when it is no media. */
  #begin(held: Buffer): Cut | null {
    const reader = new JsonStringReader()
    const media = this.#files.arrive(reader.read(held))
    if (!media) return null
    this.#taken.push(media)
    if (this.#taken.length > MOST_MEDIA) throw tooLarge(`The body holds more than ${MOST_MEDIA} media`)
    return { media, reader }
  }

  #append(bytes: Buffer): null {
    const length = this.#length + bytes.length
    if (length > BODY_BYTES) throw tooLarge(`The body is over ${BODY_BYTES} bytes without the data URIs of its media`)
    if (length > this.#bare.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#bare.length))
      this.#bare.copy(grown, 0, 0, this.#length)
      letGo(this.#bare)
      this.#bare = grown
    }
    bytes.copy(this.#bare, this.#length)
    this.#length = length
    return null
  }
}
