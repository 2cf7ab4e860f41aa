import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../src/ports/clock.ts'
import { ByteStore } from '../../media/byte-store.ts'
import { AddressSigner } from '../http/address-signer.ts'
import { GraphError } from '../http/graph-error.ts'
import { UploadError } from '../http/upload-error.ts'

const DAY_MS = 86_400_000
/** our choice: an upload can be gone on with for a day. */
const SESSION_MS = DAY_MS
/** our choice: an address of a sample is good for a day. */
const ADDRESS_MS = DAY_MS
/** our choice: this many uploads are remembered; the oldest go first. */
const MAX_UPLOADS = 10_000
/** Upstream: ceiling of documents, the largest of what can be uploaded. */
const MAX_BYTES = 100 * 1024 * 1024

/** Upstream: types of files that samples have. */
const FILE_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'video/mp4', 'application/pdf'] as const

const startSchema = z.object({
  file_name: z.string().max(255).optional(),
  file_length: z.coerce.number().int().min(1).max(MAX_BYTES),
  file_type: z.enum(FILE_TYPES),
})

/** A file of an app on its way, then whole. */
export interface Upload {
  /** As the answer gives it, without the signature. */
  readonly id: string
  readonly appId: string
  readonly mimeType: string
  readonly lengthBytes: number
  readonly expiresAtMs: number
  received: Buffer[]
  offset: number
  /** Null until all of it is here. */
  handle: string | null
}

/** Files that apps upload as samples of templates: in sessions that can be gone on with, then by handle. */
export class UploadShelf {
  readonly #clock: Clock
  readonly #uploads = new Map<string, Upload>()
  readonly #byHandle = new Map<string, Upload>()
  readonly #bytes = new ByteStore()
  readonly #signer = new AddressSigner()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Body or query of `POST /{appId}/uploads`. Answers the id, which has a signature as its query. */
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

  /** Null when there is none, none any more, or the signature is not that of its id. */
  find(id: string, signature: string): Upload | null {
    const upload = this.#uploads.get(id)
    return upload && this.#clock.now() < upload.expiresAtMs && this.#signer.isSigned(id, signature) ? upload : null
  }

  /** Takes bytes from `offset` on. Answers the handle once all are here; what came of fewer is kept. */
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

  /** What was uploaded under a handle; null when nothing was. */
  byHandle(handle: string): Upload | null {
    return this.#byHandle.get(handle) ?? null
  }

  /** Where a sample can be looked at for a day, without a token. What is no handle is shown as it is. */
  urlOf(handle: string, origin: string): string {
    const upload = this.byHandle(handle)
    if (!upload) return handle
    const id = Buffer.from(handle).toString('base64url')
    const expiry = Math.floor((this.#clock.now() + ADDRESS_MS) / 1_000).toString(16)
    return `${origin}/official/samples/?id=${id}&oe=${expiry}&oh=${this.#signer.sign(`${id} ${expiry}`)}`
  }

  /** What such an address leads to; null when it is wrong or expired, or the bytes are not kept any more. */
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
