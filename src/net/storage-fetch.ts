import { fetch, type Headers, type Response } from 'undici'

export interface StorageRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The operator gave its base, so the address guard does not check it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A file is read while it is sent, never whole. */
  readonly body: Blob | string | null
  /** Ms until the last byte of the answer. */
  readonly totalMs: number
}

export type StorageAnswer = Pick<Response, 'ok' | 'status' | 'body' | 'text'> & { readonly headers: Headers }

/**
 * Asks the storage of files, whose answers may be of any length and are read as they come. A redirect is no answer: a
 * signature holds for one address. Throws when no answer comes.
 */
export function askStorage({ url, totalMs, ...request }: StorageRequest): Promise<StorageAnswer> {
  return fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(totalMs) })
}
