import type { NumberId } from '../domain/ids.ts'
import type { FedChange } from '../ports/inbox-feed.ts'

/** [embeds.stream.2]: a reader that comes back within 5 minutes gets the changes it missed. */
export const KEPT_MS = 5 * 60_000
/** Our choice: most changes kept, some 2 KB each. For more, reading anew is faster. */
const MOST = 20_000

/** The latest changes on a node, for readers that come back. */
export class Ring {
  #changes: FedChange[] = []
  /** Order of the last change that was dropped. */
  #lost = -1

  add(change: FedChange): void {
    this.#changes.push(change)
  }

  /** Drops changes that are too old or too many. */
  trim(nowMs: number): void {
    const firstKept = this.#changes.findIndex(({ atMs }) => nowMs - atMs <= KEPT_MS)
    const overdue = Math.max(firstKept === -1 ? this.#changes.length : firstKept, this.#changes.length - MOST)
    if (overdue <= 0) return
    this.#lost = this.#changes[overdue - 1]?.order ?? this.#lost
    this.#changes = this.#changes.slice(overdue)
  }

  /** Changes of these numbers after the given order, oldest first; null when some of them were dropped. */
  after(order: number, numberIds: ReadonlySet<NumberId>): FedChange[] | null {
    if (order < this.#lost) return null
    return this.#changes.filter((change) => change.order > order && numberIds.has(change.numberId))
  }
}
