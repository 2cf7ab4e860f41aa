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

/** Reads the body whole: at most 1 MB (contract 2), plain, and JSON by its content type, unless the route takes it raw. */
export function bodyRead(): HttpMiddleware {
  return async (ctx, next) => {
    const { method, rawBodyBytes } = matchedRoute(ctx)
    if (method === 'get') return next()
    const bytes = await readAll(ctx, rawBodyBytes ?? BODY_BYTES)
    if (bytes.length > 0 && rawBodyBytes === undefined) requireJsonType(ctx)
    ctx.state.rawBody = bytes
    return next()
  }
}

async function readAll(ctx: HttpContext, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of received(ctx.req)) {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      if (length > DRAINED_BYTES) break
    }
  } catch {
    // The client left, or was cut for being too slow: nobody reads this, and it is no fault of ours.
    throw new RefusalError(refuse('VALIDATION', 'The body ended early'))
  }
  if (length <= maxBytes) return Buffer.concat(chunks)
  ctx.set('connection', 'close')
  throw new RefusalError(refuse('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes`))
}

/** The request's chunks; leaving early keeps the socket, so that an answer can still be written. */
function received(req: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => req.iterator({ destroyOnReturn: false }) }
}

function requireJsonType(ctx: HttpContext): void {
  const encoding = ctx.get('content-encoding').toLowerCase()
  const type = ctx.get('content-type').toLowerCase()
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/.test(type)
  const charset = /charset\s*=\s*"?([\w-]+)/.exec(type)?.[1] ?? 'utf-8'
  if (isJson && ['utf-8', 'utf8', 'us-ascii'].includes(charset) && ['', 'identity'].includes(encoding)) return
  throw new RefusalError(refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8, not compressed'))
}
