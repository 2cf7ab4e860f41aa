import { isInReach, type Caller, type Reach } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber, NumberRef } from '../../domain/number.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import { isOfAccount } from '../request/access.ts'
import type { Access } from '../request/access.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import type { NumberRefs } from '../request/number-refs.ts'

export interface NumberKnownDeps {
  readonly numbers: Pick<NumberStore, 'find'>
  readonly numberRefs: NumberRefs
}

/** Kinds of routes that act on one number: their handler gets the number of a number key. */
const OF_ONE: ReadonlySet<Access['of']> = new Set(['number', 'chosenNumber', 'namedNumber'])
const NUMBER_ID = /^num_[0-9a-z]{26}$/

/**
 * Sets the number that the request acts on: the caller's own, the one in the path, or the one that the header
 * `x-channel-number-id` names. They must agree, and belong to the tenant and the grant; anything else is 404
 * NUMBER_NOT_FOUND, never another tenant's data ([keys.credentials.3], [rest.errors.12], [oauth.tokens.9]).
 */
export function numberKnown(deps: NumberKnownDeps): HttpMiddleware {
  return async (ctx, next) => {
    const { caller } = ctx.state
    if (!caller || !isOfAccount(matchedRoute(ctx).access)) return next()
    const named = ctx.get('x-channel-number-id')
    if (caller.reach.at === 'tenant' || caller.reach.at === 'numbers') await bindNamedNumber(ctx, deps, caller, named)
    else bindOwnNumber(ctx, caller.reach, named)
    return next()
  }
}

/** Takes the number of a number key, which is known with the caller, so nothing is read. */
function bindOwnNumber(ctx: HttpContext, reach: Extract<Reach, { at: 'number' | 'nowhere' }>, named: string): void {
  if (reach.at === 'nowhere') throw new RefusalError(refuse('NUMBER_NOT_BOUND', 'The key is not bound to a number'))
  if (named !== '' && named !== reach.number.id) throw notFound()
  if (OF_ONE.has(matchedRoute(ctx).access.of)) ctx.state.number = reach.number
}

async function bindNamedNumber(ctx: HttpContext, deps: NumberKnownDeps, caller: Caller, named: string): Promise<void> {
  const { of } = matchedRoute(ctx).access
  const inPath = of === 'pathNumber' ? (ctx.state.params.id ?? '') : ''
  const wanted = inPath === '' ? named : inPath
  if (wanted === '') return
  if (named !== '' && named !== wanted) throw notFound()
  // The whole row is read for handlers that get it. It is also read for keys, because numbers that a tenant key names
  // are not remembered.
  const number =
    inPath !== '' || caller.by === 'key'
      ? await findNumber(deps.numbers, caller, wanted)
      : await findRef(deps.numberRefs, caller, wanted)
  if (named !== '') ctx.state.narrowedTo = number.id
  // The body may still name the number of a `chosenNumber` route, except for a caller of some numbers, which names it
  // in the header; see `numberChosen`.
  const isSettled = of === 'number' || of === 'namedNumber' || (of === 'chosenNumber' && caller.reach.at === 'numbers')
  if (inPath !== '' || isSettled) ctx.state.number = number
}

/** The caller's number of this id; anything else is 404 NUMBER_NOT_FOUND. */
export async function findNumber(
  numbers: Pick<NumberStore, 'find'>,
  caller: Caller,
  id: string,
): Promise<ChannelNumber> {
  const number = isWithin(caller, id) ? await numbers.find(caller.tenantId, id) : null
  if (!number) throw notFound()
  return number
}

async function findRef(numberRefs: NumberRefs, caller: Caller, id: string): Promise<NumberRef> {
  const number = isWithin(caller, id) ? await numberRefs.find(caller.tenantId, id) : null
  if (!number) throw notFound()
  return number
}

/** Whether a text is the id of a number that the caller's reach allows. Whether the number exists is not asked. */
function isWithin(caller: Caller, id: string): id is NumberId {
  return NUMBER_ID.test(id) && isInReach(caller, id as NumberId)
}

function notFound(): RefusalError {
  return new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this account'))
}
