import type { Caller, Reach } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import type { Access } from '../request/route.ts'

/** Accesses whose handler is given the number of a number key. */
const NEEDS_NUMBER: ReadonlySet<Access> = new Set(['number', 'eitherNumber', 'namedNumber'])
const NUMBER_ID = /^num_[0-9a-z]{26}$/

/**
 * Settles which number the request acts on: the key's own, the one in the path, or the one the
 * header `x-channel-number-id` names. They must agree, and be the tenant's: anything else is
 * 404 NUMBER_NOT_FOUND, never another tenant's data (spec: Authentication 4, contract 2).
 */
export function numberKnown(numbers: NumberStore): HttpMiddleware {
  return async (ctx, next) => {
    const { caller } = ctx.state
    if (!caller) return next()
    const named = ctx.get('x-channel-number-id')
    if (caller.reach.at === 'tenant') await bindNamedNumber(ctx, numbers, caller, named)
    else bindOwnNumber(ctx, caller.reach, named)
    return next()
  }
}

/** What routes need of a caller's own number is known with the caller. */
function bindOwnNumber(ctx: HttpContext, reach: Exclude<Reach, { at: 'tenant' }>, named: string): void {
  if (reach.at === 'nowhere') throw new RefusalError(refuse('NUMBER_NOT_BOUND', 'The key is not bound to a number'))
  if (named !== '' && named !== reach.number.id) throw notFound()
  if (NEEDS_NUMBER.has(matchedRoute(ctx).access)) ctx.state.number = reach.number
}

async function bindNamedNumber(ctx: HttpContext, numbers: NumberStore, caller: Caller, named: string): Promise<void> {
  const { access } = matchedRoute(ctx)
  const inPath = access === 'tenantNumber' ? (ctx.state.params.id ?? '') : ''
  const wanted = inPath === '' ? named : inPath
  if (wanted === '') return
  if (named !== '' && named !== wanted) throw notFound()
  const number = await findNumber(numbers, caller, wanted)
  if (named !== '') ctx.state.narrowedTo = number.id
  if (inPath !== '' || access === 'namedNumber') ctx.state.number = number
}

/** The caller's number of this id; anything else is 404 NUMBER_NOT_FOUND. */
export async function findNumber(numbers: Pick<NumberStore, 'find'>, caller: Caller, id: string): Promise<ChannelNumber> {
  const number = NUMBER_ID.test(id) ? await numbers.find(caller.tenantId, id as NumberId) : null
  if (!number) throw notFound()
  return number
}

function notFound(): RefusalError {
  return new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this account'))
}
