import { RefusalError } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'

/** The value of an outcome; a refusal is thrown, for `errorsAnswered` to write. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new RefusalError(outcome.error)
}
