import { randomInt } from 'node:crypto'
import type { Clock } from '../../../src/ports/clock.ts'
import { isHeaderValue } from '../../header-text.ts'
import { ByteStore } from '../../media/byte-store.ts'
import { hashOf, plainType } from '../../media/fetch-media.ts'
import { AddressSigner } from '../http/address-signer.ts'
import { GraphError, invalid } from '../http/graph-error.ts'
import type { Multipart } from '../http/multipart.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import { ceilingOf, UPLOAD_TYPES } from './media-rules.ts'

const DAY_MS = 86_400_000
/** Upstream's lifetime of ids, ms: 30 days for uploads, 7 for those of webhooks. */
const UPLOADED_MS = 30 * DAY_MS
const RECEIVED_MS = 7 * DAY_MS
/** Upstream's lifetime of a download address, 5 min in ms. */
const URL_MS = 5 * 60_000
/** our choice: most files that are remembered; the oldest go first. */
const MAX_MEDIA = 10_000

/** A file of a number, uploaded by the business or sent by a user. */
export interface OfficialMedia {
  readonly id: string
  readonly phoneId: string
  readonly mimeType: string
  readonly fileName: string | null
  readonly sizeBytes: number
  /** Hex. */
  readonly sha256: string
  readonly expiresAtMs: number
}

interface GivenMedia {
  readonly bytes: Buffer
  readonly mimeType: string
  readonly fileName: string | null
}

function newMediaId(): string {
  return `${randomInt(1, 10)}${String(randomInt(1e7)).padStart(7, '0')}${String(randomInt(1e7)).padStart(7, '0')}`
}

/** Media ids of the official platform, with their bytes as long as there is room. */
export class MediaShelf {
  readonly #clock: Clock
  readonly #media = new Map<string, OfficialMedia>()
  readonly #bytes = new ByteStore()
  readonly #signer = new AddressSigner()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Body of `POST /{phoneId}/media`. Answers the new id. */
  upload(number: OfficialNumber, { fields, file }: Multipart): string {
    if (fields['messaging_product'] !== 'whatsapp') throw invalid('The parameter messaging_product is required')
    if (!file) throw new GraphError(100, { message: '(#100) The parameter file is required.' })
    const mimeType =
      plainType(file.mimeType) === 'application/octet-stream' ? (fields['type'] ?? file.mimeType) : file.mimeType
    if (!UPLOAD_TYPES.includes(plainType(mimeType)) || !isHeaderValue(mimeType)) {
      throw new GraphError(100, {
        message: `(#100) Param file must be a file with one of the following types: ${UPLOAD_TYPES.join(', ')}. Received file of type '${plainType(mimeType)}'.`,
      })
    }
    const ceiling = ceilingOf(mimeType)
    if (file.bytes.length === 0) throw invalid('file: is empty')
    if (file.bytes.length > ceiling)
      throw invalid(`file: is ${file.bytes.length} bytes, over the limit of ${ceiling} bytes`)
    return this.#keep(number, { bytes: file.bytes, mimeType, fileName: file.fileName }, UPLOADED_MS).id
  }

  /** Keeps a file that a user sent to the number. */
  receive(number: OfficialNumber, media: GivenMedia): OfficialMedia {
    return this.#keep(number, media, RECEIVED_MS)
  }

  /** A file; null when there is none, or it has expired. */
  find(id: string): OfficialMedia | null {
    const media = this.#media.get(id)
    return media && this.#clock.now() < media.expiresAtMs ? media : null
  }

  bytesOf({ id }: OfficialMedia): Buffer | null {
    return this.#bytes.get(id)
  }

  /** The address at `origin` where it can be downloaded for 5 min. */
  urlOf({ id }: OfficialMedia, origin: string): string {
    const ext = String(Math.floor((this.#clock.now() + URL_MS) / 1_000))
    return `${origin}/official/attachments/?mid=${id}&ext=${ext}&hash=${this.#signer.sign(`${id} ${ext}`)}`
  }

  /** The file at a download address; null when the address is wrong or expired, or the file is gone. */
  open(query: URLSearchParams): OfficialMedia | null {
    const [id = '', ext = '', hash = ''] = ['mid', 'ext', 'hash'].map((name) => query.get(name) ?? '')
    if (!this.#signer.isSigned(`${id} ${ext}`, hash)) return null
    return Number(ext) * 1_000 > this.#clock.now() ? this.find(id) : null
  }

  delete({ id }: OfficialMedia): void {
    this.#media.delete(id)
    this.#bytes.forget(id)
  }

  clear(): void {
    this.#media.clear()
    this.#bytes.clear()
  }

  #keep({ phoneId }: OfficialNumber, { bytes, mimeType, fileName }: GivenMedia, lifeMs: number): OfficialMedia {
    const media = {
      id: newMediaId(),
      phoneId,
      mimeType,
      fileName,
      sizeBytes: bytes.length,
      sha256: hashOf(bytes),
      expiresAtMs: this.#clock.now() + lifeMs,
    }
    this.#media.set(media.id, media)
    this.#bytes.keep(media.id, bytes)
    for (const oldest of this.#media.values()) {
      if (this.#media.size <= MAX_MEDIA) break
      this.delete(oldest)
    }
    return media
  }
}
