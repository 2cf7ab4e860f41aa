import { RefusalError, refuse } from '../../domain/errors.ts'
import type { HttpMiddleware } from '../request/context.ts'

/**
 * The documents of pages and the branding of a link, which always answer 200 ([pages.addresses.7],
 * [branding.routes.5]). They look nothing up that does not have the form of an id or token.
 */
const ANSWERED_WHATEVER_IS_ASKED = /^\/(?:chat|connect)(?:\/|$)|^\/v1\/connect\/[^/]+\/branding$/

/**
 * Refuses addresses that no store can hold: bad percent-encoding (which covers encoded lone
 * surrogates) and NUL characters, in path and query alike. Those of pages are let through: a person
 * who opens a broken link sees a page that says so, and `?title=50% off` must not cost the page.
 */
export function pathReadable(): HttpMiddleware {
  return (ctx, next) => {
    if (!ANSWERED_WHATEVER_IS_ASKED.test(ctx.path) && !(isReadable(ctx.path) && isReadable(ctx.querystring))) {
      throw new RefusalError(refuse('VALIDATION', 'The address holds invalid percent-encoding or a NUL character'))
    }
    return next()
  }
}

function isReadable(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0')
  } catch {
    return false
  }
}
