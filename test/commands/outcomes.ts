import type { Outcome } from '../../src/domain/errors.ts'

/** The value of a command that must succeed. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new Error(`refused: ${outcome.error.code} ${outcome.error.message}`)
}

/** The code that a command refuses with; null when it succeeds. */
export function codeOf(outcome: Outcome<unknown>): string | null {
  return outcome.ok ? null : outcome.error.code
}
