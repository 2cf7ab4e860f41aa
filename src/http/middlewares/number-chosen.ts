import type { Caller } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { sentJson } from '../request/sent-json.ts'
import { requireFeature } from './feature-supported.ts'
import { findNumber } from './number-known.ts'

/**
 * Settles the number of a route of a `chosenNumber` before its body is validated (contract 2, order of checks;
 * contract 5): a number key acts on its own number and must not name another; a tenant key names one in the body
 * or in the header. Naming two different ones of the account is a contradiction too (our choice).
 */
export function numberChosen(numbers: NumberStore): HttpMiddleware {
  return async (ctx, next) => {
    const { caller, number } = ctx.state
    if (matchedRoute(ctx).access.of !== 'chosenNumber' || !caller) return next()
    const named = namedInBody(ctx)
    // Of the wrong type: validation says so.
    if (named === undefined) return next()
    if (caller.reach.at === 'tenant') ctx.state.number = await chosenByTenant(ctx, numbers, caller, named)
    else if (named !== null && named !== number?.id)
      throw mismatch('The key belongs to another number than channelNumberId names')
    requireFeature(ctx)
    return next()
  }
}

async function chosenByTenant(ctx: HttpContext, numbers: NumberStore, caller: Caller, named: string | null) {
  const { narrowedTo } = ctx.state
  const wanted: NumberId | string | null = named ?? narrowedTo
  if (wanted === null)
    throw new RefusalError(
      refuse('NUMBER_REQUIRED', 'Name a number in channelNumberId or in the header x-channel-number-id'),
    )
  const number = await findNumber(numbers, caller, wanted)
  if (narrowedTo !== null && narrowedTo !== number.id)
    throw mismatch('channelNumberId and x-channel-number-id name different numbers')
  return number
}

/** Null when the body names none, undefined when what it holds there is no text. */
function namedInBody(ctx: HttpContext): string | null | undefined {
  const json = sentJson(ctx)
  if (typeof json !== 'object' || json === null || !('channelNumberId' in json) || json.channelNumberId === null)
    return null
  return typeof json.channelNumberId === 'string' ? json.channelNumberId : undefined
}

function mismatch(message: string): RefusalError {
  return new RefusalError(refuse('NUMBER_MISMATCH', message))
}
