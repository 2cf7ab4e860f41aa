import type { Engine } from '../engine/engine.ts'

/**
 * Our choice: the table is analyzed after this many sends of a process, then after four times as many each time.
 * Without it the planner knows nothing of a young table and would read a whole queue for its head (measured), and the
 * embedded database never analyzes by itself.
 */
const FIRST_LOOK = 1_000

/** Has messages analyzed while there are few. */
export class YoungTable {
  #database: Engine['database']
  #stored = 0
  #nextLook = FIRST_LOOK

  constructor(database: Engine['database']) {
    this.#database = database
  }

  /** Counts messages that were stored. */
  count(stored: number): void {
    this.#stored += stored
    if (this.#stored < this.#nextLook) return
    this.#nextLook *= 4
    // Nobody waits for the analysis, and everything works without it.
    this.#database.chores.query('analyze messages').catch(() => {})
  }
}
