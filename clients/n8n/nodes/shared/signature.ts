import { createHmac, timingSafeEqual } from 'node:crypto'

/** A delivery as it came: headers by their names in lower case, the body byte for byte. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
}

/** Our choice, as Standard Webhooks proposes: how far apart both clocks may be, in s. */
const TOLERANCE_SECONDS = 300

/**
 * Whether a delivery was signed with the secret (`whsec_...`), near `nowMs` (Standard Webhooks). Signatures are
 * compared in constant time.
 */
export function isSigned({ headers, body }: Delivery, secret: string, nowMs: number): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
