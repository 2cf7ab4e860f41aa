import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** AES-256-GCM (NIST SP 800-38D): a nonce of 96 bits, a tag of 128. */
const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of a sealed value; another way of sealing would have another one. */
const VERSION = 1

/** Seals values at rest. A value opens only in the context it was sealed for, so no row can stand in for another. */
export interface Seal {
  seal(context: readonly string[], plain: Uint8Array): Buffer
  /** Throws when the value was not sealed with this key for this context. */
  open(context: readonly string[], sealed: Uint8Array): Buffer
}

/**
 * Makes a seal from a key of 32 bytes. our choice: each context has its own key, derived by HMAC, so that the number of
 * values under one key stays far below the limit of random nonces.
 */
export function createSeal(master: Buffer): Seal {
  const keyOf = (context: readonly string[]): Buffer =>
    createHmac('sha256', master).update(JSON.stringify(context)).digest()
  return {
    seal(context, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, keyOf(context), nonce)
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body])
    },
    open(context, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes[0] !== VERSION) throw new Error('a stored value is sealed in an unknown way')
      const body = 1 + NONCE_BYTES + TAG_BYTES
      const decipher = createDecipheriv(ALGORITHM, keyOf(context), bytes.subarray(1, 1 + NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, body))
      return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()])
    },
  }
}
