import { Turns } from './turns.ts'

/**
 * Turns by name: tasks of one name run one after another, in the order they were given. A name without tasks is
 * forgotten.
 */
export class NamedTurns {
  readonly #turns = new Map<string, { readonly turns: Turns; users: number }>()

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#turns.get(name) ?? { turns: new Turns(), users: 0 }
    this.#turns.set(name, entry)
    entry.users += 1
    try {
      return await entry.turns.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) this.#turns.delete(name)
    }
  }
}
