import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/cipher.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Tells later formats or keys apart. */
const VERSION = 'v1.'

/** The 32 bytes of each key of ENCRYPTION_KEY (contract 1): base64, separated by commas. */
export function readKeys(encryptionKey: string): Buffer[] {
  return encryptionKey.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
}

/** One key for one purpose (RFC 5869): tokens have their own. */
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

  /** `tokenKey`: what tokens are made with whatever the keys are; that of the last key when absent. */
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
    // Throws what is wrong with it.
    return openBytes(first, bytes, context)
  }

  /** Whether the key that seals opens it too, and no older one is needed. */
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

/** Null: not with this key. */
function opened(key: Buffer, bytes: Buffer, context: string): string | null {
  try {
    return openBytes(key, bytes, context)
  } catch {
    return null
  }
}
