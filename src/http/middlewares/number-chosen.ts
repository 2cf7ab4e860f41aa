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
 * Sets the number of a route of a `chosenNumber` before its body is validated ([rest.order.1]). A number key acts on
 * its own number and must not name another ([webhooks.routes.10]); a tenant key names one in the body or in the header
 * ([webhooks.routes.11]). our choice: naming two different numbers of the account is a contradiction too.
 */
export function numberChosen(numbers: NumberStore): HttpMiddleware {
  return async (ctx, next) => {
    const { caller, number } = ctx.state
    if (matchedRoute(ctx).access.of !== 'chosenNumber' || !caller) return next()
    const named = namedInBody(ctx)
    // A value of the wrong type is refused by validation.
    if (named === undefined) return next()
    if (caller.reach.at === 'tenant') ctx.state.number = await chosenByTenant(ctx, numbers, caller, named)
    else if (named !== null && named !== number?.id)
      throw mismatch('The key belongs to another number than channelNumberId names')
    await requireFeature(ctx)
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

/** The number that the body names; null when it names none, undefined when the value is no text. */
function namedInBody(ctx: HttpContext): string | null | undefined {
  const json = sentJson(ctx)
  if (typeof json !== 'object' || json === null || !('channelNumberId' in json) || json.channelNumberId === null)
    return null
  return typeof json.channelNumberId === 'string' ? json.channelNumberId : undefined
}

function mismatch(message: string): RefusalError {
  return new RefusalError(refuse('NUMBER_MISMATCH', message))
}
