import type { Log } from '../ports/log.ts'
import type { NumberStore } from '../ports/stores/number-store.ts'
import type { HttpMiddleware } from './request/context.ts'
import { answered } from './middlewares/answered.ts'
import { bodyRead } from './middlewares/body-read.ts'
import type { BodyReadDeps } from './middlewares/body-read.ts'
import { fileTaken } from './middlewares/file-taken.ts'
import type { FileTakenDeps } from './middlewares/file-taken.ts'
import { idempotent } from './middlewares/idempotent.ts'
import type { IdempotentDeps } from './middlewares/idempotent.ts'
import { numberChosen } from './middlewares/number-chosen.ts'
import { validated } from './middlewares/validated.ts'
import type { HeavyWork } from './request/heavy-work.ts'

export interface ExecutionDeps extends BodyReadDeps, FileTakenDeps, IdempotentDeps {
  readonly numbers: NumberStore
  readonly log: Log
}

/** Takes what was sent: a file or a body. */
export function intake(deps: ExecutionDeps, heavy: HeavyWork): HttpMiddleware[] {
  return [fileTaken(deps), bodyRead(deps, heavy)]
}

/**
 * Runs the request once its body is there: first answer again? -> number, where the body names it -> validation ->
 * handler, which meets the state. The idempotency key is looked at before validation because every answer below 500 is
 * a first answer to be repeated, a refused body included.
 */
export function execution(deps: ExecutionDeps, heavy: HeavyWork): HttpMiddleware[] {
  return [idempotent(deps), numberChosen(deps.numbers), validated(heavy), answered(heavy)]
}
