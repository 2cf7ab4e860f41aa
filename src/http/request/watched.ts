import { unlessAway } from '../../domain/store-away.ts'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/**
 * our choice, in ms: the pause between two looks while something is watched, so that a node that hears nothing of an
 * end still follows within 2 s ([embeds.refresh.4], [people.owners.3]).
 */
const LOOK_MS = 1_000

/** Told of each look at what it watches: the state, undefined when there is none any more. True ends the watching. */
export type Seen<S> = (state: S | undefined) => boolean

export interface WatchDeps<Id, S> {
  /** Reads the states of these; those that are gone are missing. */
  readonly read: (ids: readonly Id[]) => Promise<ReadonlyMap<Id, S>>
  /** What is watched, for the log. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
}

/** Looks at rows while something of this node goes on as long as they live. One query looks at them all. */
export class Watched<Id extends string, S> {
  readonly #deps: WatchDeps<Id, S>
  readonly #watched = new Map<Id, Set<Seen<S>>>()
  #timer: Timer | null = null
  #isLooking = false
  /** Set when an end was reported during a look, which may have run too early to see it. */
  #isDueAgain = false

  constructor(deps: WatchDeps<Id, S>) {
    this.#deps = deps
  }

  /** Watches one. Returns a function that stops it. */
  add(id: Id, seen: Seen<S>): () => void {
    const watchers = this.#watched.get(id) ?? new Set<Seen<S>>()
    watchers.add(seen)
    this.#watched.set(id, watchers)
    this.#lookLater()
    return () => this.#remove(id, watchers, seen)
  }

  lookNow(): void {
    if (this.#watched.size === 0) return
    if (this.#isLooking) this.#isDueAgain = true
    else void this.#look()
  }

  #remove(id: Id, watchers: Set<Seen<S>>, seen: Seen<S>): void {
    watchers.delete(seen)
    if (watchers.size === 0 && this.#watched.get(id) === watchers) this.#watched.delete(id)
  }

  #lookLater(): void {
    if (this.#timer || this.#isLooking || this.#watched.size === 0) return
    this.#timer = this.#deps.clock.after(LOOK_MS, () => void this.#look())
  }

  async #look(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = null
    this.#isLooking = true
    do {
      this.#isDueAgain = false
      await this.#lookOnce()
    } while (this.#isDueAgain)
    this.#isLooking = false
    this.#lookLater()
  }

  async #lookOnce(): Promise<void> {
    const asked = [...this.#watched].map(([id, watchers]) => ({ id, watchers, those: [...watchers] }))
    if (asked.length === 0) return
    try {
      const states = await this.#deps.read(asked.map(({ id }) => id))
      for (const { id, watchers, those } of asked) {
        for (const seen of those) if (watchers.has(seen) && seen(states.get(id))) this.#remove(id, watchers, seen)
      }
    } catch (error) {
      const text = `the ends of ${this.#deps.name} could not be looked up; they are looked up again shortly`
      unlessAway(error, () => this.#deps.log.error({ error: String(error) }, text))
    }
  }
}
