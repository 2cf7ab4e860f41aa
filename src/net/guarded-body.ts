import { FetchFault } from './fetch-failure.ts'
import type { FetchFailure } from './fetch-failure.ts'

export type BodyPart =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly failure: FetchFailure }

/** A response body, pulled by its reader: nothing arrives faster than it is read. Never throws. */
export interface GuardedBody {
  /** Reads the next part. `end` and `failed` are final and repeat. */
  read(): Promise<BodyPart>
  /** Gives the rest up and frees the connection. Idempotent. */
  cancel(): void
}

/** The part of a stream that the body needs; undici's bodies have it. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  destroy(): unknown
  on(event: 'error', listener: () => void): unknown
}

/**
 * Wraps a stream with a cap on the bytes that really arrive, since content-length is only a promise. `faultOf`
 * translates what the stream throws; `settled` is called once when nothing more will come.
 */
export function guardBody(
  stream: ByteStream,
  maxBytes: number,
  faultOf: (error: unknown) => FetchFailure,
  settled: () => void,
): GuardedBody {
  const iterator = stream[Symbol.asyncIterator]()
  let last: BodyPart | null = null
  let seenBytes = 0
  // Destroying an unfinished stream emits an error that nobody waits for.
  stream.on('error', () => {})

  const finish = (part: BodyPart): BodyPart => {
    if (last === null) {
      last = part
      stream.destroy()
      settled()
    }
    return last
  }
  return {
    async read() {
      if (last !== null) return last
      try {
        const next = await iterator.next()
        if (last !== null) return last
        if (next.done === true) return finish({ kind: 'end' })
        seenBytes += next.value.byteLength
        if (seenBytes > maxBytes) return finish({ kind: 'failed', failure: tooLarge(maxBytes) })
        return { kind: 'bytes', bytes: next.value }
      } catch (error) {
        return finish({ kind: 'failed', failure: faultOf(error) })
      }
    },
    cancel() {
      finish({ kind: 'failed', failure: { kind: 'aborted', message: 'The transfer was given up.' } })
    },
  }
}

/** Reads up to `keepBytes` and gives the rest up: for answers whose beginning alone is worth keeping. */
export async function readBeginning(
  body: GuardedBody,
  keepBytes: number,
): Promise<{ bytes: Uint8Array; isCut: boolean; failure: FetchFailure | null }> {
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = await body.read()
    if (part.kind !== 'bytes') {
      return { bytes: Buffer.concat(parts), isCut: false, failure: part.kind === 'failed' ? part.failure : null }
    }
    parts.push(part.bytes.subarray(0, keepBytes - size))
    size += part.bytes.byteLength
    if (size > keepBytes) {
      body.cancel()
      return { bytes: Buffer.concat(parts), isCut: true, failure: null }
    }
  }
}

export function tooLarge(maxBytes: number): FetchFailure {
  return { kind: 'too-large', message: `The answer is larger than ${maxBytes} bytes.` }
}

/** Finds the failure inside an error that a socket, a stream or an abort threw. */
export function failureOf(error: unknown): FetchFailure {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof FetchFault) return cause.failure
  }
  return { kind: 'protocol', message: 'The host broke the connection or did not speak HTTP.' }
}
