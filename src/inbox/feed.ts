import { randomInt } from 'node:crypto'
import type { NumberId } from '../domain/ids.ts'
import type { NumberState } from '../domain/number.ts'
import { Looks } from '../feeds/looks.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  ChangedRows,
  FedChange,
  FeedListener,
  InboxChange,
  InboxFeed,
  Joined,
  TypedIn,
} from '../ports/inbox-feed.ts'
import type { Log } from '../ports/log.ts'
import type { InboxChanges, InboxStore, LookedAt } from '../ports/stores/inbox-store.ts'
import { readChanges, type Named } from './changes.ts'
import { NONE, Reading, type Fresh } from './reading.ts'
import { KEPT_MS, Ring } from './ring.ts'

export interface FeedDeps {
  readonly reads: InboxStore
  readonly changes: InboxChanges
  readonly clock: Clock
  readonly log: Log
}

/** A number that somebody listens to, or did a short time ago. */
interface Followed {
  readonly listeners: Set<FeedListener>
  /** Order of the first change since which all changes are known. */
  sinceOrder: number
  /** When the last listener left, in ms; null while there is one. */
  leftMs: number | null
  state: NumberState | null
  unread: number
}

/** Tells readers on this node about changes. It looks at rows only while somebody listens. */
export class RowInboxFeed implements InboxFeed {
  readonly run = String(randomInt(10 ** 6)).padStart(6, '0')
  readonly #deps: FeedDeps
  readonly #followed = new Map<NumberId, Followed>()
  readonly #ring = new Ring()
  #order: number
  #reading: Reading | null = null
  #named = new Map<NumberId, Named>()
  readonly #looks: Looks

