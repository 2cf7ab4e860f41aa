import type { Webhooks } from './types.gen.ts'

/** What a webhook is sent: an event of the service, or a change of the official platform as it wrote it. */
export type WebhookBody = Webhooks['body']
/** An event of the service. */
export type WebhookEvent = Extract<WebhookBody, { event: string }>

/** Tells an event of the service from a change of the official platform. */
export function isServiceEvent(body: WebhookBody): body is WebhookEvent {
  return typeof body['event'] === 'string' && 'channelNumberId' in body
}

/** A delivery that was not signed with the secret, or at another time. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** A delivery as it came. */
export interface Delivery {
  /** Byte for byte as it arrived: JSON that was parsed and written anew has another signature. */
  readonly body: string | Uint8Array
  /** Of any framework: names in lower case, or a `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Our choice, as Standard Webhooks proposes: how far apart both clocks may be, in s. */
const TOLERANCE_SECONDS = 300

/**
 * Verifies a delivery (Standard Webhooks) and returns its body. `secret` is that of the webhook: `whsec_...`. Rejects
 * with a WebhookVerificationError.
 */
export async function verifyWebhook(
  delivery: Delivery,
  secret: string,
  nowMs: number = Date.now(),
): Promise<WebhookBody> {
  const header = (name: string): string => {
    const { headers } = delivery
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string') throw new WebhookVerificationError(`no header ${name}`)
    return value
  }
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  const apartSeconds = Math.abs(nowMs / 1_000 - Number(timestamp))
  if (!(apartSeconds <= TOLERANCE_SECONDS)) throw new WebhookVerificationError('signed at another time')
  const body = typeof delivery.body === 'string' ? new TextEncoder().encode(delivery.body) : delivery.body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const key = await keyOf(secret)
  for (const signature of signatures.split(' '))
    if (signature.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)))
      return JSON.parse(new TextDecoder().decode(body)) as WebhookBody
  throw new WebhookVerificationError('signed with another secret')
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function keyOf(secret: string): Promise<Key> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** The bytes of a base64 text; none where it is no such text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}
