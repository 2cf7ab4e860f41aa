import type { PgliteError } from './pglite-protocol.ts'

/** Fields of an error that the main thread is told. */
const FIELDS: readonly string[] = ['code', 'constraint', 'table']

/**
 * True for what the program inside throws when it ends, or cannot even handle its own error: a trap, or a status that
 * is no Error ("ExitStatus" of Emscripten, with which it also jumps). The program was left half-way, and a later
 * statement may never be answered.
 */
export function isProgramFault(cause: unknown): boolean {
  return !(cause instanceof Error) || cause.name === 'RuntimeError'
}

/** What was thrown, as plain data. */
export function describeError(cause: unknown): PgliteError {
  if (!(cause instanceof Error)) return { message: textOf(cause) }
  const named = Object.entries(cause).filter(([name, value]) => FIELDS.includes(name) && typeof value === 'string')
  return { message: cause.message, ...Object.fromEntries(named) }
}

function textOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : String(cause)
}
