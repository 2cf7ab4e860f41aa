import type { HttpMiddleware } from '../request/context.ts'

/**
 * Sets the headers of every answer: it is not to be framed, sniffed, cached or run as a script. The handler of a page
 * may loosen what the page needs.
 */
export function securityHeaders(baseUrl: string): HttpMiddleware {
  const headers = Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(baseUrl.startsWith('https://') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  })
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    return next()
  }
}
