import { chance } from '../domain/randomness.ts'
import { unlessAway } from '../domain/store-away.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Counter, Histogram, Metrics } from '../ports/metrics.ts'

/** Work that is repeated for as long as the node runs. */
export interface Chore {
  /** Its name in metrics and log, as `verb-noun`. */
  readonly name: string
  /** Longest ms from the end of a turn to the next. */
  readonly everyMs: number
  /**
   * True when the first turn comes at once, so that a node that is often restarted has turns too; by default it comes
   * after `everyMs`.
   */
  readonly isDueAtStart?: boolean
  /**
   * True for a look at rows of all nodes: with several nodes each looks less often in proportion, so that together they
   * look as often as one.
   */
  readonly isShared?: boolean
  /**
   * The name of the work in the common look (`looksBy`). A turn comes with the first look that names it, once `everyMs`
   * has passed since the last turn. Without a look that names it, it comes every NET_MS.
   */
  readonly due?: string
  /**
   * Runs a turn. Answers true when there is more to do at once, as after a full batch. An error is logged, and the work
   * is tried again at the next turn. A turn of many slow steps asks `isWanted` between them, because the stop waits for
   * it.
   */
  run(isWanted: () => boolean): Promise<unknown>
}

/**
 * When data past their time are deleted. Our choice: it also bounds how long a delivered body of a RELAY_ONLY number
 * may stay. The first turn comes at once, so that a node that is often restarted purges too.
 */
export const PURGES = { everyMs: 600_000, isDueAtStart: true } as const

/** Gives one chore a turn now, or another one after the turn under way. */
export interface ChoreHandle {
  wake(): void
}

/** All chores of a node, each with its own interval and one turn at a time. */
export interface Upkeep {
  /** Adds a chore; its name is unique. A chore that is added or woken before the start waits for it. */
  add(chore: Chore): ChoreHandle
  /** Sets how many nodes share the shared chores; one by default. */
  sharedBy(nodes: () => number): void
  /**
   * Sets the common look, which looks at the work of all chores with a `due` and answers those that may have some.
   * Without it each chore looks by itself. It is set before the start.
   */
  looksBy(look: () => Promise<ReadonlySet<string>>): void
  start(): void
  /** Begins no further turn, and waits for those under way. Idempotent. */
  stop(): Promise<void>
}

export interface UpkeepOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Gives numbers between 0 and 1, for the jitter. Default `chance`. */
  readonly random?: () => number
}

/**
 * Our choice: a turn comes up to a tenth early, so that nodes that started together drift apart. They share the rows of
 * most chores, and would otherwise wait for each other's locks at every turn.
 */
const JITTER = 0.1
/** Our choice: how often all nodes together take the common look, and so how long work waits that no notice told of. */
const LOOK_MS = 1_000
/**
 * Our choice: how often a chore of the common look gets a turn all the same, so that a look that misses work loses
 * nothing.
 */
const NET_MS = 300_000
const BUCKETS_SECONDS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600]

/** Makes the loop of all chores; nothing runs before its `start`. */
export function createUpkeep(options: UpkeepOptions): Upkeep {
  const rounds = new Map<string, Round>()
  const measures = measuresIn(options.metrics)
  let isRunning = false
  let isLooking = false
  let nodes = (): number => 1
  const add = (chore: Chore): ChoreHandle => {
    if (rounds.has(chore.name)) throw new Error(`there are two chores ${chore.name}`)
    const round = new Round(
      chore,
      { ...options, nodes: () => Math.max(1, nodes()), isLookedFor: () => isLooking && chore.due !== undefined },
      measures,
    )
    rounds.set(chore.name, round)
    if (isRunning) round.start()
    return round
  }
  return {
    add,
    sharedBy(count) {
      nodes = count
    },
    looksBy(look) {
      isLooking = true
      add({
        name: 'look-for-work',
        isShared: true,
        everyMs: LOOK_MS,
        async run() {
          const due = await look()
          for (const round of rounds.values()) round.seen(due)
        },
      })
    },
    start() {
      if (isRunning) return
      isRunning = true
      for (const round of rounds.values()) round.start()
    },
    async stop() {
      isRunning = false
      await Promise.all([...rounds.values()].map((round) => round.stop()))
    },
  }
}

interface Measures {
  readonly runs: Counter
  readonly seconds: Histogram
}

function measuresIn(metrics: Metrics): Measures {
  return {
    runs: metrics.counter('chore_runs_total', 'Runs of recurring work, by outcome.', ['chore', 'outcome']),
    seconds: metrics.histogram('chore_seconds', 'Time a run of recurring work took.', BUCKETS_SECONDS, ['chore']),
  }
}

interface RoundOptions extends UpkeepOptions {
  readonly nodes: () => number
  /** Whether the common look finds the work of this chore. */
  readonly isLookedFor: () => boolean
}

/** The turns of one chore. */
class Round implements ChoreHandle {
  readonly #chore: Chore
  readonly #options: RoundOptions
  readonly #measures: Measures
  #timer: Timer | null = null
  #turn: Promise<void> = Promise.resolve()
  #isTaken = false
  #isRunning = false
  #isWoken: boolean
  /** Monotonic ms before which the common look begins no turn. */
  #restsUntilMs = -Infinity

  constructor(chore: Chore, options: RoundOptions, measures: Measures) {
    this.#chore = chore
    this.#options = options
    this.#measures = measures
    this.#isWoken = chore.isDueAtStart ?? false
  }

  start(): void {
    this.#isRunning = true
    this.#goOn()
  }

  wake(): void {
    this.#isWoken = true
    if (this.#isRunning && !this.#isTaken) this.#goOn()
  }

  /** Tells the chore which work the common look found. */
  seen(due: ReadonlySet<string>): void {
    const { due: work } = this.#chore
    if (work !== undefined && due.has(work) && this.#options.clock.monotonicMs() >= this.#restsUntilMs) this.wake()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#timer?.cancel()
    await this.#turn
  }

  #goOn(): void {
    this.#timer?.cancel()
    const begin = (): void => {
      this.#turn = this.#take()
    }
    if (this.#isWoken) return begin()
    const { clock, nodes, random = chance, isLookedFor } = this.#options
    const { isShared } = this.#chore
    const everyMs = isLookedFor() ? Math.max(NET_MS, this.#chore.everyMs) : this.#chore.everyMs
    this.#timer = clock.after(everyMs * (isShared ? nodes() : 1) * (1 - JITTER * random()), begin)
  }

  async #take(): Promise<void> {
    this.#isTaken = true
    let hasMore = true
    while (this.#isRunning && (hasMore || this.#isWoken)) {
      this.#isWoken = false
      hasMore = await this.#run()
    }
    this.#isTaken = false
    // The look comes up to a tenth early, so it may come just before the pause is over; half a look is taken off.
    this.#restsUntilMs = this.#options.clock.monotonicMs() + this.#chore.everyMs - LOOK_MS / 2
    if (this.#isRunning) this.#goOn()
  }

  async #run(): Promise<boolean> {
    const { clock, log } = this.#options
    const { name: chore } = this.#chore
    const fromMs = clock.monotonicMs()
    let outcome = 'ok'
    let hasMore = false
    try {
      hasMore = (await this.#chore.run(() => this.#isRunning)) === true
    } catch (error) {
      outcome = 'failed'
      unlessAway(error, () => log.error({ chore, error: String(error) }, 'chore failed'))
    }
    this.#measures.runs.add({ chore, outcome })
    this.#measures.seconds.observe((clock.monotonicMs() - fromMs) / 1000, { chore })
    return hasMore
  }
}
