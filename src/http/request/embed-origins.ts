import type { HttpContext } from './context.ts'

/** The paths that embeds call, which are the only ones that pages of other origins may ([embeds.cors.1]). */
export const EMBED_PATHS = '/api/public/embed/'

/**
 * Whether the request comes from no page, one of ours, or one of an allowed origin, which its answer then names
 * ([embeds.cors.2]).
 */
export function nameOrigin(ctx: HttpContext, allowedOrigins: readonly string[]): boolean {
  const origin = ctx.get('origin')
  if (origin === '' || ctx.state.isOwnOrigin === true) return true
  if (!allowedOrigins.includes(origin)) return false
  ctx.set('access-control-allow-origin', origin)
  return true
}
