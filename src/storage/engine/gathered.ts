import { StoreAway } from '../../domain/store-away.ts'

interface Waiting<T, R> {
  readonly item: T
  readonly weight: number
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

export interface GatherOptions<T, R> {
  /** Does the work of several items at once and answers one result for each, in their order. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>
  /** Weight of an item, in the unit of `maxWeight`. */
  readonly weightOf: (item: T) => number
  /** Items are taken together up to this weight; a heavier one goes alone. */
  readonly maxWeight: number
}

/**
 * Runs work that is cheaper together. Items that arrive while a run is under way wait and share the next one; while
 * nothing runs, nothing waits. A failing run is repeated item by item, so that one item cannot fail the others; a
 * database that is away fails them all.
 */
export class Gathered<T, R> {
  readonly #options: GatherOptions<T, R>
  #waiting: Waiting<T, R>[] = []
  #isRunning = false

  constructor(options: GatherOptions<T, R>) {
    this.#options = options
  }

  /** Answers the item's own result, or throws what its run threw. */
  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    this.#waiting.push({ item, weight: this.#options.weightOf(item), resolve, reject })
    if (!this.#isRunning) void this.#drain()
    return promise
  }

  async #drain(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#runTogether(this.#take())
    this.#isRunning = false
  }

  #take(): Waiting<T, R>[] {
    let weight = 0
    const past = this.#waiting.findIndex((waiting, index) => {
      weight += waiting.weight
      return index > 0 && weight > this.#options.maxWeight
    })
    const taken = past < 0 ? this.#waiting : this.#waiting.slice(0, past)
    this.#waiting = past < 0 ? [] : this.#waiting.slice(past)
    return taken
  }

  async #runTogether(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('a run answered no result for an item'))
        else resolve(result)
      }
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreAway) batch.forEach(({ reject }) => reject(error))
      else for (const waiting of batch) await this.#runTogether([waiting])
    }
  }
}
