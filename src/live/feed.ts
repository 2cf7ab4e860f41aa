import { BoundedMemory } from '../domain/bounded-memory.ts'
import { callIn, type Call } from '../domain/call.ts'
import type { StoredEvent } from '../domain/events.ts'
import type { CallId, NumberId, TenantId } from '../domain/ids.ts'
import { Looks } from '../feeds/looks.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { TenantFeedReads } from '../ports/stores/tenant-feed-store.ts'
import type {
  CallMove,
  ConversationMove,
  EventPlace,
  JoinedTenant,
  PlacedEvent,
  StandingNumber,
  TenantChange,
  TenantFeed,
  TenantListener,
} from '../ports/tenant-feed.ts'
import { asOf, isSame, isUntold, rankOf } from './standing.ts'

export interface TenantFeedDeps {
  readonly reads: TenantFeedReads
  readonly clock: Clock
  readonly log: Log
}

/**
 * Our choice, in ms: all numbers and live calls are read this often while somebody listens, so that a move that other
 * nodes could not tell of still shows within 2 s.
 */
const STANDING_MS = 1_500
/** Our choice: most events of an account that one look takes; a look that finds more is followed by another at once. */
const MOST = 1_000
/** Our choice: most calls whose last told status is remembered, so that a move that comes late is not told. */
const TOLD_CALLS = 20_000

/** An account that somebody listens to. */
interface Followed {
  readonly listeners: Set<TenantListener>
  /** Null before the first look. */
  place: EventPlace | null
  numbers: Map<NumberId, StandingNumber>
  calls: readonly Call[]
}

/**
 * Tells readers on this node what happens in their accounts. It looks at rows only while somebody listens, with one
 * statement for all accounts, however many readers they have.
 */
export class RowTenantFeed implements TenantFeed {
  readonly #deps: TenantFeedDeps
  readonly #followed = new Map<TenantId, Followed>()
  readonly #told = new BoundedMemory<number>({ most: TOLD_CALLS })
  #moves: CallMove[] = []
  #moved = new Set<NumberId>()
  readonly #looks: Looks
  #standingMs = -Infinity

