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
   * Answers true when there is more to do at once, as after a full batch. What it throws is logged; it is tried again at its next turn.
   * A turn of many slow steps asks `isWanted` between them: the stop waits for it.
   */
  run(isWanted: () => boolean): Promise<unknown>
}

/**
 * When what is past its time is deleted. Our choice: also how long a delivered body of a RELAY_ONLY number may stay. At once, so that a node that
 * is restarted often does too.
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
 * Our choice: a turn comes up to a tenth early, so that nodes that were started together drift apart: they share the rows of most
 * chores, and would wait for each other's locks at every turn.
 */
const JITTER = 0.1
const BUCKETS_SECONDS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600]

/** Makes the loop of all chores; nothing runs before its `start`. */
export function createUpkeep(options: UpkeepOptions): Upkeep {
  const rounds = new Map<string, Round>()
  const measures = measuresIn(options.metrics)
  let isRunning = false
  return {
    add(chore) {
      if (rounds.has(chore.name)) throw new Error(`there are two chores ${chore.name}`)
      const round = new Round(chore, options, measures)
      rounds.set(chore.name, round)
      if (isRunning) round.start()
      return round
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

/** The turns of one chore. */
class Round implements ChoreHandle {
  readonly #chore: Chore
  readonly #options: UpkeepOptions
  readonly #measures: Measures
  #timer: Timer | null = null
  #turn: Promise<void> = Promise.resolve()
  #isTaken = false
  #isRunning = false
  #isWoken: boolean

  constructor(chore: Chore, options: UpkeepOptions, measures: Measures) {
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
    const { clock, random = Math.random } = this.#options
    this.#timer = clock.after(this.#chore.everyMs * (1 - JITTER * random()), begin)
  }

  async #take(): Promise<void> {
    this.#isTaken = true
    let hasMore = true
    while (this.#isRunning && (hasMore || this.#isWoken)) {
      this.#isWoken = false
      hasMore = await this.#run()
    }
    this.#isTaken = false
    if (this.#isRunning) this.#goOn()
  }

  async #run(): Promise<boolean> {
    const { clock, log } = this.#options
    const { name: chore } = this.#chore
    const fromMs = clock.monotonicMs()
    let outcome = 'ok'
    let hasMore = false
    try {
      hasMore = await this.#chore.run(() => this.#isRunning) === true
    } catch (error) {
      outcome = 'failed'
      unlessAway(error, () => log.error({ chore, error: String(error) }, 'chore failed'))
    }
    this.#measures.runs.add({ chore, outcome })
    this.#measures.seconds.observe((clock.monotonicMs() - fromMs) / 1000, { chore })
    return hasMore
  }
}
