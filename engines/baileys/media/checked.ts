import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

export interface Expected {
  /** Base64 of the SHA-256 of all bytes; null when nobody told it. */
  readonly sha256: string | null
  readonly maxBytes: number
}

/** Passes bytes on. Fails when there are too many, or at the end when their hash differs from the expected one. */
export function checked({ sha256, maxBytes }: Expected): Transform {
  const hash = createHash('sha256')
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      if (bytes > maxBytes) done(new Error('the file is too large'))
      else done(null, chunk)
    },
    flush(done) {
      const isTold = sha256 === null || hash.digest('base64') === sha256
      done(isTold ? null : new Error('the file is not the one that was told'))
    },
  })
}
