import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { FetchFailure } from '../net/fetch-failure.ts'
import type { GuardedBody } from '../net/guarded-body.ts'
import type { GuardedFetch, GuardedResponse } from '../net/guarded-fetch.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import { HEAD_BYTES } from './file-type.ts'

/** Limits on the time that a transfer may take. */
export interface TransferLimits {
  /** Ms until the last byte. Default 120 s (our choice). */
  readonly totalMs: number
  /** Ms until the headers, redirects included. Default 15 s (our choice). */
  readonly firstByteMs: number
  /**
   * Every period of `paceMs` must bring `paceBytes`: a host that sends a byte a second ends within 30 s. Default 10 s,
   * 8 KB (our choice).
   */
  readonly paceMs: number
  readonly paceBytes: number
}

export const TRANSFER_LIMITS: TransferLimits = {
  totalMs: 120_000,
  firstByteMs: 15_000,
  paceMs: 10_000,
  paceBytes: 8_192,
}
/** Our choice: a CDN often puts a redirect or two before a file; each hop is checked in full. */
export const REDIRECTS = 3

export interface Transfer {
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly url: string
  /** The path of the new file. */
  readonly path: string
  /** The cap before anything is known of the content. */
  readonly mostBytes: number
  /** Gives the cap for a file that begins like this, or stops the transfer. */
  readonly judge: (head: Uint8Array) => { readonly maxBytes: number } | { readonly stop: true }
  readonly limits: TransferLimits
  readonly signal: AbortSignal
}

export type Transferred =
  | { readonly kind: 'saved'; readonly sizeBytes: number; readonly head: Uint8Array }
  /** `sizeBytes` as announced; null when it was not, and the transfer stopped at the cap after `seenBytes`. */
  | {
      readonly kind: 'too-large'
      readonly sizeBytes: number | null
      readonly seenBytes: number
      readonly maxBytes: number
    }
  /** `judge` stopped the transfer. */
  | { readonly kind: 'stopped'; readonly head: Uint8Array }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** Trying again may help. */
      readonly isRetryable: boolean
      /** The guard refuses the address, or one that it redirects to. */
      readonly isForbidden: boolean
      /** True when the file had begun to come. */
      readonly isBroken?: boolean
    }

/**
 * Downloads through the guard into a file that only this process may read, and counts its bytes. Rejects when the disk
 * fails.
 */
export async function transfer(order: Transfer): Promise<Transferred> {
  const pace = new Pace(order.clock, order.limits)
  const outcome = await order.fetch.request({
    url: order.url,
    redirects: REDIRECTS,
    maxBytes: Infinity,
    firstByteMs: order.limits.firstByteMs,
    totalMs: order.limits.totalMs,
    signal: AbortSignal.any([order.signal, pace.signal]),
  })
  if (!outcome.ok) return failed(outcome.failure)
  const { response } = outcome
  try {
    const announced = announcedBytes(response)
    const fault = faultOf(response)
    if (fault) return fault
    if (announced !== null && announced > order.mostBytes)
      return { kind: 'too-large', sizeBytes: announced, seenBytes: 0, maxBytes: order.mostBytes }
    pace.start()
    return await save(order, response.body, announced, pace)
  } finally {
    pace.stop()
    response.body.cancel()
  }
}

/** Ends a transfer whose bytes come too slowly. */
class Pace {
  readonly #clock: Clock
  readonly #limits: TransferLimits
  readonly #abort = new AbortController()
  #bytes = 0
  #timer: Timer | null = null

  constructor(clock: Clock, limits: TransferLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  start(): void {
    this.#bytes = 0
    this.#timer = this.#clock.after(this.#limits.paceMs, () => {
      if (this.#bytes < this.#limits.paceBytes) this.#abort.abort()
      else this.start()
    })
  }

  count(bytes: number): void {
    this.#bytes += bytes
  }

  stop(): void {
    this.#timer?.cancel()
  }
}

async function save(order: Transfer, body: GuardedBody, announced: number | null, pace: Pace): Promise<Transferred> {
  const file = await open(order.path, 'wx', 0o600)
  try {
    const begun = await readHead(body, pace)
    if (begun.failure) return stopped(begun.failure, pace)
    const judged = order.judge(begun.bytes.subarray(0, HEAD_BYTES))
    if ('stop' in judged) return { kind: 'stopped', head: begun.bytes.subarray(0, HEAD_BYTES) }
    const { maxBytes } = judged
    if (announced !== null && announced > maxBytes)
      return { kind: 'too-large', sizeBytes: announced, seenBytes: begun.bytes.byteLength, maxBytes }
    return await saveRest(file, begun.bytes, body, maxBytes, pace)
  } finally {
    await file.close()
  }
}

async function saveRest(
  file: FileHandle,
  first: Uint8Array,
  body: GuardedBody,
  maxBytes: number,
  pace: Pace,
): Promise<Transferred> {
  let sizeBytes = first.byteLength
  if (sizeBytes > maxBytes) return { kind: 'too-large', sizeBytes: null, seenBytes: sizeBytes, maxBytes }
  await file.writeFile(first)
  for (;;) {
    const part = await body.read()
    if (part.kind === 'end') return { kind: 'saved', sizeBytes, head: first.subarray(0, HEAD_BYTES) }
    if (part.kind === 'failed') return stopped(part.failure, pace)
    pace.count(part.bytes.byteLength)
    sizeBytes += part.bytes.byteLength
    if (sizeBytes > maxBytes) return { kind: 'too-large', sizeBytes: null, seenBytes: sizeBytes, maxBytes }
    await file.writeFile(part.bytes)
  }
}

async function readHead(body: GuardedBody, pace: Pace): Promise<{ bytes: Uint8Array; failure: FetchFailure | null }> {
  const parts: Uint8Array[] = []
  for (let size = 0; size < HEAD_BYTES;) {
    const part = await body.read()
    if (part.kind === 'failed') return { bytes: Buffer.concat(parts), failure: part.failure }
    if (part.kind === 'end') break
    pace.count(part.bytes.byteLength)
    parts.push(part.bytes)
    size += part.bytes.byteLength
  }
  return { bytes: Buffer.concat(parts), failure: null }
}

function announcedBytes({ headers }: GuardedResponse): number | null {
  const text = headers['content-length'] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

function faultOf({ status, headers }: GuardedResponse): Transferred | null {
  if (status !== 200) {
    const reason = `The file host answered with status ${status}. Check that the address can be opened without signing in.`
    return {
      kind: 'failed',
      reason,
      isRetryable: status >= 500 || status === 408 || status === 429,
      isForbidden: false,
    }
  }
  // Our choice: media gain nothing by compression, and a small compressed body can hide a huge one.
  if (['', 'identity'].includes((headers['content-encoding'] ?? '').toLowerCase())) return null
  return {
    kind: 'failed',
    reason: 'The file host sends the file compressed although that was not asked for. Serve it as it is.',
    isRetryable: false,
    isForbidden: false,
  }
}

function stopped(failure: FetchFailure, pace: Pace): Transferred {
  return pace.signal.aborted
    ? {
        kind: 'failed',
        reason: 'The file could not be downloaded. The host sends too slowly.',
        isRetryable: true,
        isForbidden: false,
      }
    : { ...failed(failure), isBroken: true }
}

function failed(failure: FetchFailure): Extract<Transferred, { kind: 'failed' }> {
  const isRetryable = failure.kind !== 'invalid-url' && failure.kind !== 'forbidden'
  return {
    kind: 'failed',
    reason: `The file could not be downloaded. ${failure.message}`,
    isRetryable,
    isForbidden: failure.kind === 'forbidden',
  }
}
