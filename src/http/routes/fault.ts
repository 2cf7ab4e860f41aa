import { RefusalError, refuse } from '../../domain/errors.ts'

/** What is wrong with a field of a body. */
export interface Fault {
  /** Dotted; empty when the body as a whole is meant. */
  readonly path: string
  readonly message: string
}

/** The refusal that a schema would make of these faults (contract 2). */
export function invalidBody(faults: readonly Fault[]): RefusalError {
  const [first] = faults
  const where = first?.path ? `${first.path}: ` : ''
  return new RefusalError(refuse('VALIDATION', `Invalid body: ${where}${first?.message ?? 'not accepted'}`, faults))
}
