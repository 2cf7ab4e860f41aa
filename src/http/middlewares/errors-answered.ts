import { RefusalError, refuse } from '../../domain/errors.ts'
import { isDiskFull, StoreAway } from '../../domain/store-away.ts'
import type { Log } from '../../ports/log.ts'
import type { HttpMiddleware } from '../request/context.ts'
import { writeRefusal } from '../request/refusal-body.ts'

/**
 * Turns what is thrown into an answer: a refusal by its table, a full disk as a store that is away ([rest.bounds.3]),
 * anything else as a bare 500, which is logged.
 */
export function errorsAnswered(log: Log): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof RefusalError) return writeRefusal(ctx, error.refusal)
      if (isDiskFull(error)) return writeRefusal(ctx, new StoreAway('full').refusal)
      log.error(
        { requestId: ctx.state.requestId, route: ctx.state.route?.path, ...whereFrom(error) },
        'request failed by a fault of ours',
      )
      writeRefusal(ctx, refuse('INTERNAL', 'Internal server error'))
    }
  }
}

/**
 * What the log is told of an error: name, code and stack frames. The message stays out: database errors quote values,
 * phone numbers included.
 */
function whereFrom(error: unknown): object {
  if (!(error instanceof Error)) return { thrown: typeof error }
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 12)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { errorName: error.name, errorCode: code, stack: frames.join('\n') }
}
