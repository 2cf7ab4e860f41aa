import { createCipheriv, createDecipheriv, generateKeyPair, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { BoundedMemory } from '../../../domain/bounded-memory.ts'
import { own } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { readJsonObject } from '../../../domain/json-object.ts'
import type { MakeFlowKeyPair, OpenedExchange, OpenExchange } from '../../../ports/official/flow-exchange.ts'

/** Upstream's cipher: AES-128-GCM, with a tag of 16 bytes after the encrypted data. */
const CIPHER = 'aes-128-gcm'
const AES_KEY_BYTES = 16
const TAG_BYTES = 16
/** Upstream sends 16 bytes; our choice: the 12 that are usual for GCM are accepted too. */
const IV_BYTES = { least: 12, most: 16 }
/** Size of the only keys that upstream accepts, in bits of the modulus. */
const RSA_BITS = 2_048
/** Our choice: most keys kept parsed; parsing one from its PEM takes as long as a decryption. */
const KEPT_KEYS = 1_000

const { subtle } = webcrypto
const makePair = promisify(generateKeyPair)

/** The parts of a request's body, as bytes. */
interface Sealed {
  readonly data: Buffer
  readonly sealedKey: Buffer
  readonly iv: Buffer
}

/**
 * Makes the reader of requests from phones (upstream: RSA-OAEP with SHA-256 around the key of AES-128-GCM). RSA runs
 * off the event loop.
 */
export function createExchangeOpener(): OpenExchange {
  const keys = new KeptKeys()
  return async (rawBody, privateKeys) => {
    const sealed = sealedIn(rawBody)
    if (!sealed) return null
    for (const privateKey of privateKeys) {
      const opened = await keys
        .of(privateKey)
        .then((key) => open(sealed, key))
        .catch(() => null)
      if (opened) return opened
    }
    return null
  }
}

/** Makes a new key pair, as PEM: SPKI and PKCS #8. */
export const makeFlowKeyPair: MakeFlowKeyPair = () =>
  makePair('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Private keys that were parsed from their PEM, the most recent ones. */
class KeptKeys {
  readonly #kept = new BoundedMemory<Promise<webcrypto.CryptoKey>>({ most: KEPT_KEYS })

  of(pem: string): Promise<webcrypto.CryptoKey> {
    const known = this.#kept.get(pem)
    if (known) return known
    const read = subtle.importKey('pkcs8', derOf(pem), { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['decrypt'])
    this.#kept.set(pem, read)
    return read
  }
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[A-Z ]+-----/g, ''), 'base64')
}

/** The parts of a body; null when one is missing, or of an impossible size. */
function sealedIn(rawBody: Uint8Array): Sealed | null {
  const body = readJsonObject(rawBody)?.fields
  if (!body) return null
  const [data, sealedKey, iv] = [
    bytesIn(body, 'encrypted_flow_data'),
    bytesIn(body, 'encrypted_aes_key'),
    bytesIn(body, 'initial_vector'),
  ]
  const isWhole =
    data.length > TAG_BYTES
    && sealedKey.length === RSA_BITS / 8
    && iv.length >= IV_BYTES.least
    && iv.length <= IV_BYTES.most
  return isWhole ? { data, sealedKey, iv } : null
}

function bytesIn(body: Fields, key: string): Buffer {
  const text = own(body, key)
  return typeof text === 'string' ? Buffer.from(text, 'base64') : Buffer.alloc(0)
}

/**
 * Decrypts a request. Null or a throw when it was not meant for this key, or was changed on the way; callers treat both
 * alike.
 */
async function open({ data, sealedKey, iv }: Sealed, privateKey: webcrypto.CryptoKey): Promise<OpenedExchange | null> {
  const key = Buffer.from(await subtle.decrypt({ name: 'RSA-OAEP' }, privateKey, sealedKey))
  if (key.length !== AES_KEY_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(data.subarray(-TAG_BYTES))
  const clear = Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()])
  const json = readJsonObject(clear)
  return json && { text: json.text, asked: json.fields, seal: (answer) => seal(answer, key, iv) }
}

/**
 * Encrypts an answer as upstream demands: with the key of the request and its vector, every bit of which is flipped.
 */
function seal(answer: string, key: Buffer, iv: Buffer): string {
  const cipher = createCipheriv(
    CIPHER,
    key,
    iv.map((byte) => byte ^ 0xff),
    { authTagLength: TAG_BYTES },
  )
  return Buffer.concat([cipher.update(answer, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}
