import { RefusalError, refuse } from '../../domain/errors.ts'
import type { HttpMiddleware } from '../request/context.ts'

/**
 * Refuses addresses that no store can hold: bad percent-encoding (which covers encoded lone
 * surrogates) and NUL characters, in path and query alike.
 */
export function pathReadable(): HttpMiddleware {
  return (ctx, next) => {
    if (!isReadable(ctx.path) || !isReadable(ctx.querystring)) {
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
