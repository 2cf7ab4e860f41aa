import { isDuplicate } from './database.ts'

/** SQLSTATE of a statement that was ended so that another could go on. */
const DEADLOCK = '40P01'

/**
 * Runs a single statement again when it was ended by a deadlock. It left nothing behind, so running it again is safe.
 */
export async function despiteDeadlock<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === DEADLOCK) return run()
    throw error
  }
}

/**
 * Runs a statement that gives messages their upstream id. Runs it again when another row got the id meanwhile (an echo
 * of the message): the statement then sees that row, and leaves the id there.
 */
export function writeMessages<R extends object>(run: () => Promise<R[]>): Promise<R[]> {
  return despiteDeadlock(run).catch((error: unknown) => {
    if (isDuplicate(error, 'messages_external_id')) return run()
    throw error
  })
}
