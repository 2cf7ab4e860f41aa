import type { NodeAskId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'

/** our choice: asks that are known at a time; more are not taken. Known for 20 s each, that is 5,000 a second, in some 40 MB. */
const MOST_ASKS = 100_000
/** our choice: characters of answers that are kept to be told again; beyond that an answer is told once. */
const MOST_CHARACTERS = 16_000_000
/** our choice: an ask is known this long after nobody waits for it any more, ms: what still comes of it then is known for a repeat. */
const GRACE_MS = 10_000
/** our choice: an ask made this much before the latest of the same asker was heard before, ms; it is longer than any ask lives. */
const REPEATED_MS = 180_000
/** our choice: askers whose latest is known. */
const MOST_ASKERS = 1_000

/** When an ask was made, by the asker's own monotonic clock: compared with others of the same process alone. */
export interface MadeAt {
  readonly process: string
  readonly ms: number
}

interface Taken {
  /** Null while it runs, and where there was no room for it. */
  answer: string | null
  isRunning: boolean
}

/** Which asks this node took, so that none runs twice, and what came of them, while somebody may ask again. */
export class TakenAsks {
  readonly #clock: Clock
  readonly #taken = new Map<NodeAskId, Taken>()
  readonly #latest = new Map<string, number>()
  #characters = 0

  readonly #mostAsks: number

  constructor(clock: Clock, mostAsks = MOST_ASKS) {
    this.#clock = clock
    this.#mostAsks = mostAsks
  }

  /** `taken`: run it now. `known`: it was taken before. `full`: not now. `repeated`: an old one that somebody tells again. */
  take(id: NodeAskId, withinMs: number, { process, ms }: MadeAt): 'taken' | 'known' | 'full' | 'repeated' {
    if (this.#taken.has(id)) return 'known'
    const latestMs = this.#latest.get(process) ?? -Infinity
    if (ms < latestMs - REPEATED_MS) return 'repeated'
    if (this.#taken.size >= this.#mostAsks) return 'full'
    this.#latest.delete(process)
    this.#latest.set(process, Math.max(ms, latestMs))
    const [oldest] = this.#latest.keys()
    if (this.#latest.size > MOST_ASKERS && oldest !== undefined) this.#latest.delete(oldest)
    this.#taken.set(id, { answer: null, isRunning: true })
    this.#clock.after(withinMs + GRACE_MS, () => this.#forget(id))
    return 'taken'
  }

  answered(id: NodeAskId, answer: string): void {
    const taken = this.#taken.get(id)
    if (!taken) return
    taken.isRunning = false
    if (this.#characters + answer.length > MOST_CHARACTERS) return
    this.#characters += answer.length
    taken.answer = answer
  }

  /** Null: not known, or its answer is not kept. */
  find(id: NodeAskId): 'running' | { readonly answer: string } | null {
    const taken = this.#taken.get(id)
    if (taken?.isRunning) return 'running'
    return taken?.answer === null || taken === undefined ? null : { answer: taken.answer }
  }

  #forget(id: NodeAskId): void {
    this.#characters -= this.#taken.get(id)?.answer?.length ?? 0
    this.#taken.delete(id)
  }
}
