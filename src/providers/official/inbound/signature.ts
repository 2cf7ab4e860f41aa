import { createHmac, timingSafeEqual } from 'node:crypto'

const PREFIX = 'sha256='

/**
 * Checks `x-hub-signature-256`: `sha256=` + hex HMAC-SHA256 of the raw bytes under the app secret. Upstream signs the
 * bytes it sends, escapes included, so nothing may change them before. The time it takes does not depend on where a
 * wrong signature differs.
 */
export function isSignedBy(appSecret: string, rawBody: Uint8Array, header: string | undefined): boolean {
  // An empty secret would let anybody sign.
  if (appSecret === '' || header === undefined || !header.startsWith(PREFIX)) return false
  const hex = header.slice(PREFIX.length)
  if (!/^[\da-f]{64}$/i.test(hex)) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', appSecret).update(rawBody).digest())
}
