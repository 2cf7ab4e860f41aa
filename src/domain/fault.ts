import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'

/** What is wrong with a field of a body. */
export interface Fault {
  /** Dotted; empty when the body as a whole is meant. */
  readonly path: string
  readonly message: string
}

/** Makes the refusal that a schema would make of these faults ([rest.errors.3]). */
export function invalidBody(faults: readonly Fault[]): Refusal {
  const [first] = faults
  const where = first?.path ? `${first.path}: ` : ''
  return refuse('VALIDATION', `Invalid body: ${where}${first?.message ?? 'not accepted'}`, faults)
}

/** What was read of a body, or all that is wrong with it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] }

export function read<T>(value: T): Read<T> {
  return { ok: true, value }
}

export function faulty(...faults: readonly Fault[]): Read<never> {
  return { ok: false, faults }
}

export function faultsIn(one: Read<unknown>): readonly Fault[] {
  return one.ok ? [] : one.faults
}
