import { EMBED_PATHS } from '../request/embed-origins.ts'
import type { HttpMiddleware } from '../request/context.ts'

export interface EmbedCorsDeps {
  /** Public base URLs of the service and of its embeddable pages. */
  readonly baseUrl: string
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
}

/** [embeds.cors.1]; a day is the longest time for which browsers keep a preflight, and most keep it for less. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
  'access-control-max-age': '86400',
}

/**
 * Lets pages of other origins ask for the paths of embeds, without credentials of the browser. A preflight is answered
 * to any origin ([embeds.cors.1]), because it carries no token that would say which are allowed. The answer itself
 * names the origin once it is known to be allowed or ours ([embeds.cors.2]).
 */
export function embedCors({ baseUrl, chatEmbedUrl, connectEmbedUrl }: EmbedCorsDeps): HttpMiddleware {
  const own = new Set([baseUrl, chatEmbedUrl, connectEmbedUrl].map((url) => new URL(url).origin))
  return (ctx, next) => {
    if (!ctx.path.startsWith(EMBED_PATHS)) return next()
    ctx.vary('origin')
    const origin = ctx.get('origin')
    if (ctx.method === 'OPTIONS' && origin !== '') {
      ctx.set({ ...PREFLIGHT, 'access-control-allow-origin': origin })
      ctx.status = 204
      return
    }
    ctx.state.isOwnOrigin = own.has(origin)
    if (own.has(origin)) ctx.set('access-control-allow-origin', origin)
    if (origin !== '') ctx.set('access-control-expose-headers', 'retry-after, x-request-id')
    return next()
  }
}
