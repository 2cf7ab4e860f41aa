import type { Clock } from '../../../src/ports/clock.ts'
import type { FileStore, StoredFile } from '../../../src/ports/stores/file-store.ts'

/** Files in memory. */
export class MemoryFiles implements FileStore {
  readonly rows = new Map<string, StoredFile>()
  readonly #clock: Clock
  readonly #hasNumber: (file: StoredFile) => boolean
  isNumberGone = false

  /** `hasNumber` says whether the number of a file exists; by default every number does. */
  constructor(clock: Clock, hasNumber: (file: StoredFile) => boolean = () => true) {
    this.#clock = clock
    this.#hasNumber = hasNumber
  }

  async add(file: StoredFile): Promise<boolean> {
    const isOwned = !this.isNumberGone && this.#hasNumber(file)
    if (isOwned) this.rows.set(file.id, file)
    return isOwned
  }

  async find(id: string): Promise<StoredFile | null> {
    const row = this.rows.get(id)
    return row && !this.#isOver(row) ? row : null
  }

  async known(ids: readonly string[]): Promise<Set<string>> {
    return new Set(ids.filter((id) => this.rows.has(id)))
  }

  async remove(ids: readonly string[]): Promise<StoredFile[]> {
    return ids.flatMap((id) => {
      const row = this.rows.get(id)
      this.rows.delete(id)
      return row ?? []
    })
  }

  async takeExpired(limit: number): Promise<StoredFile[]> {
    const over = [...this.rows.values()].filter((row) => this.#isOver(row))
    return this.remove(over.slice(0, limit).map(({ id }) => id))
  }

  #isOver(row: StoredFile): boolean {
    return row.expiresAt.getTime() <= this.#clock.now() || !this.#hasNumber(row)
  }
}
