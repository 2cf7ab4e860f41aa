import type { Caller, Reach } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { isOpenToKeys } from '../request/route.ts'
import type { Access, Route } from '../request/route.ts'

/** What a request is about, as far as its number goes. */
type Wanted = Pick<Route, 'access' | 'isOfNumbers'> & { /** The header names a number. */ readonly isNamed: boolean }

const OF_ONE: ReadonlySet<Access> = new Set(['number', 'namedNumber'])
const OF_ACCOUNT: ReadonlySet<Access> = new Set(['tenant', 'tenantNumber'])

const NUMBER_ROUTE = refuse('TENANT_SCOPE_NOT_ALLOWED', 'This route acts on one number: use the key of that number')
const ACCOUNT_ROUTE = refuse('NUMBER_SCOPE_NOT_ALLOWED', "This route manages the account: use the tenant's key")
const NO_NUMBER = refuse('NUMBER_REQUIRED', 'Name the number in the header x-channel-number-id')

/** What each reach is refused (spec: Authentication 2, 3; contract 14, 19); null: nothing. */
const REFUSED: { readonly [At in Reach['at']]: (wanted: Wanted, by: Caller['by']) => Refusal | null } = {
  number: ofNumberKey,
  nowhere: ofNumberKey,
  tenant: (wanted, by) =>
    by === 'key' ? ofTenantKey(wanted) : OF_ONE.has(wanted.access) && !wanted.isNamed ? NO_NUMBER : null,
  numbers: ofSomeNumbers,
}

function ofNumberKey({ access }: Wanted): Refusal | null {
  return OF_ACCOUNT.has(access) ? ACCOUNT_ROUTE : null
}

/** A tenant key that names a number acts on that one, where the route has it so (contract 12). */
function ofTenantKey({ access, isNamed }: Wanted): Refusal | null {
  return access === 'number' || (access === 'namedNumber' && !isNamed) ? NUMBER_ROUTE : null
}

/**
 * Our choice: of the account those routes alone that are about its numbers; what else a number key is refused, Pages of
 * leads among it, is refused here, too.
 */
function ofSomeNumbers({ access, isOfNumbers, isNamed }: Wanted): Refusal | null {
  if (OF_ACCOUNT.has(access)) return access === 'tenantNumber' || isOfNumbers ? null : ACCOUNT_ROUTE
  return isNamed ? null : NO_NUMBER
}

/** Refuses callers on routes that are about more, or less, than they act for. */
export function scopeAllowed(): HttpMiddleware {
  return (ctx, next) => {
    const { caller } = ctx.state
    if (!caller || !isOpenToKeys(matchedRoute(ctx))) return next()
    const refusal = REFUSED[caller.reach.at](wantedBy(ctx), caller.by)
    if (refusal) throw new RefusalError(refusal)
    return next()
  }
}

function wantedBy(ctx: HttpContext): Wanted {
  const { access, isOfNumbers } = matchedRoute(ctx)
  return {
    access,
    ...(isOfNumbers === undefined ? {} : { isOfNumbers }),
    isNamed: ctx.get('x-channel-number-id') !== '',
  }
}
