import type { HttpMiddleware } from '../context.ts'

/** Nothing here is a page to frame, sniff, cache or run scripts in; a handler of a page may loosen what it needs. */
export function securityHeaders(baseUrl: string): HttpMiddleware {
  const isHttps = baseUrl.startsWith('https://')
  return (ctx, next) => {
    ctx.set({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    })
    return next()
  }
}
