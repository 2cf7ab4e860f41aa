import type { Fault, SetAsideItem } from '../../../src/domain/set-aside.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { SetAsideStore } from '../../../src/ports/stores/set-aside-store.ts'
import type { MemoryRows } from './rows.ts'

/** What numbers set aside, in memory. */
export class MemorySetAside implements Pick<SetAsideStore, 'change' | 'deviceEvent' | 'errand' | 'note'> {
  /** The items that were set aside; `held` is the value of a change. */
  readonly kept: { readonly item: string; readonly held: string; readonly reason: string }[] = []
  readonly #rows: MemoryRows

  constructor(rows: MemoryRows) {
    this.#rows = rows
  }

  change(fence: Fence, position: number, { reason }: Fault) {
    return this.#rows.write(`set aside ${position}`, fence, () => {
      const changes = this.#rows.changes.get(fence.numberId) ?? []
      const found = changes.find((change) => change.position === position)
      if (!found) return 'conflict'
      this.#rows.changes.set(
        fence.numberId,
        changes.filter((change) => change !== found),
      )
      this.kept.push({ item: String(position), held: found.value, reason })
      return 'applied'
    })
  }

  async errand(id: string, { reason }: Fault) {
    this.kept.push({ item: id, held: '', reason })
  }

  async note({ item, reason }: SetAsideItem, held: string | null) {
    this.kept.push({ item, held: held ?? '', reason })
  }

  deviceEvent(fence: Fence, item: string, held: string, { reason }: Fault) {
    return this.#rows.write('set aside what an engine told', fence, () => {
      this.kept.push({ item, held, reason })
      return 'applied'
    })
  }
}
