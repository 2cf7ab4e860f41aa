import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Computes the signature of an S3 request anew (AWS Signature Version 4 by header or query, with a payload that is not
 * signed), and tells whether the request has it and, by query, has not expired.
 */
export function isSigned({ method = '', url = '', headers }: IncomingMessage, secret: string): boolean {
  const { pathname, searchParams } = new URL(url, 'http://storage')
  const isByQuery = searchParams.has('X-Amz-Signature')
  // S3 takes one of them alone.
  if (isByQuery && (headers.authorization !== undefined || isOver(searchParams))) return false
  const given = isByQuery ? fromQuery(searchParams) : fromHeader(headers.authorization ?? '')
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
  const names = given.signedHeaders.split(';')
  const canonical = [
    method,
    pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    given.signedHeaders,
    String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD'),
  ].join('\n')
  const scope = given.credential.split('/').slice(1)
  const date = searchParams.get('X-Amz-Date') ?? String(headers['x-amz-date'])
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), hashOf(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((secretSoFar, part) => hmacOf(secretSoFar, part), `AWS4${secret}`)
  return hmacOf(key, toSign).toString('hex') === given.signature
}

interface Given {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
}

function fromHeader(authorization: string): Given {
  const [credential = '', signedHeaders = '', signature = ''] = ['Credential', 'SignedHeaders', 'Signature'].map(
    (name) => new RegExp(`${name}=([^,]+)`).exec(authorization)?.[1] ?? '',
  )
  return { credential, signedHeaders, signature }
}

function fromQuery(query: URLSearchParams): Given {
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature') ?? '',
  }
}

function isOver(query: URLSearchParams): boolean {
  const at = (query.get('X-Amz-Date') ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  return !(Date.parse(at) + Number(query.get('X-Amz-Expires')) * 1_000 > Date.now())
}

/** RFC 3986: all but unreserved characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmacOf(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
