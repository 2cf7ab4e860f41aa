import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { JOIN_NAMED } from './sql.ts'

/**
 * Joins answers that came before it was known what upstream calls their messages, `externalIds`. Called by who stored such an answer and by who named a
 * message with a Flow, each once its own write is committed: whoever is the second sees both. Never fails: what is missed is joined by the purge.
 */
export async function joinNamed(database: Engine['database'], externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return
  await despiteDeadlock(() => database.queryKept(JOIN_NAMED, [externalIds])).catch(() => {})
}
