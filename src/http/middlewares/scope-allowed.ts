import type { Reach } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import type { Access } from '../request/route.ts'

type Scope = Exclude<Reach['at'], 'nowhere'>

/** The scope a route wants; absent where any, or none, will do (spec: Authentication 2, 3). */
const WANTED: Readonly<Partial<Record<Access, Scope>>> = { number: 'number', tenant: 'tenant', tenantNumber: 'tenant' }

/** What those hear who come with the other scope. */
const REFUSED: Readonly<Record<Scope, readonly [RefusalCode, string]>> = {
  number: ['TENANT_SCOPE_NOT_ALLOWED', 'This route acts on one number: use the key of that number'],
  tenant: ['NUMBER_SCOPE_NOT_ALLOWED', "This route manages the account: use the tenant's key"],
}

/** A tenant key that names a number acts on that one, where the route has it so (contract 12). */
function wantedBy(ctx: HttpContext): Scope | undefined {
  const { access } = matchedRoute(ctx)
  if (access === 'namedNumber') return ctx.get('x-channel-number-id') === '' ? 'number' : undefined
  return WANTED[access]
}

/** Refuses a tenant key on the routes of a number, and a number key on those of the tenant. */
export function scopeAllowed(): HttpMiddleware {
  return (ctx, next) => {
    const wanted = wantedBy(ctx)
    const { caller } = ctx.state
    if (!wanted || !caller || (caller.reach.at === 'tenant') === (wanted === 'tenant')) return next()
    const [code, message] = REFUSED[wanted]
    throw new RefusalError(refuse(code, message))
  }
}
