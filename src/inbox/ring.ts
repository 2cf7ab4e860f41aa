import type { NumberId } from '../domain/ids.ts'
import type { FedChange } from '../ports/inbox-feed.ts'

/** contract 17: a reader that comes back within 5 minutes is told what it missed. */
export const KEPT_MS = 5 * 60_000
/** Our choice: changes kept at most, some 2 KB each; more is read anew faster. */
const MOST = 20_000

/** The last changes of a node, for readers that come back. */
export class Ring {
  #changes: FedChange[] = []
  /** The last change that is not kept any more. */
  #lost = -1

  add(change: FedChange): void {
    this.#changes.push(change)
  }

  /** Forgets what is too old, or too much. */
  trim(nowMs: number): void {
    const firstKept = this.#changes.findIndex(({ atMs }) => nowMs - atMs <= KEPT_MS)
    const overdue = Math.max(firstKept === -1 ? this.#changes.length : firstKept, this.#changes.length - MOST)
    if (overdue <= 0) return
    this.#lost = this.#changes[overdue - 1]?.order ?? this.#lost
    this.#changes = this.#changes.slice(overdue)
  }

  /** Changes of the numbers after one, oldest first; null when some are not kept any more. */
  after(order: number, numberIds: ReadonlySet<NumberId>): FedChange[] | null {
    if (order < this.#lost) return null
    return this.#changes.filter((change) => change.order > order && numberIds.has(change.numberId))
  }
}
