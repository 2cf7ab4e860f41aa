import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'

/** The keys of one file, as the network derives them. */
export interface FileKeys {
  readonly iv: Uint8Array
  readonly cipherKey: Uint8Array
  readonly macKey: Uint8Array
}

/** A file of the network ends with the first ten bytes of an HMAC-SHA256 over vector and cipher text. */
const MAC_BYTES = 10

/** Decrypts a file of the network. Fails at the end when it is not what its writer encrypted. */
export function decryption({ iv, cipherKey, macKey }: FileKeys): Transform {
  const cipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const mac = createHmac('sha256', macKey).update(iv)
  // The last bytes so far, because they may be the signature.
  let held: Buffer = Buffer.alloc(0)

  function transform(chunk: Buffer): Buffer {
    const all = Buffer.concat([held, chunk])
    const cut = Math.max(0, all.length - MAC_BYTES)
    held = all.subarray(cut)
    const text = all.subarray(0, cut)
    mac.update(text)
    return cipher.update(text)
  }

  function last(): Buffer {
    const expected = mac.digest().subarray(0, MAC_BYTES)
    if (held.length !== MAC_BYTES || !timingSafeEqual(held, expected))
      throw new Error('the file is not what was encrypted')
    return cipher.final()
  }

  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => answer(() => transform(chunk), done),
    flush: (done) => answer(last, done),
  })
}

function answer(make: () => Buffer, done: TransformCallback): void {
  let bytes: Buffer
  try {
    bytes = make()
  } catch (error) {
    done(error as Error)
    return
  }
  done(null, bytes)
}
