/**
 * Decides which events of a number's engine are told, and up to where they may be acknowledged.
 *
 * An engine sends events again from the last `seq` that it saw acknowledged ([bridge.socket.5]). Nothing in the
 * protocol says whether a repeated `seq` is the same event or a new one of an engine that restarted and counts from one
 * again, and an engine that gets too high an `ack` may throw events away. So (our choice) nothing is lost, at the price
 * that an event may rarely be told twice; rows deduplicate those by the external id:
 *
 * - An acknowledgement covers only what came on this very connection: the longest run, from its first event, whose
 *   outcomes are stored. It never exceeds what the engine itself just counted.
 * - A stored `ackedSeq` withholds nothing, and is never sent as an acknowledgement. Our own numbering goes on from
 *   it, so that the stored figure keeps rising.
 * - An event is withheld when the same `seq` came before with the same content. Call ids, codes, credentials and SDP
 *   make that safe across restarts. `session.state` has no such content ("OPEN" looks alike each time), so it is told
 *   again: the latest state counts. So is `session.health`.
 * - A settled CLOSE that comes first on a connection is withheld all the same: it is sent again because its
 *   acknowledgement got lost, and telling it would end the session that was opened after it.
 *
 * Each told event has a ticket, unique within the number, by which it is settled: `settle(5)` of the old count can
 * never acknowledge the 5 of a new one. Tickets equal `seq` until a restart.
 */
import type { EngineEvent } from './events.ts'

/** Most told and settled events that are remembered (our choice; about 150 bytes each). */
const MEMORY_LIMIT = 128
/** Most events that are remembered for a number without a session, of which only the last ones can come again. */
const IDLE_MEMORY_LIMIT = 16

interface Entry {
  readonly seq: number
  readonly ticket: number
  readonly fingerprint: string
  isSettled: boolean
}

export class EventLedger {
  /** The last telling of each `seq`, oldest first. */
  readonly #memory = new Map<number, Entry>()
  readonly #open = new Map<number, Entry>()
  /** Events of this connection that are not acknowledged yet, in order. */
  #arrived: Entry[] = []
  /** True while every event of this connection was withheld. */
  #isLeading = true
  #lastTicket = 0

  /** Events told and not settled yet. */
  get openCount(): number {
    return this.#open.size
  }

  /** Events that lack an outcome or an acknowledgement: as many as an engine may have outstanding. */
  get backlog(): number {
    return Math.max(this.#open.size, this.#arrived.length)
  }

  /** Begins a new connection, on which events that were not acknowledged come again. */
  connected(): void {
    this.#arrived = []
    this.#isLeading = true
  }

  /**
   * Begins a new listener, which is told again what the old one did not settle. `ackedSeq` is the highest ticket that
   * may be stored.
   */
  reopen(ackedSeq: number): void {
    for (const entry of this.#open.values()) if (this.#memory.get(entry.seq) === entry) this.#memory.delete(entry.seq)
    this.#open.clear()
    this.#lastTicket = Math.max(this.#lastTicket, ackedSeq)
    this.connected()
  }

  /** Notes that the session ended; late `settle` calls still count. */
  idle(): void {
    this.#trim(IDLE_MEMORY_LIMIT)
  }

  /** Takes an event in; answers the ticket to tell it under, or null when it is withheld. */
  arrive(seq: number, event: EngineEvent, fingerprint: string): number | null {
    const known = this.#memory.get(seq)
    const isSame = known?.fingerprint === fingerprint
    if (known && isSame && this.#isWithheld(known, event)) {
      if (!this.#arrived.includes(known)) this.#arrived.push(known)
      return null
    }
    this.#isLeading = false
    const entry: Entry = { seq, ticket: Math.max(seq, this.#lastTicket + 1), fingerprint, isSettled: false }
    this.#lastTicket = entry.ticket
    this.#remember(entry)
    this.#open.set(entry.ticket, entry)
    this.#arrived.push(entry)
    return entry.ticket
  }

  /** Takes in an event that is not told: it counts as settled. */
  skip(seq: number, fingerprint: string = ''): void {
    const entry: Entry = { seq, ticket: 0, fingerprint, isSettled: true }
    this.#remember(entry)
    this.#arrived.push(entry)
  }

  settle(ticket: number): void {
    const entry = this.#open.get(ticket)
    if (!entry) return
    entry.isSettled = true
    this.#open.delete(ticket)
  }

  /** The `seq` up to which this connection may be acknowledged now, or null when that has not risen. */
  takeAck(): number | null {
    const firstOpen = this.#arrived.findIndex((entry) => !entry.isSettled)
    const settled = this.#arrived.splice(0, firstOpen < 0 ? this.#arrived.length : firstOpen)
    return settled.at(-1)?.seq ?? null
  }

  #isWithheld(known: Entry, event: EngineEvent): boolean {
    if (event.type === 'health') return false
    if (event.type !== 'state') return true
    return event.state === 'CLOSE' && known.isSettled && this.#isLeading
  }

  #remember(entry: Entry): void {
    // Deleted first, so that the newest stands last.
    this.#memory.delete(entry.seq)
    this.#memory.set(entry.seq, entry)
    this.#trim(MEMORY_LIMIT)
  }

  /** Forgets the oldest settled entries beyond `limit`. */
  #trim(limit: number): void {
    let surplus = this.#memory.size - this.#open.size - limit
    for (const [seq, old] of this.#memory) {
      if (surplus <= 0) return
      if (!old.isSettled) continue
      this.#memory.delete(seq)
      surplus -= 1
    }
  }
}
