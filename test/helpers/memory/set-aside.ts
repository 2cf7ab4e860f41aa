import type { Fault, SetAsideItem, SetAsideLine } from '../../../src/domain/set-aside.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { SetAside, SetAsideStore } from '../../../src/ports/stores/set-aside-store.ts'
import type { MemoryErrands } from './errands.ts'
import type { MemoryRows } from './rows.ts'

/** How many characters of a reason are kept, as in the tables. */
const REASON_CHARACTERS = 64

/** What numbers set aside, in memory; how operators have it tried again is the table's alone. */
export class MemorySetAside implements Pick<SetAsideStore, 'change' | 'deviceEvent' | 'errand' | 'note' | 'list'> {
  readonly #items: { readonly shown: SetAside; readonly held: string }[] = []
  readonly #rows: MemoryRows
  readonly #clock: Clock
  readonly #errands: Pick<MemoryErrands, 'leave'>
  #lastId = 0

  constructor(rows: MemoryRows, clock: Clock, errands: Pick<MemoryErrands, 'leave'>) {
    this.#rows = rows
    this.#clock = clock
    this.#errands = errands
  }

  /** The items that were set aside; `held` is the value of a change. */
  get kept(): { readonly item: string; readonly held: string; readonly reason: string }[] {
    return this.#items.map(({ shown: { item, reason }, held }) => ({ item, held, reason }))
  }

  change(fence: Fence, position: number, why: Fault) {
    return this.#rows.write(`set aside ${position}`, fence, () => {
      const changes = this.#rows.changes.get(fence.numberId) ?? []
      const found = changes.find((change) => change.position === position)
      if (!found) return 'conflict'
      this.#rows.changes.set(
        fence.numberId,
        changes.filter((change) => change !== found),
      )
      const accountId = this.#rows.numbers.get(fence.numberId)?.official?.accountId ?? null
      this.#keep({ ...this.#of('changes', fence, why), item: String(position), accountId }, found.value)
      return 'applied'
    })
  }

  async errand(id: string, why: Fault) {
    const errand = this.#errands.leave(id)
    if (errand) this.#keep({ ...this.#of('errands', errand, why), item: id }, JSON.stringify(errand.errand))
  }

  async note(item: SetAsideItem, held: string | null) {
    this.#keep(item, held ?? '')
  }

  deviceEvent(fence: Fence, item: string, held: string, why: Fault) {
    return this.#rows.write('set aside what an engine told', fence, () => {
      if (!this.#rows.numbers.has(fence.numberId)) return 'conflict'
      this.#keep({ ...this.#of('device-events', fence, why), item }, held)
      return 'applied'
    })
  }

  async list(limit: number) {
    return this.#items.slice(0, limit).map(({ shown }) => shown)
  }

  /** The fields of an item that its number and its fault give. */
  #of(line: SetAsideLine, { numberId }: Pick<Fence, 'numberId'>, why: Fault): Omit<SetAsideItem, 'item'> {
    const tenantId = this.#rows.numbers.get(numberId)?.tenantId ?? null
    return { ...why, line, tenantId, numberId, accountId: null }
  }

  /** Keeps an item; one of the same line and name keeps its place and its owners. */
  #keep(item: SetAsideItem, held: string): void {
    const latest = {
      reason: item.reason.slice(0, REASON_CHARACTERS),
      tries: item.tries,
      createdAt: new Date(this.#clock.now()),
    }
    const place = this.#items.findIndex(({ shown }) => shown.line === item.line && shown.item === item.item)
    const known = this.#items[place]
    if (known) this.#items[place] = { shown: { ...known.shown, ...latest }, held }
    else this.#items.push({ shown: { ...item, ...latest, id: String(++this.#lastId) }, held })
  }
}
