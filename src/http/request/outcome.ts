import { RefusalError } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'

/** The value of an outcome. Throws its refusal, which `errorsAnswered` writes. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new RefusalError(outcome.error)
}
