import { UNDER_WAY } from '../ports/stores/inbox-store.ts'
import type { ChangeCursor, LookedAt } from '../ports/stores/inbox-store.ts'

/**
 * Our choice: the longest time from the numbering of a row to its commit. Statements of a request end within 5 s, so a
 * transaction that lasts longer than this stores no messages and is not waited for.
 */
const LONGEST_MS = 30_000

interface Earlier {
  readonly atMs: number
  readonly position: bigint
  readonly next: bigint
}

/** The new part of a look. */
export interface Fresh {
  readonly messages: LookedAt['messages']
  readonly moves: LookedAt['moves']
  /** True when changes were left out: by this look, or by an earlier cut whose transactions have now committed. */
  readonly isCut: boolean
}

export const NONE: Fresh = { messages: [], moves: [], isCut: false }

/**
 * The position of a reader of changes. Rows get their positions before they are committed, and in another order. So a
 * position is certain only when every transaction has ended that was under way, or had begun, when a look saw it. Until
 * then the rows after it are read again, and known ones are skipped. This class only decides and reads nothing itself.
 */
export class Reading {
  #position: bigint
  #transaction: bigint
  #earlier: Earlier[] = []
  readonly #seenMessages = new Map<string, bigint>()
  readonly #seenMoves = new Map<string, bigint>()
  /**
   * The transaction at which a cut ends: rows that were being committed during the cut were left out too. Null without
   * a cut.
   */
  #isCutUntil: bigint | null = null

  /** Starts from a first look: its rows were there before. */
  constructor({ snapshot: { position, oldest, next }, messages, moves }: LookedAt, nowMs: number) {
    this.#position = BigInt(position) - BigInt(UNDER_WAY)
    this.#transaction = BigInt(oldest)
    this.#earlier.push({ atMs: nowMs, position: BigInt(position), next: BigInt(next) })
    for (const { id, position: place } of messages) this.#seenMessages.set(id, BigInt(place))
    for (const { eventId, transaction } of moves) this.#seenMoves.set(eventId, BigInt(transaction))
  }

  get cursor(): ChangeCursor {
    return { position: String(this.#position), transaction: String(this.#transaction) }
  }

  take({ snapshot, messages, moves, isCut }: LookedAt, nowMs: number): Fresh {
    const [oldest, next, position] = [BigInt(snapshot.oldest), BigInt(snapshot.next), BigInt(snapshot.position)]
    if (isCut) return this.#skip(position, oldest, next)
    const fresh = {
      messages: messages.filter(({ id, position: place }) => isNew(this.#seenMessages, id, place)),
      moves: moves.filter(({ eventId, transaction }) => isNew(this.#seenMoves, eventId, transaction)),
    }
    this.#transaction = max(this.#transaction, oldest)
    this.#earlier.push({ atMs: nowMs, position, next })
    this.#settle(oldest, nowMs)
    forget(this.#seenMessages, (place) => place <= this.#position)
    forget(this.#seenMoves, (place) => place < this.#transaction)
    const isLateCut = this.#isCutUntil !== null && this.#isCutUntil <= oldest
    if (isLateCut) this.#isCutUntil = null
    return { ...fresh, isCut: isLateCut }
  }

  #settle(oldest: bigint, nowMs: number): void {
    for (
      let [first] = this.#earlier;
      first && (first.next <= oldest || nowMs - first.atMs > LONGEST_MS);
      [first] = this.#earlier
    ) {
      this.#earlier.shift()
      this.#position = max(this.#position, first.position)
      this.#transaction = max(this.#transaction, first.next)
    }
  }

  #skip(position: bigint, oldest: bigint, next: bigint): Fresh {
    this.#position = position
    this.#transaction = oldest
    this.#earlier = []
    this.#seenMessages.clear()
    this.#seenMoves.clear()
    this.#isCutUntil = next
    return { messages: [], moves: [], isCut: true }
  }
}

/** Whether an id is seen for the first time; it is remembered from now on. */
function isNew(seen: Map<string, bigint>, id: string, place: string): boolean {
  if (seen.has(id)) return false
  seen.set(id, BigInt(place))
  return true
}

function forget(seen: Map<string, bigint>, isOver: (place: bigint) => boolean): void {
  for (const [id, place] of seen) if (isOver(place)) seen.delete(id)
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
