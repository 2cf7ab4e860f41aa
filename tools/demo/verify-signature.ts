import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Whether the body, byte for byte as it arrived, was signed with the webhook's secret at most 5 minutes ago. */
export function isSigned(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${String(id)}.${String(time)}.`)
  const wanted = hmac.update(body).digest()
  const texts = String(signatures).split(' ')
  const given = texts.map((text) => Buffer.from(text.replace('v1,', ''), 'base64'))
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300
  return isFresh && given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
}
