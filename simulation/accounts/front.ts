import { pause } from '../../actors/engine/pause.ts'
import { fail, type Outcome } from '../../src/domain/errors.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { AWAY } from '../../test/helpers/scripted-platform.ts'
import type { Journal } from '../journal.ts'
import type { Machine } from '../machine.ts'
import type { Network } from '../network.ts'
import type { Random } from '../random.ts'

export interface FrontDeps {
  readonly machine: Machine
  readonly network: Network
  readonly random: Random
  readonly journal: Journal
}

/** Of 100 writes so many take effect only after so many ms: the asker may have given up by then. */
const SLOW_PERCENT = 3
const SLOW_MS = [2_000, 25_000] as const
/** News that no gateway took in are told again after so many ms. */
const AGAIN_MS = [500, 4_000] as const
const SECOND_MS = 1_000

/** How requests reach the official platform, and how its news reach a gateway. */
export class Front<News> {
  readonly deps: FrontDeps
  /** Of 100 requests it throttles or fails so many, before or after they took effect. */
  troublePercent = 6
  /** Takes in news at a gateway; rejects when it is unknown whether that happened. */
  tell: (news: News) => Promise<void> = async () => {}
  /** Whether a write took effect late, so that only the next listing can tell. */
  hasLate = false
  #open = 0

  constructor(deps: FrontDeps) {
    this.deps = deps
  }

  /** Whether nothing is under way, and all news were taken in. */
  get isQuiet(): boolean {
    return this.#open === 0
  }

  /** When something happens now, as upstream tells it: in whole seconds. */
  now(): Date {
    return new Date(Math.floor(this.deps.machine.now() / SECOND_MS) * SECOND_MS)
  }

  /** Does something after `afterMs`. */
  later(afterMs: number, run: () => void): void {
    this.#open += 1
    this.deps.machine.after(afterMs, () => {
      this.#open -= 1
      run()
    })
  }

  async write<T>(from: Machine, what: string, run: () => Promise<UpstreamWrite<T>>): Promise<UpstreamWrite<T>> {
    const { network, machine, random } = this.deps
    const carried = await network.ask(from, machine, () => this.#written(what, run, random.chance(this.troublePercent)))
    if (carried.kind === 'answered') return carried.value
    return { kind: carried.kind === 'unheard' ? 'unsent' : 'unknown', refusal: AWAY }
  }

  async #written<T>(what: string, run: () => Promise<UpstreamWrite<T>>, fails: boolean): Promise<UpstreamWrite<T>> {
    const { random, machine, journal } = this.deps
    if (fails) return { kind: random.chance(50) ? 'unsent' : 'unknown', refusal: AWAY }
    this.#open += 1
    if (this.troublePercent > 0 && random.chance(SLOW_PERCENT)) {
      this.hasLate = true
      await pause(machine, random.between(...SLOW_MS))
    }
    const done = await run()
    this.#open -= 1
    journal.note('platform', `${what}: ${done.kind}`)
    return random.chance(this.troublePercent) ? { kind: 'unknown', refusal: AWAY } : done
  }

  async read<T>(from: Machine, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { network, machine, random } = this.deps
    const carried = await network.ask(from, machine, () => (random.chance(this.troublePercent) ? fail(AWAY) : run()))
    return carried.kind === 'answered' ? carried.value : fail(AWAY)
  }

  /** Tells news until a gateway took them in. */
  news(news: News): void {
    this.#open += 1
    const again = (): void =>
      void this.tell(news).then(
        () => (this.#open -= 1),
        () => this.deps.machine.after(this.deps.random.between(...AGAIN_MS), again),
      )
    again()
  }
}
