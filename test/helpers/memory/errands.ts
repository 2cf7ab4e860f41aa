import type { NumberId } from '../../../src/domain/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Errand, ErrandStore, StoredErrand } from '../../../src/ports/stores/errand-store.ts'
import type { MemoryRows } from './rows.ts'

/** Errands in memory. */
export class MemoryErrands implements ErrandStore {
  readonly #rows: Pick<MemoryRows, 'numbers'>
  readonly #clock: Clock
  readonly #errands = new Map<string, StoredErrand & { readonly notedMs: number; dueMs: number; tries: number }>()
  #lastId = 0

  constructor(rows: Pick<MemoryRows, 'numbers'>, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async note(numberId: NumberId, errand: Errand, heldMs: number): Promise<string | null> {
    if (!this.#rows.numbers.has(numberId)) return null
    const id = String(++this.#lastId)
    this.#errands.set(id, {
      id,
      numberId,
      errand,
      notedMs: this.#clock.now(),
      dueMs: this.#clock.now() + heldMs,
      tries: 0,
    })
    return id
  }

  async done(id: string): Promise<void> {
    this.#errands.delete(id)
  }

  /** Takes an errand out of its line; null when it is no longer there. */
  leave(id: string): StoredErrand | null {
    const errand = this.#errands.get(id) ?? null
    this.#errands.delete(id)
    return errand
  }

  async failed(id: string): Promise<number> {
    const errand = this.#errands.get(id)
    if (errand) errand.tries += 1
    return errand?.tries ?? 0
  }

  async takeDue(limit: number, heldMs: number): Promise<readonly StoredErrand[]> {
    const nowMs = this.#clock.now()
    const due = [...this.#errands.values()].filter(({ dueMs }) => dueMs <= nowMs).slice(0, limit)
    for (const errand of due) errand.dueMs = nowMs + heldMs
    return due.map(({ id, numberId, errand }) => ({ id, numberId, errand }))
  }

  async purge(keptMs: number): Promise<number> {
    const old = [...this.#errands.values()].filter(({ notedMs }) => notedMs < this.#clock.now() - keptMs)
    for (const { id } of old) this.#errands.delete(id)
    return old.length
  }

  get size(): number {
    return this.#errands.size
  }
}
