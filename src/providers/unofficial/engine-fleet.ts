import { chance } from '../../domain/randomness.ts'
import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { Redialling, SocketEnding } from '../../net/json-socket.ts'
import { parseRetryAfter } from '../../net/retry-after.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EngineEntry } from '../../ports/engine-register.ts'
import type { Gauge } from '../../ports/metrics.ts'
import type { Engines, EngineSeat } from './engines.ts'
import { placeSession } from './placement.ts'
import type { Holder, PlaceableEngine } from './placement.ts'

export interface EngineFleetDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
  /** Engines by what they take, in the label `state`. */
  readonly known: Gauge
  /** Gives 0 to 1; `chance` when unset. */
  readonly random?: () => number
}

/** A registered engine as this gateway sees it. */
export interface EngineView {
  readonly engineId: string
  /** Its sessions, those of all gateways. */
  readonly sessions: number
  readonly capacity: number
  readonly isDraining: boolean
  /** Sessions of this gateway that are connected to it. */
  readonly connected: number
}

/** [engine-fleet.register.7]: another engine holds the number's device state. */
const HELD_ELSEWHERE = 421
/** [engine-fleet.register.7]: the engine is full or drains. */
const TAKES_NONE = 503
/** RFC 6455, 7.4.1: the engine hands the session over. */
const GOING_AWAY = 1001
/** Our choice, in ms: after two more entries of its own an engine that took no session is asked again. */
const REFUSING_MS = 5_000
/**
 * Our choice: an entry is at most 3 s old when it is read (it is put every 2 s, and read every second), so it does not
 * count what was placed since this many looks.
 */
const LOOKS_KEPT = 3
/** Our choice: numbers whose engine is remembered, as many as a node knows numbers. */
const HOLDERS = 100_000
const STATES = ['taking', 'full', 'draining'] as const

interface Known {
  entry: EngineEntry
  /** Sessions placed here since each of the last looks, the latest first. */
  placed: number[]
  refusingUntilMs: number
}

/** The engines that register with this gateway. */
export class EngineFleet implements Engines {
  readonly #deps: EngineFleetDeps
  #known = new Map<string, Known>()
  #urls: readonly string[] = []
  readonly #seats = new Set<FleetSeat>()
  /** Seats of this gateway by the id of the engine that they are at, or dial. */
  readonly #own = new Map<string, number>()
  readonly #holders = new BoundedMemory<Holder>({ most: HOLDERS })

  constructor(deps: EngineFleetDeps) {
    this.#deps = deps
  }

  /** The addresses of the registered engines; the same array until they change. */
  urls(): readonly string[] {
    return this.#urls
  }

