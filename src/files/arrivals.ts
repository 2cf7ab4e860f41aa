import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { ArrivingMedia } from '../ports/message-media.ts'
import { dataUriHead, unfolded } from '../domain/media-text.ts'
import { HEAD_BYTES } from './file-type.ts'
import type { Shelf } from './shelf.ts'

/** Bytes on disk that came with a body. */
export interface ArrivedFile {
  readonly path: string
  readonly sizeBytes: number
  /** The first bytes of the file, as many as its type is told by. */
  readonly head: Uint8Array
}

export type Arrived =
  | { readonly ok: true; readonly file: ArrivedFile }
  | { readonly ok: false; readonly reason: 'malformed' }

/** Our choice: bytes written at a time, which are all the memory that an arriving file takes. */
const BUFFER_BYTES = 192 * 1024
/** Base64 of 4 characters is 3 bytes (RFC 4648 4). */
const QUANTUM = 4
const QUANTUM_BYTES = 3
/** Our choice: twice the longest text of a message, so that no other field accepts a stand-in. */
const STAND_IN_CHARACTERS = 8_192

/** Data URIs that come in pieces, found by the text that replaces them. */
export class Arrivals {
  readonly #shelf: Shelf
  readonly #arriving = new Map<string, Pick<Arrival, 'result'>>()

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  /** Begins a data URI; null when the text does not begin as one. */
  begin(beginning: string): ArrivingMedia | null {
    const head = dataUriHead(beginning)
    if (head === 0) return null
    const standIn = standInFor(beginning.slice(0, head))
    const arrival = new Arrival(this.#shelf, standIn, () => this.#arriving.delete(standIn))
    this.#arriving.set(standIn, arrival)
    arrival.begin(beginning.slice(head))
    return arrival
  }

  /** Takes a file that is whole already. */
  adopt(file: ArrivedFile): { readonly standIn: string; drop(): void } {
    const standIn = standInFor('data:application/octet-stream;base64,')
    this.#arriving.set(standIn, { result: () => ({ ok: true, file }) })
    return { standIn, drop: () => void this.#arriving.delete(standIn) }
  }

  find(standIn: string): Pick<Arrival, 'result'> | null {
    return this.#arriving.get(standIn) ?? null
  }
}

/** Makes a stand-in, which is no base64: it is never read as bytes, and nobody can guess another's. */
function standInFor(head: string): string {
  return head + `arrived:${randomUUID()}`.padEnd(STAND_IN_CHARACTERS, ':')
}

/** One data URI on its way to a temporary file: base64 with its padding, as `parseDataUri` reads it. */
class Arrival implements ArrivingMedia {
  readonly standIn: string
  readonly #shelf: Shelf
  readonly #forget: () => void
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #buffered = 0
  /** Text that is not decoded yet; the last quantum, which alone may be padded, is kept until the end. */
  #rest = ''
  #isMalformed = false
  #isEnded = false
  #failure: Error | null = null
  #file: { readonly path: string; readonly handle: FileHandle } | null = null
  #sizeBytes = 0
  #head: Uint8Array = new Uint8Array(0)

  constructor(shelf: Shelf, standIn: string, forget: () => void) {
    this.#shelf = shelf
    this.standIn = standIn
    this.#forget = forget
  }

  /** Takes the first characters; their bytes are written with the next. */
  begin(text: string): void {
    this.#rest = unfolded(text)
  }

  take(text: string): Promise<void> | null {
    if (this.#isMalformed || this.#failure) return null
    const all = this.#rest + unfolded(text)
    const length = Math.max(0, all.length - QUANTUM)
    const whole = length - (length % QUANTUM)
    this.#rest = all.slice(whole)
    return this.#decode(all.slice(0, whole))
  }

  async end(): Promise<void> {
    if (this.#isEnded) return
    await this.take('')
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(this.#rest)) this.#isMalformed = true
    if (!this.#isMalformed && !this.#failure) {
      this.#buffered += this.#buffer.write(this.#rest, this.#buffered, 'base64')
      await this.#flush()
    }
    this.#isEnded = true
    this.#buffer = Buffer.alloc(0)
    await this.#file?.handle.close().catch((error: unknown) => this.#fail(error))
  }

  async drop(): Promise<void> {
    this.#forget()
    if (!this.#isEnded) await this.#file?.handle.close().catch(() => {})
    this.#isEnded = true
    if (this.#file) await rm(this.#file.path, { force: true }).catch(() => {})
  }

  /** Gives the file, or why there is none. Throws the error of the disk. */
  result(): Arrived {
    if (this.#failure) throw this.#failure
    if (this.#isMalformed || !this.#isEnded || !this.#file) return { ok: false, reason: 'malformed' }
    return { ok: true, file: { path: this.#file.path, sizeBytes: this.#sizeBytes, head: this.#head } }
  }

  #decode(text: string): Promise<void> | null {
    if (!/^[A-Za-z0-9+/]*$/.test(text)) {
      this.#isMalformed = true
      return null
    }
    // The end of the text is decoded into the buffer later, which always has room for one quantum.
    const room = Math.floor((BUFFER_BYTES - this.#buffered) / QUANTUM_BYTES - 1) * QUANTUM
    const now = text.slice(0, room)
    this.#buffered += this.#buffer.write(now, this.#buffered, 'base64')
    if (now.length === text.length) return null
    return this.#flush().then(() => (this.#failure ? undefined : (this.#decode(text.slice(room)) ?? undefined)))
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#buffered)
    try {
      this.#file ??= await this.#open()
      if (this.#sizeBytes === 0) this.#head = Uint8Array.from(bytes.subarray(0, HEAD_BYTES))
      await this.#file.handle.writeFile(bytes)
      this.#sizeBytes += bytes.length
      this.#buffered = 0
    } catch (error) {
      this.#fail(error)
    }
  }

  async #open(): Promise<{ path: string; handle: FileHandle }> {
    const path = await this.#shelf.tempPath()
    return { path, handle: await open(path, 'wx', 0o600) }
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
  }
}
