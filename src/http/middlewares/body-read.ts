import type { IncomingMessage } from 'node:http'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { BODY_BYTES } from '../../domain/limits.ts'
import { matchedRoute } from '../context.ts'
import type { HttpContext, HttpMiddleware } from '../context.ts'

/**
 * Our choice: this much of a body that is too long is still read and dropped, so that a client
 * which sends before it listens sees the 413 instead of a reset connection.
 */
const DRAINED_BYTES = 16_000_000

/** Reads the body whole: at most 1 MB or what the route takes (contract 2), plain, and JSON by its content type, unless the route takes it raw. */
export function bodyRead(): HttpMiddleware {
  return async (ctx, next) => {
    const { method, rawBodyBytes, bodyBytes } = matchedRoute(ctx)
    if (method === 'get') return next()
    const bytes = await readAll(ctx, rawBodyBytes ?? bodyBytes ?? BODY_BYTES)
    if (bytes.length > 0 && rawBodyBytes === undefined) requireJsonType(ctx)
    ctx.state.rawBody = bytes
    return next()
  }
}

async function readAll(ctx: HttpContext, maxBytes: number): Promise<Buffer> {
  const bytes = await received(ctx.req, maxBytes)
  if (bytes === 'broken') throw new RefusalError(refuse('VALIDATION', 'The body ended early'))
  if (bytes !== 'too long') return bytes
  ctx.set('connection', 'close')
  throw new RefusalError(refuse('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes`))
}

/**
 * The request's bytes by its events: iterating over the stream costs several times as much, on every request. `broken`: the client left,
 * or was cut for being too slow, which is no fault of ours. The socket is kept in any case, so that an answer can still be written.
 */
function received(req: IncomingMessage, maxBytes: number): Promise<Buffer | 'broken' | 'too long'> {
  const { promise, resolve } = Promise.withResolvers<Buffer | 'broken' | 'too long'>()
  const chunks: Buffer[] = []
  let length = 0
  const take = (chunk: Buffer): void => {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    if (length <= maxBytes + DRAINED_BYTES) return
    req.pause()
    resolve('too long')
  }
  // It may have broken before anybody listened: its events do not come again.
  if (req.destroyed) return Promise.resolve('broken')
  req.on('data', take)
  req.once('end', () => resolve(length > maxBytes ? 'too long' : wholeOf(chunks)))
  req.once('error', () => resolve('broken'))
  req.once('close', () => resolve('broken'))
  return promise
}

/** Most bodies come in one piece. */
function wholeOf(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

function requireJsonType(ctx: HttpContext): void {
  const encoding = ctx.get('content-encoding').toLowerCase()
  const type = ctx.get('content-type').toLowerCase()
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/.test(type)
  const charset = /charset\s*=\s*"?([\w-]+)/.exec(type)?.[1] ?? 'utf-8'
  if (isJson && ['utf-8', 'utf8', 'us-ascii'].includes(charset) && ['', 'identity'].includes(encoding)) return
  throw new RefusalError(refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8, not compressed'))
}
