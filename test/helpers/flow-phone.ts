import { constants, createCipheriv, createDecipheriv, createHmac, publicEncrypt, randomBytes } from 'node:crypto'

/** A request of a phone, and how it reads the answer. */
export interface PhoneAsk {
  readonly body: {
    readonly encrypted_flow_data: string
    readonly encrypted_aes_key: string
    readonly initial_vector: string
  }
  /** The decrypted answer; throws when it was not encrypted for this request. */
  read(answer: string): any
}

/** Encrypts a request as a phone does, with a new key that only the holder of the private key can read. */
export function phoneAsk(
  publicKey: string,
  asked: unknown,
  key: Buffer = randomBytes(16),
  iv: Buffer = randomBytes(16),
): PhoneAsk {
  const cipher = createCipheriv('aes-128-gcm', key, iv)
  const text = typeof asked === 'string' ? asked : JSON.stringify(asked)
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const sealedKey = publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    key,
  )
  return {
    body: {
      encrypted_flow_data: data.toString('base64'),
      encrypted_aes_key: sealedKey.toString('base64'),
      initial_vector: iv.toString('base64'),
    },
    read(answer) {
      const bytes = Buffer.from(answer, 'base64')
      const decipher = createDecipheriv('aes-128-gcm', key, Buffer.from(iv.map((byte) => ~byte & 0xff)))
      decipher.setAuthTag(bytes.subarray(-16))
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8'))
    },
  }
}

/** The signature header of the upstream. */
export function askSignature(appSecret: string, body: string | Buffer): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/** The base64 text with the byte at `at` changed; a negative `at` counts from the end. */
export function tampered(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64')
  const index = at < 0 ? bytes.length + at : at
  bytes.writeUInt8((bytes[index] ?? 0) ^ 1, index)
  return bytes.toString('base64')
}
