import { createHmac } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** our choice: ms that a receiver has to answer; then the attempt counts as failed. */
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

/** JSON with every character outside ASCII and each slash escaped: the exact form that the platform signs and sends. */
export function toBytes(value: unknown): Buffer {
  const text = JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return Buffer.from(text)
}

function hmac(algorithm: 'sha1' | 'sha256', secret: string, body: Buffer): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`
}

interface Ask {
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string | number>
  readonly body?: Buffer
  readonly maxAnswerBytes?: number
}

async function ask(
  url: string,
  { method, headers, body, maxAnswerBytes = MAX_ANSWER_BYTES }: Ask,
): Promise<{ status: number; text: string }> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return await new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false },
      (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= maxAnswerBytes) chunks.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Posts signed bytes. Answers the status; throws when no answer came. */
export async function postSigned(url: string, secret: string, body: Buffer): Promise<number> {
  return (await exchangeSigned(url, secret, body)).status
}

/** Posts signed bytes, and answers up to `maxAnswerBytes` of the answer; throws when none came. */
export async function exchangeSigned(
  url: string,
  secret: string,
  body: Buffer,
  maxAnswerBytes?: number,
): Promise<{ readonly status: number; readonly text: string }> {
  return await ask(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'official-sandbox/1.0',
      'x-hub-signature': hmac('sha1', secret, body),
      'x-hub-signature-256': hmac('sha256', secret, body),
    },
    body,
    ...(maxAnswerBytes === undefined ? {} : { maxAnswerBytes }),
  })
}

/** Asks a callback whether it knows the token. Null when it does, otherwise what was wrong. */
export async function challenge(url: string, verifyToken: string, nonce: string): Promise<string | null> {
  try {
    const target = new URL(url)
    target.searchParams.set('hub.mode', 'subscribe')
    target.searchParams.set('hub.challenge', nonce)
    target.searchParams.set('hub.verify_token', verifyToken)
    const { status, text } = await ask(target.href, {
      method: 'GET',
      headers: { 'user-agent': 'official-sandbox/1.0' },
    })
    if (status !== 200) return `HTTP Status Code = ${status}`
    return text === nonce ? null : 'The response does not match the challenge'
  } catch {
    return 'The URL could not be reached'
  }
}
