import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals messages between nodes with a key derived from INTERNAL_SECRET. Whoever else can read or write the same Redis
 * can neither read nor forge one. A message opens only in the channel it was sealed for.
 */
export class SealedMessages {
  readonly #key: Buffer

  constructor(internalSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', internalSecret, '', 'asks between nodes', KEY_BYTES))
  }

  seal(message: object, channel: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(channel),
    )
    const body = Buffer.concat([cipher.update(JSON.stringify(message), 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
  }

  /** Null when the text was not sealed by a node of this installation for this channel. */
  open(sealed: string, channel: string): unknown {
    const bytes = Buffer.from(sealed, 'base64')
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(channel))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return JSON.parse(
        Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8'),
      )
    } catch {
      return null
    }
  }
}
