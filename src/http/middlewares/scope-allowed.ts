import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import type { KeyScope } from '../../domain/number.ts'
import { matchedRoute } from '../context.ts'
import type { HttpMiddleware } from '../context.ts'
import type { Access } from '../route.ts'

/** The scope a route wants; absent where any, or none, will do (spec: Authentication 2, 3). */
const WANTED: Readonly<Partial<Record<Access, KeyScope>>> = { number: 'NUMBER', tenant: 'TENANT', tenantNumber: 'TENANT' }

const REFUSED: Readonly<Record<KeyScope, readonly [RefusalCode, string]>> = {
  TENANT: ['TENANT_SCOPE_NOT_ALLOWED', 'This route acts on one number: use the key of that number'],
  NUMBER: ['NUMBER_SCOPE_NOT_ALLOWED', "This route manages the account: use the tenant's key"],
}

/** Refuses a tenant key on the routes of a number, and a number key on those of the tenant. */
export function scopeAllowed(): HttpMiddleware {
  return (ctx, next) => {
    const wanted = WANTED[matchedRoute(ctx).access]
    const { caller } = ctx.state
    if (!wanted || !caller || caller.scope === wanted) return next()
    const [code, message] = REFUSED[caller.scope]
    throw new RefusalError(refuse(code, message))
  }
}
