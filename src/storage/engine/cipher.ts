import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/cipher.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Marks the format, so that later ones can be told apart. */
const VERSION = 'v1.'

/** The 32 bytes of each key of ENCRYPTION_KEY: base64, separated by commas ([configuration.variables.11]). */
export function readKeys(encryptionKey: string): Buffer[] {
  return encryptionKey.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
}

/** Derives the key of tokens: one key serves one purpose (RFC 5869). */
export function tokenKeyOf(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'tokens', KEY_BYTES))
}

/**
 * AES-256-GCM with a random nonce: `v1.` + base64url of nonce, tag, cipher text. The context is authenticated too. Of
 * several keys the first seals and all open, so that a key can be replaced.
 */
export class AesCipher implements Cipher {
  readonly #keys: readonly [Buffer, ...Buffer[]]
  readonly #tokenKey: Buffer

  /** `tokenKey` makes tokens whatever the keys are; it is derived from the last key when absent. */
  constructor(keys: Buffer | readonly Buffer[], tokenKey?: Buffer) {
    const [first, ...others] = Buffer.isBuffer(keys) ? [keys] : keys
    if (!first || [first, ...others].some(({ length }) => length !== KEY_BYTES))
      throw new Error('the encryption key must have 32 bytes')
    this.#keys = [first, ...others]
    this.#tokenKey = tokenKey ?? tokenKeyOf(others.at(-1) ?? first)
  }

  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#keys[0], nonce, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(context),
    )
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  open(sealed: string, context: string): string {
    if (!sealed.startsWith(VERSION)) throw new Error('a sealed text has an unknown form')
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
    const [first, ...older] = this.#keys
    for (const key of older.length === 0 ? [] : this.#keys) {
      const plain = opened(key, bytes, context)
      if (plain !== null) return plain
    }
    // Throws the error of the first key.
    return openBytes(first, bytes, context)
  }

  /** True when the key that seals opens it too, so that no older one is needed. */
  isCurrent(sealed: string, context: string): boolean {
    return (
      sealed.startsWith(VERSION)
      && opened(this.#keys[0], Buffer.from(sealed.slice(VERSION.length), 'base64url'), context) !== null
    )
  }

  token(text: string, context: string): Uint8Array {
    return createHmac('sha256', this.#tokenKey).update(`${context}\0${text}`).digest()
  }
}

function openBytes(key: Buffer, bytes: Buffer, context: string): string {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** The plain text, or null when this key does not open it. */
function opened(key: Buffer, bytes: Buffer, context: string): string | null {
  try {
    return openBytes(key, bytes, context)
  } catch {
    return null
  }
}
