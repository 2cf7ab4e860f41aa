import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/cipher.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Tells later formats or keys apart. */
const VERSION = 'v1.'

/** AES-256-GCM with a random nonce: `v1.` + base64url of nonce, tag, cipher text. The context is authenticated too. */
export class AesCipher implements Cipher {
  #key: Buffer
  /** One key for one purpose (RFC 5869): tokens have their own. */
  #tokenKey: Buffer

  /** `key` is the 32 bytes of ENCRYPTION_KEY (contract 1). */
  constructor(key: Buffer) {
    if (key.length !== KEY_BYTES) throw new Error('the encryption key must have 32 bytes')
    this.#key = key
    this.#tokenKey = Buffer.from(hkdfSync('sha256', key, '', 'tokens', KEY_BYTES))
  }

  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  open(sealed: string, context: string): string {
    if (!sealed.startsWith(VERSION)) throw new Error('a sealed text has an unknown form')
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context)).setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  }

  token(text: string, context: string): Uint8Array {
    return createHmac('sha256', this.#tokenKey).update(`${context}\0${text}`).digest()
  }
}
