import type { HttpContext } from './context.ts'

/** What embeds call; the only paths that pages of others may (contract 17, CORS). */
export const EMBED_PATHS = '/api/public/embed/'

/**
 * Whether the request comes from no page, one of ours, or an allowed one; where it may, its answer names the origin.
 */
export function nameOrigin(ctx: HttpContext, allowedOrigins: readonly string[]): boolean {
  const origin = ctx.get('origin')
  if (origin === '' || ctx.state.isOwnOrigin === true) return true
  if (!allowedOrigins.includes(origin)) return false
  ctx.set('access-control-allow-origin', origin)
  return true
}