  constructor(deps: FeedDeps) {
    this.#deps = deps
    const { clock, log } = deps
    this.#looks = new Looks({
      clock,
      log,
      failed: 'changes of inboxes could not be read',
      isWanted: () => this.#followed.size > 0,
      look: () => this.#look(),
      over: () => this.#forget(),
    })
    // The order starts at the present time in ms, so that it also rises over restarts.
    this.#order = deps.clock.now()
  }

  async join(numberIds: readonly NumberId[], told: FeedListener, after: number | null): Promise<Joined> {
    const wanted = new Set(numberIds)
    const known =
      after === null || [...wanted].some((id) => after < (this.#followed.get(id)?.sinceOrder ?? Infinity))
        ? null
        : after
    let isJoined = false
    const listener: FeedListener = {
      ended: () => told.ended(),
      changed: (change) => {
        if (isJoined) told.changed(change)
      },
    }
    for (const id of wanted) this.#follow(id).listeners.add(listener)
    const leave = () => this.#leave(wanted, listener)
    try {
      await this.#looks.next()
    } catch (error) {
      leave()
      throw error
    }
    const missed = known === null ? null : this.#ring.after(known, wanted)
    isJoined = true
    return {
      order: this.#order,
      missed,
      unread: new Map([...wanted].map((id) => [id, this.#followed.get(id)?.unread ?? 0])),
      leave,
    }
  }

  wake(): void {
    this.#looks.wake()
  }

  /** Notes rows that changed, here or on another node. */
  changed({ numberId, messageIds, conversationIds, isWhole }: ChangedRows): void {
    if (!this.#followed.has(numberId)) return
    const named = this.#named.get(numberId)
    this.#named.set(numberId, {
      messageIds: new Set([...(named?.messageIds ?? []), ...messageIds]),
      conversationIds: new Set([...(named?.conversationIds ?? []), ...conversationIds]),
      isWhole: isWhole || (named?.isWhole ?? false),
    })
    this.wake()
  }

  /**
   * Notes that somebody writes, here or on another node. It costs a read while somebody listens to the number, and
   * nothing otherwise; resolves once it was told, and never rejects.
   */
  async typed({ numberId, conversationIds, state }: TypedIn): Promise<void> {
    const { reads, clock, log } = this.#deps
    const listeners = this.#followed.get(numberId)?.listeners
    if (!listeners || listeners.size === 0) return
    try {
      const found = await reads.conversationsOf([numberId], conversationIds)
      const one = found.find(({ id }) => id === conversationIds[0]) ?? found[0]
      if (!one) return
      const change: InboxChange = { type: 'typing', conversationId: one.id, state }
      // No order of its own: who comes back later is not told.
      const fed: FedChange = { order: this.#order, atMs: clock.now(), numberId, change }
      for (const listener of listeners) listener.changed(fed)
    } catch {
      log.debug({ numberId }, 'where somebody writes could not be read, so inboxes do not show it')
    }
  }

  /** Ends all listeners. Idempotent. */
  stop(): void {
    this.#looks.stop()
    for (const listener of new Set([...this.#followed.values()].flatMap(({ listeners }) => [...listeners])))
      listener.ended()
  }

  #follow(numberId: NumberId): Followed {
    const followed = this.#followed.get(numberId) ?? {
      listeners: new Set(),
      sinceOrder: Infinity,
      leftMs: null,
      state: null,
      unread: 0,
    }
    followed.leftMs = null
    this.#followed.set(numberId, followed)
    return followed
  }

  #leave(numberIds: ReadonlySet<NumberId>, listener: FeedListener): void {
    for (const id of numberIds) {
      const followed = this.#followed.get(id)
      if (!followed?.listeners.delete(listener) || followed.listeners.size > 0) continue
      followed.leftMs = this.#deps.clock.now()
    }
  }

  async #look(): Promise<void> {
    const { changes, clock } = this.#deps
    const numberIds = [...this.#followed.keys()]
    const found = await changes.look(numberIds, this.#reading?.cursor ?? null)
    const named = this.#named
    this.#named = new Map()
    try {
      const fresh = this.#reading?.take(found, clock.now()) ?? NONE
      this.#reading ??= new Reading(found, clock.now())
      await this.#tell(numberIds, found, fresh, named)
    } catch (error) {
      this.#startAnew(named)
      throw error
    }
  }

  /** Makes all listeners read anew, because changes were found that could not be told and will not be found again. */
  #startAnew(named: ReadonlyMap<NumberId, Named>): void {
    this.#reading = null
    for (const id of new Set([...this.#followed.keys(), ...named.keys()]))
      this.#named.set(id, { messageIds: new Set(), conversationIds: new Set(), isWhole: true })
  }

  async #tell(
    numberIds: readonly NumberId[],
    found: LookedAt,
    fresh: Fresh,
    named: ReadonlyMap<NumberId, Named>,
  ): Promise<void> {
    const isFirst = numberIds.filter((id) => this.#followed.get(id)?.sinceOrder === Infinity)
    const told = await readChanges(this.#deps.reads, { fresh, named, counted: isFirst })
    for (const id of numberIds) this.#note(id, found, told.unread.get(id))
    for (const { numberId, change } of told.changes) this.#emit(numberId, change)
    const lost = fresh.isCut ? numberIds : numberIds.filter((id) => named.get(id)?.isWhole)
    for (const numberId of lost) this.#emit(numberId, { type: 'resync' })
  }

  /** Keeps the state of a number, and tells what changed in it. */
  #note(numberId: NumberId, found: LookedAt, unread: number | undefined): void {
    const followed = this.#followed.get(numberId)
    if (!followed) return
    const isFirst = followed.sinceOrder === Infinity
    if (isFirst) followed.sinceOrder = this.#order
    const state = found.states.get(numberId) ?? followed.state
    const [isMoved, isCounted] = [state !== followed.state, unread !== undefined && unread !== followed.unread]
    followed.state = state
    followed.unread = unread ?? followed.unread
    if (isFirst) return
    if (isMoved && state) this.#emit(numberId, { type: 'number', state })
    if (isCounted) this.#emit(numberId, { type: 'unread', count: followed.unread })
  }

  #emit(numberId: NumberId, change: InboxChange): void {
    const fed: FedChange = { order: ++this.#order, atMs: this.#deps.clock.now(), numberId, change }
    this.#ring.add(fed)
    for (const listener of this.#followed.get(numberId)?.listeners ?? []) listener.changed(fed)
  }

  /** Forgets numbers that no listener came back to. */
  #forget(): void {
    const nowMs = this.#deps.clock.now()
    this.#ring.trim(nowMs)
    for (const [id, { leftMs }] of this.#followed) {
      if (leftMs !== null && nowMs - leftMs > KEPT_MS) this.#followed.delete(id)
    }
    if (this.#followed.size === 0) this.#reading = null
  }
}
