import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../src/ports/clock.ts'
import { ByteStore } from '../../media/byte-store.ts'
import { AddressSigner } from '../http/address-signer.ts'
import { GraphError } from '../http/graph-error.ts'
import { UploadError } from '../http/upload-error.ts'

const DAY_MS = 86_400_000
/** our choice: an upload can be continued for a day, ms. */
const SESSION_MS = DAY_MS
/** our choice: an address of a sample is valid for a day, ms. */
const ADDRESS_MS = DAY_MS
/** our choice: most uploads that are remembered; the oldest go first. */
const MAX_UPLOADS = 10_000
/** Upstream's ceiling of documents, the largest files that can be uploaded, bytes. */
const MAX_BYTES = 100 * 1024 * 1024

/** Types of files that upstream accepts as samples. */
const FILE_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'video/mp4', 'application/pdf'] as const

const startSchema = z.object({
  file_name: z.string().max(255).optional(),
  file_length: z.coerce.number().int().min(1).max(MAX_BYTES),
  file_type: z.enum(FILE_TYPES),
})

/** A file of an app, while it is uploaded and afterwards. */
export interface Upload {
  /** Id in the answer, without the signature. */
  readonly id: string
  readonly appId: string
  readonly mimeType: string
  readonly lengthBytes: number
  readonly expiresAtMs: number
  received: Buffer[]
  offset: number
  /** Handle of the whole file; null until all of it is uploaded. */
  handle: string | null
}

/** Files that apps upload as samples of templates: in sessions that can be continued, then by handle. */
export class UploadShelf {
  readonly #clock: Clock
  readonly #uploads = new Map<string, Upload>()
  readonly #byHandle = new Map<string, Upload>()
  readonly #bytes = new ByteStore()
  readonly #signer = new AddressSigner()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Starts an upload from the body or query of `POST /{appId}/uploads`. Answers the id, with a signature as its query.
   */
  start(appId: string, given: Readonly<Record<string, unknown>>): string {
    const parsed = startSchema.safeParse(given)
    if (!parsed.success)
      throw new GraphError(100, {
        message: `(#100) Param ${String(parsed.error.issues[0]?.path[0])} is missing or not valid.`,
      })
    const { file_length: lengthBytes, file_type: mimeType } = parsed.data
    const id = `upload:${Buffer.from(`1:attachment:${randomUUID()}`).toString('base64')}`
    this.#uploads.set(id, {
      id,
      appId,
      mimeType: mimeType.replace('jpg', 'jpeg'),
      lengthBytes,
      expiresAtMs: this.#clock.now() + SESSION_MS,
      received: [],
      offset: 0,
      handle: null,
    })
    this.#forgetOldest()
    return `${id}?sig=${this.#signer.sign(id)}`
  }

  /** An upload; null when there is none, it has expired, or the signature is not that of its id. */
  find(id: string, signature: string): Upload | null {
    const upload = this.#uploads.get(id)
    return upload && this.#clock.now() < upload.expiresAtMs && this.#signer.isSigned(id, signature) ? upload : null
  }

  /** Takes bytes from `offset` on. Answers the handle once all are there; fewer bytes are kept. */
  write(upload: Upload, offset: number | null, bytes: Buffer): string {
    if (offset !== upload.offset) throw new UploadError(412, 'OffsetInvalidError', 'Request starting offset is invalid')
    if (offset + bytes.length > upload.lengthBytes)
      throw new UploadError(400, 'LengthInvalidError', 'Request is longer than the file was said to be')
    upload.received.push(bytes)
    upload.offset += bytes.length
    if (upload.offset < upload.lengthBytes)
      throw new UploadError(400, 'PartialRequestError', 'Partial request (did not match length of file)', true)
    const handle = `4::${Buffer.from(upload.mimeType).toString('base64')}:${randomBytes(24).toString('base64url')}:e:${Math.floor(upload.expiresAtMs / 1_000)}:${upload.appId}`
    upload.handle = handle
    this.#bytes.keep(handle, Buffer.concat(upload.received))
    upload.received = []
    this.#byHandle.set(handle, upload)
    return handle
  }

  /** The upload of a handle, or null. */
  byHandle(handle: string): Upload | null {
    return this.#byHandle.get(handle) ?? null
  }

  /**
   * The address where a sample can be seen for a day, without a token. A text that is no handle is returned unchanged.
   */
  urlOf(handle: string, origin: string): string {
    const upload = this.byHandle(handle)
    if (!upload) return handle
    const id = Buffer.from(handle).toString('base64url')
    const expiry = Math.floor((this.#clock.now() + ADDRESS_MS) / 1_000).toString(16)
    return `${origin}/official/samples/?id=${id}&oe=${expiry}&oh=${this.#signer.sign(`${id} ${expiry}`)}`
  }

  /** The sample at such an address; null when the address is wrong or expired, or the bytes are no longer kept. */
  open(query: URLSearchParams): { readonly bytes: Buffer; readonly mimeType: string } | null {
    const [id = '', expiry = '', signature = ''] = ['id', 'oe', 'oh'].map((name) => query.get(name) ?? '')
    if (!this.#signer.isSigned(`${id} ${expiry}`, signature) || parseInt(expiry, 16) * 1_000 <= this.#clock.now())
      return null
    const handle = Buffer.from(id, 'base64url').toString()
    const [upload, bytes] = [this.byHandle(handle), this.#bytes.get(handle)]
    return upload && bytes ? { bytes, mimeType: upload.mimeType } : null
  }

  clear(): void {
    this.#uploads.clear()
    this.#byHandle.clear()
    this.#bytes.clear()
  }

  #forgetOldest(): void {
    for (const [id, { handle }] of this.#uploads) {
      if (this.#uploads.size <= MAX_UPLOADS) return
      this.#uploads.delete(id)
      if (handle !== null) {
        this.#byHandle.delete(handle)
        this.#bytes.forget(handle)
      }
    }
  }
}
