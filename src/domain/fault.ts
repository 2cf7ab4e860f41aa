import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'

/** What is wrong with a field of a body. */
export interface Fault {
  /** Dotted; empty when the body as a whole is meant. */
  readonly path: string
  readonly message: string
}

/** The refusal that a schema would make of these faults (contract 2). */
export function invalidBody(faults: readonly Fault[]): Refusal {
  const [first] = faults
  const where = first?.path ? `${first.path}: ` : ''
  return refuse('VALIDATION', `Invalid body: ${where}${first?.message ?? 'not accepted'}`, faults)
}
