import type { HttpMiddleware } from './context.ts'
import type { HttpDeps } from './deps.ts'
import { answered } from './middlewares/answered.ts'
import { bodyRead } from './middlewares/body-read.ts'
import { idempotent } from './middlewares/idempotent.ts'
import { numberChosen } from './middlewares/number-chosen.ts'
import { validated } from './middlewares/validated.ts'

/**
 * What they asked, and the answer: body -> first answer again? -> number, where the body names it -> validation -> handler, which meets
 * the state. The idempotency key is looked at before validation because every answer below 500
 * is a first answer to be repeated, a refused body included.
 */
export function execution(deps: HttpDeps): HttpMiddleware[] {
  return [
    bodyRead(),
    idempotent(deps.idempotency, deps.log),
    numberChosen(deps.numbers, deps.providers),
    validated(),
    answered(),
  ]
}
