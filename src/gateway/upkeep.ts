import { unlessAway } from '../domain/store-away.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Counter, Histogram, Metrics } from '../ports/metrics.ts'

/** Work that comes round for as long as the node runs. */
export interface Chore {
  /** As metrics and log name it, `verb-noun`. */
  readonly name: string
  /** Longest time from the end of a turn to the next. */
  readonly everyMs: number
  /** Its first turn comes at once, so that a node that is restarted often has turns too; after `everyMs` otherwise. */
  readonly isDueAtStart?: boolean
  /**
   * A look at rows of all nodes: with several nodes each looks as many times less often, so that together they look as
   * often as one.
   */
  readonly isShared?: boolean
  /**
   * What the look at everything (`looksBy`) calls the work: a turn comes with the first look that names it, once
   * `everyMs` has passed since the last turn, and else only as a net under that look.
   */
  readonly due?: string
  /**
   * Answers true when there is more to do at once, as after a full batch. What it throws is logged; it is tried again
   * at its next turn. A turn of many slow steps asks `isWanted` between them: the stop waits for it.
   */
  run(isWanted: () => boolean): Promise<unknown>
}

/**
 * When what is past its time is deleted. Our choice: also how long a delivered body of a RELAY_ONLY number may stay. At
 * once, so that a node that is restarted often does too.
 */
export const PURGES = { everyMs: 600_000, isDueAtStart: true } as const

/** Gives one chore a turn now, or another one after the turn it has now. */
export interface ChoreHandle {
  wake(): void
}

/** Every chore of a node, each by its own clock and one turn of it at a time. */
export interface Upkeep {
  /** Names are unique. A chore that is added or woken before the start waits for it. */
  add(chore: Chore): ChoreHandle
  /** How many nodes share the chores that are shared; one until told. */
  sharedBy(nodes: () => number): void
  /**
   * Looks at once at the work of all chores with a `due`, and answers what may have some. Without it each looks by
   * itself. To be told before the start.
   */
  looksBy(look: () => Promise<ReadonlySet<string>>): void
  start(): void
  /** No turn begins any more; waits for those under way. Idempotent. */
  stop(): Promise<void>
}

export interface UpkeepOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Between 0 and 1, for the jitter. */
  readonly random?: () => number
}

/**
 * Our choice: a turn comes up to a tenth early, so that nodes that were started together drift apart: they share the
 * rows of most chores, and would wait for each other's locks at every turn.
 */
const JITTER = 0.1
/** Our choice: how often all nodes together look at everything, and so how long what nobody was woken for waits. */
const LOOK_MS = 1_000
/**
 * Our choice: what is looked at for a chore is tried so often all the same, so that a look which overlooks something
 * loses nothing.
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
  /** Whether a look tells when there is work. */
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
  /** Monotonic ms before which no look begins a turn. */
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

  /** A look found these to have work. */
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
    const { clock, nodes, random = Math.random, isLookedFor } = this.#options
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
    // Looks come up to a tenth early, and may come just before the rest of this one is over.
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
