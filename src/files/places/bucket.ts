import { createWriteStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { askStorage, type StorageAnswer } from '../../net/storage-fetch.ts'
import type { BucketSettings } from '../../domain/bucket-settings.ts'
import type { LinkOrder } from '../../ports/file-place.ts'

/** The storage did not do what it was asked. */
export class BucketFault extends Error {
  /** HTTP status of the refusal; 0 when no answer came. */
  readonly status: number
  /** The storage's own code, such as AccessDenied; empty when it named none. */
  readonly code: string

  constructor(status: number, code: string) {
    super(status === 0 ? 'the file storage does not answer' : `the file storage answered ${status} ${code}`.trim())
    this.name = 'BucketFault'
    this.status = status
    this.code = code
  }
}

/** An object as the bucket lists it. */
export interface Listed {
  readonly name: string
  readonly modifiedAt: Date
}

/** Our choice: larger files are sent in parts of this size, each by a request of its own. S3 asks for 5 MB and more. */
const PART_BYTES = 8 * 1_024 * 1_024
/** Our choice, in ms: a request without a file, and one with a part of one or for a whole one. */
const SHORT_MS = 10_000
const LONG_MS = 120_000
/** Our choice, in ms: who follows a link waits so long to learn whether the bucket has the file. */
const LOOK_MS = 2_000
/** The most that a list has, by the storage's own limit. */
export const LISTED = 1_000
/** Our choice: so much of a refusal is read. */
const REFUSAL_CHARACTERS = 2_000

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Blob | string
  readonly ms?: number
}

/** One bucket, asked by S3's own signed requests. Every method throws BucketFault. */
export class Bucket {
  readonly #settings: BucketSettings
  readonly #client: AwsClient

  constructor(settings: BucketSettings) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = settings
    this.#settings = settings
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
      service: 's3',
      region,
    })
  }

  /** Stores a file of this node, read from the disk as it is sent; a large one in parts, one after another. */
  async put(name: string, path: string): Promise<void> {
    const file = await openAsBlob(path)
    if (file.size <= PART_BYTES * 2) return void (await this.#ask(name, { method: 'PUT', body: file, ms: LONG_MS }))
    const begun = await textOf(await this.#ask(name, { method: 'POST', query: { uploads: '' } }))
    const uploadId = valueIn(begun, 'UploadId')
    try {
      await this.#putParts(name, file, uploadId)
    } catch (error) {
      await this.#ask(name, { method: 'DELETE', query: { uploadId } }).catch(() => {})
      throw error
    }
  }

  async #putParts(name: string, file: Blob, uploadId: string): Promise<void> {
    const parts: string[] = []
    for (let from = 0; from < file.size; from += PART_BYTES) {
      const partNumber = parts.length + 1
      const sent = await this.#ask(name, {
        method: 'PUT',
        query: { partNumber: String(partNumber), uploadId },
        body: file.slice(from, Math.min(file.size, from + PART_BYTES)),
        ms: LONG_MS,
      })
      parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${sent.headers.get('etag') ?? ''}</ETag></Part>`)
    }
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const ended = await textOf(await this.#ask(name, { method: 'POST', query: { uploadId }, body, ms: LONG_MS }))
    // S3 may say that it failed in an answer of 200.
    if (ended.includes('<Error>')) throw new BucketFault(500, valueIn(ended, 'Code'))
  }

  /** Writes an object into a new file of this node; false when there is no such object. */
  async get(name: string, path: string): Promise<boolean> {
    const answer = await this.#ask(name, { method: 'GET', ms: LONG_MS }).catch((error: unknown) => {
      if (error instanceof BucketFault && error.code !== 'NoSuchBucket' && error.status === 404) return null
      throw error
    })
    if (answer === null) return false
    if (answer.body === null) throw new BucketFault(0, '')
    await pipeline(
      Readable.fromWeb(answer.body as ReadableStream),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    ).catch((error: unknown) => {
      throw isOfDisk(error) ? error : new BucketFault(0, '')
    })
    return true
  }

  /** Whether there is such an object. */
  async has(name: string): Promise<boolean> {
    return this.#ask(name, { method: 'HEAD', ms: LOOK_MS }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof BucketFault && error.status === 404) return false
        throw error
      },
    )
  }

  /** Signs an address at which whoever has it may read an object for so many whole seconds. */
  async link(name: string, { method, type, disposition }: LinkOrder, seconds: number): Promise<string> {
    const query = {
      'X-Amz-Expires': String(seconds),
      'response-content-type': type,
      'response-content-disposition': disposition,
      'response-cache-control': 'private',
    }
    return (await this.#client.sign(this.#urlOf(name, query), { method, aws: { signQuery: true } })).url
  }

  async delete(name: string): Promise<void> {
    await this.#ask(name, { method: 'DELETE' })
  }

  /** Lists up to `LISTED` objects by name, those behind `after`. */
  async list(after: string): Promise<Listed[]> {
    const { prefix } = this.#settings
    const text = await textOf(
      await this.#ask('', {
        method: 'GET',
        query: { 'list-type': '2', prefix, 'max-keys': String(LISTED), 'start-after': prefix + after },
      }),
    )
    return [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object = '']) => ({
      name: valueIn(object, 'Key').slice(prefix.length),
      modifiedAt: new Date(valueIn(object, 'LastModified')),
    }))
  }

  #urlOf(name: string, query: Readonly<Record<string, string>> = {}): string {
    const { url, prefix } = this.#settings
    const path = name === '' ? '' : `/${prefix}${name}`
    const search = new URLSearchParams(query).toString()
    return `${url}${path}${search === '' ? '' : `?${search}`}`
  }

  async #ask(name: string, { method, query, body, ms = SHORT_MS }: Asked): Promise<StorageAnswer> {
    const request = await this.#client.sign(this.#urlOf(name, query), { method })
    const answer = await askStorage({
      url: request.url,
      method,
      headers: Object.fromEntries(request.headers),
      body: body ?? null,
      totalMs: ms,
    }).catch(() => {
      throw new BucketFault(0, '')
    })
    if (answer.ok) return answer
    const refusal = (await textOf(answer).catch(() => '')).slice(0, REFUSAL_CHARACTERS)
    throw new BucketFault(answer.status, valueIn(refusal, 'Code'))
  }
}

async function textOf(answer: StorageAnswer): Promise<string> {
  return answer.text().catch(() => {
    throw new BucketFault(0, '')
  })
}

/** The text of the first element of that name; the names and codes that are read here have no entities. */
function valueIn(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? ''
}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'write'
}
