import { createCipheriv, createDecipheriv, generateKeyPair, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { BoundedMemory } from '../../../domain/bounded-memory.ts'
import { own } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { readJsonObject } from '../../../domain/json-object.ts'
import type { MakeFlowKeyPair, OpenedExchange, OpenExchange } from '../../../ports/official/flow-exchange.ts'

/** Upstream: AES-128-GCM with a tag of 16 bytes at the end of what it belongs to. */
const CIPHER = 'aes-128-gcm'
const AES_KEY_BYTES = 16
const TAG_BYTES = 16
/** Upstream sends 16; our choice: what GCM is at home with passes, too. */
const IV_BYTES = { least: 12, most: 16 }
/** Upstream: the modulus of the only keys it takes. */
const RSA_BITS = 2_048
/** Our choice: keys in use at a time; reading one from its PEM takes as long as a decryption. */
const KEPT_KEYS = 1_000

const { subtle } = webcrypto
const makePair = promisify(generateKeyPair)

/** What a body is made of, in bytes. */
interface Sealed {
  readonly data: Buffer
  readonly sealedKey: Buffer
  readonly iv: Buffer
}

/**
 * Makes the reader of what phones ask (upstream: RSA-OAEP with SHA-256 around the key of AES-128-GCM). RSA runs beside
 * the event loop.
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

/** A new pair, as PEM: SPKI and PKCS #8. */
export const makeFlowKeyPair: MakeFlowKeyPair = () =>
  makePair('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Private keys that were read from their PEM, the latest of them. */
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

/** Null: a part is missing, or of a size that it cannot have. */
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

/** Null, or it throws: it was not meant for this key, or somebody changed it. Callers tell the two apart for nobody. */
async function open({ data, sealedKey, iv }: Sealed, privateKey: webcrypto.CryptoKey): Promise<OpenedExchange | null> {
  const key = Buffer.from(await subtle.decrypt({ name: 'RSA-OAEP' }, privateKey, sealedKey))
  if (key.length !== AES_KEY_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(data.subarray(-TAG_BYTES))
  const clear = Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()])
  const json = readJsonObject(clear)
  return json && { text: json.text, asked: json.fields, seal: (answer) => seal(answer, key, iv) }
}

/** Upstream: the answer is encrypted with the key of the ask, every bit of whose vector is flipped. */
function seal(answer: string, key: Buffer, iv: Buffer): string {
  const cipher = createCipheriv(
    CIPHER,
    key,
    iv.map((byte) => byte ^ 0xff),
    { authTagLength: TAG_BYTES },
  )
  return Buffer.concat([cipher.update(answer, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}