  constructor(deps: TenantFeedDeps) {
    this.#deps = deps
    const { clock, log } = deps
    this.#looks = new Looks({
      clock,
      log,
      failed: 'events of accounts could not be read for dashboards; they are read again shortly',
      isWanted: () => this.#followed.size > 0,
      look: (isAwaited) => this.#lookOrForget(isAwaited),
    })
  }

  async join(tenantId: TenantId, told: TenantListener): Promise<JoinedTenant> {
    let isJoined = false
    const listener: TenantListener = {
      ended: () => told.ended(),
      changed: (change) => {
        if (isJoined) told.changed(change)
      },
    }
    const followed = this.#follow(tenantId)
    followed.listeners.add(listener)
    const leave = (): void => {
      followed.listeners.delete(listener)
      if (followed.listeners.size === 0 && this.#followed.get(tenantId) === followed) this.#followed.delete(tenantId)
    }
    try {
      await this.#looks.next()
    } catch (error) {
      leave()
      throw error
    }
    if (followed.place === null) throw new Error('a look gave an account no place')
    isJoined = true
    return { place: followed.place, numbers: [...followed.numbers.values()], calls: followed.calls, leave }
  }

  missed(tenantId: TenantId, after: EventPlace, until: EventPlace, most: number) {
    return this.#deps.reads.between(tenantId, after, until, most)
  }

  /** Tells that events were stored here. Returns at once. */
  wake(): void {
    this.#looks.wake()
  }

  /** Notes a status of a call that no event tells of, here or on another node. */
  callMoved(move: CallMove): void {
    if (this.#followed.size === 0) return
    this.#moves.push(move)
    this.wake()
  }

  /** Notes that a number stands otherwise, here or on another node. */
  numberMoved(numberId: NumberId): void {
    if (this.#followed.size === 0) return
    this.#moved.add(numberId)
    this.wake()
  }

  /** Tells that a conversation is handled otherwise, here or on another node. Nothing has to be read for it. */
  conversationMoved(move: ConversationMove): void {
    this.#tell(move.tenantId, { type: 'conversation', move })
  }

  /** Ends all listeners. Idempotent. */
  stop(): void {
    this.#looks.stop()
    for (const { listeners } of this.#followed.values()) for (const listener of listeners) listener.ended()
  }

  #follow(tenantId: TenantId): Followed {
    const followed = this.#followed.get(tenantId) ?? {
      listeners: new Set(),
      place: null,
      numbers: new Map(),
      calls: [],
    }
    this.#followed.set(tenantId, followed)
    return followed
  }

  /** Looks. After a failure all is read anew by the next look, so that no move that was noted is lost with this one. */
  async #lookOrForget(isJoining: boolean): Promise<void> {
    try {
      await this.#look(isJoining)
    } catch (error) {
      this.#standingMs = -Infinity
      throw error
    }
  }

  /**
   * How all stands is read before the events are, so that no event tells of less than was told before it. Moves are
   * taken after them, since those that came before an event of the same call are told before it.
   */
  async #look(isJoining: boolean): Promise<void> {
    const { reads, clock } = this.#deps
    const followed = new Map(this.#followed)
    const tenantIds = [...followed.keys()]
    if (tenantIds.length === 0) return
    const isWhole = isJoining || clock.now() - this.#standingMs >= STANDING_MS
    const beganMs = clock.now()
    const standing = isWhole ? await reads.standing(tenantIds) : null
    const found = await reads.look(new Map([...followed].map(([id, { place }]) => [id, place])), MOST)
    const { moves, calls, numbers } = await this.#readMoved(tenantIds)
    if (isWhole) this.#standingMs = beganMs
    this.#tellMoves(moves, calls)
    for (const call of standing?.calls.filter(isUntold) ?? []) this.#tellCall(call)
    const calling = standing && Map.groupBy(standing.calls, ({ tenantId }) => tenantId)
    for (const [tenantId, one] of followed) {
      this.#tellEvents(tenantId, one, found.events.get(tenantId) ?? [], found.horizon)
      if (calling) one.calls = calling.get(tenantId) ?? []
    }
    if (standing) this.#tellNumbers(followed, standing.numbers, true)
    this.#tellNumbers(followed, numbers, false)
  }

  /** Takes what was noted, and reads it. */
  async #readMoved(tenantIds: readonly TenantId[]) {
    const { reads } = this.#deps
    const [moves, moved] = [this.#moves, this.#moved]
    this.#moves = []
    this.#moved = new Set()
    const callIds = [...new Set(moves.map(({ callId }) => callId))]
    const calls = callIds.length > 0 ? await reads.callsOf(tenantIds, callIds) : []
    const numbers = moved.size > 0 ? await reads.numbersOf(tenantIds, [...moved]) : []
    return { moves, calls, numbers }
  }

  #tellMoves(moves: readonly CallMove[], calls: readonly Call[]): void {
    const byId = new Map<CallId, Call>(calls.map((call) => [call.id, call]))
    for (const move of moves) {
      const call = byId.get(move.callId)
      if (call?.numberId === move.numberId) this.#tellCall(asOf(call, move))
    }
  }

  /** Tells a call unless it was told with this status or a later one. */
  #tellCall(call: Call): void {
    if (rankOf(call.status) <= (this.#told.get(call.id) ?? 0)) return
    this.#told.set(call.id, rankOf(call.status))
    this.#tell(call.tenantId, { type: 'call', call })
  }

  #tellEvents(tenantId: TenantId, followed: Followed, events: readonly PlacedEvent[], horizon: EventPlace): void {
    for (const { place, event } of events) {
      this.#noteCall(event.data)
      // The number may be new, or may stand otherwise by now.
      if (event.data['numberId'] === event.numberId) this.numberMoved(event.numberId)
      this.#tell(tenantId, { type: 'event', place, event })
    }
    const last = events.length < MOST ? horizon : events.at(-1)?.place
    followed.place = last ?? horizon
    if (events.length >= MOST) this.wake()
  }

  #noteCall(data: StoredEvent['data']): void {
    const told = callIn(data)
    if (told) this.#told.set(told.id, rankOf(told.status))
  }

  /** Tells numbers that stand otherwise than before. A number is forgotten once a whole reading lacks it. */
  #tellNumbers(followed: ReadonlyMap<TenantId, Followed>, numbers: readonly StandingNumber[], isWhole: boolean): void {
    const byTenant = Map.groupBy(numbers, ({ tenantId }) => tenantId)
    for (const [tenantId, one] of followed) {
      const before = one.numbers
      const now = byTenant.get(tenantId) ?? []
      one.numbers = new Map([...(isWhole ? [] : before), ...now.map((number) => [number.id, number] as const)])
      for (const number of now) {
        if (!isSame(before.get(number.id), number)) this.#tell(tenantId, { type: 'number', number })
      }
    }
  }

  #tell(tenantId: TenantId, change: TenantChange): void {
    for (const listener of this.#followed.get(tenantId)?.listeners ?? []) listener.changed(change)
  }
}