  list(): EngineView[] {
    return this.#view().map(({ engineId, sessions, capacity, draining }) => ({
      engineId,
      sessions,
      capacity,
      isDraining: draining,
      connected: this.#seatsAt(engineId).filter((seat) => seat.isUp).length,
    }))
  }

  /** Takes what the register says. `isWhole` is false while engines may be missing because the register was lost. */
  useRegistered(entries: readonly EngineEntry[], isWhole: boolean): void {
    const before = this.#known
    this.#known = new Map(entries.map((entry) => [entry.engineId, this.#renewed(entry)]))
    for (const [engineId, known] of before) {
      if (this.#known.has(engineId)) continue
      if (isWhole) for (const seat of this.#seatsAt(engineId)) seat.probe()
      else this.#known.set(engineId, known)
    }
    const urls = [...new Set([...this.#known.values()].map(({ entry }) => entry.url))]
    if (urls.join(' ') !== this.#urls.join(' ')) this.#urls = urls
    this.#count()
  }

  seat(numberId: NumberId, probe: () => void): EngineSeat {
    const seat = new FleetSeat(probe, {
      place: () => this.#place(numberId),
      holds: (at) => this.#holders.set(numberId, at),
      over: (at, ending, wasUp) => this.#over(numberId, at, ending, wasUp),
      counts: (engineId, by) => this.#countOwn(engineId, by),
      left: () => void this.#seats.delete(seat),
    })
    this.#seats.add(seat)
    return seat
  }

  #renewed(entry: EngineEntry): Known {
    const known = this.#known.get(entry.engineId)
    return {
      entry,
      placed: [0, ...(known?.placed.slice(0, LOOKS_KEPT) ?? [])],
      refusingUntilMs: known?.refusingUntilMs ?? Number.NEGATIVE_INFINITY,
    }
  }

  #place(numberId: NumberId): PlaceableEngine | null {
    const engine = placeSession(this.#view(), this.#holders.get(numberId) ?? null, this.#deps.random ?? chance)
    const placed = engine && this.#known.get(engine.engineId)?.placed
    if (placed) placed[0] = (placed[0] ?? 0) + 1
    return engine
  }

  /**
   * Counts the sessions that an engine registered and those placed there since; or those of this gateway, when it
   * registered fewer.
   */
  #view(): PlaceableEngine[] {
    const nowMs = this.#deps.clock.monotonicMs()
    return [...this.#known.values()].map(({ entry, placed, refusingUntilMs }) => ({
      ...entry,
      sessions: Math.max(
        this.#own.get(entry.engineId) ?? 0,
        entry.sessions + placed.reduce((sum, more) => sum + more, 0),
      ),
      isRefusing: nowMs < refusingUntilMs,
    }))
  }

  #over(numberId: NumberId, at: PlaceableEngine, ending: SocketEnding, wasUp: boolean): Redialling | null {
    const { refusedStatus, refusedHeaders, closeCode } = ending
    if (refusedStatus === HELD_ELSEWHERE) return this.#misdirected(numberId, at, refusedHeaders)
    if (refusedStatus === TAKES_NONE || (wasUp && closeCode === GOING_AWAY)) this.#holders.delete(numberId)
    const known = this.#known.get(at.engineId)
    if (known && !wasUp) known.refusingUntilMs = this.#deps.clock.monotonicMs() + REFUSING_MS
    return null
  }

  /** Another engine holds the number: it is dialled at once where it is known, else tried again when it may be free. */
  #misdirected(numberId: NumberId, at: PlaceableEngine, headers: SocketEnding['refusedHeaders']): Redialling {
    const engineId = textOf(headers['engine-id'])
    const named = engineId === null ? null : this.#known.get(engineId)?.entry
    if (engineId !== null) this.#holders.set(numberId, { engineId, url: named?.url ?? null })
    if (named && !named.draining && named.url !== at.url) return { when: 'at once' }
    const retryAfter = textOf(headers['retry-after']) ?? undefined
    return { when: 'not before', ms: parseRetryAfter(retryAfter, this.#deps.clock.now()) ?? 0 }
  }

  #countOwn(engineId: string, by: 1 | -1): void {
    const count = (this.#own.get(engineId) ?? 0) + by
    if (count === 0) this.#own.delete(engineId)
    else this.#own.set(engineId, count)
  }

  #seatsAt(engineId: string): FleetSeat[] {
    return [...this.#seats].filter((seat) => seat.engineId === engineId)
  }

  #count(): void {
    const states = [...this.#known.values()].map(({ entry }) => stateOf(entry))
    for (const state of STATES) this.#deps.known.set(states.filter((one) => one === state).length, { state })
  }
}

function stateOf({ draining, sessions, capacity }: EngineEntry): (typeof STATES)[number] {
  if (draining) return 'draining'
  return sessions < capacity ? 'taking' : 'full'
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

interface SeatDeps {
  place(): PlaceableEngine | null
  /** The engine has the session. */
  holds(at: PlaceableEngine): void
  over(at: PlaceableEngine, ending: SocketEnding, wasUp: boolean): Redialling | null
  /** One seat more or less is at an engine. */
  counts(engineId: string, by: 1 | -1): void
  left(): void
}

class FleetSeat implements EngineSeat {
  readonly probe: () => void
  readonly #deps: SeatDeps
  #at: PlaceableEngine | null = null
  isUp = false

  constructor(probe: () => void, deps: SeatDeps) {
    this.probe = probe
    this.#deps = deps
  }

  /** The engine that it is at, or dials; null for none. */
  get engineId(): string | null {
    return this.#at?.engineId ?? null
  }

  dial(): string | null {
    this.#move(this.#deps.place())
    return this.#at?.url ?? null
  }

  up(): void {
    this.isUp = true
    if (this.#at) this.#deps.holds(this.#at)
  }

  over(ending: SocketEnding): Redialling | null {
    const [at, wasUp] = [this.#at, this.isUp]
    this.#move(null)
    return at && this.#deps.over(at, ending, wasUp)
  }

  leave(): void {
    this.#move(null)
    this.#deps.left()
  }

  #move(to: PlaceableEngine | null): void {
    if (this.#at) this.#deps.counts(this.#at.engineId, -1)
    if (to) this.#deps.counts(to.engineId, 1)
    this.#at = to
    this.isUp = false
  }
}
