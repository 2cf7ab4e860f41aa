import type { Log } from '../ports/log.ts'
import type { ProviderRegistry } from '../ports/provider.ts'
import type { IdempotencyStore } from '../ports/stores/idempotency-store.ts'
import type { NumberStore } from '../ports/stores/number-store.ts'
import type { HttpMiddleware } from './request/context.ts'
import { answered } from './middlewares/answered.ts'
import { bodyRead } from './middlewares/body-read.ts'
import type { BodyReadDeps } from './middlewares/body-read.ts'
import { idempotent } from './middlewares/idempotent.ts'
import { numberChosen } from './middlewares/number-chosen.ts'
import { validated } from './middlewares/validated.ts'
import { HeavyWork } from './request/heavy-work.ts'

export interface ExecutionDeps extends BodyReadDeps {
  readonly idempotency: IdempotencyStore
  readonly numbers: NumberStore
  readonly providers: ProviderRegistry
  readonly log: Log
}

/**
 * What they asked, and the answer: body -> first answer again? -> number, where the body names it -> validation -> handler, which meets
 * the state. The idempotency key is looked at before validation because every answer below 500
 * is a first answer to be repeated, a refused body included.
 */
export function execution(deps: ExecutionDeps): HttpMiddleware[] {
  const heavy = new HeavyWork(deps.clock)
  return [
    bodyRead(deps, heavy),
    idempotent(deps.idempotency, deps.log, deps.clock),
    numberChosen(deps.numbers, deps.providers),
    validated(heavy),
    answered(),
  ]
}
