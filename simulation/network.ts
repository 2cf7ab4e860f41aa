import { StoreAway } from '../src/domain/store-away.ts'
import type { Timer } from '../src/ports/clock.ts'
import type { Machine } from './machine.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** One way takes so many ms, and now and then much longer, so that messages overtake each other. */
const WAY_MS = [1, 8] as const
const SLOW_WAY_MS = [20, 400] as const
/** Who reaches nothing is told so after this many ms. */
const GIVEN_UP_MS = 1_000
/** Who hears nothing from a machine that took the question, and was killed over it, waits this long, in ms. */
const TIMEOUT_MS = 10_000

/** How a request over the network ended. */
export type Carried<T> = { readonly kind: 'answered'; readonly value: T } | { readonly kind: 'unheard' | 'unanswered' }

/** The network between machines, each of which may be cut off from any other one. */
export class Network {
  readonly #timeline: Timeline
  readonly #random: Random
  /** Pairs of names that reach each other not, as `a b` with a before b. */
  readonly #cuts = new Set<string>()
  /** When the last message of a connection arrives. */
  readonly #lastMs = new WeakMap<object, number>()
  /** Of 100 messages so many are lost, in either direction. */
  lossPercent = 0
  /** Of 100 messages so many take much longer than the others. */
  slowPercent = 2
  /** Of 100 announcements so many come twice. */
  echoPercent = 0

  constructor(timeline: Timeline, random: Random) {
    this.#timeline = timeline
    this.#random = random
  }

  cut(one: string, other: string): void {
    this.#cuts.add([one, other].toSorted().join(' '))
  }

  heal(one: string, other: string): void {
    this.#cuts.delete([one, other].toSorted().join(' '))
  }

  isCut(one: string, other: string): boolean {
    return this.#cuts.size > 0 && this.#cuts.has([one, other].toSorted().join(' '))
  }

  /** One way, in ms. */
  wayMs(): number {
    const [from, to] = this.#random.chance(this.slowPercent) ? SLOW_WAY_MS : WAY_MS
    return this.#random.between(from, to)
  }

  /** Whether a message between two machines is lost now. */
  loses(one: string, other: string): boolean {
    return this.isCut(one, other) || this.#random.chance(this.lossPercent)
  }

  /** Carries a message that nobody answers; it may be lost, and overtaken. */
  send(from: Machine, to: Machine, run: () => void): void {
    if (from.isDead || this.loses(from.name, to.name)) return
    this.#timeline.after(this.wayMs(), () => this.isCut(from.name, to.name) || to.reach(run))
  }

  /** The same, through what may pass a message on twice. */
  announce(from: Machine, to: Machine, run: () => void): void {
    this.send(from, to, run)
    if (this.#random.chance(this.echoPercent)) this.send(from, to, run)
  }

  /** Sends over a connection: in order, and whole unless the connection breaks. */
  stream(from: Machine, to: Machine, connection: object, run: () => void, broken: () => void): void {
    if (from.isDead || to.isDead || this.isCut(from.name, to.name)) return broken()
    const atMs = Math.max(this.#timeline.nowMs + this.wayMs(), this.#lastMs.get(connection) ?? 0)
    this.#lastMs.set(connection, atMs)
    this.#timeline.after(atMs - this.#timeline.nowMs, () =>
      to.isDead || this.isCut(from.name, to.name) ? broken() : to.reach(run),
    )
  }

  /**
   * Asks another machine. `unheard`: it certainly did not run there; `unanswered`: it may have run there.
   * Never settles for an asker that is killed.
   */
  ask<T>(from: Machine, to: Machine, run: () => T | Promise<T>): Promise<Carried<T>> {
    return new Promise((resolve, reject) => {
      let outcome: Timer | null = null
      // What is known later goes before what was expected.
      const told = (afterMs: number, settle: () => void): void => {
        outcome?.cancel()
        outcome = this.#timeline.after(afterMs, () => from.reach(settle))
      }
      if (from.isDead) return
      if (this.loses(from.name, to.name)) return told(GIVEN_UP_MS, () => resolve({ kind: 'unheard' }))
      told(TIMEOUT_MS, () => resolve({ kind: 'unanswered' }))
      const answer = async () => {
        try {
          const { life } = to
          const value = await run()
          if (to.life === life && !this.loses(to.name, from.name))
            told(this.wayMs(), () => resolve({ kind: 'answered', value }))
          else told(GIVEN_UP_MS, () => resolve({ kind: 'unanswered' }))
        } catch (error) {
          told(this.wayMs(), () => reject(error as Error))
        }
      }
      this.#timeline.after(this.wayMs(), () =>
        to.isDead ? told(0, () => resolve({ kind: 'unheard' })) : to.reach(() => void answer()),
      )
    })
  }
}

/** The way from a machine to its stores. */
export interface Way {
  readonly network: Network
  readonly from: Machine
  readonly to: Machine
  /** Told of each call that was lost. */
  readonly note: (what: string) => void
}

/**
 * Stores as a machine sees them over the network. A call that is lost, or whose answer is, rejects as stores do while
 * their database is away: whether it took effect is unknown.
 */
export function overNetwork<T extends Readonly<Record<string, object>>>(stores: T, way: Way): T {
  return Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, carried(store, way)])) as T
}

function carried<T extends object>(store: T, { network, from, to, note }: Way): T {
  const known = new Map<PropertyKey, unknown>()
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const kept = known.get(name)
      if (kept !== undefined) return kept
      const call = async (...words: unknown[]) => {
        const answer = await network.ask(from, to, () => Reflect.apply(value, target, words) as unknown)
        if (answer.kind === 'answered') return answer.value
        note(`${String(name)} ${answer.kind}`)
        throw new StoreAway('gone')
      }
      known.set(name, call)
      return call
    },
  })
}
