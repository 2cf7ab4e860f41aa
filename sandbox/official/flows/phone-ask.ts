import { constants, createCipheriv, createDecipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { exchangeSigned } from '../webhooks/webhook-post.ts'

const CIPHER = 'aes-128-gcm'
const KEY_BYTES = 16
const TAG_BYTES = 16
/** our choice: largest answer, bytes; upstream names none. */
const MAX_ANSWER_BYTES = 2_000_000

export interface PhoneAsk {
  /** PEM of the number's public key. */
  readonly publicKey: string
  readonly appSecret: string
  readonly asked: object
}

/** An endpoint's answer, decrypted; `body` of a 200 is null when it was not encrypted for this phone. */
export interface EndpointAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Asks an endpoint as phones do: encrypted with a key for this request alone, and signed by the platform. Null when no
 * answer came.
 */
export async function askEndpoint(
  url: string,
  { publicKey, appSecret, asked }: PhoneAsk,
): Promise<EndpointAnswer | null> {
  const [key, iv] = [randomBytes(KEY_BYTES), randomBytes(KEY_BYTES)]
  const cipher = createCipheriv(CIPHER, key, iv)
  const data = Buffer.concat([cipher.update(JSON.stringify(asked)), cipher.final(), cipher.getAuthTag()])
  const sealedKey = publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    key,
  )
  const body = {
    encrypted_flow_data: data.toString('base64'),
    encrypted_aes_key: sealedKey.toString('base64'),
    initial_vector: iv.toString('base64'),
  }
  const answer = await exchangeSigned(url, appSecret, Buffer.from(JSON.stringify(body)), MAX_ANSWER_BYTES).catch(
    () => null,
  )
  if (!answer) return null
  return { status: answer.status, body: answer.status === 200 ? opened(answer.text, key, iv) : jsonOr(answer.text) }
}

/** Decrypts an answer, which upstream wants encrypted with the vector of the request, every bit flipped. */
function opened(text: string, key: Buffer, iv: Buffer): unknown {
  try {
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv(
      CIPHER,
      key,
      iv.map((byte) => byte ^ 0xff),
    )
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString())
  } catch {
    return null
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
